// SPDX-License-Identifier: MIT
//
// Symptom: under gravity walls and lifts that moved passed through what turned in front of them, by
// all of their way in a step, and the step said that it had converged.
// Cause: an island that would gain energy goes only a share of its way and becomes slower. Both
// were measured in the world, while the driver went all of its own way. Mechanism: both are
// measured from a frame that no driver of the island approaches.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

using Vector = Eigen::Vector3d;

struct Push {
  std::shared_ptr<Shape> wall, body;
  double speed;     ///< Of the wall [m/s].
  double approach;  ///< Of the body [m/s].
  Vector spin;      ///< [rad/s]
  Vector direction;
};

std::shared_ptr<Shape> openMesh(double half) {
  const std::vector<Vector> p{
      {0, -half, -half}, {0, half, -half}, {0, half, half}, {0, -half, half}};
  const std::vector<MeshShape::Triangle> t{{0, 1, 2}, {0, 2, 3}};
  return std::make_shared<MeshShape>(p, t);
}

/// How far the centre of the body is in front of the wall's middle, at least [m].
double leastAhead(const Push& p) {
  World world;
  Material material;
  material.friction = 0;
  MaterialId id = 0;
  world.materials().add(material, id).orThrow();
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector::UnitX(), p.direction);
  BodyDescription wall;
  wall.id = 1;
  wall.type = BodyType::Kinematic;
  wall.orientation = {turn.w(), turn.x(), turn.y(), turn.z()};
  wall.linearVelocity = p.direction * p.speed;
  world.addBody(wall, p.wall, id);
  BodyDescription body;
  body.id = 2;
  body.position = p.direction * (p.body->boundingRadius() + 0.03);
  body.linearVelocity = -p.direction * p.approach;
  body.angularVelocity = p.spin;
  world.addBody(body, p.body, id);
  double least = 1.0;
  for (int i = 0; i < 60; ++i) {
    world.step(1.0 / 60).orThrow();
    const EnergyAccount& books = world.getStepLedger();
    EXPECT_LE(std::abs(books.residual()), 1e-12 * books.largestEntry());
    const Vector d = world.motion(2).centerOfMass - world.motion(1).position;
    if ((d - p.direction * p.direction.dot(d)).norm() > 18.0) break;
    least = std::min(least, p.direction.dot(d));
  }
  return least;
}

TEST(MovingWalls, DoNotPassThroughWhatTurnsInFrontOfThem) {
  const auto plate = std::make_shared<BoxShape>(Vector(0.01, 20, 20));
  const std::shared_ptr<Shape> meshes[] = {plate, openMesh(20)};
  const std::shared_ptr<Shape> bodies[] = {std::make_shared<BoxShape>(Vector(0.05, 0.08, 0.03)),
                                           std::make_shared<CylinderShape>(0.06, 0.05),
                                           std::make_shared<CapsuleShape>(0.03, 0.1)};
  const Vector directions[] = {
      {1, 0, 0}, Vector(0.3, -0.2, 0.93).normalized(), Vector(-0.5, 0.7, -0.5).normalized()};
  for (const auto& wall : meshes) {
    for (const auto& body : bodies) {
      for (const Vector& direction : directions) {
        for (const double speed : {0.4, 6.0, 20.0}) {
          const Vector spin = Vector(1.1, -0.7, 0.9) * (speed + 9.0);
          EXPECT_GT(leastAhead({wall, body, speed, 2.0, spin, direction}), 0.01)
              << "at " << speed << " m/s, direction " << direction.transpose();
        }
      }
    }
  }
}

/// The greatest overlap of a can that lands turning on a lift [m].
double depthOnLift(double speed, int k) {
  World world;
  BodyDescription lift;
  lift.id = 1;
  lift.type = BodyType::Kinematic;
  lift.position = {0, 0, -0.05};
  lift.linearVelocity = {0, 0, speed};
  world.addBody(lift, BoxShape({5, 5, 0.05}));
  BodyDescription can;
  can.id = 2;
  can.position = {0, 0, 0.12};
  can.linearVelocity = {0.3, 0, speed - 0.6};
  can.orientation = Quat{std::cos(k + 0.5), 0.6 * std::sin(k + 0.5), 0.8 * std::sin(k + 0.5), 0};
  can.angularVelocity = {12 * std::cos(2.1 * k), 11 * std::cos(1.3 * k + 1), 9 * std::cos(1.0 * k)};
  world.addBody(can, CylinderShape(0.05 + 0.001 * k, 0.09 - 0.002 * k));
  double depth = 0.0;
  for (int i = 0; i < 90; ++i) {
    world.step(1.0 / 60).orThrow();
    depth = std::max(depth, world.getReport().greatestDepth);
  }
  return depth;
}

TEST(MovingWalls, LiftsBearAsDeepAsFloorsWhateverTheirSpeed) {
  for (int k = 0; k < 24; ++k) {
    const double atRest = depthOnLift(0.0, k);
    for (const double speed : {1.0, 3.0}) {
      EXPECT_LT(depthOnLift(speed, k), 1.5 * atRest + 1e-3) << "at " << speed << " m/s, " << k;
    }
  }
}

}  // namespace
}  // namespace abut
