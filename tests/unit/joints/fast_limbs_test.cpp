// SPDX-License-Identifier: MIT
#include <vector>

#include <gtest/gtest.h>

#include "joints/mean_step.hpp"
#include "rig.hpp"

namespace abut {
namespace {

using test::Rig;

/// Links of 30 cm on ball joints and hinges in turn, with ends of their ways, that whirl.
Rig whirlingChain(double spin, bool isReversed) {
  Rig rig;
  constexpr std::uint32_t kLinks = 6;
  const auto number = [isReversed](std::uint32_t i) { return isReversed ? kLinks - 1 - i : i; };
  const auto placeOf = [](std::uint32_t i) { return Vec3{0.3 * i, 0.0, 2.0}; };
  for (std::uint32_t k = 0; k < kLinks; ++k) {
    const std::uint32_t i = number(k);
    rig.addBox(1.0 + 0.5 * i, {0.28, 0.1, 0.06}, placeOf(i));
  }
  for (std::uint32_t i = 0; i + 1 < kLinks; ++i) {
    const bool isBall = i % 2 == 0;
    const std::uint32_t joint =
        rig.join(isBall ? JointType::Ball : JointType::Hinge, number(i), number(i + 1),
                 placeOf(i) + Vec3{0.15, 0.0, 0.0}, isBall ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
    if (isBall) rig.axis(joint, 1).limits.upper = 0.1 * i + 0.2;
    if (!isBall) rig.axis(joint).limits = {-0.1, 0.3, 0.0};
  }
  const Vec3 turn{0.4 * spin, 0.3 * spin, spin};
  for (std::uint32_t i = 0; i < kLinks; ++i) {
    MechanismBody& b = rig.mechanism.bodies[number(i)];
    b.spin = turn;
    b.velocity = cross(turn, placeOf(i) - placeOf(2));
  }
  return rig;
}

/// Iterations until the square of a change is none, or 30.
int iterations(Rig& rig, double share, bool isTurning) {
  MotionSetting setting;
  setting.dt = 1.0 / 60.0;
  setting.share = share;
  MeanStep step;
  TurningWork work;
  step.begin(rig.mechanism, setting);
  // Blows along the chain and across it [N s].
  std::vector<Vec6> pushes;
  for (std::size_t i = 0; i < rig.mechanism.bodies.size(); ++i) {
    pushes.push_back(toVec6(Vec3{0.5, -0.2 * static_cast<double>(i), 1.0}, Vec3{0.0, 0.05, 0.0}));
  }
  int count = 0;
  for (double change = 1e300; change > MeanStep::kSquaredIsNone && count < 30; ++count) {
    if (!step.linearise()) return 30;
    if (isTurning) {
      step.predictTurning(pushes, work);
    } else {
      step.predict(pushes);
    }
    change = step.advance();
  }
  step.update();
  EXPECT_LT(step.mostGap(), count < 30 ? 1e-9 : 1e3);
  return count;
}

/// Links turn by 0.25 rad and more in a step. With the true matrix errors are squared: four
/// iterations from a tenth, and two in which limits are found. Without it each is a third to a half
/// of the one before.
TEST(FastLimbs, ComeToRestInFewIterations) {
  for (const bool isReversed : {false, true}) {
    for (const double spin : {5.0, 10.0, 15.0}) {
      for (const double share : {0.5, 1.0}) {
        Rig rig = whirlingChain(spin, isReversed);
        Rig same = whirlingChain(spin, isReversed);
        const int turning = iterations(rig, share, true), plain = iterations(same, share, false);
        EXPECT_LE(turning, 7) << spin << " rad/s, share " << share;
        EXPECT_GE(plain, turning + 2) << spin << " rad/s, share " << share;
      }
    }
  }
}

}  // namespace
}  // namespace abut
