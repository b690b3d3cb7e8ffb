// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <abut/core/status.hpp>
#include <abut/core/tasks.hpp>
#include <abut/dynamics/body.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/dynamics/path.hpp>
#include <abut/dynamics/step_report.hpp>
#include <abut/events/contact_event.hpp>
#include <abut/ledger/ledger.hpp>
#include <abut/solver/contact_solver.hpp>
#include <abut/world/step_observer.hpp>

namespace abut {

/// How a step turns contacts into motion.
enum class StepScheme : std::uint8_t {
  /// Impacts apart from forces, friction at every point, positions by the mean of the velocities
  /// before and after: of second order, with contact forces to the solver's tolerance.
  Exact,
  /// One solve for impacts and forces, friction as one force and one couple for each manifold,
  /// bodies in contact moved by their new velocity: for many bodies at a fixed frame rate. Of first
  /// order; a bounce turns within a step of the surface, not at it.
  RealTime,
};

/// Greatest WorldOptions::substeps.
inline constexpr int kMaxSubsteps = 1000;

struct WorldOptions {
  StepScheme scheme = StepScheme::Exact;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< [m/s^2]
  SolverOptions solver;
  /// Contacts are looked for within this distance [m] beyond what motion covers in a step.
  double detectionMargin = 0.01;
  /// Contacts count before they touch, so that nothing overlaps: an approach is slowed to what
  /// closes the gap in the step. If false, a contact counts once the shapes touch or overlap.
  bool speculative = true;
  /// Baumgarte's error reduction: approach ends with a separation of this share of the overlap per
  /// step. It adds energy that no law of physics accounts for, and exists for comparison; 0 is off.
  double baumgarte = 0.0;
  /// Overlap up to this depth [m] is left alone; beyond it a share is taken out in each step, by
  /// displacement, never through the velocity.
  double correctionSlop = 1e-6;
  double correctionShare = 0.2;
  /// Longest step accepted [s].
  double maxStep = 1.0;
  /// A step is made of so many full ones, 1 to kMaxSubsteps, each detecting contacts anew: motion
  /// is that of so many calls with a fraction of dt, bit for bit. Forces given for the step act in
  /// all of them. Reports and accounts are of the step as a whole; contacts are all that there were
  /// in it, each with the mean of its force and where it was last.
  int substeps = 1;
  /// Islands whose bodies have all hardly moved for a time fall asleep: they stop, and cost next to
  /// nothing until something touches them, a call changes one of them or what they rest on, or the
  /// materials of a pair of theirs change. What touches a body or surface that is driven does not
  /// fall asleep. Off by default: it ends motion that is slow but real.
  bool sleeping = false;
  double sleepAfter = 0.5;  ///< That time [s], > 0; at least four steps in any case.
  /// Hardly: no point of a body is faster than this share of what gravity adds to its velocity in a
  /// step, 0 to 1. A body that is free to fall leaves such speeds behind within a step. realTime()
  /// has 0.3, above the jitter that its tolerance leaves in heaps.
  double sleepSpeed = 1e-3;
  /// Who does the work of steps; none is the thread that calls step(). It outlives the world or its
  /// replacement by World::setTasks(). No part of the state: no bit depends on it.
  TaskRunner* tasks = nullptr;

  /// For many bodies at a frame rate: StepScheme::RealTime, impulses to 1e-4 in at most 60 sweeps
  /// (30 for what moves), overlap up to 1 mm left alone. Contacts in such a step never add energy,
  /// converged or not.
  static WorldOptions realTime();
};

struct WorldState;

/// Bodies in contact, stepped through time.
///
/// One step: contacts are detected and matched with the last step's; velocities that would overlap
/// are stopped or thrown back (impact, with the velocity before forces); forces and contact forces
/// act over the step; positions follow by the mean of the velocities before and after, which is
/// exact for constant forces; overlap is corrected by displacement; the energy books are closed.
///
/// Bodies are kept by id: the order of insertion changes no bit. Bodies that touch form islands
/// that do not know of each other.
class World {
public:
  /// Throws abut::Error for options that are not finite and positive where they must be.
  explicit World(const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Materials that shapes refer to.
  [[nodiscard]] MaterialTable& materials();

  /// Adds a body. On failure nothing changes and `id` is not written.
  Status addBody(const BodyDescription& description, std::vector<BodyShape> shapes, ObjectId& id);
  /// The same for one shape; throws abut::Error on failure and returns the id.
  ObjectId addBody(const BodyDescription& description, std::shared_ptr<const Shape> shape,
                   MaterialId material = 0);
  template <class AnyShape, class = std::enable_if_t<std::is_base_of_v<Shape, AnyShape>>>
  ObjectId addBody(const BodyDescription& description, AnyShape shape, MaterialId material = 0) {
    return addBody(description,
                   std::shared_ptr<const Shape>(std::make_shared<AnyShape>(std::move(shape))),
                   material);
  }
  /// Removes a body and forgets its contacts. Fails with UnknownObject.
  Status removeBody(ObjectId id);
  [[nodiscard]] std::size_t numBodies() const;

  /// Where a body is. Fails with UnknownObject.
  Status getMotion(ObjectId id, BodyMotion& motion) const;
  /// Mass, centre of mass and inertia in the body's frame; mass 0 unless dynamic. Fails with
  /// UnknownObject.
  Status getMass(ObjectId id, MassProperties& mass) const;
  /// Sets the velocity of a body; for a kinematic one this is its prescribed motion.
  Status setVelocity(ObjectId id, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular);
  /// Makes a kinematic body follow a path from now on: it is put where the path is at this time,
  /// and at the end of every step it is exactly where the path is then; in between it moves evenly.
  /// No points, setVelocity() or setPose() end it. Fails with UnknownObject, OutOfRange (a body
  /// that is not kinematic, times that do not increase), NonFinite or NotARotation.
  Status setPath(ObjectId id, std::span<const PathPoint> path);
  /// Puts a body elsewhere and forgets its contacts.
  Status setPose(ObjectId id, const Eigen::Vector3d& position, const Quat& orientation);
  /// Adds a force at the centre of mass [N] and a torque [N m], world frame, for the next step.
  Status applyForce(ObjectId id, const Eigen::Vector3d& force, const Eigen::Vector3d& torque);

  /// Whether a body is asleep (see WorldOptions::sleeping); false if there is none with this id.
  [[nodiscard]] bool isAsleep(ObjectId id) const;
  /// Wakes a body and all that are asleep with it, or those that rest on a body that is not
  /// dynamic. Velocities, forces and poses given to a body do so by themselves. Fails with
  /// UnknownObject.
  Status wake(ObjectId id);

  /// Moves the world on by dt [s]. dt = 0 changes nothing. Fails, and changes nothing, for a dt
  /// that is negative, not finite or above maxStep, and if the new state would not be finite (with
  /// step, stage and body). A step that did not converge is made all the same, and says so in
  /// getReport().
  Status step(double dt);
  /// Tells the observer of the stages of every step from now on; nullptr ends that. The observer
  /// outlives the world or its replacement. It is no part of the state: no bit depends on it.
  void setObserver(StepObserver* observer);
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
  /// Accounts since the beginning, and of the last step alone.
  [[nodiscard]] const EnergyAccount& getLedger() const;
  [[nodiscard]] const EnergyAccount& getStepLedger() const;

  /// Hash of all state that the future depends on, that is of what a snapshot holds: equal states
  /// give equal hashes on every machine.
  [[nodiscard]] std::uint64_t hash() const;
  /// That state as bytes, the same on every machine: options, materials, bodies, contacts with
  /// impulses and ages, accounts, time. Shapes are named by a hash of their geometry only.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// Becomes the world that made the snapshot: from here on it gives the same bits. What this world
  /// held before is lost but for its shapes: the snapshot's bodies take theirs, by geometry, from
  /// the bodies that are here and from `shapes`. Contacts, events and report of the last step are
  /// empty until the next. Fails, and changes nothing, with BadData for bytes that are foreign, of
  /// another version, truncated or damaged, and with UnknownObject for a shape that is not at hand.
  Status restore(std::span<const std::byte> snapshot,
                 std::span<const std::shared_ptr<const Shape>> shapes = {});

  /// The library's own view of the state.
  [[nodiscard]] const WorldState& getState() const { return *state_; }

private:
  std::unique_ptr<WorldState> state_;
};

}  // namespace abut
