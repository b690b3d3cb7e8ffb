// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/owned.hpp>
#include <abut/core/status.hpp>
#include <abut/dynamics/body.hpp>
#include <abut/hybrid/hybrid_record.hpp>
#include <abut/solver/contact_solver.hpp>

namespace abut::inline v0_1 {

class World;

struct ImpactOptions {
  /// Contacts that close more slowly [m/s] do not bounce: a series of ever smaller bounces ends as
  /// a contact that lasts. > 0.
  double slowestImpact = 1e-8;
  /// Surfaces closer than this [m] share an impact, and count as touching. > 0.
  double touchDistance = 1e-9;
  /// Longest step [s] while contacts carry forces; impacts are still located within it.
  double contactStep = 1e-3;
  /// Longest flight [s] that is looked ahead; pairs are found by the boxes of a flight.
  double longestFlight = 1.0;
  double recordInterval = 0.0;  ///< Samples at multiples of this [s], 1e-9 to 1e12; 0: none.
  int maxImpactsAtOnce = 1000;  ///< At most so many rounds of impacts without time going on.
  SolverOptions solver;
  double maxSolverError = 1e-6;  ///< Impulses with a greater error (see SolverReport) are refused.
};

/// A world in which nothing gives: flights between impacts, impacts located in time.
///
/// Flight under gravity is exact to rounding; rotation as in World. The next impact is found by
/// advancing along lower bounds of the distance (nothing that moves without turning is stepped
/// over; bodies that turn are, near each other, sampled every 0.01 rad), and located to rounding.
/// Impulses are those of World: restitution in sequence, the fastest first, then friction and what
/// does not bounce at once. Contacts that last are solved at each contactStep as World does; a
/// further impact between two bodies that touch already is located to the contactStep only.
///
/// All of it is the core's arithmetic: equal input gives equal bits on every machine.
class ImpactSimulation {
public:
  /// Takes bodies, materials, gravity and time from a world, which may change or end afterwards.
  /// Throws abut::Error for bad options, for a body that follows a path, and for rolling or
  /// spinning resistance.
  explicit ImpactSimulation(const World& world, const ImpactOptions& options = {});
  ~ImpactSimulation();
  ImpactSimulation(ImpactSimulation&&) noexcept;
  ImpactSimulation& operator=(ImpactSimulation&&) noexcept;

  /// Goes on to a time [s]. Impacts at that very time are not resolved yet. Fails with OutOfRange
  /// for a time that lies behind; with NotConverged for an impact that cannot be located, or for
  /// impacts without end at one instant; with what detection says. The message says time, pair and
  /// remedy; the simulation stays at the last time reached, and the record is kept.
  Status advance(double until);

  [[nodiscard]] double getTime() const;
  /// Fails with UnknownObject.
  Status getMotion(ObjectId id, BodyMotion& motion) const;
  /// Kinetic and potential energy [J].
  [[nodiscard]] double energy() const;
  /// Impacts (one for each pair and instant), contacts that begin to last, and their ends.
  [[nodiscard]] const HybridRecord& getRecord() const;
  /// `events` counts instants; `derivativeEvaluations` the distance queries.
  [[nodiscard]] const HybridStatistics& getStatistics() const;
  /// Impacts one after the other, within an instant too: a blow that goes through a row of five
  /// balls counts four.
  [[nodiscard]] long numImpacts() const;
  /// Kinetic energy that impacts have added [J]; <= 0 unless kinematic bodies struck.
  [[nodiscard]] double impactWork() const;
  /// Contacts that last, with their mean forces over the step up to now; by pair. These views end
  /// with the next call that goes on in time.
  [[nodiscard]] std::span<const HybridContact> getContacts() const;
  /// Pairs in contacts that last, sorted.
  [[nodiscard]] std::span<const ObjectPair> getRestingPairs() const;

private:
  struct Impl;
  Owned<Impl> impl_;
};

}  // namespace abut::inline v0_1
