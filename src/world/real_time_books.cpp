// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/math/convert.hpp>

#include "world/state.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kNoManifold = 0xffffffffu;

Vec3 pointVelocity(const BodyVelocity& v, const Vec3& arm) {
  return v.linear + cross(v.angular, arm);
}

double spinEnergy(const LocalInertia& inertia, const Quat& q, const Vec3& w) {
  const Vec3 local = transposeTimes(toMatrix(q), w);
  return 0.5 * dot(local, inertia.tensor * local);
}

/// Impulse of a row on body 1, point by point. Friction and twist are shared out so that they add
/// up to the row's force and couple.
Vec3 tangentOf(const ManifoldRow& row, int i, const Vec3& centre, double squares) {
  const Vec3 share = row.tangentImpulse / static_cast<double>(row.count);
  if (!(squares > 0.0)) return share;
  const Vec3 from = row.arm1[i] - centre;
  return share + cross(row.normal, from) * (row.twistImpulse / squares);
}

}  // namespace

/// Every change of energy under its name; see closeBooks(). A row's impulses do the work of its
/// normals at the points, its friction at their centre, and its twist about the normal.
void WorldState::closeRowBooks(double dt) {
  const Vec3 gravity = toVec3(options.gravity);
  beginDrivers();
  for (const ManifoldRow& row : real.rows) {
    const auto meanOf = [&](std::uint32_t b) {
      return BodyVelocity{(before[b].linear + after[b].linear) * 0.5,
                          (before[b].angular + turned[b]) * 0.5};
    };
    const BodyVelocity v1 = meanOf(row.body1), v2 = meanOf(row.body2);
    const Vec3 centre1 = centreOf(row.arm1, row.count), centre2 = centreOf(row.arm2, row.count);
    double pushed = 0.0;
    Vec3 couple1 = row.normal * row.twistImpulse + row.resistingImpulse, couple2 = couple1;
    Vec3 sum = row.tangentImpulse;
    for (int i = 0; i < row.count; ++i) {
      const double p = row.normalImpulse[i];
      const Vec3 u = (pointVelocity(v1, row.arm1[i]) - pointVelocity(v2, row.arm2[i])) + row.offset;
      pushed += p * dot(row.normal, u);
      sum += row.normal * p;
      couple1 += cross(row.arm1[i], row.normal * p);
      couple2 += cross(row.arm2[i], row.normal * p);
    }
    if (sum == Vec3{}) continue;
    const Vec3 slip = (pointVelocity(v1, centre1) - pointVelocity(v2, centre2)) + row.offset;
    last.impact += pushed;
    const Vec3 turning = v1.angular - v2.angular;
    last.friction += dot(row.tangentImpulse, slip) + (row.twistImpulse * dot(row.normal, turning) +
                                                      dot(row.resistingImpulse, turning));
    couple1 += cross(centre1, row.tangentImpulse);
    couple2 += cross(centre2, row.tangentImpulse);
    chargeDriver(row.body1, -sum, -couple1, v1, dt);
    chargeDriver(row.body2, sum, couple2, v2, dt);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.type != BodyType::Dynamic) continue;
    last.potentialBefore -= f.mass * f.gravityScale * dot(gravity, bodies.position[i]);
    if (bodies.rest[i].isAsleep()) continue;
    const Vec3 mean = (before[i].linear + after[i].linear) * (0.5 * dt);
    const Vec3 meanTurn = (before[i].angular + turned[i]) * (0.5 * dt);
    const Quat& q = bodies.orientation[i];
    last.kineticBefore +=
        0.5 * f.mass * squaredNorm(before[i].linear) + spinEnergy(f.inertia, q, before[i].angular);
    last.forces += dot(bodies.force[i], mean) + dot(bodies.torque[i], meanTurn);
    last.integrator -= spinEnergy(f.inertia, q, turned[i]);
    const Vec3 late = (moved[i] - bodies.position[i]) - mean;
    last.integrator -= f.mass * f.gravityScale * dot(gravity, late);
  }
}

void WorldState::publishRows(double dt) {
  const Vec3 gravity = toVec3(options.gravity);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.type != BodyType::Dynamic) continue;
    last.potentialAfter -= f.mass * f.gravityScale * dot(gravity, bodies.position[i]);
    if (bodies.rest[i].isAsleep()) continue;
    const double spin = spinEnergy(f.inertia, bodies.orientation[i], bodies.velocity[i].angular);
    last.kineticAfter += 0.5 * f.mass * squaredNorm(bodies.velocity[i].linear) + spin;
    last.integrator += spin;
    bodies.force[i] = bodies.torque[i] = {};
  }
  closeStepBooks();
  const auto found = cache.getContacts();
  const auto manifolds = cache.getManifolds();
  constexpr std::size_t kAhead = 4;  // Rows whose manifolds are fetched before they are written.
  worldContacts.resize(found.size() + contacts.size());
  for (std::size_t r = 0; r < real.rows.size(); ++r) {
    const ManifoldRow& row = real.rows[r];
    if (r + kAhead < real.ordinary) {
      const PersistentManifold& next = manifolds[real.sources[r + kAhead].manifold];
      for (const PersistentPoint& p : next.points) __builtin_prefetch(&p.normalImpulse, 1);
    }
    const Vec3 centre = centreOf(row.arm1, row.count);
    double squares = 0.0;
    for (int i = 0; i < row.count; ++i) {
      const Vec3 from = row.arm1[i] - centre;
      const double along = dot(row.normal, from);
      squares += squaredNorm(from) - along * along;
    }
    const BodyVelocity &v1 = after[row.body1], &v2 = after[row.body2];
    for (int i = 0; i < row.count; ++i) {
      const bool fast = real.sources[r].manifold == kNoManifold;
      const std::uint32_t k = real.sources[r].contact[i];
      const Vec3 friction = tangentOf(row, i, centre, squares);
      WorldContact& out = worldContacts[fast ? found.size() + k : k];
      out.object1 = bodies.ids[row.body1];
      out.object2 = bodies.ids[row.body2];
      out.position = fast ? toEigen(contacts[k].position) : found[k].contact.position;
      out.normal = toEigen(row.normal);
      out.depth = -row.separation[i];
      out.normalForce = row.normalImpulse[i] / dt;
      out.frictionForce = toEigen(friction / dt);
      out.resistingCouple = toEigen(row.resistingImpulse / (static_cast<double>(row.count) * dt));
      out.impactImpulse = {0.0, 0.0, 0.0};
      const Vec3 u = (pointVelocity(v1, row.arm1[i]) - pointVelocity(v2, row.arm2[i])) + row.offset;
      out.slip = toEigen(u - row.normal * dot(row.normal, u));
      out.friction = row.friction;
      out.id = fast ? 0 : found[k].id;
      report.greatestDepth = maxOf(report.greatestDepth, out.depth);
      if (fast) continue;
      // The cone bounds the row's force, not each point's share of it.
      constexpr double kNoCone = 1e30;
      (void)cache.setImpulse(k, row.normalImpulse[i], toEigen(friction), kNoCone);
    }
  }
  if (!contacts.empty()) {
    real.sorter.sort(worldContacts, [](const WorldContact& a, const WorldContact& b) {
      return a.object1 != b.object1 ? a.object1 < b.object1 : a.object2 < b.object2;
    });
  }
  report.contacts = worldContacts.size();
  report.islands = linkOrder.getIslands().size();
}

}  // namespace abut
