// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

class Needles : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Needles, test::bothSchemes(), test::schemeName);

/// Four needles of 1 m and 1 kg on ball joints that fall from the horizontal: about themselves they
/// have 1e-5 or 1e-6 of the inertia across. Joint forces that turn with them are all that there is
/// to such a turn: steps were divided into 64 parts in vain, lost up to 8 J and took thousands of
/// iterations. Nothing dissipates.
TEST_P(Needles, SwingWithoutLoss) {
  for (const double thin : {1e-5, 1e-6}) {
    for (const bool isReversed : {false, true}) {
      World world(options());
      ObjectId last = kNoObject;
      for (int i = 0; i < 4; ++i) {
        BodyDescription d;
        d.mass = 1.0;
        d.inertia = {thin / 12.0, 1.0 / 12.0, 1.0 / 12.0};
        d.position = {i + 0.5, 0.02 * i * i, 0.0};
        d.id = static_cast<ObjectId>(isReversed ? 9 - i : 1 + i);
        world.addBody(d, std::vector<BodyShape>{}, d.id).orThrow();
        JointDescription j;
        j.type = JointType::Ball;
        j.body1 = last;
        j.body2 = d.id;
        j.placement = JointPlacement::InWorld;
        j.frame1.translation = {static_cast<double>(i), 0.02 * i * i, 0.0};
        world.addJoint(j);
        last = d.id;
      }
      int iterations = 0;
      constexpr int kSteps = 90;
      for (int i = 0; i < kSteps; ++i) {
        world.step(1.0 / 60.0).orThrow();
        iterations += world.getReport().newtonSteps;
        EXPECT_TRUE(world.getReport().converged) << thin << ", step " << i;
        const EnergyAccount& a = world.getStepLedger();
        EXPECT_NEAR((a.kineticAfter + a.potentialAfter) - (a.kineticBefore + a.potentialBefore),
                    0.0, 1e-9)
            << thin << ", step " << i;
      }
      EXPECT_LT(iterations, (isExact() ? 1000 : 200) * kSteps) << thin;
    }
  }
}

}  // namespace
}  // namespace abut
