// SPDX-License-Identifier: MIT
#include "hybrid/impact_stages.hpp"

#include <algorithm>

#include <abut/math/convert.hpp>

#include "dynamics/describe_body.hpp"
#include "dynamics/point_velocity.hpp"

namespace abut::inline v0_1 {
namespace {

/// An approach below this part of the speeds it is the difference of is their rounding: balls that
/// an elastic impact left touching are not pressed together by it.
constexpr double kSpeedRounding = 1e-14;
/// Share of an overlap that is taken out in a contact step.
constexpr double kCorrectionShare = 0.2;

double normalSpeed(const SolverContact& c, const std::vector<BodyVelocity>& v) {
  const Vec3 u = relativeVelocity(v[c.body1], c.arm1, v[c.body2], c.arm2, c.offset);
  return dot(c.normal, u);
}

}  // namespace

Status ImpactStages::findPairs(double span) {
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

Status ImpactStages::findTouches() {
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
        ImpactTouch t;
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
double ImpactStages::slowest(const ImpactTouch& t) const {
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
Status ImpactStages::correctOverlap() {
  const auto deep = [this](const ImpactTouch& t) { return t.depth > options.touchDistance; };
  if (resting.empty() || std::none_of(touches.begin(), touches.end(), deep)) return {};
  rows.clear();
  for (const ImpactTouch& t : touches) {
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
Status ImpactStages::resolveImpacts(bool& resolved) {
  std::vector<BodyVelocity>& v = world.bodies.velocity;
  const std::vector<BodyVelocity> before = v;
  const double energyBefore = kineticEnergy();
  const auto approaches = [&](const ImpactTouch& t) { return normalSpeed(t.row, v) < -slowest(t); };
  resolved = std::any_of(touches.begin(), touches.end(), approaches);
  if (!resolved) return {};
  rows.clear();
  std::vector<double> restitution;
  for (const ImpactTouch& t : touches) {
    rows.push_back(t.row);
    restitution.push_back(t.restitution);
  }
  impulses.assign(rows.size(), Vec3{});
  const ContactProblem problem{world.bodies.mobility, rows};
  prepareContacts(problem, prepared);
  long made =
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
      if (stopping[k].x > 0.0 && impulses[k] == Vec3{}) ++made;
      impulses[k] += stopping[k];
    }
  }
  impacts += made;
  noteImpacts(before);
  impactWork += kineticEnergy() - energyBefore;
  ++statistics.events;
  return {};
}

/// One event for a pair; `before` are the velocities before the impulses.
void ImpactStages::noteImpacts(const std::vector<BodyVelocity>& before) {
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const ImpactTouch& t = touches[k];
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

double ImpactStages::kineticEnergy() const {
  double sum = 0.0;
  for (const std::uint32_t i : world.dynamic) sum += world.bodies.kineticEnergy(i);
  return sum;
}

/// Impulses of the contact step as forces.
void ImpactStages::noteForces(const std::vector<ObjectPair>& pairsOfRows,
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
double ImpactStages::speedAt(const SolverContact& row) const {
  const auto speed = [this](std::size_t body, const Vec3& arm) {
    const BodyVelocity& v = world.bodies.velocity[body];
    return norm(v.linear) + norm(v.angular) * norm(arm);
  };
  return speed(row.body1, row.arm1) + speed(row.body2, row.arm2);
}

/// Accelerations: gravity, and the forces of contacts that last, which shorten the span.
Status ImpactStages::findForces(double& span) {
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
  for (const ImpactTouch& t : touches) {
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
void ImpactStages::noteResting(std::vector<ObjectPair> now) {
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
Status ImpactStages::findNextImpact(double& span) {
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

void ImpactStages::sample(double span) {
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

void ImpactStages::move(double span) {
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

void ImpactStages::place() {
  for (std::size_t k = 0; k < world.objects.size(); ++k) {
    if (world.objects[k].canMove) {
      world.objects[k].placed.pose = world.bodies.shapePoseOf(world.bodyOf[k]);
    }
  }
}

}  // namespace abut::inline v0_1
