// SPDX-License-Identifier: MIT
//
// Symptom: in a press some steps reported forces of up to a hundred times what stops the body in a
// step at the speed of the plate.
// Cause: where a press is answered friction may hold any squeeze, and what was taken for too much
// began at a hundred times the momentum of all bodies.
// Mechanism: it begins at twice; beyond it the step has the answer without friction.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

constexpr double kGravity = 9.81;

std::shared_ptr<const Shape> hullOf(const Eigen::Vector3d& half) {
  std::vector<Eigen::Vector3d> corners;
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d sign((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    corners.push_back(half.cwiseProduct(sign));
  }
  return std::make_shared<ConvexShape>(corners);
}

struct Press {
  bool isHull;  ///< A cube, else a cylinder that lies.
  double size, mass, speed, frequency, friction, restitution;
  Eigen::Vector2d place;
};

/// The greatest force at a point over what the body's weight and its momentum at the speed of the
/// plate could be answered with in a step.
double greatestForce(const Press& press, bool plateFirst) {
  World world;
  Material material;
  material.friction = press.friction;
  material.restitution = press.restitution;
  MaterialId id = 0;
  world.materials().add(material, id).orThrow();
  BodyDescription ground;
  ground.type = BodyType::Static;
  ground.id = 100;
  world.addBody(ground, PlaneShape({0, 0, 1}), id);
  BodyDescription body;
  body.id = plateFirst ? 20 : 1;
  body.mass = press.mass;
  body.position = {press.place.x(), press.place.y(), 0.5 * press.size};
  std::shared_ptr<const Shape> shape =
      std::make_shared<CylinderShape>(0.5 * press.size, press.size);
  if (press.isHull) {
    shape = hullOf(Eigen::Vector3d::Constant(0.5 * press.size));
  } else {
    body.orientation = {std::sqrt(0.5), std::sqrt(0.5), 0, 0};
  }
  world.addBody(body, shape, id);
  BodyDescription plate;
  plate.id = 10;
  plate.type = BodyType::Kinematic;
  plate.position = {0, 0, 1.15 * press.size};
  plate.linearVelocity = {0, 0, -press.speed};
  world.addBody(plate, BoxShape(Eigen::Vector3d(1.5, 1.5, 0.1) * press.size), id);
  double force = 0.0;
  const double time = 0.05 * press.size / press.speed;
  const int steps = static_cast<int>(time * press.frequency) + 12;
  for (int i = 0; i < steps; ++i) {
    world.step(1.0 / press.frequency).orThrow();
    for (const WorldContact& c : world.getContacts()) force = std::max(force, c.normalForce);
  }
  return force / (press.mass * (2.0 * kGravity + press.speed * press.frequency));
}

TEST(PressedBodies, BearNoMoreThanStopsThem) {
  const Press cube{true, 0.0589695110076, 3.50664316924, 0.244076903671,
                   240,  1.04291914022,   0.0,           {0.00167507291175, -0.00618856045399}};
  const Press roller{false,
                     1.57063515465,
                     0.735716825668,
                     1.62227865349,
                     240,
                     0.457679628120,
                     0.0,
                     {-0.215881443428, -0.132991006146}};
  for (const Press& given : {cube, roller}) {
    for (const double e : {0.0, 0.3}) {
      for (const double friction : {0.3, 0.8, given.friction}) {
        for (const bool plateFirst : {false, true}) {
          Press press = given;
          press.restitution = e;
          press.friction = friction;
          EXPECT_LT(greatestForce(press, plateFirst), 2.0) << friction << " e " << e;
        }
      }
    }
  }
}

}  // namespace
}  // namespace abut
