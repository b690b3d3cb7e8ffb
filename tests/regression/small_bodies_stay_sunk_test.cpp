// SPDX-License-Identifier: MIT
//
// Symptom: in real time a ball of 1 mm radius stayed sunk by half its radius.
// Cause: the overlap that is left alone was correctionSlop, 1 mm, whatever the size of the bodies;
//   the exact scheme had scaled it with them.
// Mechanism: each row carries its own slop, at most a thousandth of the smaller body's radius.
#include <gtest/gtest.h>

#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

class SmallBodies : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, SmallBodies, test::bothSchemes(), test::schemeName);

TEST_P(SmallBodies, OverlapLeftIsAThousandthOfTheSize) {
  for (const bool groundFirst : {true, false}) {
    for (const double radius : {1e-3, 1e-2, 0.1}) {
      WorldOptions coarse = options();
      coarse.correctionSlop = 1e-3;
      World world(coarse);
      BodyDescription ground, ball;
      ground.type = BodyType::Static;
      ground.id = groundFirst ? 1 : 2;
      ball.id = groundFirst ? 2 : 1;
      ball.position = {0, 0, 0.5 * radius};  // Half a radius deep.
      world.addBody(ground, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
      world.addBody(ball, std::make_shared<SphereShape>(radius));
      // A fifth of what is beyond the slop goes in each step: 0.8^60 of half a radius is 1e-6 of
      // it.
      for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(1.0 / 60));
      EXPECT_NEAR(world.getReport().greatestDepth / radius, 1e-3, 1e-5) << radius;
    }
  }
}

}  // namespace
}  // namespace abut
