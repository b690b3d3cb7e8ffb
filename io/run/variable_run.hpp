// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/hybrid/hybrid_record.hpp>

#include "io/run/scene_run.hpp"

namespace abut::inline v0_1::io {

/// What runs with a variable step share: frames at the times that the scene records, events where
/// they were located.
///
/// Frames hold kinetic and potential energy (with what is stored in compliant contacts) and the
/// work of located impacts. Work of contacts that last, of drivers and of forces is not booked: it
/// is what remains, EnergyAccount::residual().
class VariableRun : public SceneRun {
public:
  bool advance() final;
  [[nodiscard]] std::uint64_t getStep() const final { return step_; }
  [[nodiscard]] const Scene& getScene() const final { return scene_; }
  [[nodiscard]] const RunHeader& getHeader() const final { return header_; }
  void capture(Frame& frame) final;
  [[nodiscard]] const std::string& getFault() const final { return fault_; }
  /// Of time, places, velocities and contacts that last.
  [[nodiscard]] std::uint64_t hash() const final;

  /// What the integration cost so far.
  [[nodiscard]] virtual HybridStatistics getStatistics() const = 0;
  /// Events so far.
  [[nodiscard]] std::size_t numEvents() const { return getRecord().events.size(); }

protected:
  explicit VariableRun(const Scene& scene);

  virtual Status advanceTo(double time) = 0;
  [[nodiscard]] virtual const HybridRecord& getRecord() const = 0;
  virtual Status getMotion(ObjectId id, BodyMotion& motion) const = 0;
  /// Contacts with forces now.
  virtual std::span<const HybridContact> contactsNow() = 0;
  /// Pairs that touch, sorted.
  [[nodiscard]] virtual std::vector<ObjectPair> touchingPairs() const = 0;
  [[nodiscard]] virtual double impactWork() const { return 0.0; }  ///< [J]
  virtual double storedEnergy() { return 0.0; }                    ///< In contacts [J].

  const Scene& scene_;
  World world_;  ///< At the beginning.

private:
  ContactFrame contactFrame(const HybridContact& contact, const Frame& frame);
  void captureContacts(Frame& frame);
  void captureEvents(Frame& frame);
  void closeBooks(Frame& frame);

  RunHeader header_;
  std::uint64_t step_ = 0;
  std::size_t events_seen_ = 0;
  long steps_seen_ = 0;
  bool has_books_ = false;
  EnergyAccount books_;
  std::string fault_;
};

/// Flights and located impacts: the same bits on every machine.
[[nodiscard]] std::unique_ptr<VariableRun> startImpactRun(const Scene& scene);
/// Compliant contacts by CVODE. Throws InputError if this program was built without it.
[[nodiscard]] std::unique_ptr<VariableRun> startCompliantRun(const Scene& scene);

}  // namespace abut::inline v0_1::io
