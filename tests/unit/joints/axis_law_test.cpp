// SPDX-License-Identifier: MIT
#include "joints/axis_law.hpp"

#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// Least and most that a law gives at a rate, give or take what rounding of the rate does.
bool isOn(const AxisLaw& law, const AxisPoint& p) {
  constexpr double kTolerance = 1e-9;
  const auto at = [&](double u) {
    double sum = law.smoothAt(u);
    for (int i = 0; i < law.numJumps; ++i) {
      const AxisLaw::Jump& j = law.jumps[static_cast<std::size_t>(i)];
      sum += u < j.at ? j.high : j.low;
    }
    return sum;
  };
  const double most = at(p.rate - kTolerance), least = at(p.rate + kTolerance);
  return p.impulse <= most + 1e-6 && p.impulse >= least - 1e-6;
}

TEST(AxisLaw, PointIsOnTheLawAndOnTheLine) {
  std::mt19937 engine(5);
  const auto next = [&] { return 2.0 * (static_cast<double>(engine()) / 4294967295.0) - 1.0; };
  for (int trial = 0; trial < 2000; ++trial) {
    AxisLaw law;
    law.free = next();
    law.slope = trial % 3 == 0 ? 0.0 : 1.0 + next();
    if (trial % 2 == 0) {
      law.servo = 3.0 * next();
      law.servoSlope = 5.0 * (1.0 + next());
      law.servoLimit = 1.0 + next();
    }
    const double low = next();
    if (trial % 5 != 0) law.add({next(), -0.5, 0.5, JumpKind::Friction});
    if (trial % 7 != 0) law.add({low, 0.0, kUnlimitedImpulse, JumpKind::Limit});
    if (trial % 4 != 0) law.add({low + 1.0, -kUnlimitedImpulse, 0.0, JumpKind::Limit});
    const double rate = 3.0 * next(), impulse = 3.0 * next(), response = 1.5 + next();
    const AxisPoint p = meet(law, rate, impulse, response);
    EXPECT_NEAR(p.rate, rate + response * (p.impulse - impulse), 1e-9) << trial;
    EXPECT_TRUE(isOn(law, p)) << trial;
    const AxisParts parts = partsOf(law, p);
    EXPECT_NEAR(
        parts.servo + parts.friction + parts.motor + parts.limit + law.free - law.slope * p.rate,
        p.impulse, 1e-9)
        << trial;
  }
}

/// A motor that keeps a speed, held by friction and at its limit: friction takes what it can.
TEST(AxisLaw, PartsAreFrictionThenMotorThenLimit) {
  AxisLaw law;
  law.add({0.0, -1.0, 1.0, JumpKind::Friction});
  law.add({0.0, 0.0, kUnlimitedImpulse, JumpKind::Limit});
  law.add({0.0, -2.0, 2.0, JumpKind::Motor});
  const AxisPoint p = meet(law, -5.0, 0.0, 1.0);
  EXPECT_TRUE(p.isHeld);
  EXPECT_EQ(p.impulse, 5.0);
  const AxisParts parts = partsOf(law, p);
  EXPECT_EQ(parts.friction, 1.0);
  EXPECT_EQ(parts.motor, 2.0);
  EXPECT_EQ(parts.limit, 2.0);
}

}  // namespace
}  // namespace abut
