// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

TEST(HeavyOnLight, AMillionToOneHoldsWithoutSinking) {
  // A cube of 1e6 kg on one of 1 kg, and on a ball of 1 kg: either it holds, or the report says
  // that the step did not converge. Both hold, and carry the weight.
  for (const bool onBall : {false, true}) {
    World world;
    BodyDescription fixed;
    fixed.type = BodyType::Static;
    world.addBody(fixed, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
    BodyDescription d;
    d.position = {0, 0, 0.5};
    d.mass = 1.0;
    if (onBall) {
      world.addBody(d, std::make_shared<SphereShape>(0.5));
    } else {
      world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)));
    }
    d.position = {0, 0, 1.5};
    d.mass = 1e6;
    d.locks = onBall ? std::uint8_t{kLockRotation} : std::uint8_t{kLockNone};
    const ObjectId heavy =
        world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)));
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(world.step(1.0 / 60));
      ASSERT_TRUE(world.getReport().converged) << i;
      ASSERT_LT(world.getReport().greatestDepth, 1e-6) << i;
    }
    BodyMotion m;
    ASSERT_TRUE(world.getMotion(heavy, m));
    EXPECT_NEAR(m.centerOfMass.z(), 1.5, 1e-6);
    double force = 0.0;
    for (const WorldContact& c : world.getContacts()) {
      if (c.object2 == heavy) force += c.normalForce;
    }
    EXPECT_NEAR(force / (1e6 * 9.81), 1.0, 1e-6);
  }
}

}  // namespace
}  // namespace abut
