// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

/// A tower of unit cubes on a plane, bottom first.
struct Tower {
  World world;
  std::vector<ObjectId> ids;
  std::vector<double> weightAbove;  ///< What each interface carries [N], lowest first.

  explicit Tower(const std::vector<double>& masses) {
    const MaterialId material = addMaterial(world, 0.5);
    addGround(world, material);
    for (std::size_t i = 0; i < masses.size(); ++i) {
      BodyDescription d;
      d.position = {0, 0, 0.5 + static_cast<double>(i)};
      ids.push_back(addBox(world, {1, 1, 1}, masses[i], d, material));
    }
    double above = 0.0;
    weightAbove.resize(masses.size());
    for (std::size_t i = masses.size(); i-- > 0;) weightAbove[i] = (above += masses[i] * kGravity);
  }
  /// Greatest relative error of a force between neighbours in the last step.
  double worstForce() const {
    std::vector<double> force(ids.size(), 0.0);
    for (const WorldContact& c : world.getContacts()) force[c.object1 - 1] += c.normalForce;
    double worst = 0.0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      worst = std::max(worst, std::fabs(force[i] / weightAbove[i] - 1.0));
    }
    return worst;
  }
};

Rows heavyOnLight() {
  Rows rows;
  for (const double heavy : {1e4, 1e6}) {
    std::vector<double> masses(10, 1.0);
    masses.back() = heavy;
    Tower tower(masses);
    double force = 0.0, depth = 0.0;
    int unconverged = 0;
    for (int i = 0; i < 3600; ++i) {
      tower.world.step(kFrame).orThrow();
      force = std::max(force, tower.worstForce());
      depth = std::max(depth, tower.world.getReport().greatestDepth);
      if (!tower.world.getReport().converged) ++unconverged;
    }
    const std::string name = fmt::format("{:g} kg on 1 kg: ", heavy);
    rows.push_back(vanishes(name + "force, worst, relative", "weight above", force, 1e-9));
    rows.push_back(vanishes(name + "penetration [m]", "0", depth, 1e-6));
    rows.push_back(vanishes(name + "steps not converged", "0", unconverged, 0));
  }
  return rows;
}

Rows twentyCubes() {
  Tower tower(std::vector<double>(20, 1.0));
  double force = 0.0;
  for (int i = 0; i < 1000; ++i) {
    tower.world.step(kFrame).orThrow();
    force = std::max(force, tower.worstForce());
  }
  return {vanishes("force, worst of 1000 steps, relative", "(21 - k) m g", force, 1e-10)};
}

Rows towerOfFifty() {
  Tower tower(std::vector<double>(50, 1.0));
  run(tower.world, kFrame, 1000);
  double drift = 0.0, settle = 0.0;
  for (std::size_t i = 0; i < tower.ids.size(); ++i) {
    const Eigen::Vector3d x = motionOf(tower.world, tower.ids[i]).centerOfMass;
    drift = std::max(drift, std::hypot(x.x(), x.y()));
    settle = std::max(settle, std::fabs(x.z() - (0.5 + static_cast<double>(i))));
  }
  return {vanishes("drift [m]", "0", drift, 1e-3), vanishes("settles by [m]", "0", settle, 1e-2),
          vanishes("kinetic energy [J]", "0", tower.world.getLedger().kineticAfter, 1e-12)};
}

Rows cubeAtRest() {
  Tower still(std::vector<double>(1, 1.0));
  const Eigen::Vector3d start(0, 0, 0.5);
  double way = 0.0, speed = 0.0;
  for (int i = 0; i < 1000; ++i) {
    still.world.step(kFrame).orThrow();
    const BodyMotion m = motionOf(still.world, still.ids[0]);
    way = std::max(way, (m.centerOfMass - start).norm());
    speed = std::max(speed, m.linearVelocity.norm() + m.angularVelocity.norm());
  }
  double amplified = 0.0, left = 0.0;
  const Eigen::Vector3d kicks[] = {{0.01, 0, 0}, {0.006, 0.008, 0}, {0, 0, 0.01}, {0, 0, -0.01}};
  for (const Eigen::Vector3d& kick : kicks) {
    Tower kicked(std::vector<double>(1, 1.0));
    run(kicked.world, kFrame, 10);
    kicked.world.setVelocity(kicked.ids[0], kick, {0, 0, 0}).orThrow();
    for (int i = 0; i < 1000; ++i) {
      kicked.world.step(kFrame).orThrow();
      const BodyMotion m = motionOf(kicked.world, kicked.ids[0]);
      left = m.linearVelocity.norm() + m.angularVelocity.norm();
      // Upwards it falls back from 5 um, and lands no faster than it left.
      amplified = std::max(amplified, m.linearVelocity.norm() / kick.norm() - 1.0);
    }
  }
  return {vanishes("at rest, 1000 steps: way [m]", "0", way, 1e-6),
          vanishes("at rest, 1000 steps: speed [m/s]", "0", speed, 1e-9),
          vanishes("kicked by .01 m/s: speed gained, relative", "none", amplified, 1e-12),
          vanishes("kicked by .01 m/s: speed left [m/s]", "decays", left, 1e-9)};
}

constexpr VerifyScenario kScenarios[] = {
    {"heavy-on-light", "ten cubes, the top 1e4 or 1e6 kg, 60 s", heavyOnLight},
    {"twenty-cubes", "tower of 20 at rest", twentyCubes},
    {"tower", "tower of 50 at 60 Hz, 1000 steps", towerOfFifty},
    {"cube-at-rest", "unit cube, 1000 steps; a kick of 0.01 m/s", cubeAtRest},
};

}  // namespace

std::span<const VerifyScenario> restScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
