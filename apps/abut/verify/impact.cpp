// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

constexpr double kPi = 3.14159265358979323846;

Rows ballRow() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  const MaterialId material = addMaterial(world, 0.0, 1.0);
  ObjectId ids[5];
  for (int i = 0; i < 5; ++i) {
    BodyDescription d;
    d.position = {1.0 * i, 0, 0};
    if (i == 0) d.linearVelocity = {1, 0, 0};
    ids[i] = addSphere(world, 0.5, 1.0, d, material);
  }
  run(world, kFrame, 10);
  double others = 0.0;
  for (int i = 0; i < 4; ++i) {
    others = std::max(others, motionOf(world, ids[i]).linearVelocity.norm());
  }
  return {
      compare("speed of the last [m/s]", 1.0, motionOf(world, ids[4]).linearVelocity.x(), 1e-12),
      vanishes("speed of the others [m/s]", "0", others, 1e-12)};
}

/// A cube tilted about x only and dropped has no reason to leave the plane x = 0.
Rows tiltedCube() {
  Rows rows;
  for (const double degrees : {5.0, 15.0, 30.0}) {
    World world;
    const MaterialId material = addMaterial(world, 0.5);
    addGround(world, material);
    BodyDescription d;
    d.position = {0, 0, 1.5};
    const double half = degrees * kPi / 360;
    d.orientation = {std::cos(half), std::sin(half), 0, 0};
    const ObjectId id = addBox(world, {1, 1, 1}, 1.0, d, material);
    double in = 0.0, out = 0.0;
    for (int i = 0; i < 240; ++i) {
      world.step(kFrame).orThrow();
      const BodyMotion m = motionOf(world, id);
      in = std::max(in, std::fabs(m.angularVelocity.x()));
      out = std::max({out, std::fabs(m.angularVelocity.y()), std::fabs(m.angularVelocity.z()),
                      std::fabs(m.linearVelocity.x()), std::fabs(m.centerOfMass.x())});
    }
    rows.push_back(vanishes(fmt::format("{:g} degrees: motion out of plane / in it", degrees), "0",
                            out / in, 1e-9));
  }
  return rows;
}

/// A sphere of 1 cm at 1e4 m/s at a plate of 1 mm, from anywhere to anywhere on its face.
Rows fastSphere() {
  constexpr int kShots = 200;
  constexpr double kRadius = 0.005, kSpeed = 1e4, kHalf = 0.0005;
  VerifyRandom random(20);
  int through = 0;
  for (int shot = 0; shot < kShots; ++shot) {
    WorldOptions options;
    options.gravity = {0, 0, 0};
    World world(options);
    const MaterialId material = addMaterial(world, 0.3);
    const Eigen::Vector3d axis = random.direction();
    const double turn = random.between(0, 2 * kPi);
    const Eigen::Matrix3d r = Eigen::AngleAxisd(turn, axis).toRotationMatrix();
    BodyDescription plate;
    plate.type = BodyType::Static;
    plate.orientation = {std::cos(turn / 2), std::sin(turn / 2) * axis.x(),
                         std::sin(turn / 2) * axis.y(), std::sin(turn / 2) * axis.z()};
    const double x = random.between(-0.4, 0.4);
    const double y = random.between(-0.4, 0.4);
    plate.position = {random.between(-5, 5), 0, 0};
    world.addBody(plate, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, kHalf)), material);
    // From above the face, at most 80 degrees from its normal, to the point (x, y) on it.
    const double tilt = random.between(0, 80 * kPi / 180);
    const double around = random.between(0, 2 * kPi);
    const Eigen::Vector3d back(std::sin(tilt) * std::cos(around), std::sin(tilt) * std::sin(around),
                               std::cos(tilt));
    const double way = random.between(0.1, 400.0);
    BodyDescription d;
    d.position = plate.position + r * (Eigen::Vector3d(x, y, kHalf + kRadius) + way * back);
    d.linearVelocity = -kSpeed * (r * back);
    const ObjectId id = addSphere(world, kRadius, 1e-3, d, material);
    bool hit = false;
    const int steps = static_cast<int>(way / (kSpeed * kFrame)) + 2;
    for (int i = 0; i < steps && !hit; ++i) {
      world.step(kFrame).orThrow();
      const Eigen::Vector3d now =
          r.transpose() * (motionOf(world, id).centerOfMass - plate.position);
      for (const WorldContact& c : world.getContacts()) {
        hit = hit || c.normalForce != 0.0 || c.impactImpulse.norm() > 0.0;
      }
      if (now.z() < 0.0) break;
    }
    const Eigen::Vector3d end = r.transpose() * (motionOf(world, id).centerOfMass - plate.position);
    if (!hit || end.z() < 0.0) ++through;
  }
  return {vanishes(fmt::format("misses of {}", kShots), "0", through, 0)};
}

constexpr VerifyScenario kScenarios[] = {
    {"ball-row", "five touching balls, e = 1", ballRow},
    {"tilted-cube", "cube dropped at 5, 15, 30 degrees about x", tiltedCube},
    {"fast-sphere", "1 cm sphere at 1e4 m/s at a 1 mm plate, random poses", fastSphere},
};

}  // namespace

std::span<const VerifyScenario> impactScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
