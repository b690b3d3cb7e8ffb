// SPDX-License-Identifier: MIT
#pragma once

#include <abut/world/world.hpp>

#include "dynamics/body_table.hpp"
#include "integration/rigid_rotation.hpp"
#include "solver/manifold_solver.hpp"
#include "solver/prepared_contacts.hpp"
#include "world/fast_pairs.hpp"
#include "world/hold_back.hpp"
#include "world/link_order.hpp"
#include "world/local_problem.hpp"
#include "world/moving_contacts.hpp"
#include "world/sleepers.hpp"
#include "world/stable_order.hpp"
#include "world/substeps.hpp"

namespace abut {

/// A contact of this step between bodies given by index.
struct StepContact {
  std::uint32_t body1 = 0, body2 = 0;
  PairMaterial material;
  double depth = 0.0;
  SolverContact row;  ///< For the solver; body indices are the table's.
  Vec3 impact;        ///< Impulse along normal and tangents before forces act [N s].
  Vec3 impulse;       ///< Impulse over the step [N s].
  Vec3 impactCouple;  ///< Against rolling and spinning, about normal and tangents [N m s].
  Vec3 couple;        ///< The same over the step.
  double late = 0.0;  ///< Time in the step at which fast bodies meet [s]; depth is that of then.
  Vec3 position;      ///< World [m]; of contacts that are not in the cache.
  double pull = 0.0;  ///< Acceleration along the normal by the step's forces [m/s^2].
  std::uint32_t cacheIndex = 0;
  std::uint64_t order = 0;  ///< Hash of the pair: rank in the colouring.
};

/// StepContact::cacheIndex of a contact that the cache does not hold.
inline constexpr std::uint32_t kNoCacheIndex = 0xffffffffu;

/// Scratch of the exact scheme.
struct ExactBuffers {
  LocalProblem local;
  std::vector<PreparedContact> prepared;
  std::vector<SolverContact> unbounded;
  std::vector<double> restitution;
  std::vector<Vec3> stopping;
  std::vector<BodyVelocity> turning;       ///< After free rotation, before forces.
  std::vector<std::uint32_t> manifolds;    ///< Of each body.
  std::vector<Link> links;                 ///< One for each pair.
  std::vector<std::uint32_t> firstOfPair;  ///< First contact of each link, and the end.
  MovingContacts moving;
};

/// First time in [0, most] at which gap + u t + a t^2 / 2 is zero, or most.
double timeToClose(double gap, double u, double a, double most);

/// Where a manifold row comes from.
struct RowSource {
  std::uint32_t manifold = 0;                           ///< Of the cache.
  std::uint32_t contact[ManifoldRow::kMaxPoints] = {};  ///< Of the cache, for each point.
  double restitution = 0.0;
};

/// A displacement that takes overlap out.
struct BodyShift {
  std::uint32_t body = 0;
  BodyVelocity shift;  ///< [m, rad]
};

/// Buffers of the real-time scheme.
struct RowBuffers {
  std::vector<ManifoldRow> storage;
  std::span<ManifoldRow> rows;  ///< Those of this step.
  std::size_t ordinary = 0;     ///< So many of them, the first, are of the cache, sorted by pair.
  std::vector<RowSource> sources;
  std::vector<std::uint32_t> rowOf;  ///< Of each manifold of the cache.
  std::vector<Link> links;
  std::vector<BodyShift> shifts;
  std::vector<std::uint8_t> touched;  ///< Of each body.
  std::vector<Vec3> start;            ///< Positions before the step.
  StableOrder<WorldContact> sorter;
  ManifoldSolver solver;
};

/// Everything a world holds, and the buffers of a step.
struct WorldState {
  WorldOptions options;
  MaterialTable materials;
  BodyTable bodies;
  ObjectId nextId = 1;
  double time = 0.0;
  std::uint64_t steps = 0;
  double lastStep = 0.0;
  StepObserver* observer = nullptr;  ///< No part of the state.

  BvhBroadPhase broadPhase;
  ContactManifoldCache cache;
  ContactSolver solver;

  // Of the last step.
  StepReport report;
  EnergyAccount total, last;
  std::vector<WorldContact> worldContacts;
  std::vector<DriverReport> drivers;
  std::vector<ContactEvent> events;                ///< Sorted by pair.
  std::vector<ObjectPair> begunPairs, endedPairs;  ///< Of the events.

  std::vector<Touch> touching;  ///< Sorted by pair; of bodies awake.
  Sleepers sleepers;
  Substeps substeps;

  // Buffers.
  std::vector<Touch> touchingNow;
  std::vector<ContactEvent> mergedEvents;
  std::vector<double> margins;
  std::vector<Pose> shapePoses;
  std::vector<ObjectPair> pairs, recycled;
  CollisionResult detected;
  std::vector<ObjectPose> cachePoses;
  std::vector<FastPair> fastPairs;
  std::vector<FastHit> fastHits;
  CollisionResult fastDetected;
  FastBuffers fastScratch;
  HoldBack holdBack;
  std::vector<double> lateTime;  ///< By body: when in the step its late impact is; empty if none.
  std::vector<Vec3> lateGain;    ///< What forces add to its velocity until then.
  std::vector<StepContact> contacts;
  StableOrder<StepContact> contactSorter;
  std::vector<std::uint32_t> contactOrder;
  std::vector<Island> islands;
  std::vector<BodyVelocity> before, impacted, after;  ///< Velocities: start, after impact, end.
  std::vector<Vec3> turned;                           ///< Angular velocity after free rotation.
  std::vector<Quat> turnedOrientation;
  std::vector<Vec3> moved;    ///< New positions.
  std::vector<Quat> rotated;  ///< New orientations.

  /// The boxes of all bodies, for a broad phase that is empty.
  Status addAllToBroadPhase();
  /// Becomes what the other is; nothing of the last step is left. The other is used up.
  void takeOver(WorldState& other);

  LinkOrder linkOrder;
  std::vector<std::uint8_t> moves;  ///< Of each body: whether it is dynamic.
  ExactBuffers exact;
  RowBuffers real;

  void enter(StepStage stage) const;  ///< Tells the observer.
  void noteError(const SolverReport& of, std::uint32_t body1, std::uint32_t body2);

  // Stages of a step in real time, in order.
  Status stepInRealTime(double dt);
  void buildRows(double dt);
  void addFastRows(double dt);
  void orderRows();
  void solveRows(double dt);
  void noteRows(const SolverReport& of, std::span<const std::uint32_t> order);
  bool isInMotion(std::span<const std::uint32_t> members, double dt) const;
  void limitEnergy(const LinkOrder::Island& island);
  void correctRows(std::span<const std::uint32_t> members, double dt);
  void closeRowBooks(double dt);
  void moveRows(double dt);
  void applyShifts();
  void publishRows(double dt);
  void reportRowEvents(double start, double dt);

  // Stages of a step, in order.
  Status makeStep(double dt);
  Status detect(double dt);
  void place(std::size_t i, double dt);
  Status updateBox(std::size_t i);
  Aabb restingBox(std::size_t i, double dt) const;
  bool isDriven(std::size_t i) const;
  bool mayRecycle(std::size_t i, std::size_t j) const;
  Status stepExactly(double dt);
  void buildContacts(double dt);
  void aimAlongPaths(double dt);
  void arriveOnPaths(double dt);
  bool isFastPair(std::size_t i, std::size_t j, double dt) const;
  Status detectFastPairs(double dt);
  Status castFastPair(const FastPair& pair, double dt);
  Status collideFastPair(const FastPair& pair, double margin);
  Status detectPairsOfHits();
  void findHeldBodies(double dt);
  void addFastContacts();
  StepContact contactAt(const FastHit& hit, const ContactManifold& manifold,
                        const ContactPoint& point, std::uint32_t number) const;
  void shiftLateBodies();
  void bookLateImpacts();
  void limitGains(double dt);
  void limitGain(std::span<const std::uint32_t> members, double dt);
  void shortenWays(std::span<const std::uint32_t> members, double share);
  void slowDown(std::span<const std::uint32_t> members, double share);
  Status findNear(const Aabb& box, const Vec3& way);
  bool haveContact(std::size_t i, std::size_t j) const;
  void findIslands();
  void markMovingBodies();
  void solveImpacts(double dt);
  SolverReport solveLocal();
  void noteSolved(const SolverReport& of);
  Vec3 freeAcceleration(std::uint32_t body) const;
  double normalAcceleration(const StepContact& contact) const;
  bool closesWithin(const StepContact& contact, double dt) const;
  void solveForces(double dt);
  void integrate(double dt);
  void shiftWhereSlidesEnded(double dt);
  void correctPositions();
  double slopOf(const StepContact& contact) const;
  Status commit(double dt);
  void closeBooks(double dt);
  void bookMovingContact(const StepContact& c, const MovingContact& m, double dt);
  void bookMovingBody(std::size_t i);
  void publish(double dt);
  void reportEvents(double start, double dt);
  /// What an event has to know of a contact.
  struct EventFacts {
    ObjectPair pair;
    double normalImpulse = 0.0;
    Vec3 impulse;
    double depth = 0.0, approach = 0.0;  ///< At the beginning; approach < 0 closes.
    double pull = 0.0;                   ///< What forces add to it [m/s^2].
    double late = 0.0;                   ///< From when on this holds.
  };
  template <class FactsOf>
  void collectEvents(std::size_t count, FactsOf factsOf, double start, double dt);
  void mergeWithLast();

  // The books.
  void beginDrivers();
  void chargeDriver(std::uint32_t body, const Vec3& impulse, const Vec3& couple,
                    const BodyVelocity& velocity, double dt);
  void closeStepBooks();
};

}  // namespace abut
