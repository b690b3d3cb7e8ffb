// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

/// A wheel of .05 kg m^2 and 10 rad/s against .4 N m stops after 1.25 s and 6.25 rad, within a step
/// of any length. At 60 Hz it went (10/60)^2/24 of the way less, 7 mrad, and stopped at the end of
/// one.
TEST(SlidesOfAxes, EndWithinAStep) {
  for (const double rate : {60.0, 173.0, 1000.0}) {
    WorldOptions o;
    o.gravity = {0, 0, 0};
    World world(o);
    BodyDescription d;
    d.mass = 1.0;
    d.inertia = {0.05, 0.05, 0.05};
    d.angularVelocity = {0, 0, 10};
    ObjectId wheel = kNoObject;
    world.addBody(d, std::vector<BodyShape>{}, wheel).orThrow();
    JointDescription j;
    j.body2 = wheel;
    j.placement = JointPlacement::InWorld;
    j.axes[0].friction = 0.4;
    const ObjectId joint = world.addJoint(j);
    for (int i = 0; i < static_cast<int>(1.5 * rate); ++i) world.step(1.0 / rate).orThrow();
    EXPECT_NEAR(world.jointState(joint).position[0], 6.25, 1e-6) << rate;
    EXPECT_NEAR(world.jointState(joint).rate[0], 0.0, 1e-12) << rate;
    EXPECT_NEAR(world.getLedger().jointFriction, -2.5, 1e-9) << rate;
  }
}

/// A bar on a slider that falls 0.3 m onto a stop with e = .5 comes up again by a quarter of it,
/// and is at the top half a fall after it was at the stop, at any rate: 1.5 sqrt(2 h / g).
TEST(SlidesOfAxes, LimitsAreMetWithinAStep) {
  for (const double rate : {60.0, 97.0, 240.0}) {
    World world;
    BodyDescription d;
    d.mass = 1.0;
    d.inertia = {0.1, 0.1, 0.1};
    ObjectId bar = kNoObject;
    world.addBody(d, std::vector<BodyShape>{}, bar).orThrow();
    JointDescription j;
    j.type = JointType::Slider;
    j.body2 = bar;
    j.placement = JointPlacement::InWorld;
    j.axes[0].limits = {-0.3, 1.0, 0.5};
    const ObjectId joint = world.addJoint(j);
    const double fall = std::sqrt(2 * 0.3 / 9.81);
    const int steps = static_cast<int>(1.4 * fall * rate);
    for (int i = 0; i < steps; ++i) world.step(1.0 / rate).orThrow();
    const double t = steps / rate - fall, v = 0.5 * std::sqrt(2 * 9.81 * 0.3);
    EXPECT_NEAR(world.jointState(joint).position[0], -0.3 + v * t - 0.5 * 9.81 * t * t, 1e-9)
        << rate;
    EXPECT_NEAR(world.getLedger().residual(), 0.0, 1e-12) << rate;
  }
}

}  // namespace
}  // namespace abut
