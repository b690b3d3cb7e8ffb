// SPDX-License-Identifier: MIT
//
// The stages of a step in the exact scheme, in order.
#pragma once

#include <span>
#include <vector>

#include "scheme/exact/blows.hpp"
#include "scheme/exact/driver_frame.hpp"
#include "scheme/exact/exact_step.hpp"
#include "scheme/exact/island_geometry.hpp"
#include "scheme/exact/moving_contacts.hpp"
#include "scheme/exact/springs.hpp"
#include "solver/even_shares.hpp"
#include "solver/rest_search.hpp"

namespace abut::inline v0_1 {

/// Throws back or stops what would overlap: from the velocities at the beginning to those after
/// impacts, island by island.
class ImpactStage {
public:
  void run(ExactStep& s);
  /// Stops the contacts of an island that waited for nothing.
  void stopWaiting(ExactStep& s, const Island& island);
  /// Blows that changed how bodies move.
  [[nodiscard]] std::span<const BlowNode> getBlows() const { return nodes_; }

private:
  bool begin(ExactStep& s, const Island& island, double slowest);
  bool letWait(ExactStep& s, const Island& island, double slowest);
  void runIsland(ExactStep& s, const Island& island, double slowest);
  bool gatherBlows(ExactStep& s, const Island& island, double slowest, bool& located);
  void makeBlows(ExactStep& s, const Island& island, bool located);
  bool isBehind(const ExactStep& s, IslandGeometry& geometry, const Island& island,
                std::uint32_t k) const;
  void stopApproach(ExactStep& s, const Island& island);
  double gapOfSecondPart(const ExactStep& s, const Island& island, std::uint32_t k) const;
  void beginSecondPart(ExactStep& s, const Island& island);

  Blows blows_;
  // Of the island at hand.
  bool has_fast_ = false;     // Fast bodies meet in it.
  double second_part_ = 0.0;  // When the second part of its step begins [s]; 0 if there is none.
  std::vector<BlowNode> nodes_;
  CollisionResult found_;         // Contacts of a pair at the time of its blow.
  std::vector<double> approach_;  // Of each contact, after blows [m/s].
  std::vector<Vec3> stopping_;
};

/// Applied forces, gravity, gyroscopic change, and the contact forces that answer them: from the
/// velocities after impacts to those at the end. Impacts are made here for islands whose contacts
/// waited and close after all.
class ForceStage {
public:
  void run(ExactStep& s, ImpactStage& impacts, MovingContacts& moving);

private:
  bool tryWaiting(ExactStep& s, const Island& island, MovingContacts& moving);
  bool solveIsland(ExactStep& s, const Island& island, MovingContacts& moving);
  /// Contacts [from, to) of a body with one that nothing moves.
  struct OnFixed {
    std::uint32_t body;
    std::size_t from, to;
  };
  void seekRest(ExactStep& s, const Island& island, SolverReport& report);
  void shareAtRest(ExactStep& s, double fastest);
  void shareOnFixed(LocalProblem& local, std::span<const OnFixed> pairs);

  SpringStage springs_;
  RestSearch rest_;
  std::vector<double> bounds_;  // Of contacts while rest is looked for [m/s].
  std::vector<Vec3> kept_;      // Impulses that the solves of an island began with.
  EvenShares shares_;
  std::vector<ShareFreedom> freedoms_;
  std::vector<OnFixed> on_fixed_;
  std::vector<SolverContact> seen_;
  std::vector<ShareFreedom> seen_freedoms_;
  std::vector<Vec3> seen_impulses_;
};

/// New places, by the mean of the velocities before and after: exact for constant forces. Bodies
/// that are turned without dynamics are noted in the guard. `scratch` is by body.
void moveBodies(ExactStep& s, const MovingContacts& moving, HoldBack& guard,
                std::vector<std::uint32_t>& scratch);
/// What late blows overstate in displacement is taken back.
void shiftLateBodies(ExactStep& s, HoldBack& guard);

/// What contacts did, at impact and under forces, and what forces did. Notes the work of drivers
/// through each contact; `turning` is scratch.
void bookContacts(const StepInput& in, const StepMotion& motion, const MovingContacts& moving,
                  ExactContacts& contacts, std::vector<BodyVelocity>& turning, StepBooks& books);
/// What late blows did beyond that.
void bookLateBlows(const StepInput& in, const ExactContacts& contacts, const LateBlows& late,
                   StepBooks& books);
/// What compliant contacts took up, out of what their impulses did.
void bookYield(const YieldWork& yielded, StepBooks& books);

/// Islands, and bodies that the guard held back, that would gain energy go less far or become
/// slower. `frames` is scratch.
void limitGains(ExactStep& s, const MovingContacts& moving, const HoldBack& guard,
                DriverFrames& frames, StepBooks& books);
/// Takes a share of the overlap out by displacement, without friction; velocities do not change.
void correctPositions(ExactStep& s, StepBooks& books);

/// Contacts for the caller; impulses for the next step. `islandOf` is scratch, by contact.
void showContacts(const StepMotion& motion, const ExactContacts& contacts,
                  const MovingContacts& moving, std::vector<std::uint32_t>& islandOf,
                  ContactManifoldCache& cache, ContactPublisher& publisher);

}  // namespace abut::inline v0_1
