// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include <abut/world/world.hpp>

namespace abut::test {

inline std::vector<Eigen::Vector3d> velocitiesOf(const World& world, ObjectId count) {
  std::vector<Eigen::Vector3d> all;
  for (ObjectId id = 1; id <= count; ++id) {
    BodyMotion m;
    world.getMotion(id, m).orThrow();
    all.push_back(m.linearVelocity);
  }
  return all;
}

/// Steps, and returns the greatest part of the largest force on a body, of those with ids from 1 to
/// `count`, that is missing between m dv, its weight and the forces that its contacts report.
inline double missingForceIn(World& world, ObjectId count, double dt) {
  std::vector<Eigen::Vector3d> missing = velocitiesOf(world, count);
  world.step(dt).orThrow();
  const std::vector<Eigen::Vector3d> after = velocitiesOf(world, count);
  std::vector<double> largest(count);
  for (std::size_t i = 0; i < count; ++i) {
    MassProperties mass;
    world.getMass(i + 1, mass).orThrow();
    const Eigen::Vector3d weight(0, 0, -9.81 * mass.mass);
    largest[i] = weight.norm();
    missing[i] = (after[i] - missing[i]) * (mass.mass / dt) - weight;
  }
  for (const WorldContact& c : world.getContacts()) {
    const Eigen::Vector3d force = c.normal * c.normalForce + c.frictionForce + c.impactImpulse / dt;
    const auto push = [&](ObjectId id, double sign) {
      if (id > count) return;
      missing[id - 1] -= force * sign;
      largest[id - 1] = std::max(largest[id - 1], force.norm());
    };
    push(c.object1, 1.0);
    push(c.object2, -1.0);
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < count; ++i) worst = std::max(worst, missing[i].norm() / largest[i]);
  return worst;
}

}  // namespace abut::test
