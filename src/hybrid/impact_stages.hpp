// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/hybrid/impact_simulation.hpp>
#include <abut/narrow_phase/collision_result.hpp>

#include "hybrid/flight.hpp"
#include "hybrid/moving_bodies.hpp"
#include "solver/impact_sequence.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {

/// A contact within the touch distance.
struct ImpactTouch {
  SolverContact row;
  double depth = 0.0;
  double restitution = 0.0;
  ObjectPair pair;
};

/// What ImpactSimulation goes through from one located impact to the next, and what it keeps.
struct ImpactStages {
  ImpactOptions options;
  MovingBodies world;
  Flight flight;
  BvhBroadPhase broadPhase;
  ContactSolver solver;
  double time = 0.0;
  long impacts = 0;
  long samples = 0;
  int roundsHere = 0, idleSteps = 0;
  double contactSpan = 0.0;  // Of the last step with contacts that last [s].
  double lookAhead = 0.0;    // How far the next impact is looked for [s].
  HybridRecord record;
  HybridStatistics statistics;
  std::vector<ObjectPair> resting;
  std::vector<HybridContact> forces;  // Of the last contact step.
  double impactWork = 0.0;

  // Buffers.
  std::vector<ObjectPair> pairs;
  CollisionResult collisions;
  std::vector<ImpactTouch> touches;
  std::vector<SolverContact> rows;
  std::vector<PreparedContact> prepared;
  ImpactSequence sequence;
  std::vector<Vec3> impulses;

  ImpactStages(const World& w, const ImpactOptions& o)
      : options(o), world(w), flight(world), time(world.startTime), lookAhead(o.longestFlight) {
    for (const TrackedObject& object : world.objects) {
      broadPhase.add(object.placed.id, Aabb()).orThrow();
    }
  }

  // In the order in which advance() calls them.
  Status findTouches();
  /// Takes a share of each overlap out.
  Status correctOverlap();
  /// `resolved`: whether something bounced.
  Status resolveImpacts(bool& resolved);
  /// Of contacts that last; `span` [s] ends where they would have to be solved anew.
  Status findForces(double& span);
  /// `span` [s] ends where bodies meet.
  Status findNextImpact(double& span);
  void move(double span);

  /// An error with where the simulation was.
  Status at(const Status& status) const {
    if (status) return {};
    return Status::failure(status.getCode(),
                           "ImpactSimulation, t = " + toText(time) + " s: " + status.getMessage(),
                           status.getObject());
  }

private:
  /// Pairs that may come within the touch distance in `span` [s], sorted.
  Status findPairs(double span);
  void place();
  void sample(double span);
  void noteResting(std::vector<ObjectPair> now);
  void noteImpacts(const std::vector<BodyVelocity>& before);
  void noteForces(const std::vector<ObjectPair>& pairs, const std::vector<double>& depths,
                  double span);
  double speedAt(const SolverContact& row) const;
  double kineticEnergy() const;
  double slowest(const ImpactTouch& t) const;
  bool moves(std::size_t i) const { return world.bodies.facts[i].type != BodyType::Static; }
  bool isDynamic(std::size_t i) const { return world.bodies.facts[i].type == BodyType::Dynamic; }
};

}  // namespace abut::inline v0_1
