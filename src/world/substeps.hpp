// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/core/status.hpp>

#include "world/persistent_state.hpp"
#include "world/step_shown.hpp"

namespace abut {

struct WorldState;

/// Makes one step of several: full steps of equal length, whose contacts, events, accounts and
/// reports are gathered into one. If one of them fails the world is what it was before the first.
class Substeps {
public:
  Status run(WorldState& w, double dt);
  /// Whether bodies may fall asleep in the step that is being made: only in the last of several.
  [[nodiscard]] bool isLast() const { return left_ <= 1; }

private:
  void add(StepShown& part, bool isFirst);
  void addContacts(const std::vector<WorldContact>& now);
  void addEvents(const std::vector<ContactEvent>& now);
  void addReport(const StepReport& report);
  void finish(WorldState& w, int count, double dt);

  int left_ = 0;           // Steps yet to be made, this one included.
  StepShown gathered_;     // From the substeps so far.
  PersistentState saved_;  // What the world was before the first.
  std::vector<WorldContact> scratchContacts_;
  std::vector<ContactEvent> scratchEvents_;
};

}  // namespace abut
