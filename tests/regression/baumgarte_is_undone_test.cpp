// SPDX-License-Identifier: MIT
//
// Symptom: WorldOptions::baumgarte did nothing: a ball 5 cm deep kept 0 m/s, but 2.36 m/s if the
//   ground's surface moved at 1e-9 m/s.
// Cause: the guard against gains of energy took back what the term adds, unless a body of the
// island
//   was "driven", by a speed that is not zero.
// Mechanism: the guard counts the work of drivers, whatever their speed, and leaves islands alone
//   that the term acts on.
#include <gtest/gtest.h>

#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

double speedAfterAStep(double beltSpeed, double baumgarte, double depth) {
  WorldOptions options;
  options.baumgarte = baumgarte;
  World world(options);
  BodyDescription ground, ball;
  ground.type = BodyType::Static;
  ground.surfaceVelocity = {beltSpeed, 0, 0};
  ball.position = {0, 0, 0.5 - depth};
  world.addBody(ground, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  const ObjectId id = world.addBody(ball, std::make_shared<SphereShape>(0.5));
  world.step(1.0 / 60).orThrow();
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  return motion.linearVelocity.z();
}

TEST(Baumgarte, ThrowsOutAShareOfTheOverlapAStepDrivenOrNot) {
  for (const double belt : {0.0, 1e-9, 0.1}) {
    // The share 0.2 of 5 cm in a sixtieth: 0.6 m/s before gravity, 9.81/60 less after the step.
    EXPECT_NEAR(speedAfterAStep(belt, 0.2, 0.05), 0.2 * 0.05 * 60 - 9.81 / 60, 1e-9) << belt;
    EXPECT_NEAR(speedAfterAStep(belt, 0.0, 0.05), 0.0, 1e-12) << belt;
  }
}

}  // namespace
}  // namespace abut
