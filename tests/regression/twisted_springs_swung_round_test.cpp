// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

class TwistedSprings : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, TwistedSprings, test::bothSchemes(), test::schemeName);

/// A pendulum on a ball joint with a spring about its twist goes over the top. A twist of 8 rad
/// stores 64 J; a step near the top gained up to 56 J.
TEST_P(TwistedSprings, GainNothingAtTheTop) {
  double highest = 0.0;
  for (int k = 0; k < 4; ++k) {
    World world(options());
    BodyDescription d;
    d.mass = 1.0;
    d.inertia = {0.02, 0.03, 0.01};
    d.position = {0.0, 0.0, -0.3};
    d.angularVelocity = {11.0 + 0.7 * k, 1.5 - 0.6 * k, 3.0 - k};
    d.linearVelocity = d.angularVelocity.cross(d.position);
    ObjectId body = kNoObject;
    world.addBody(d, std::vector<BodyShape>{}, body).orThrow();
    JointDescription j;
    j.type = JointType::Ball;
    j.body2 = body;
    j.placement = JointPlacement::InWorld;
    j.axes[0].stiffness = 2.0;
    const ObjectId joint = world.addJoint(j);
    for (int i = 0; i < 120; ++i) {
      world.step(1.0 / 60.0).orThrow();
      const EnergyAccount& a = world.getStepLedger();
      const double gain = ((a.kineticAfter + a.potentialAfter) + a.elasticAfter) -
                          ((a.kineticBefore + a.potentialBefore) + a.elasticBefore);
      EXPECT_LT(gain, 1e-9) << k << ", step " << i;
      EXPECT_LT(std::abs(a.residual()), 1e-11) << k << ", step " << i;
      highest = std::max(highest, world.jointState(joint).position[1]);
    }
  }
  EXPECT_GT(highest, 3.0);
}

}  // namespace
}  // namespace abut
