// SPDX-License-Identifier: MIT
#pragma once

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/world/world.hpp>

#include "dynamics/body_table.hpp"
#include "integration/rigid_rotation.hpp"

namespace abut {

/// A contact of this step between bodies given by index.
struct StepContact {
  std::uint32_t body1 = 0, body2 = 0;
  PairMaterial material;
  double depth = 0.0;
  SolverContact row;  ///< For the solver; body indices are the table's.
  Vec3 impact;        ///< Impulse along normal and tangents before forces act [N s].
  Vec3 impulse;       ///< Impulse over the step [N s].
  double pull = 0.0;  ///< Acceleration along the normal by the step's forces [m/s^2].
  std::uint32_t cacheIndex = 0;
  std::uint64_t order = 0;  ///< Hash of the pair: rank in the colouring.
  std::uint32_t colour = 0;
};

/// Bodies joined by contacts. Indices into the orders below.
struct Island {
  std::uint32_t firstContact = 0, numContacts = 0;  ///< Into State::contactOrder.
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

  /// A pair that touched in the last step.
  struct Touch {
    ObjectPair pair;
    double since = 0.0;
  };
  std::vector<Touch> touching;  ///< Sorted by pair.

  // Buffers.
  std::vector<Touch> touchingNow;
  std::vector<ContactEvent> mergedEvents;
  std::vector<double> margins;
  std::vector<Pose> shapePoses;
  std::vector<ObjectPair> pairs;
  CollisionResult detected;
  std::vector<ObjectPose> cachePoses;
  std::vector<StepContact> contacts;
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

  // Stages of a step, in order.
  Status detect(double dt);
  void buildContacts(double dt);
  void findIslands();
  void solveImpacts(double dt);
  double normalAcceleration(const StepContact& contact) const;
  bool closesWithin(const StepContact& contact, double dt) const;
  void solveForces(double dt);
  void integrate(double dt);
  void shiftWhereSlidesEnded(double dt);
  void correctPositions();
  Status commit(double dt);
  void closeBooks(double dt);
  void publish(double dt);
  void reportEvents(double start, double dt);
  void mergeWithLast();
};

}  // namespace abut
