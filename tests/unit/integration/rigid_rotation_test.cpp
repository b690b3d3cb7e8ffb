// SPDX-License-Identifier: MIT
#include "integration/rigid_rotation.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

LocalInertia diagonal(double a, double b, double c) {
  return {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}, {{1 / a, 0, 0}, {0, 1 / b, 0}, {0, 0, 1 / c}}};
}

struct Spin {
  LocalInertia inertia = diagonal(1, 2, 3);
  Quat q;
  Vec3 w{0.01, 5.0, 0.02};

  [[nodiscard]] Vec3 momentum() const {
    const Mat3 r = toMatrix(q);
    return r * (inertia.tensor * transposeTimes(r, w));
  }
  [[nodiscard]] double energy() const { return 0.5 * dot(w, momentum()); }
  [[nodiscard]] double bodyRate() const { return transposeTimes(toMatrix(q), w).y; }
};

TEST(RigidRotation, EnergyAndMomentumStayForTenMinutes) {
  Spin spin;
  const double energy = spin.energy();
  const Vec3 momentum = spin.momentum();
  for (int i = 0; i < 36000; ++i) rotateFreely(spin.inertia, 1.0 / 60, spin.q, spin.w);
  EXPECT_NEAR(spin.energy() / energy, 1.0, 1e-12);
  EXPECT_LT(norm(spin.momentum() - momentum) / norm(momentum), 1e-12);
}

TEST(RigidRotation, TumblesAboutTheMiddleAxisWithTheExactPeriod) {
  // Half the period of the Jacobi elliptic solution for these inertias and rates: 4.43535575622 s
  // between two passages of the middle axis' rate through zero.
  Spin spin;
  double last = spin.bodyRate(), first = 0.0, second = 0.0;
  const double dt = 1.0 / 60;
  for (int i = 1; second == 0.0 && i < 1000; ++i) {
    rotateFreely(spin.inertia, dt, spin.q, spin.w);
    const double now = spin.bodyRate();
    if ((now > 0) != (last > 0)) {
      const double t = dt * (i - now / (now - last));
      (first == 0.0 ? first : second) = t;
    }
    last = now;
  }
  EXPECT_NEAR(second - first, 4.43535575622, 1e-3);
}

TEST(RigidRotation, IsotropicBodyTurnsAboutAFixedAxisExactly) {
  Spin spin;
  spin.inertia = diagonal(2, 2, 2);
  spin.w = {0, 0, 2.0};
  rotateFreely(spin.inertia, 0.25, spin.q, spin.w);
  EXPECT_NEAR(spin.q.w, std::cos(0.25), 1e-16);
  EXPECT_NEAR(spin.q.z, std::sin(0.25), 1e-16);
  EXPECT_EQ(spin.w, (Vec3{0, 0, 2.0}));
}

TEST(RigidRotation, AttitudeAtThirtyHertzIsRightToElevenDigits) {
  // Sub-steps of at most 1/8 rad leave a sixth-order error of a few 1e-12 after one second.
  const auto run = [](int steps) {
    Spin spin;
    spin.w = {1.0, 2.0, 3.0};
    for (int i = 0; i < steps; ++i) rotateFreely(spin.inertia, 1.0 / steps, spin.q, spin.w);
    return spin.q;
  };
  const Quat a = run(30), b = run(480);
  EXPECT_NEAR(a.w, b.w, 5e-11);
  EXPECT_NEAR(a.x, b.x, 5e-11);
  EXPECT_NEAR(a.y, b.y, 5e-11);
  EXPECT_NEAR(a.z, b.z, 5e-11);
}

}  // namespace
}  // namespace abut
