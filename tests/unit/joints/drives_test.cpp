// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "math/trigonometry.hpp"
#include "rig.hpp"

namespace abut {
namespace {

using test::kGravity;
using test::Rig;

/// A wheel of inertia I on a hinge about z.
Rig wheelOf(double inertia) {
  Rig rig;
  rig.gravity = {};
  rig.add(1.0, {inertia, inertia, inertia}, {});
  rig.join(JointType::Hinge, kWorldBody, 0, Vec3{}, {0.0, 0.0, 1.0});
  return rig;
}

double spinOf(const Rig& rig, std::uint32_t body = 0) {
  return rig.mechanism.bodies[body].spin.z;
}

/// 2 N m on .05 kg m^2: 40 rad/s^2, so 30 rad/s after .75 s; the work is the energy gained.
TEST(Drives, ForceMotor) {
  Rig rig = wheelOf(0.05);
  rig.axis(0).drive.mode = DriveMode::Force;
  rig.axis(0).drive.target = 2.0;
  double work = 0.0;
  for (int i = 0; i < 750; ++i) {
    rig.step(1e-3, true);
    work += rig.mechanism.joints[0].outcome.work.motors;
    EXPECT_NEAR(rig.mechanism.joints[0].outcome.drive[5], 2e-3, 1e-15);
  }
  EXPECT_NEAR(spinOf(rig), 30.0, 1e-10);
  EXPECT_NEAR(work, 22.5, 1e-11);
  EXPECT_NEAR(rig.position(0), 11.25, 1e-7);  // Phase, of fourth order.
}

/// The same motor with a speed to keep: it pushes with all it has until it is there.
TEST(Drives, SpeedMotorWithAForceLimit) {
  Rig rig = wheelOf(0.05);
  JointDrive& drive = rig.axis(0).drive;
  drive.mode = DriveMode::Speed;
  drive.target = 30.0;
  drive.maxForce = 2.0;
  double work = 0.0, last = 0.0, lastAngle = 0.0;
  for (int i = 0; i < 1000; ++i) {
    rig.step(1e-3);
    work += rig.mechanism.joints[0].outcome.work.motors;
    const double expected = minOf(30.0, 0.04 * (i + 1));
    EXPECT_NEAR(spinOf(rig), expected, 0.02) << i;
    // At its speed it neither hunts nor loses an angle.
    if (i > 800) {
      EXPECT_NEAR(spinOf(rig), last, 1e-6) << i;
      EXPECT_NEAR(rig.position(0) - lastAngle, 0.03, 1e-12) << i;
    }
    last = spinOf(rig);
    lastAngle = rig.position(0);
  }
  EXPECT_NEAR(work, 0.5 * 0.05 * spinOf(rig) * spinOf(rig), 1e-12);
}

/// Rod of 2 kg, .5 m, horizontal: m g l/2 = 4.905 N m holds it, less does not.
TEST(Drives, StallTorque) {
  for (const double share : {1.0 + 1e-9, 1.0 - 1e-9}) {
    Rig rig;
    rig.addBox(2.0, {0.5, 0.02, 0.02}, {0.25, 0.0, 0.0});
    rig.join(JointType::Hinge, kWorldBody, 0, Vec3{}, {0.0, 1.0, 0.0});
    JointDrive& drive = rig.axis(0).drive;
    drive.mode = DriveMode::Speed;
    drive.maxForce = 4.905 * share;
    for (int i = 0; i < 20; ++i) rig.step(0.01);
    EXPECT_EQ(absOf(rig.position(0)) > 1e-12, share < 1.0) << share;
  }
}

/// .4 N m of dry friction on .05 kg m^2 at 30 rad/s: it loses 22.5 J, all of it, and rests.
TEST(Drives, DryFriction) {
  Rig rig = wheelOf(0.05);
  rig.axis(0).friction = 0.4;
  rig.mechanism.bodies[0].spin = {0.0, 0.0, 30.0};
  double work = 0.0;
  for (int i = 0; i < 4000; ++i) {
    rig.step(1e-3, false, 0.01);
    work += rig.mechanism.joints[0].outcome.work.friction;
    if (i < 3740) {
      EXPECT_NEAR(spinOf(rig), 30.0 - 0.008 * (i + 1), 1e-9);
    }
  }
  EXPECT_NEAR(work, -22.5, 1e-10);
  EXPECT_NEAR(spinOf(rig), 0.0, 1e-12);
  EXPECT_NEAR(rig.position(0), 56.25, 1e-3);
}

/// I .05, k 20, c .4, from 1 rad: wn = 20 rad/s, zeta = .2; -.1274844451 rad after .1 s.
TEST(Drives, TorsionSpringAndDamper) {
  Rig rig = wheelOf(0.05);
  rig.axis(0).stiffness = 20.0;
  rig.axis(0).damping = 0.4;
  rig.axis(0).rest = -1.0;  // It is at 0: one radian from rest.
  const double start = rig.energy();
  EXPECT_NEAR(start, 10.0, 1e-14);
  double dampers = 0.0;
  for (int i = 0; i < 100; ++i) {
    rig.step(1e-3);
    dampers += rig.mechanism.joints[0].outcome.work.dampers;
  }
  EXPECT_NEAR(rig.position(0) + 1.0, -0.1274844451, 1e-4);
  EXPECT_NEAR(rig.energy() - start, dampers, 1e-13);
  EXPECT_LT(dampers, 0.0);
}

/// A spring alone keeps the energy, whatever the step.
TEST(Drives, SpringKeepsEnergy) {
  for (const double dt : {1e-3, 1.0 / 60.0, 0.2}) {
    Rig rig = wheelOf(0.05);
    rig.axis(0).stiffness = 20.0;
    rig.axis(0).rest = 0.7;
    rig.axis(0).armature = 0.02;
    const double start = rig.energy();
    for (int i = 0; i < 200; ++i) {
      rig.step(dt);
      EXPECT_NEAR(rig.energy(), start, 2e-13) << dt << " " << i;
    }
  }
}

/// No stiffness is too great for a servo that is implicit.
TEST(Drives, StiffServoComesToItsTarget) {
  for (const double kp : {40.0, 4e3, 1e5, 1e9}) {
    Rig rig = wheelOf(0.004);
    JointDrive& drive = rig.axis(0).drive;
    drive.mode = DriveMode::Position;
    drive.target = 0.8;
    drive.stiffness = kp;
    drive.damping = 0.025 * kp;
    for (int i = 0; i < 120; ++i) rig.step(1.0 / 60.0);
    EXPECT_NEAR(rig.position(0), 0.8, 1e-9) << kp;
    EXPECT_NEAR(spinOf(rig), 0.0, 1e-8) << kp;
  }
}

/// Rod falling from the horizontal onto a stop below: sqrt(3 g) = 5.424942396 rad/s at the bottom,
/// half of it after.
TEST(Drives, LimitThrowsBack) {
  Rig rig;
  rig.addBox(1.0, {1.0, 1e-4, 1e-4}, {0.5, 0.0, 0.0});
  rig.join(JointType::Hinge, kWorldBody, 0, Vec3{}, {0.0, 1.0, 0.0});
  rig.axis(0).limits.upper = 0.5 * kPi;
  rig.axis(0).limits.restitution = 0.5;
  double before = 0.0, after = 0.0, limits = 0.0, held = 0.0;
  const double start = rig.energy();
  for (int i = 0; i < 700 && after == 0.0; ++i) {
    before = rig.mechanism.bodies[0].spin.y;
    rig.step(1e-3);
    limits += rig.mechanism.joints[0].outcome.work.limits;
    held += rig.mechanism.joints[0].outcome.held;
    const double now = rig.mechanism.bodies[0].spin.y;
    if (before > 1.0 && now < 0.0) after = now;
    EXPECT_LE(rig.position(0), 0.5 * kPi + 1e-12);
  }
  EXPECT_NEAR(before, 5.424942396, 2e-2);   // The stop is met within a step.
  EXPECT_NEAR(after / before, -0.5, 5e-3);  // Gravity acts in the step too.
  EXPECT_NEAR(rig.energy() - start, limits + held, 1e-12);
  EXPECT_LT(limits, 0.0);
}

/// It rests on its stop.
TEST(Drives, LimitHolds) {
  Rig rig;
  rig.addBox(1.0, {1.0, 0.1, 0.1}, {0.5, 0.0, 0.0});
  rig.join(JointType::Hinge, kWorldBody, 0, Vec3{}, {0.0, 1.0, 0.0});
  rig.axis(0).limits.upper = 0.5;
  for (int i = 0; i < 200; ++i) rig.step(1.0 / 60.0);
  EXPECT_NEAR(rig.position(0), 0.5, 1e-14);
  EXPECT_NEAR(norm(rig.mechanism.bodies[0].spin), 0.0, 1e-13);
}

/// Gears 2:1, I .02 and .08, with 1 N m on the first.
Rig gearPair() {
  Rig rig;
  rig.gravity = {};
  rig.add(1.0, {0.02, 0.02, 0.02}, {});
  rig.add(1.0, {0.08, 0.08, 0.08}, {1.0, 0.0, 0.0});
  rig.join(JointType::Hinge, kWorldBody, 0, Vec3{}, {0.0, 0.0, 1.0});
  rig.join(JointType::Hinge, kWorldBody, 1, Vec3{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  MechanismCoupling gear;
  gear.joint1 = 0;
  gear.joint2 = 1;
  gear.row1 = gear.row2 = 5;
  gear.ratio = -0.5;
  rig.mechanism.couplings.push_back(gear);
  rig.axis(0).drive.mode = DriveMode::Force;
  rig.axis(0).drive.target = 1.0;
  return rig;
}

/// Work of motors and of what joints hold in the last step.
double workOf(const Rig& rig) {
  double work = 0.0;
  for (const MechanismJoint& j : rig.mechanism.joints) {
    work += j.outcome.work.motors + j.outcome.held;
  }
  return work;
}

/// 1 / (.02 + .08/4) = 25 rad/s^2.
TEST(Drives, GearPair) {
  Rig rig = gearPair();
  double work = 0.0;
  for (int i = 0; i < 1000; ++i) {
    rig.step(1e-4);
    work += workOf(rig);
    EXPECT_NEAR(rig.position(1), -0.5 * rig.position(0), 1e-13);
  }
  EXPECT_NEAR(spinOf(rig, 0), 2.5, 1e-6);
  EXPECT_NEAR(spinOf(rig, 1), -1.25, 1e-6);
  EXPECT_NEAR(rig.kinetic(), work, 1e-13);
}

/// The same at 100 Hz, where Cayley's turn by a mean rate is not that rate's: rates keep their
/// ratio as angles do, and the books stay closed.
TEST(Drives, CoupledRatesKeepTheirRatio) {
  Rig rig = gearPair();
  double work = 0.0;
  for (int i = 0; i < 100; ++i) {
    rig.step(1e-2);
    work += workOf(rig);
    EXPECT_NEAR(spinOf(rig, 1), -0.5 * spinOf(rig, 0), 1e-13);
    EXPECT_NEAR(rig.position(1), -0.5 * rig.position(0), 1e-13);
    EXPECT_NEAR(rig.kinetic(), work, 1e-13 * (1.0 + work));
  }
}

/// Atwood's machine as two slides that are coupled, with an armature for the pulley: 3 and 2 kg,
/// I/r^2 = .5: a = g / 5.5.
TEST(Drives, PulleyOfTwoSlides) {
  Rig rig;
  rig.addBox(3.0, {0.1, 0.1, 0.1}, {});
  rig.addBox(2.0, {0.1, 0.1, 0.1}, {1.0, 0.0, 0.0});
  rig.join(JointType::Slider, kWorldBody, 0, Vec3{}, {0.0, 0.0, 1.0});
  rig.join(JointType::Slider, kWorldBody, 1, Vec3{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  rig.axis(0).armature = 0.5;
  MechanismCoupling rope;
  rope.joint1 = 0;
  rope.joint2 = 1;
  rope.row1 = rope.row2 = 5;
  rope.ratio = -1.0;
  rig.mechanism.couplings.push_back(rope);
  for (int i = 0; i < 100; ++i) rig.step(1e-2);
  EXPECT_NEAR(rig.mechanism.bodies[0].velocity.z, -kGravity / 5.5, 1e-12);
  EXPECT_NEAR(rig.position(1), 0.5 * kGravity / 5.5, 1e-12);
}

/// A pose set apart by 1 cm is closed by displacement: velocities stay, no energy is made of it.
TEST(Drives, GapsAreClosedByDisplacement) {
  Rig rig;
  rig.gravity = {};
  rig.addBox(1.0, {1.0, 0.1, 0.1}, {});
  rig.addBox(1.0, {1.0, 0.1, 0.1}, {1.0, 0.0, 0.0});
  rig.join(JointType::Hinge, 0, 1, Vec3{0.5, 0.0, 0.0}, {0.0, 1.0, 0.0});
  rig.mechanism.bodies[1].position += Vec3{0.0, 0.01, 0.003};
  rig.step(0.01);
  EXPECT_LT(rig.gap(), 1e-14);
  EXPECT_LT(rig.kinetic(), 1e-15);
}

}  // namespace
}  // namespace abut
