// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/core/status.hpp>
#include <abut/ledger/ledger.hpp>

#include "world/sleepers.hpp"

namespace abut {

/// Makes one step of several: full steps of equal length, whose contacts, events, accounts and
/// reports are gathered into one. If one of them fails the world is what it was before the first.
class Substeps {
public:
  Status run(WorldState& w, double dt);
  /// Whether bodies may fall asleep in the step that is being made: only in the last of several.
  [[nodiscard]] bool isLast() const { return left_ <= 1; }
  /// Before contacts of bodies asleep change.
  void saveSleepers(const Sleepers& sleepers);

private:
  void save(WorldState& w);
  void takeBack(WorldState& w);
  void add(WorldState& w);
  void addContacts(const WorldState& w);
  void addEvents(const WorldState& w);
  void addReport(const StepReport& report);
  void finish(WorldState& w, int count, double dt);

  int left_ = 0;  // Steps yet to be made, this one included.

  // What is gathered.
  EnergyAccount account_;
  StepReport report_;
  std::vector<WorldContact> contacts_, scratchContacts_;
  std::vector<DriverReport> drivers_;
  std::vector<ContactEvent> events_, scratchEvents_;

  // What it was before.
  struct Saved {
    BodyTable bodies;  ///< State only, without facts.
    std::vector<PersistentManifold> manifolds, asleep;
    std::uint32_t frame = 0;
    std::vector<Touch> touching, touchingAsleep;
    bool sleepers = false;  ///< What sleeps is saved too.
    double time = 0.0, lastStep = 0.0;
    std::uint64_t steps = 0;
    EnergyAccount total, last;
    StepReport report;
    std::vector<WorldContact> contacts;
    std::vector<DriverReport> drivers;
    std::vector<ContactEvent> events;
    std::vector<ObjectPair> begun, ended;
  };
  Saved saved_;
};

}  // namespace abut
