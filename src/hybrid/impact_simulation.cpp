// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/core/float_environment.hpp>
#include <abut/hybrid/impact_simulation.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/world.hpp>

#include "dynamics/describe_body.hpp"
#include "dynamics/point_velocity.hpp"
#include "hybrid/flight.hpp"
#include "hybrid/moving_bodies.hpp"
#include "solver/impact_sequence.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {
namespace {

/// A contact within the touch distance.
struct Touch {
  SolverContact row;
  double depth = 0.0;
  double restitution = 0.0;
  ObjectPair pair;
};

/// An approach below this part of the speeds it is the difference of is their rounding: balls that
/// an elastic impact left touching are not pressed together by it.
constexpr double kSpeedRounding = 1e-14;
/// Share of an overlap that is taken out in a contact step.
constexpr double kCorrectionShare = 0.2;
/// So many steps without time going on or an impact are followed by one of a contactStep.
constexpr int kMaxIdleSteps = 3;

/// The next flight is looked for this many times as far as the last was, and no less far than for
/// this time [s].
constexpr double kLookAhead = 4.0, kShortestFlight = 1e-9;

double normalSpeed(const SolverContact& c, const std::vector<BodyVelocity>& v) {
  const Vec3 u = relativeVelocity(v[c.body1], c.arm1, v[c.body2], c.arm2, c.offset);
  return dot(c.normal, u);
}

}  // namespace

struct ImpactSimulation::Impl {
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
  std::vector<Touch> touches;
  std::vector<SolverContact> rows;
  std::vector<PreparedContact> prepared;
  ImpactSequence sequence;
  std::vector<Vec3> impulses;

  Impl(const World& w, const ImpactOptions& o)
      : options(o), world(w), flight(world), time(world.startTime), lookAhead(o.longestFlight) {
    for (const TrackedObject& object : world.objects) {
      broadPhase.add(object.placed.id, Aabb()).orThrow();
    }
  }

  Status findPairs(double span);
  Status findTouches();
  Status correctOverlap();
  Status resolveImpacts(bool& resolved);
  Status findForces(double& span);
  Status findNextImpact(double& span);
  void move(double span);
  void place();
  void sample(double span);
  void noteResting(std::vector<ObjectPair> now);
  void noteImpacts(const std::vector<BodyVelocity>& before);
  void noteForces(const std::vector<ObjectPair>& pairs, const std::vector<double>& depths,
                  double span);
  double speedAt(const SolverContact& row) const;
  double kineticEnergy() const;
  Status at(const Status& status) const {
    if (status) return {};
    return Status::failure(status.getCode(),
                           "ImpactSimulation, t = " + toText(time) + " s: " + status.getMessage(),
                           status.getObject());
  }
  bool moves(std::size_t i) const { return world.bodies.facts[i].type != BodyType::Static; }
  double slowest(const Touch& t) const;
  bool isDynamic(std::size_t i) const { return world.bodies.facts[i].type == BodyType::Dynamic; }
};

/// Pairs that may come within the touch distance in a time, sorted.
Status ImpactSimulation::Impl::findPairs(double span) {
  for (std::size_t k = 0; k < world.objects.size(); ++k) {
    const PlacedShape& placed = world.objects[k].placed;
    Aabb box = placed.shape->computeAabb(placed.pose);
    box.expand(flight.reach(world.bodyOf[k], span) + options.touchDistance);
    Status status = broadPhase.update(placed.id, box);
    if (!status) return status;
  }
  broadPhase.computePotentialPairs(pairs);
  const auto irrelevant = [this](const ObjectPair& p) {
    return !isDynamic(world.bodies.find(p.first)) && !isDynamic(world.bodies.find(p.second));
  };
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), irrelevant), pairs.end());
  return {};
}

Status ImpactSimulation::Impl::findTouches() {
  touches.clear();
  Status status = findPairs(0.0);
  if (!status) return status;
  CollisionOption option;
  option.margin = options.touchDistance;
  std::uint32_t number = 0;
  for (const ObjectPair& pair : pairs) {
    const std::size_t body1 = world.bodies.find(pair.first), body2 = world.bodies.find(pair.second);
    collisions.clear();
    status =
        collide(world.objectOf(body1).placed, world.objectOf(body2).placed, option, collisions);
    if (!status) return status;
    for (const ContactManifold& m : collisions.getManifolds()) {
      const PairMaterial material =
          world.materialBetween(body1, m.getSubShape1(), body2, m.getSubShape2());
      for (const ContactPoint& p : m.getContacts()) {
        Touch t;
        t.pair = pair;
        t.depth = p.depth;
        t.restitution = material.restitution;
        const ContactSite site = siteAt(toVec3(p.position), toVec3(p.normal), 0.0,
                                        world.bodies.position[body1], world.bodies.position[body2]);
        PairMaterial rigid = material;  // Impacts know no resistance to rolling.
        rigid.rollingResistance = rigid.spinningResistance = 0.0;
        t.row = toSolverContact(
            site, static_cast<std::uint32_t>(body1), static_cast<std::uint32_t>(body2), number,
            surfaceOffset(world.bodies.facts[body1], world.bodies.facts[body2]), rigid);
        touches.push_back(t);
      }
      ++number;
    }
  }
  return {};
}

/// Slower approach or parting than this [m/s] is none. For a contact that lasts it is also what
/// gravity, turning and rolling add to the normal speed within its last step.
double ImpactSimulation::Impl::slowest(const Touch& t) const {
  if (!std::binary_search(resting.begin(), resting.end(), t.pair)) return options.slowestImpact;
  const auto centripetal = [this](std::size_t body, const Vec3& arm) {
    return squaredNorm(world.bodies.velocity[body].angular) * norm(arm);
  };
  // And what the curvature of two balls of the smaller size adds where they slide or roll.
  const BodyVelocity &v1 = world.bodies.velocity[t.row.body1],
                     &v2 = world.bodies.velocity[t.row.body2];
  const double radius = minOf(world.bodies.facts[t.row.body1].shape->boundingRadius(),
                              world.bodies.facts[t.row.body2].shape->boundingRadius());
  const double rolling = 2.0 * squaredNorm(v1.linear - v2.linear) / radius;
  const double turning =
      centripetal(t.row.body1, t.row.arm1) + centripetal(t.row.body2, t.row.arm2);
  const double added = (turning + rolling) + norm(world.gravity);
  return options.slowestImpact + 2.0 * added * contactSpan;
}

/// Takes a share of the overlap of contacts that last out by displacement, as World does.
Status ImpactSimulation::Impl::correctOverlap() {
  const auto deep = [this](const Touch& t) { return t.depth > options.touchDistance; };
  if (resting.empty() || std::none_of(touches.begin(), touches.end(), deep)) return {};
  rows.clear();
  for (const Touch& t : touches) {
    rows.push_back(t.row);
    rows.back().friction = 0.0;
    rows.back().offset = {};
    rows.back().bound = deep(t) ? kCorrectionShare * t.depth : minOf(0.0, t.depth);
  }
  impulses.assign(rows.size(), Vec3{});
  std::vector<BodyVelocity> shift(world.bodies.size());
  solver.solve({world.bodies.mobility, rows}, options.solver, impulses, shift);
  for (const std::uint32_t i : world.dynamic) {
    world.bodies.position[i] += shift[i].linear;
    world.bodies.orientation[i] =
        normalized(quatFromRotationVector(shift[i].angular) * world.bodies.orientation[i]);
    world.bodies.refreshMobility(i);
  }
  place();
  return findTouches();
}

/// Throws back, or stops, what touches and approaches.
Status ImpactSimulation::Impl::resolveImpacts(bool& resolved) {
  std::vector<BodyVelocity>& v = world.bodies.velocity;
  const std::vector<BodyVelocity> before = v;
  const double energyBefore = kineticEnergy();
  const auto approaches = [&](const Touch& t) { return normalSpeed(t.row, v) < -slowest(t); };
  resolved = std::any_of(touches.begin(), touches.end(), approaches);
  if (!resolved) return {};
  rows.clear();
  std::vector<double> restitution;
  for (const Touch& t : touches) {
    rows.push_back(t.row);
    restitution.push_back(t.restitution);
  }
  impulses.assign(rows.size(), Vec3{});
  const ContactProblem problem{world.bodies.mobility, rows};
  prepareContacts(problem, prepared);
  impacts +=
      sequence.run(problem, prepared, restitution, options.slowestImpact, impulses, v).impacts;
  if (std::any_of(touches.begin(), touches.end(), approaches)) {
    std::vector<Vec3> stopping(rows.size());
    const SolverReport report = solver.solve(problem, options.solver, stopping, v);
    if (!report.converged && report.error > options.maxSolverError) {
      const ObjectPair worst = touches[report.worstContact].pair;
      v = before;
      return Status::failure(StatusCode::NotConverged,
                             "pair " + std::to_string(worst.first) + "/" +
                                 std::to_string(worst.second) + ": the impact has an error of " +
                                 toText(report.error) + "; raise ImpactOptions::maxSolverError",
                             worst.first);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (stopping[k].x > 0.0 && impulses[k] == Vec3{}) ++impacts;
      impulses[k] += stopping[k];
    }
  }
  noteImpacts(before);
  impactWork += kineticEnergy() - energyBefore;
  ++statistics.events;
  return {};
}

/// One event for a pair; `before` are the velocities before the impulses.
void ImpactSimulation::Impl::noteImpacts(const std::vector<BodyVelocity>& before) {
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const Touch& t = touches[k];
    if (impulses[k] == Vec3{}) continue;
    const Vec3& p = impulses[k];
    const Vec3 push = (t.row.normal * p.x + t.row.tangent1 * p.y) + t.row.tangent2 * p.z;
    if (!record.events.empty() && record.events.back().time == time &&
        record.events.back().pair == t.pair) {
      HybridEvent& event = record.events.back();
      event.impulse = toEigen(toVec3(event.impulse) + push);
      continue;
    }
    HybridEvent event;
    event.time = event.touchTime = time;
    event.kind = HybridEventKind::Impact;
    event.pair = t.pair;
    event.normalSpeed = normalSpeed(t.row, before);
    event.position = toEigen(t.row.arm1 + world.bodies.position[t.row.body1]);
    event.impulse = toEigen(push);
    record.events.push_back(event);
  }
}

double ImpactSimulation::Impl::kineticEnergy() const {
  double sum = 0.0;
  for (const std::uint32_t i : world.dynamic) sum += world.bodies.kineticEnergy(i);
  return sum;
}

/// Impulses of the contact step as forces.
void ImpactSimulation::Impl::noteForces(const std::vector<ObjectPair>& pairsOfRows,
                                        const std::vector<double>& depths, double span) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const SolverContact& row = rows[k];
    HybridContact c;
    c.pair = pairsOfRows[k];
    c.position = toEigen(row.arm1 + world.bodies.position[row.body1]);
    c.normal = toEigen(row.normal);
    c.depth = depths[k];
    c.normalForce = impulses[k].x / span;
    c.friction = toEigen((row.tangent1 * impulses[k].y + row.tangent2 * impulses[k].z) / span);
    forces.push_back(c);
  }
}

/// Size of the terms that the normal speed of a contact is a sum of [m/s].
double ImpactSimulation::Impl::speedAt(const SolverContact& row) const {
  const auto speed = [this](std::size_t body, const Vec3& arm) {
    const BodyVelocity& v = world.bodies.velocity[body];
    return norm(v.linear) + norm(v.angular) * norm(arm);
  };
  return speed(row.body1, row.arm1) + speed(row.body2, row.arm2);
}

/// Accelerations: gravity, and the forces of contacts that last, which shorten the span.
Status ImpactSimulation::Impl::findForces(double& span) {
  const std::size_t n = world.bodies.size();
  flight.linear.assign(n, Vec3{});
  flight.angular.assign(n, Vec3{});
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = world.bodies.facts[i];
    if (f.type != BodyType::Dynamic) continue;
    flight.linear[i] =
        scaled(world.bodies.mobility[i].inverseMass, world.gravity * (f.mass * f.gravityScale));
  }
  std::vector<ObjectPair> now;
  std::vector<double> depths;
  rows.clear();
  forces.clear();
  bool pressed = false;
  for (const Touch& t : touches) {
    const double u = normalSpeed(t.row, world.bodies.velocity);
    if (absOf(u) > slowest(t)) continue;
    rows.push_back(t.row);
    now.push_back(t.pair);
    depths.push_back(t.depth);
    const Vec3 a = flight.linear[t.row.body1] - flight.linear[t.row.body2];
    pressed = pressed || u < -kSpeedRounding * speedAt(t.row) || dot(t.row.normal, a) < 0.0;
  }
  if (!pressed) {
    noteResting({});
    return {};
  }
  span = minOf(span, options.contactStep);
  std::vector<BodyVelocity> v = world.bodies.velocity;
  for (std::size_t i = 0; i < n; ++i) v[i].linear += flight.linear[i] * span;
  impulses.assign(rows.size(), Vec3{});
  const SolverReport report =
      solver.solve({world.bodies.mobility, rows}, options.solver, impulses, v);
  if (!report.converged && report.error > options.maxSolverError) {
    const ObjectPair worst = now[report.worstContact];
    return Status::failure(StatusCode::NotConverged,
                           "pair " + std::to_string(worst.first) + "/" +
                               std::to_string(worst.second) + ": contact forces have an error of " +
                               toText(report.error) + "; raise ImpactOptions::maxSolverError",
                           worst.first);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!isDynamic(i)) continue;
    flight.linear[i] = (v[i].linear - world.bodies.velocity[i].linear) / span;
    flight.angular[i] = (v[i].angular - world.bodies.velocity[i].angular) / span;
  }
  noteForces(now, depths, span);
  noteResting(std::move(now));
  return {};
}

/// Events for contacts that begin and cease to last.
void ImpactSimulation::Impl::noteResting(std::vector<ObjectPair> now) {
  std::sort(now.begin(), now.end());
  now.erase(std::unique(now.begin(), now.end()), now.end());
  const auto note = [this](const std::vector<ObjectPair>& a, const std::vector<ObjectPair>& b,
                           HybridEventKind kind) {
    for (const ObjectPair& pair : a) {
      if (std::binary_search(b.begin(), b.end(), pair)) continue;
      HybridEvent event;
      event.time = event.touchTime = time;
      event.kind = kind;
      event.pair = pair;
      record.events.push_back(event);
    }
  };
  note(resting, now, HybridEventKind::ContactEnd);
  note(now, resting, HybridEventKind::ContactBegin);
  resting.swap(now);
}

/// Shortens the span to the first impact in it.
Status ImpactSimulation::Impl::findNextImpact(double& span) {
  Status status = findPairs(span);
  if (!status) return status;
  for (const ObjectPair& pair : pairs) {
    if (std::binary_search(resting.begin(), resting.end(), pair)) continue;
    FirstTouch touch;
    status =
        findFirstTouch(flight, world, world.bodies.find(pair.first), world.bodies.find(pair.second),
                       span, options.slowestImpact, touch, statistics.derivativeEvaluations);
    if (!status) return status;
    if (touch.found && touch.time < span) span = touch.time;
  }
  return {};
}

void ImpactSimulation::Impl::sample(double span) {
  if (!(options.recordInterval > 0.0)) return;
  for (;; ++samples) {
    const double due = world.startTime + options.recordInterval * static_cast<double>(samples);
    if (!(due <= time + span)) return;
    record.times.push_back(due);
    for (const std::uint32_t i : world.dynamic) {
      Vec3 x;
      Quat q;
      BodyVelocity v;
      flight.at(i, due - time, x, q, v);
      for (const double value : {x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.linear.x, v.linear.y,
                                 v.linear.z, v.angular.x, v.angular.y, v.angular.z}) {
        record.states.push_back(value);
      }
    }
  }
}

void ImpactSimulation::Impl::move(double span) {
  sample(span);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (!moves(i)) continue;
    Vec3 x;
    Quat q;
    BodyVelocity v;
    flight.at(i, span, x, q, v);
    world.bodies.position[i] = x;
    world.bodies.orientation[i] = q;
    world.bodies.velocity[i] = v;
    world.bodies.refreshMobility(i);
  }
  place();
  ++statistics.steps;
}

void ImpactSimulation::Impl::place() {
  for (std::size_t k = 0; k < world.objects.size(); ++k) {
    if (world.objects[k].canMove) {
      world.objects[k].placed.pose = world.bodies.shapePoseOf(world.bodyOf[k]);
    }
  }
}

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
  if (impl_->world.materials.hasResistance()) {
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
