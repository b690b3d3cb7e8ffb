// SPDX-License-Identifier: MIT
// Rolling and spinning resistance in a world, against the equations of a ball on a plane.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

constexpr double kG = 9.81, kRadius = 0.1, kMass = 2.0;

class ResistanceOfScheme : public testing::TestWithParam<StepScheme> {
protected:
  WorldOptions options() const {
    WorldOptions o = GetParam() == StepScheme::RealTime ? WorldOptions::realTime() : WorldOptions{};
    if (GetParam() == StepScheme::RealTime) {
      o.solver.tolerance = 1e-12;
      o.solver.maxSweeps = 400;
    }
    return o;
  }
  /// Of velocities: the real-time scheme is solved to its tolerance and moves balls to the surface.
  double bar() const { return GetParam() == StepScheme::RealTime ? 1e-8 : 1e-11; }
};

struct BallOnPlane {
  World world;
  ObjectId ball = kNoObject, plane = kNoObject;

  BallOnPlane(const WorldOptions& options, double rolling, double spinning,
              const BodyDescription& motion = {}, BodyType ground = BodyType::Static)
      : world(options) {
    Material m;
    m.friction = 0.8;
    m.rollingResistance = rolling;
    m.spinningResistance = spinning;
    MaterialId id = 0;
    world.materials().add(m, id).orThrow();
    BodyDescription g;
    g.type = ground;
    plane = world.addBody(g, BoxShape({50, 50, 0.5}), id);
    BodyDescription b = motion;
    b.position = {0, 0, 0.5 + kRadius};
    b.mass = kMass;
    ball = world.addBody(b, SphereShape(kRadius), id);
  }
  BodyMotion motion() const {
    BodyMotion m;
    world.getMotion(ball, m).orThrow();
    return m;
  }
  void step(double dt) {
    ASSERT_TRUE(world.step(dt));
    ASSERT_TRUE(world.getReport().converged);
    const EnergyAccount& books = world.getStepLedger();
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry());
    ASSERT_LE(books.friction, 1e-14 * books.largestEntry());
  }
};

/// Rolling without slip, the couple rho m g slows the ball at rho g / (1.4 R): with friction f,
/// m v' = -f and 0.4 m R^2 w' = f R - rho m g, and v = w R.
TEST_P(ResistanceOfScheme, RollingSlowsAtTheRateOfItsArmAndEndsInRest) {
  const double rho = 2e-3, rate = rho * kG / (1.4 * kRadius), speed = 0.3;
  BodyDescription d;
  d.linearVelocity = {speed * 0.8, speed * 0.6, 0};
  d.angularVelocity = {-speed * 0.6 / kRadius, speed * 0.8 / kRadius, 0};
  BallOnPlane scene(options(), rho, 0.0, d);
  const double dt = 1.0 / 256;
  for (int i = 1; i <= 300; ++i) {
    scene.step(dt);
    const double expected = std::max(0.0, speed - rate * dt * i);
    const BodyMotion m = scene.motion();
    ASSERT_NEAR(m.linearVelocity.norm(), expected, bar()) << i;
    ASSERT_NEAR(m.angularVelocity.norm() * kRadius, expected, 10 * bar()) << i;
  }
}

TEST_P(ResistanceOfScheme, SpinningSlowsAtTheRateOfItsArmAndEndsInRest) {
  const double arm = 1e-3, rate = arm * kG / (0.4 * kRadius * kRadius), spin = 2.0;
  BodyDescription d;
  d.angularVelocity = {0, 0, spin};
  BallOnPlane scene(options(), 0.0, arm, d);
  const double dt = 1.0 / 256;
  for (int i = 1; i <= 300; ++i) {
    scene.step(dt);
    ASSERT_NEAR(scene.motion().angularVelocity.z(), std::max(0.0, spin - rate * dt * i),
                10 * bar());
  }
}

/// On a slope the couple holds the ball up to tan = rho / R.
TEST_P(ResistanceOfScheme, HoldsABallOnASlopeUpToItsArmOverTheRadius) {
  const double rho = 5e-3;
  for (const double part : {1.0 - 1e-3, 1.0 + 1e-3}) {
    const double tangent = part * rho / kRadius, cosine = 1 / std::sqrt(1 + tangent * tangent);
    WorldOptions o = options();
    o.gravity = {kG * tangent * cosine, 0, -kG * cosine};
    BallOnPlane scene(o, rho, 0.0);
    for (int i = 0; i < 256; ++i) scene.step(1.0 / 256);
    // Beyond it the rest of the couple accelerates: (g sin - rho g cos / R) / 1.4 over a second.
    const double g = part > 1 ? kG * cosine * (tangent - rho / kRadius) / 1.4 : 0.0;
    EXPECT_NEAR(scene.motion().linearVelocity.x(), g, 100 * bar()) << part;
  }
}

/// What a turning table has to bear is the couple it gives the ball on its axis.
TEST_P(ResistanceOfScheme, DriverBearsTheCoupleOfSpinning) {
  const double arm = 1e-3;
  BallOnPlane scene(options(), 0.0, arm, {}, BodyType::Kinematic);
  ASSERT_TRUE(scene.world.setVelocity(scene.plane, {0, 0, 0}, {0, 0, 5}));
  for (int i = 0; i < 64; ++i) scene.step(1.0 / 256);
  ASSERT_EQ(scene.world.getDrivers().size(), 1u);
  EXPECT_NEAR(scene.world.getDrivers()[0].torque.z(), arm * kMass * kG, 1e-6);
  ASSERT_EQ(scene.world.getContacts().size(), 1u);
  const WorldContact& c = scene.world.getContacts()[0];
  const double onBall = c.object1 == scene.ball ? c.resistingCouple.z() : -c.resistingCouple.z();
  EXPECT_NEAR(onBall, arm * kMass * kG, 1e-6);
}

/// What the couple takes in a step it takes as a mean over the step, also where the ball comes to
/// rest within it: 0.4 m R^2 (w - w') = couple dt.
TEST_P(ResistanceOfScheme, CoupleIsTheMeanOverTheSubsteps) {
  WorldOptions o = options();
  o.substeps = 4;
  BodyDescription d;
  d.angularVelocity = {0, 0, 1};
  BallOnPlane scene(o, 0.0, 1e-3, d);
  const double dt = 1.0 / 64, inertia = 0.4 * kMass * kRadius * kRadius;
  double before = 1.0;  // The couple m g 1 mm stops it after 0.41 s, in the 27th step.
  for (int i = 0; i < 30; ++i) {
    scene.step(dt);
    const double after = scene.motion().angularVelocity[2];
    ASSERT_EQ(scene.world.getContacts().size(), 1u);
    const double couple = scene.world.getContacts()[0].resistingCouple.norm();
    ASSERT_NEAR(couple * dt, inertia * (before - after), 1e-9 * inertia) << i;
    before = after;
  }
  EXPECT_NEAR(before, 0.0, 1e-9);
}

/// A heap with all resistances: books closed and nothing gained, whatever touches what.
TEST_P(ResistanceOfScheme, HeapLosesEnergyOnly) {
  World world(options());
  Material m;
  m.friction = 0.6;
  m.rollingResistance = 5e-3;
  m.spinningResistance = 2e-3;
  MaterialId id = 0;
  ASSERT_TRUE(world.materials().add(m, id));
  world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}), id);
  for (int i = 0; i < 12; ++i) {
    BodyDescription d;
    d.position = {0.13 * (i % 3), 0.11 * (i % 2), 0.15 + 0.25 * i};
    if (i % 3 == 0) {
      world.addBody(d, BoxShape({0.1, 0.12, 0.08}), id);
    } else {
      world.addBody(d, SphereShape(0.1), id);
    }
  }
  double before = 0.0;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(world.step(1.0 / 240));
    const EnergyAccount& books = world.getStepLedger();
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry()) << i;
    const double energy = books.kineticAfter + books.potentialAfter;
    const double gained = energy - before - books.correction - books.integrator;
    if (i > 0) {
      ASSERT_LE(gained, 1e-12 * std::fabs(energy)) << i;
    }
    before = energy;
  }
}

TEST(Resistance, IsRefusedWithAModelThatDoesNotKnowIt) {
  WorldOptions o;
  o.solver.model = ContactModel::Frictionless;
  BallOnPlane scene(o, 1e-3, 0.0);
  const std::uint64_t before = scene.world.hash();
  EXPECT_EQ(scene.world.step(0.01).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(scene.world.hash(), before);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ResistanceOfScheme,
                         testing::Values(StepScheme::Exact, StepScheme::RealTime));

}  // namespace
}  // namespace abut
