// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60;

BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion m;
  world.getMotion(id, m).orThrow();
  return m;
}

/// Steps and looks at the books.
void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) {
    world.step(kStep).orThrow();
    const EnergyAccount& books = world.getStepLedger();
    constexpr double kDust = 1e-24;  // [J] What velocities of rounding, 1e-12 m/s, have.
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry() + kDust) << "step " << i;
  }
}

ObjectId addFixed(World& world, std::shared_ptr<const Shape> shape,
                  const Eigen::Vector3d& at = {0, 0, 0}) {
  BodyDescription d;
  d.type = BodyType::Static;
  d.position = at;
  return world.addBody(d, std::move(shape));
}

ObjectId addBullet(World& world, const Eigen::Vector3d& at, const Eigen::Vector3d& velocity,
                   MaterialId material = 0) {
  BodyDescription d;
  d.position = at;
  d.linearVelocity = velocity;
  d.mass = 0.01;
  return world.addBody(d, std::make_shared<SphereShape>(0.005), material);
}

MaterialId addMaterial(World& world, double friction, double restitution) {
  Material m;
  m.friction = friction;
  m.restitution = restitution;
  MaterialId id = 0;
  world.materials().add(m, id).orThrow();
  return id;
}

class FastBodies : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, FastBodies, test::bothSchemes(), test::schemeName);

TEST_P(FastBodies, BulletStopsAtMeshAndHeightField) {
  const Eigen::Vector3d corners[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const MeshShape::Triangle triangles[] = {{0, 1, 2}, {0, 2, 3}};
  const double heights[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::shared_ptr<const Shape> grounds[] = {
      std::make_shared<MeshShape>(corners, triangles),
      std::make_shared<HeightFieldShape>(3, 3, 1.0, 1.0, heights)};
  for (const auto& ground : grounds) {
    for (int i = 0; i < 20; ++i) {
      World world(options());
      addFixed(world, ground);
      const double x = 0.05 + 0.03 * i;
      const ObjectId id = addBullet(world, {x, 0.3, 7.0 + i}, {0, 0, -1e4});
      run(world, 3);
      EXPECT_NEAR(motionOf(world, id).centerOfMass.z(), 0.005, 1e-9) << i;
    }
  }
}

TEST_P(FastBodies, BounceHappensWhereTheBodiesMeet) {
  // 10 m/s over 5 cm, e = 0.5, without weight: touch after 5 ms, then 5 m/s for the other 11.67 ms.
  World world(weightless());
  const MaterialId rubber = addMaterial(world, 0.0, 0.5);
  BodyDescription plate;
  plate.type = BodyType::Static;
  world.addBody(plate, std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 0.1)), rubber);
  const ObjectId id = addBullet(world, {0.2, 0, 0.1 + 0.005 + 0.05}, {0, 0, -10}, rubber);
  run(world, 1);
  EXPECT_NEAR(motionOf(world, id).linearVelocity.z(), 5.0, 1e-12);
  // In real time a body moves with its new velocity from where it was: it turns before it is there.
  const double z = isExact() ? 0.105 + 5.0 * (kStep - 0.005) : 0.155 + 5.0 * kStep;
  EXPECT_NEAR(motionOf(world, id).centerOfMass.z(), z, 1e-12);
  ASSERT_EQ(world.getEvents().size(), 1u);
  EXPECT_NEAR(world.getEvents()[0].since, 0.005, 1e-14);
}

TEST_P(FastBodies, ElasticBounceUnderGravityKeepsTheEnergy) {
  World world(options());
  const MaterialId elastic = addMaterial(world, 0.0, 1.0);
  BodyDescription plate;
  plate.type = BodyType::Static;
  plate.position = {0, 0, -0.1};
  world.addBody(plate, std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 0.1)), elastic);
  const ObjectId id = addBullet(world, {0, 0, 2}, {0, 0, 0}, elastic);
  // The apex comes back every 2 sqrt(2 h / g), h = 1.995 m.
  const double period = 2.0 * std::sqrt(2.0 * 1.995 / 9.81);
  const int steps = 600;
  run(world, steps);
  const BodyMotion m = motionOf(world, id);
  const double energy = 9.81 * m.centerOfMass.z() + 0.5 * m.linearVelocity.squaredNorm();
  EXPECT_NEAR(energy / (9.81 * 2.0), 1.0, isExact() ? 1e-12 : 1e-9);
  if (!isExact()) return;  // Of first order: each bounce is up to a step early.
  const double phase = std::remainder(steps * kStep, period);
  EXPECT_NEAR(m.centerOfMass.z(), 2.0 - 0.5 * 9.81 * phase * phase, 1e-6);
}

TEST_P(FastBodies, BulletsThatMeetHeadOnShareTheirMomentum) {
  World world(weightless());
  const MaterialId elastic = addMaterial(world, 0.0, 1.0);
  const ObjectId a = addBullet(world, {-3, 0, 0}, {1000, 0, 0}, elastic);
  const ObjectId b = addBullet(world, {4, 0, 0}, {-500, 0, 0}, elastic);
  run(world, 1);
  EXPECT_NEAR(motionOf(world, a).linearVelocity.x(), -500, 1e-9);
  EXPECT_NEAR(motionOf(world, b).linearVelocity.x(), 1000, 1e-9);
  EXPECT_LT(motionOf(world, a).centerOfMass.x(), motionOf(world, b).centerOfMass.x());
}

TEST_P(FastBodies, BatThatSweepsOverABallTakesItAlong) {
  World world(weightless());
  BodyDescription bat;
  bat.type = BodyType::Kinematic;
  bat.position = {-2, 0, 0};
  bat.linearVelocity = {200, 0, 0};
  const ObjectId driver =
      world.addBody(bat, std::make_shared<BoxShape>(Eigen::Vector3d(0.01, 0.5, 0.5)));
  const ObjectId ball = addBullet(world, {0, 0.1, 0}, {0, 0, 0});
  run(world, 2);
  EXPECT_GE(motionOf(world, ball).centerOfMass.x(),
            motionOf(world, driver).centerOfMass.x() + 0.015 - 1e-9);
  EXPECT_NEAR(motionOf(world, ball).linearVelocity.x(), 200, 1e-9);
  // m v^2: half of it motion, half lost.
  EXPECT_NEAR(world.getLedger().drivers, 0.01 * 200 * 200, 1e-9);
}

TEST_P(FastBodies, BulletDeflectedIntoAnotherPlateDoesNotPassIt) {
  World world(weightless());
  const MaterialId elastic = addMaterial(world, 0.0, 1.0);
  BodyDescription wall;
  wall.type = BodyType::Static;
  wall.orientation = {std::cos(0.3926990816987241), 0, std::sin(0.3926990816987241), 0};  // 45 deg.
  world.addBody(wall, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.01)), elastic);
  // Thrown up along z by the slanted plate, towards a thin ceiling that was not on its course.
  BodyDescription ceiling;
  ceiling.type = BodyType::Static;
  ceiling.position = {0, 0, 2};
  world.addBody(ceiling, std::make_shared<BoxShape>(Eigen::Vector3d(4, 4, 0.001)), elastic);
  const ObjectId id = addBullet(world, {3, 0, 0}, {-2000, 0, 0}, elastic);
  for (int i = 0; i < 4; ++i) {
    run(world, 1);
    EXPECT_LT(motionOf(world, id).centerOfMass.z(), 2.0) << i;
  }
  EXPECT_NEAR(motionOf(world, id).linearVelocity.norm(), 2000, 1e-8);
}

TEST_P(FastBodies, RodThatSpinsFastDoesNotSwingThroughAPlate) {
  World world(weightless());
  addFixed(world, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.001, 0.5)), {1.0, 0, 0});
  BodyDescription rod;
  rod.locks = kLockTranslation | kLockRotationX | kLockRotationY;
  rod.orientation = {std::cos(0.5), 0, 0, std::sin(0.5)};  // 1 rad before the plate.
  rod.angularVelocity = {0, 0, -150};                      // 2.5 rad a step.
  const Pose alongX = poseFromRollPitchYaw({0, 0, 0}, 0, 1.5707963267948966, 0);
  ObjectId id = kNoObject;
  world.addBody(rod, {{std::make_shared<CapsuleShape>(0.02, 1.6), alongX, 0}}, id).orThrow();
  run(world, 4);
  // It rests against the plate from above: the angle has not gone through zero.
  const Eigen::Vector3d x = toEigen(motionOf(world, id).pose).linear().col(0);
  EXPECT_GT(std::fabs(std::atan2(x.y(), x.x())), 0.0);
  EXPECT_LT(motionOf(world, id).angularVelocity.norm(), 1e-9);
}

TEST_P(FastBodies, FastBoxLandsFlatWithoutTurning) {
  World world(options());
  addFixed(world, std::make_shared<BoxShape>(Eigen::Vector3d(2, 2, 0.05)));
  BodyDescription d;
  d.position = {0.1, 0.2, 3};
  d.linearVelocity = {0, 0, -300};
  const ObjectId id = world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 0.1, 0.1)));
  run(world, 5);
  EXPECT_NEAR(motionOf(world, id).centerOfMass.z(), 0.15, 1e-6);
  EXPECT_LT(motionOf(world, id).angularVelocity.norm(), 1e-9);
}

}  // namespace
}  // namespace abut
