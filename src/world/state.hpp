// SPDX-License-Identifier: MIT
#pragma once

#include <abut/world/world.hpp>

#include "core/stable_order.hpp"
#include "dynamics/body_table.hpp"
#include "dynamics/step_motion.hpp"
#include "events/pair_events.hpp"
#include "integration/rigid_rotation.hpp"
#include "ledger/step_books.hpp"
#include "solver/link_order.hpp"
#include "solver/prepared_contacts.hpp"
#include "world/blows.hpp"
#include "world/contact_outcome.hpp"
#include "world/fast_pairs.hpp"
#include "world/hold_back.hpp"
#include "world/local_problem.hpp"
#include "world/moving_contacts.hpp"
#include "world/persistent_state.hpp"
#include "world/row_buffers.hpp"
#include "world/sleepers.hpp"
#include "world/step_shown.hpp"
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
  Vec3 delayed;       ///< Sum of impulses of impacts times their times in the step [N s^2].
  double open = 0.0;  ///< Gap at the beginning along the row, which may be that of its impact [m].
  bool located = false;  ///< The row is that of the time at which it closes in the step.
  bool rests = false;    ///< It bounced to rest in this step.
  Vec3 impactCouple;     ///< Against rolling and spinning, about normal and tangents [N m s].
  Vec3 couple;           ///< The same over the step.
  double late = 0.0;     ///< Time in the step at which fast bodies meet [s]; depth is that of then.
  Vec3 position;         ///< World [m]; of contacts that are not in the cache.
  double pull = 0.0;     ///< Acceleration along the normal by the step's forces [m/s^2].
  double driverWork = 0.0;  ///< Of drivers through it, over the step [J].
  std::uint32_t cacheIndex = 0;
  std::uint64_t order = 0;  ///< Hash of the pair: rank in the colouring.
};

/// Scratch of the exact scheme.
struct ExactBuffers {
  LocalProblem local;
  Blows blows;
  CollisionResult found;         ///< Contacts of a pair at the time of its blow.
  std::vector<double> approach;  ///< Of each contact, after blows [m/s].
  std::vector<Vec3> stopping;
  std::vector<double> softness;            ///< Of each body after the step.
  std::vector<BodyVelocity> turning;       ///< After free rotation, before forces.
  std::vector<std::uint32_t> manifolds;    ///< Of each body.
  std::vector<Link> links;                 ///< One for each pair.
  std::vector<std::uint32_t> firstOfPair;  ///< First contact of each link, and the end.
  std::vector<std::uint32_t> islandOf;     ///< Of each contact.
  MovingContacts moving;
};

/// The tolerance that an island's masses call for.
SolverOptions tightened(SolverOptions options, const std::vector<BodyMobility>& mobility);

/// Buffers of what a step shows.
struct ResultBuffers {
  std::vector<ContactFacts> facts;  ///< Of each published contact.
  PairEvents events;
  StableOrder<WorldContact> contactSorter;
  StableOrder<ContactFacts> factsSorter;
};

/// Throws abut::Error for options that no world can have, or that its scheme does not know.
void requireSound(const WorldOptions& options);

/// Everything a world holds: the state that a snapshot holds, what the last step shows, and what
/// the stages of a step keep for themselves from step to step, on which no bit depends.
struct WorldState : PersistentState {
  StepShown shown, nextShown;  ///< Of the last step; of the step that is being made.
  StepObserver* observer = nullptr;
  TaskRunner* tasks = nullptr;  ///< Not in the options, which snapshots replace.

  BvhBroadPhase broadPhase;  ///< Follows from the bodies awake.
  ContactSolver solver;
  Sleepers sleepers;
  Substeps substeps;

  // Of the step that is being made.
  StepReport report;
  StepBooks books;
  ResultBuffers results;
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
  /// By body: what blows later than the beginning lack in displacement [m, rad]; empty if none.
  std::vector<BodyVelocity> impactShift;
  std::vector<Vec3> flightGain;  ///< By body: its acceleration between blows; empty if none.
  std::vector<StepContact> contacts;
  StableOrder<StepContact> contactSorter;
  std::vector<std::uint32_t> contactOrder;
  std::vector<Island> islands;
  StepMotion motion;

  /// The boxes of all bodies, for a broad phase that is empty.
  Status addAllToBroadPhase();
  /// Becomes what the other is; nothing of the last step is left. The other is used up.
  void takeOver(WorldState& other);
  /// Becomes what it was when the state was copied; what the last step shows stays.
  void goBackTo(const PersistentState& saved);
  /// After the state was replaced as a whole.
  void deriveAll();

  LinkOrder linkOrder;
  std::vector<std::uint8_t> moves;  ///< Of each body: whether it is dynamic.
  ExactBuffers exact;
  RowBuffers real;

  void enter(StepStage stage) const;  ///< Tells the observer.
  void noteError(const SolverReport& of, std::uint32_t body1, std::uint32_t body2);
  void noteSolve(const SolverReport& of, double fastest, double dt);
  [[nodiscard]] SolverSetting settingOf(const Island& island) const;
  [[nodiscard]] SolverOptions solverOptionsOf(const Island& island) const;

  // Stages of a step in real time, in order.
  Status stepInRealTime(double dt);
  void buildRows(double dt);
  void addFastRows(double dt);
  void orderRows();
  void solveRows(double dt);
  void closeRowBooks(double dt);
  void moveRows(double dt);
  void applyShifts();
  void showRows(double dt);

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
  void limitGain(std::span<const std::uint32_t> members, double driven, double dt);
  void shortenWays(std::span<const std::uint32_t> members, double share);
  void slowDown(std::span<const std::uint32_t> members, double share);
  Status findNear(const Aabb& box, const Vec3& way);
  bool haveContact(std::size_t i, std::size_t j) const;
  void findIslands();
  void markMovingBodies();
  void solveImpacts(double dt);
  bool beginImpacts(const Island& island, double slowest, double dt);
  bool gatherBlows(const Island& island, double slowest, double dt, bool& located);
  void makeBlows(const Island& island, double dt, bool located);
  void stopApproach(const Island& island, double dt);
  double shiftAlong(const StepContact& contact) const;
  SolverReport solveLocal();
  void noteSolved(const SolverReport& of);
  Vec3 freeAcceleration(std::uint32_t body) const;
  double normalAcceleration(const StepContact& contact) const;
  bool closesWithin(const StepContact& contact, double dt) const;
  void solveForces(double dt);
  void integrate(double dt);
  void shiftWhereSlidesEnded(double dt);
  void correctPositions();
  double slopOf(std::uint32_t body1, std::uint32_t body2) const;
  Status commit(double dt);
  void closeBooks(double dt);
  void beginContacts(std::size_t count);
  void showContact(std::size_t at, const ContactOutcome& outcome, double dt);
  void sortContacts();
  ContactOutcome outcomeOf(std::size_t contact) const;
  void showContacts(double dt);
  void publish(double start, double dt);
  void mergeWithLast();
};

}  // namespace abut
