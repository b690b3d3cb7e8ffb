// SPDX-License-Identifier: MIT
// Fast bodies of any shape and spin against thin walls.
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// One shot at a wall of 1 cm that is wide enough for what slides along it; whether the body is
/// behind it at any time.
bool goesThrough(bool realTime, int shape, double speed, VerifyRandom& random) {
  WorldOptions options = realTime ? WorldOptions::realTime() : WorldOptions{};
  options.gravity = {0, 0, 0};
  World world(options);
  const double friction = random.between(0, 1);
  const double restitution = random.between(0, 3) < 1.0 ? 0.0 : random.between(0, 1);
  const MaterialId material = addMaterial(world, friction, restitution);
  BodyDescription wall;
  wall.type = BodyType::Static;
  world.addBody(wall, std::make_shared<BoxShape>(Eigen::Vector3d(0.005, 500, 500)), material);
  const double lean = random.between(-1, 1), way = random.between(0.3, 2.0);
  const Eigen::Vector3d axis = random.direction(), spin = random.direction();
  const double angle = random.between(0, 2 * kPi), rate = random.between(0, 600);
  BodyDescription d;
  d.position = {-way, 0, 0};
  d.orientation = {std::cos(angle / 2), axis.x() * std::sin(angle / 2),
                   axis.y() * std::sin(angle / 2), axis.z() * std::sin(angle / 2)};
  d.linearVelocity = {speed * std::cos(lean), speed * std::sin(lean), 0};
  d.angularVelocity = rate * spin;
  std::shared_ptr<const Shape> body;
  switch (shape) {
    case 0:
      body = std::make_shared<BoxShape>(Eigen::Vector3d(0.05, 0.05, 0.05));
      break;
    case 1:
      body = std::make_shared<BoxShape>(Eigen::Vector3d(0.25, 0.01, 0.01));
      break;
    case 2:
      body = std::make_shared<CapsuleShape>(0.02, 0.2);
      break;
    default:
      body = std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 0.1, 0.005));
      break;
  }
  const ObjectId id = world.addBody(d, body, material);
  const int steps = static_cast<int>(std::ceil(2.0 * way / (speed * kFrame))) + 6;
  for (int i = 0; i < steps && i < 60; ++i) {
    world.step(kFrame).orThrow();
    if (motionOf(world, id).centerOfMass.x() > 0.0) return true;
  }
  return false;
}

Rows fastBodies() {
  constexpr const char* kNames[] = {"cubes of 10 cm", "rods of 50 x 2 x 2 cm",
                                    "capsules of 24 x 4 cm", "plates of 20 x 20 x 1 cm"};
  constexpr double kSpeeds[] = {10, 30, 100, 300, 1000};
  constexpr int kShots = 90;  // Of each shape, speed and scheme: 3600 in all.
  VerifyRandom random(3600);
  Rows rows;
  for (int shape = 0; shape < 4; ++shape) {
    int through = 0;
    for (const bool realTime : {false, true}) {
      for (const double speed : kSpeeds) {
        for (int i = 0; i < kShots; ++i) {
          through += goesThrough(realTime, shape, speed, random) ? 1 : 0;
        }
      }
    }
    rows.push_back(
        vanishes(fmt::format("{}: through, of {}", kNames[shape], 10 * kShots), "0", through, 0));
  }
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"fast-bodies", "10 to 1000 m/s, up to 600 rad/s, at a wall of 1 cm, both schemes", fastBodies},
};

}  // namespace

std::span<const VerifyScenario> fastBodyScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
