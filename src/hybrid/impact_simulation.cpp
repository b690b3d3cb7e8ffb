// SPDX-License-Identifier: MIT
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/hybrid/impact_simulation.hpp>
#include <abut/math/convert.hpp>

#include "dynamics/describe_body.hpp"
#include "hybrid/impact_stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// So many steps without time going on or an impact are followed by one of a contactStep.
constexpr int kMaxIdleSteps = 3;

/// The next flight is looked for this many times as far as the last was, and no less far than for
/// this time [s].
constexpr double kLookAhead = 4.0, kShortestFlight = 1e-9;

}  // namespace

struct ImpactSimulation::Impl : ImpactStages {
  using ImpactStages::ImpactStages;
};

ImpactSimulation::ImpactSimulation(const World& world, const ImpactOptions& options) {
  const FloatEnvironment environment;
  requireInRange("ImpactOptions::slowestImpact", options.slowestImpact, 1e-300, 1e6, "m/s");
  requireInRange("ImpactOptions::touchDistance", options.touchDistance, 1e-15, 1e6, "m");
  requireInRange("ImpactOptions::contactStep", options.contactStep, 1e-12, 1e6, "s");
  requireInRange("ImpactOptions::longestFlight", options.longestFlight, 1e-12, 1e12, "s");
  if (options.recordInterval != 0.0) {  // A run of shorter ones would not end.
    requireInRange("ImpactOptions::recordInterval", options.recordInterval, 1e-9, 1e12, "s");
  }
  requireInRange("ImpactOptions::solver.tolerance", options.solver.tolerance, 0.0, 1.0, "1");
  requireInRange("ImpactOptions::solver.acceptable", options.solver.acceptable, 0.0, 1.0, "1");
  requireInRange("ImpactOptions::solver.maxSweeps", options.solver.maxSweeps, 1.0, 1e9, "1");
  requireInRange("ImpactOptions::maxSolverError", options.maxSolverError, 0.0, 1e300, "1");
  requireInRange("ImpactOptions::maxImpactsAtOnce", options.maxImpactsAtOnce, 1.0, 1e9, "1");
  impl_ = std::make_unique<Impl>(world, options);
  if (impl_->world.materials.givesWay()) {
    throw Error(StatusCode::OutOfRange,
                "ImpactSimulation: a material has a stiffness, which only steps of fixed length in "
                "StepScheme::Exact have; set it to 0");
  }
  if (impl_->world.materials.resists()) {
    throw Error(StatusCode::OutOfRange,
                "ImpactSimulation: a material has rolling or spinning resistance, which only "
                "CompliantSystem has yet; set it to 0");
  }
}
ImpactSimulation::~ImpactSimulation() = default;
ImpactSimulation::ImpactSimulation(ImpactSimulation&&) noexcept = default;
ImpactSimulation& ImpactSimulation::operator=(ImpactSimulation&&) noexcept = default;

Status ImpactSimulation::advance(double until) {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  if (!(until >= s.time) || !isFinite(until)) {
    return Status::failure(isFinite(until) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           "ImpactSimulation::advance: expected a time from " + toText(s.time) +
                               " s on, got " + toText(until));
  }
  while (s.time < until) {
    bool resolved = false;
    Status status = s.findTouches();
    if (status) status = s.correctOverlap();
    if (status) status = s.resolveImpacts(resolved);
    if (!status) return s.at(status);
    s.roundsHere = resolved ? s.roundsHere + 1 : s.roundsHere;
    if (s.roundsHere > s.options.maxImpactsAtOnce) {
      const ObjectPair pair = s.record.events.back().pair;
      return s.at(Status::failure(StatusCode::NotConverged,
                                  "pair " + std::to_string(pair.first) + "/" +
                                      std::to_string(pair.second) + ": " +
                                      std::to_string(s.roundsHere) +
                                      " rounds of impacts at one time; raise slowestImpact or "
                                      "maxImpactsAtOnce",
                                  pair.first));
    }
    double span = minOf(until - s.time, maxOf(s.lookAhead, s.options.contactStep));
    const double wanted = span;
    status = s.findForces(span);
    if (s.idleSteps > kMaxIdleSteps) {
      // Bodies that turn against each other while they touch: nothing to be located in between.
      span = minOf(span, s.options.contactStep);
    } else if (status) {
      status = s.findNextImpact(span);
    }
    if (!status) return s.at(status);
    // Far enough for the next impact or two: pairs that could meet later cost queries for nothing.
    s.lookAhead =
        minOf(span < wanted ? kLookAhead * maxOf(span, kShortestFlight) : 2.0 * s.lookAhead,
              s.options.longestFlight);
    s.idleSteps = !resolved && s.time + span == s.time ? s.idleSteps + 1 : 0;
    s.contactSpan = span;
    s.move(span);
    const double next = span == wanted && wanted == until - s.time ? until : s.time + span;
    if (next > s.time) s.roundsHere = 0;
    s.time = next;
  }
  return {};
}

double ImpactSimulation::getTime() const {
  return impl_->time;
}

Status ImpactSimulation::getMotion(ObjectId id, BodyMotion& motion) const {
  const FloatEnvironment environment;
  const BodyTable& b = impl_->world.bodies;
  const std::size_t i = b.find(id);
  if (i == b.size()) {
    return Status::failure(StatusCode::UnknownObject,
                           "ImpactSimulation::getMotion: no body " + std::to_string(id), id);
  }
  motion = motionOf(b, i);
  return {};
}

double ImpactSimulation::energy() const {
  const FloatEnvironment environment;
  const MovingBodies& w = impl_->world;
  double sum = 0.0;
  for (const std::uint32_t i : w.dynamic) {
    const BodyFacts& f = w.bodies.facts[i];
    sum +=
        w.bodies.kineticEnergy(i) - f.mass * f.gravityScale * dot(w.gravity, w.bodies.position[i]);
  }
  return environment.keep(sum);
}

const HybridRecord& ImpactSimulation::getRecord() const {
  return impl_->record;
}
const HybridStatistics& ImpactSimulation::getStatistics() const {
  return impl_->statistics;
}
long ImpactSimulation::numImpacts() const {
  return impl_->impacts;
}
double ImpactSimulation::impactWork() const {
  return impl_->impactWork;
}
std::span<const HybridContact> ImpactSimulation::getContacts() const {
  return impl_->forces;
}
std::span<const ObjectPair> ImpactSimulation::getRestingPairs() const {
  return impl_->resting;
}

}  // namespace abut::inline v0_1
