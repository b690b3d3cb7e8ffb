// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <abut/core/status.hpp>
#include <abut/core/tasks.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/dynamics/step_report.hpp>
#include <abut/events/contact_event.hpp>
#include <abut/events/sensor_event.hpp>
#include <abut/events/step_observer.hpp>
#include <abut/joints/joint.hpp>
#include <abut/ledger/ledger.hpp>
#include <abut/solver/problem_observer.hpp>
#include <abut/state/world_options.hpp>
#include <abut/world/world_bodies.hpp>

namespace abut::inline v0_1 {

/// Bodies in contact, stepped through time.
///
/// One step: contacts are detected and matched with the last step's; velocities that would overlap
/// are stopped or thrown back (impact, with the velocity before forces); forces and contact forces
/// act over the step; positions follow by the mean of the velocities before and after, which is
/// exact for constant forces; overlap is corrected by displacement; the energy books are closed.
///
/// Bodies are kept by id: the order of insertion changes no bit. Bodies that touch form islands
/// that do not know of each other. Bodies are added and changed by the calls of WorldBodies, looked
/// at by those of WorldQueries.
///
/// Views and references that it gives show the last step; they end with the next step(), restore()
/// or move of the world.
class World : public WorldBodies {
public:
  /// Throws abut::Error for options that are not finite and positive where they must be.
  explicit World(const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Materials that shapes refer to. Throws abut::Error(Locked) within a step: see materialsOf().
  [[nodiscard]] MaterialTable& materials();

  /// Adds a joint. On failure nothing changes and `id` is not written. Fails with UnknownObject,
  /// SelfPair, DuplicateObject, NonFinite, NotARotation or OutOfRange: no dynamic body, limits that
  /// cross, frames that are not where the joint holds them. Throws abut::Error where it returns the
  /// id.
  Status addJoint(const JointDescription& description, ObjectId& id);
  ObjectId addJoint(const JointDescription& description);
  /// Removes a joint and its couplings. Fails with UnknownObject.
  Status removeJoint(ObjectId id);
  [[nodiscard]] std::size_t numJoints() const;
  [[nodiscard]] std::vector<ObjectId> getJointIds() const;
  /// A joint as it is, with frames in the bodies; what it does and carries. Fail with
  /// UnknownObject.
  Status getJoint(ObjectId id, JointDescription& joint) const;
  Status getJointState(ObjectId id, JointState& state) const;
  /// The same; throw abut::Error.
  [[nodiscard]] JointDescription joint(ObjectId id) const;
  [[nodiscard]] JointState jointState(ObjectId id) const;
  /// Changes the drive of an axis. Fails with UnknownObject, OutOfRange or NonFinite.
  Status setJointDrive(ObjectId id, int axis, const JointDrive& drive);
  /// Couples two axes. Fails with UnknownObject, SelfPair, DuplicateObject, OutOfRange, NonFinite.
  Status addCoupling(const CouplingDescription& description, ObjectId& id);
  ObjectId addCoupling(const CouplingDescription& description);
  Status removeCoupling(ObjectId id);

  /// Moves the world on by dt [s]. dt = 0 changes nothing. Fails, and changes nothing, for a dt
  /// that is negative, not finite or above maxStep, and if the new state would not be finite (with
  /// step, stage and body). A step that did not converge is made all the same, and says so in
  /// getReport().
  Status step(double dt);
  /// Tells the observer of the stages of every step from now on; nullptr ends that. The observer
  /// outlives the world or its replacement. It is no part of the state: no bit depends on it.
  void setObserver(StepObserver* observer);
  /// Tells of the contact problems of every step of the exact scheme from now on; nullptr ends
  /// that. Likewise no part of the state.
  void setProblemObserver(ProblemObserver* observer);
  /// Who does the work of steps from now on: see WorldOptions::tasks.
  void setTasks(TaskRunner* tasks);

  [[nodiscard]] double getTime() const;
  [[nodiscard]] const StepReport& getReport() const;
  /// Sorted by pair, deeper first.
  [[nodiscard]] std::span<const WorldContact> getContacts() const;
  [[nodiscard]] std::span<const DriverReport> getDrivers() const;
  /// Pairs that began to touch in the last step, went on touching or ceased to, with what they
  /// exchanged; one event a pair, sorted by pair. Pairs of bodies removed since end here too.
  [[nodiscard]] std::span<const ContactEvent> getEvents() const;
  /// The pairs of those events that began or ended.
  [[nodiscard]] std::span<const ObjectPair> getBegunPairs() const;
  [[nodiscard]] std::span<const ObjectPair> getEndedPairs() const;
  /// Bodies that fell asleep in the last step or woke up since the one before, sorted by id.
  [[nodiscard]] std::span<const SleepEvent> getSleepEvents() const;
  /// Bodies that came into a sensor in the last step, were in it or left it; sorted by (sensor,
  /// body), a body that came and left twice over. See SensorEvent.
  [[nodiscard]] std::span<const SensorEvent> getSensorEvents() const;
  /// Joints that broke in the last step; they are gone.
  [[nodiscard]] std::span<const JointEvent> getJointEvents() const;
  /// Accounts since the beginning, and of the last step alone.
  [[nodiscard]] const EnergyAccount& getLedger() const;
  [[nodiscard]] const EnergyAccount& getStepLedger() const;

  /// Hash of all state that the future depends on, that is of what a snapshot holds but for names
  /// and user data: equal states give equal hashes on every machine.
  [[nodiscard]] std::uint64_t hash() const;
  /// That state as bytes, the same on every machine: options, materials, bodies, contacts with
  /// impulses and ages, accounts, time, and names and user data of bodies. Shapes are named by a
  /// hash of their geometry only.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// Becomes the world that made the snapshot: from here on it gives the same bits. What this world
  /// held before is lost but for its shapes: the snapshot's bodies take theirs, by geometry, from
  /// the bodies that are here and from `shapes`. Contacts, events and report of the last step are
  /// empty until the next. Fails, and changes nothing, with BadData for bytes that are foreign, of
  /// another version, truncated or damaged, and with UnknownObject for a shape that is not at hand.
  Status restore(std::span<const std::byte> snapshot,
                 std::span<const std::shared_ptr<const Shape>> shapes = {});
};

}  // namespace abut::inline v0_1
