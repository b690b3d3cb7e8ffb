// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "math/trigonometry.hpp"
#include "rig.hpp"

namespace abut {
namespace {

using test::kGravity;
using test::Rig;

Quat about(const Vec3& axis, double angle) {
  const SinCos s = sinCos(0.5 * angle);
  return {s.cos, axis.x * s.sin, axis.y * s.sin, axis.z * s.sin};
}
Vec3 hanging(double angle) {
  const SinCos s = sinCos(angle);
  return {s.sin, 0.0, -s.cos};
}

/// Rods of 1 m and 1 kg hinged to the world and to each other, at angles from the vertical.
struct DoublePendulum {
  static constexpr double kInertia = 1.0 / 12.0, kThin = 1e-6;
  Rig rig;
  double start1, start2;

  DoublePendulum(double a1, double a2) : start1(a1), start2(a2) {
    const Vec3 end = hanging(a1), axis{0.0, -1.0, 0.0};
    const Vec3 inertia{kInertia, kInertia, kThin};
    rig.add(1.0, inertia, end * 0.5, about({0.0, 1.0, 0.0}, -a1));
    rig.add(1.0, inertia, end + hanging(a2) * 0.5, about({0.0, 1.0, 0.0}, -a2));
    rig.join(JointType::Hinge, kWorldBody, 0, Vec3{}, axis);
    rig.join(JointType::Hinge, 0, 1, end, axis);
  }
  [[nodiscard]] double angle1() const { return start1 + rig.position(0); }
  [[nodiscard]] double angle2() const { return start2 + rig.position(0) + rig.position(1); }
};

struct Played {
  double energy = 0.0;  ///< Greatest change.
  double gap = 0.0;
  bool converged = true;
};

Played play(Rig& rig, double dt, double seconds, bool fourthOrder = false,
            double mostTurn = 100.0) {
  Played run;
  const double start = rig.energy();
  const int n = static_cast<int>(seconds / dt + 0.5);
  for (int i = 0; i < n; ++i) {
    run.converged = rig.step(dt, fourthOrder, mostTurn).converged && run.converged;
    run.energy = maxOf(run.energy, absOf(rig.energy() - start));
    run.gap = maxOf(run.gap, rig.gap());
  }
  return run;
}

/// Angles after 10 s from 60 and 90 degrees at rest: Gragg, Bulirsch and Stoer's method of order 16
/// in extended precision, two step lengths agreeing to 6e-15. Second order leaves (dt)^2.
TEST(Mechanism, DoublePendulumKeepsEnergyAndJointsAtAnyStep) {
  for (const double hz : {60.0, 240.0, 1000.0}) {
    DoublePendulum p(kPi / 3.0, kPi / 2.0);
    const Played run = play(p.rig, 1.0 / hz, 10.0);
    EXPECT_TRUE(run.converged);
    EXPECT_LT(run.energy, 1e-12) << hz;
    EXPECT_LT(run.gap, 1e-14) << hz;
    EXPECT_NEAR(p.angle1(), 1.149447965014, 1000.0 * 9e-5 / hz * (1000.0 / hz)) << hz;
    EXPECT_NEAR(p.angle2(), 1.029618158339, 1000.0 * 2.7e-4 / hz * (1000.0 / hz)) << hz;
  }
}

TEST(Mechanism, DoublePendulumOfFourthOrder) {
  DoublePendulum p(kPi / 3.0, kPi / 2.0);
  const Played run = play(p.rig, 1.0 / 240.0, 10.0, true);
  EXPECT_LT(run.energy, 1e-12);
  EXPECT_NEAR(p.angle1(), 1.149447965014, 1e-6);
  EXPECT_NEAR(p.angle2(), 1.029618158339, 1e-6);
}

/// Crank .4, coupler .9, rocker .7 on a base of 1 m: hinges in space hold three things twice. The
/// transmission angle follows from the law of cosines.
struct FourBar {
  Rig rig;
  FourBar() {
    const double crank = 0.4, coupler = 0.9, rocker = 0.7, base = 1.0;
    const double a = kPi / 3.0;
    const SinCos s = sinCos(a);
    const Vec3 b{crank * s.cos, 0.0, crank * s.sin}, d{base, 0.0, 0.0};
    const double diagonal = norm(d - b);
    const double at =
        (coupler * coupler - rocker * rocker + diagonal * diagonal) / (2.0 * diagonal);
    const double up = std::sqrt(coupler * coupler - at * at);
    const Vec3 along = (d - b) / diagonal, side{-along.z, 0.0, along.x};
    const Vec3 c = b + along * at + side * up;
    const auto rod = [&](const Vec3& p, const Vec3& q) {
      const double length = norm(q - p), angle = atan2Of(q.z - p.z, q.x - p.x);
      return rig.addBox(length, {length, 0.02, 0.02}, (p + q) * 0.5,
                        about({0.0, 1.0, 0.0}, -angle));
    };
    const std::uint32_t one = rod({}, b), two = rod(b, c), three = rod(c, d);
    const Vec3 axis{0.0, -1.0, 0.0};
    rig.join(JointType::Hinge, kWorldBody, one, Vec3{}, axis);
    rig.join(JointType::Hinge, one, two, b, axis);
    rig.join(JointType::Hinge, two, three, c, axis);
    rig.join(JointType::Hinge, kWorldBody, three, d, axis);
  }
};

TEST(Mechanism, FourBarLoopWithRedundantHinges) {
  FourBar bar;
  const Played run = play(bar.rig, 1.0 / 60.0, 10.0);
  EXPECT_TRUE(run.converged);
  EXPECT_LT(run.energy, 1e-13);
  EXPECT_LT(run.gap, 1e-14);
  EXPECT_GT(absOf(bar.rig.position(0)), 0.1);  // It moved.
}

/// A free tree of bodies keeps momentum and angular momentum.
TEST(Mechanism, TumblingTreeKeepsMomenta) {
  Rig rig;
  rig.gravity = {};
  const std::uint32_t base = rig.addBox(10.0, {0.4, 0.3, 0.5}, {});
  std::uint32_t last = base;
  for (int limb = 0; limb < 4; ++limb) {
    last = base;
    for (int k = 0; k < 3; ++k) {
      const Vec3 direction{limb < 2 ? 1.0 : -1.0, limb % 2 == 0 ? 1.0 : -1.0, 0.2};
      const Vec3 place = direction * (0.3 * (k + 1));
      const std::uint32_t next = rig.addBox(1.0, {0.2, 0.1, 0.1}, place);
      rig.join(k == 0 ? JointType::Ball : JointType::Hinge, last, next, place - direction * 0.15,
               {0.3 * k, 1.0, 0.1 * limb});
      rig.mechanism.bodies[next].velocity = cross(Vec3{0.0, 0.0, 3.0}, place);
      rig.mechanism.bodies[next].spin = {0.0, 0.0, 3.0};
      last = next;
    }
  }
  rig.mechanism.bodies[last].velocity += Vec3{0.5, 0.2, 2.0};
  rig.mechanism.bodies[base].spin = {0.0, 0.0, 3.0};
  rig.stepper.settleVelocities(rig.mechanism, {1e-3, 100.0, false, 0.0, true});
  const Vec3 p = rig.momentum(), l = rig.angularMomentum();
  const Played run = play(rig, 1.0 / 60.0, 5.0);
  EXPECT_TRUE(run.converged);
  EXPECT_LT(run.energy, 1e-12 * rig.energy());
  EXPECT_LT(norm(rig.momentum() - p), 1e-12);
  EXPECT_LT(norm(rig.angularMomentum() - l), 1e-12);
  EXPECT_LT(run.gap, 1e-14);
}

/// Twenty links that fall from the horizontal, and ten of 1 kg with 10 t at the end.
TEST(Mechanism, WhipAndWreckingBall) {
  for (const double load : {0.0, 1e3, 1e4}) {
    const int links = load > 0.0 ? 10 : 20;
    Rig rig;
    std::uint32_t last = kWorldBody;
    for (int i = 0; i < links; ++i) {
      const std::uint32_t next = rig.addBox(1.0, {1.0, 0.05, 0.05}, {i + 0.5, 0.0, 0.0});
      rig.join(JointType::Hinge, last, next, Vec3{1.0 * i, 0.0, 0.0}, {0.0, 1.0, 0.0});
      last = next;
    }
    if (load > 0.0) {
      const std::uint32_t ball = rig.add(load, Vec3{0.1, 0.1, 0.1} * load, {1.0 * links, 0.0, 0.0});
      rig.join(JointType::Ball, last, ball, Vec3{1.0 * links, 0.0, 0.0}, {0.0, 1.0, 0.0});
    }
    const double scale = kGravity * links * (0.5 * links + load);
    const Played run = play(rig, 1.0 / 60.0, 2.0, false, 0.1);
    EXPECT_TRUE(run.converged) << load;
    EXPECT_LT(run.energy, 1e-13 * scale) << load;
    EXPECT_LT(run.gap, 1e-13) << load;
  }
}

/// Symmetric top on a ball joint. m g l = I3 n W - (I1 - I3) W^2 cos a  (slow root) with the spin n
/// about the body's axis: W = 2.051504387 rad/s for a disc of 1 kg and .1 m, arm .2 m, n = 200
/// rad/s, a = 60 degrees.
TEST(Mechanism, GyroscopePrecesses) {
  const double slow = 2.051504387, spin = 200.0, arm = 0.2, tilt = kPi / 3.0;
  const double across = 0.04253333333333333 - arm * arm, along = 0.005;
  Rig rig;
  const SinCos s = sinCos(tilt);
  const Vec3 axis{s.sin, 0.0, s.cos};
  const std::uint32_t disc =
      rig.add(1.0, {across, across, along}, axis * arm, about({0.0, 1.0, 0.0}, tilt));
  rig.join(JointType::Ball, kWorldBody, disc, Vec3{}, {0.0, 0.0, 1.0});
  // Steady: w = (n - W cos a) along the axis + W up, where n is the whole spin about the axis.
  const Vec3 w = axis * (spin - slow * s.cos) + Vec3{0.0, 0.0, slow};
  rig.mechanism.bodies[disc].spin = w;
  rig.mechanism.bodies[disc].velocity = cross(w, axis * arm);
  const double dt = 1e-3;
  for (int i = 0; i < 500; ++i) rig.step(dt, false, 0.1);
  const Vec3 x = rig.mechanism.bodies[disc].position;
  EXPECT_NEAR(atan2Of(x.y, x.x), slow * 0.5, 2e-4);
  EXPECT_NEAR(x.z, arm * s.cos, 1e-5);
}

/// Cardan joint at 30 degrees: tan(out) = tan(in) / cos(30 degrees).
TEST(Mechanism, UniversalJointTurnsUnevenly) {
  Rig rig;
  rig.gravity = {};
  const double bend = kPi / 6.0;
  const SinCos s = sinCos(bend);
  const Vec3 in{1.0, 0.0, 0.0}, out{s.cos, 0.0, s.sin}, cross1{0.0, 1.0, 0.0};
  const std::uint32_t driver = rig.addBox(1.0, {0.5, 0.1, 0.1}, in * -0.5);
  const std::uint32_t driven = rig.addBox(1.0, {0.5, 0.1, 0.1}, out * 0.5, about(cross1, -bend));
  rig.join(JointType::Hinge, kWorldBody, driver, in * -0.5, in);
  rig.join(JointType::Hinge, kWorldBody, driven, out * 0.5, out);
  // The cross: z of frame 1 lies in the driver's fork, x of frame 2 in the driven one's.
  const Vec3 upOut{-s.sin, 0.0, s.cos};
  const Vec3 z = cross1, x2 = upOut;
  JointDescription d;
  d.type = JointType::Universal;
  const Pose frame{{x2, cross(z, x2), z}, {}};
  rig.join(d, driver, driven, frame, frame);
  const double rate = 2.0, dt = 1e-3;
  JointDrive& drive = rig.axis(0).drive;
  drive.mode = DriveMode::Speed;
  drive.target = rate;
  rig.mechanism.bodies[driver].spin = in * rate;
  rig.stepper.settleVelocities(rig.mechanism, {dt, 100.0, false, 0.0, true});
  for (int i = 0; i < 700; ++i) {
    rig.step(dt);
    const double a = rig.position(0), b = rig.position(1);
    // The driver's fork begins at right angles to the plane of the shafts.
    EXPECT_NEAR(a, rate * dt * (i + 1), 1e-12);
    const SinCos ca = sinCos(a), cb = sinCos(b);
    EXPECT_NEAR(cb.sin * ca.cos, ca.sin * cb.cos * s.cos, 1e-12) << i;
  }
}

}  // namespace
}  // namespace abut
