// SPDX-License-Identifier: MIT
#include <cmath>

#include "scenario.hpp"

namespace abut::tool {
namespace {

/// A box put on a belt of 2 m/s: it slides for v/(mu g), and the belt's work is m v^2, half of it
/// lost to friction.
Rows conveyor() {
  const double mu = 0.3, speed = 2.0, mass = 3.0;
  World world;
  const MaterialId material = addMaterial(world, mu);
  BodyDescription belt;
  belt.type = BodyType::Static;
  belt.surfaceVelocity = {speed, 0, 0};
  world.addBody(belt, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), material);
  BodyDescription d;
  d.position = {0, 0, 0.1};
  const ObjectId id = addBox(world, {0.4, 0.3, 0.2}, mass, d, material);
  run(world, kFrame, 20);
  const double slope = motionOf(world, id).linearVelocity.x() / (20 * kFrame);
  run(world, kFrame, 100);
  const BodyMotion m = motionOf(world, id);
  const double v = m.linearVelocity.x(), t = v / slope;
  const double slip = speed * 120 * kFrame - m.centerOfMass.x();
  return {compare("speed in the end [m/s]", speed, v, 1e-9),
          compare("sticks from [s]", speed / (mu * kGravity), t, 1e-9),
          compare("slip [m]", speed * speed / (2 * mu * kGravity), slip, 1e-9),
          compare("work of the belt [J]", mass * speed * speed, world.getLedger().drivers, 1e-9)};
}

/// A plate that accelerates at mu g (1 + excess) for a second; how far the box on it slipped.
Rows plate() {
  const double mu = 0.3;
  Rows rows;
  for (const double excess : {-1e-4, 1e-4}) {
    World world;
    const MaterialId material = addMaterial(world, mu);
    BodyDescription driven;
    driven.type = BodyType::Kinematic;
    driven.position = {0, 0, -0.5};
    const ObjectId plate =
        world.addBody(driven, std::make_shared<BoxShape>(Eigen::Vector3d(20, 5, 0.5)), material);
    BodyDescription d;
    d.position = {0, 0, 0.1};
    const ObjectId id = addBox(world, {0.4, 0.3, 0.2}, 1.0, d, material);
    const double a = mu * kGravity * (1 + excess);
    for (int i = 1; i <= 60; ++i) {
      world.setVelocity(plate, {a * kFrame * i, 0, 0}, {0, 0, 0}).orThrow();
      world.step(kFrame).orThrow();
    }
    const double slip =
        motionOf(world, plate).linearVelocity.x() - motionOf(world, id).linearVelocity.x();
    if (excess < 0.0) {
      rows.push_back(vanishes("slip at mu g (1 - 1e-4) [m/s]", "sticks", slip, 1e-9));
    } else {
      rows.push_back(compare("slip at mu g (1 + 1e-4) [m/s]", mu * kGravity * excess, slip, 1e-9));
    }
  }
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"conveyor", "box on a belt of 2 m/s, mu .3", conveyor},
    {"plate", "box on a plate accelerating at mu g (1 -+ 1e-4), mu .3, 1 s", plate},
};

}  // namespace

std::span<const VerifyScenario> drivenScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
