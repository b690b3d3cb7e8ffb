// SPDX-License-Identifier: MIT
//
// Contacts whose place or normal changes within a step, in the exact scheme.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

constexpr double kPi = 3.14159265358979323846;

MaterialId addMaterial(World& world, double friction, double rolling = 0.0) {
  Material m;
  m.friction = friction;
  m.restitution = 0.0;
  m.rollingResistance = rolling;
  MaterialId id = 0;
  world.materials().add(m, id).orThrow();
  return id;
}

BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  return motion;
}

/// Steps, and checks that the books close at every one of them.
void run(World& world, double dt, int steps) {
  for (int i = 0; i < steps; ++i) {
    world.step(dt).orThrow();
    const EnergyAccount& step = world.getStepLedger();
    ASSERT_LE(std::abs(step.residual()), 1e-12 * step.largestEntry()) << i;
  }
}

struct Table {
  double rate = 2.0, radius = 0.5, friction = 10.0;
  bool tableFirst = true;
  WorldOptions options = {};
};

/// How far a box that sticks to a turntable wandered along its radius, relative.
double wandering(const Table& t, double frequency, const Eigen::Vector3d& half) {
  World world(t.options);
  const MaterialId material = addMaterial(world, t.friction);
  BodyDescription table;
  table.type = BodyType::Kinematic;
  table.position = {0, 0, -0.1};
  table.angularVelocity = {0, 0, t.rate};
  table.id = t.tableFirst ? 1 : 2;
  BodyDescription box;
  box.position = {0, t.radius, half.z()};
  box.linearVelocity = {-t.rate * t.radius, 0, 0};
  box.angularVelocity = {0, 0, t.rate};
  box.id = t.tableFirst ? 2 : 1;
  world.addBody(table, CylinderShape(3, 0.2), material);
  world.addBody(box, BoxShape(half), material);
  run(world, 1.0 / frequency, static_cast<int>(5 * frequency));
  const Eigen::Vector3d x = motionOf(world, box.id).centerOfMass;
  return std::abs(std::hypot(x.x(), x.y()) / t.radius - 1.0);
}

TEST(ContactMotion, ABoxStaysWhereItSticksOnATurntable) {
  EXPECT_LT(wandering({}, 60, {0.05, 0.05, 0.05}), 1e-10);
  EXPECT_LT(wandering({}, 240, {0.05, 0.05, 0.05}), 1e-10);
  EXPECT_LT(wandering({3.0, 0.8, 5.0}, 60, {0.07, 0.04, 0.02}), 1e-10);
  EXPECT_LT(wandering({3.0, 0.8, 5.0, false}, 60, {0.07, 0.04, 0.02}), 1e-10);
  EXPECT_LT(wandering({-1.0, 1.7, 2.0, false}, 120, {0.2, 0.1, 0.1}), 1e-10);
}

/// In real time contacts are taken where they are in the middle of the step: second order.
TEST(ContactMotion, ABoxOnATurntableInRealTimeIsOfSecondOrder) {
  const Table table{2.0, 0.5, 10.0, true, WorldOptions::realTime()};
  const Table other{-3.0, 0.7, 5.0, false, WorldOptions::realTime()};
  EXPECT_LT(wandering(table, 60, {0.05, 0.05, 0.05}), 3e-4);  // .18 with those of the beginning.
  EXPECT_LT(wandering(table, 240, {0.05, 0.05, 0.05}), 1e-5);
  EXPECT_LT(wandering(other, 60, {0.07, 0.04, 0.02}), 3e-3);
  EXPECT_LT(wandering(other, 240, {0.07, 0.04, 0.02}), 1e-4);
}

/// w^2 r = 0.98 mu g: friction just holds it. Beyond, it slides off.
TEST(ContactMotion, ABoxBelowTheLimitOfFrictionHolds) {
  const double rate = 2.0, radius = 0.5;
  EXPECT_LT(wandering({rate, radius, rate * rate * radius / (0.98 * 9.81)}, 60, {0.05, 0.05, 0.01}),
            1e-9);
  EXPECT_GT(wandering({rate, radius, rate * rate * radius / (1.02 * 9.81)}, 60, {0.05, 0.05, 0.01}),
            1e-2);
}

/// A ball that rolls on a table turning at W goes round at 2/7 W.
double closing(double rate, double radius, double ballRadius, double frequency,
               bool extrapolates = false, WorldOptions options = {}) {
  options.extrapolates = extrapolates;
  World world(options);
  const MaterialId material = addMaterial(world, 1.0);
  BodyDescription table;
  table.type = BodyType::Kinematic;
  table.position = {0, 0, -0.1};
  table.angularVelocity = {0, 0, rate};
  world.addBody(table, CylinderShape(5, 0.2), material);
  BodyDescription ball;
  ball.position = {radius, 0, ballRadius};
  ball.linearVelocity = {0, rate * radius, 0};
  const ObjectId id = world.addBody(ball, SphereShape(ballRadius), material);
  const double period = 7.0 * kPi / std::abs(rate);
  const int steps = static_cast<int>(period * frequency);
  run(world, 1.0 / frequency, steps);
  run(world, period - steps / frequency, 1);
  const Eigen::Vector3d x = motionOf(world, id).centerOfMass;
  return std::hypot(x.x() - radius, x.y());
}

TEST(ContactMotion, ABallOnATurntableClosesItsCircleToSecondOrder) {
  EXPECT_LT(closing(2.0, 0.5, 0.1, 60), 1e-4);
  const double slow = closing(-3.0, 0.4, 0.05, 120), fast = closing(-3.0, 0.4, 0.05, 480);
  EXPECT_NEAR(std::log2(slow / fast), 4.0, 0.1);  // A quarter of the step: a sixteenth.
}

TEST(ContactMotion, SoItDoesInRealTime) {
  const WorldOptions realTime = WorldOptions::realTime();
  EXPECT_LT(closing(2.0, 0.5, 0.1, 60, false, realTime), 1e-3);
  const double slow = closing(-3.0, 0.4, 0.05, 120, false, realTime);
  EXPECT_NEAR(std::log2(slow / closing(-3.0, 0.4, 0.05, 480, false, realTime)), 4.0, 0.3);
}

/// Half the step: a sixteenth of the error, and closed books (run() checks).
TEST(ContactMotion, ABallOnATurntableClosesItsCircleToFourthOrder) {
  EXPECT_LT(closing(2.5, 0.3, 0.08, 120, true), 1e-9);
  const double slow = closing(2.5, 0.3, 0.08, 60, true), fast = closing(2.5, 0.3, 0.08, 120, true);
  EXPECT_NEAR(std::log2(slow / fast), 4.0, 0.2);
  const double other = closing(-3.0, 0.4, 0.05, 240, true);  // Its steps are not halved.
  EXPECT_NEAR(std::log2(closing(-3.0, 0.4, 0.05, 120, true) / other), 4.0, 0.3);
}

/// A box that slides to a stop on a table that turns changes from sliding to sticking: such steps
/// are those of second order, to the bit, and what follows sticks.
TEST(ContactMotion, ExtrapolationLeavesChangesAlone) {
  for (const bool extrapolates : {false, true}) {
    WorldOptions options;
    options.extrapolates = extrapolates;
    World world(options);
    const MaterialId material = addMaterial(world, 0.4);
    BodyDescription table;
    table.type = BodyType::Kinematic;
    table.position = {0, 0, -0.1};
    table.angularVelocity = {0, 0, 1.2};
    world.addBody(table, CylinderShape(3, 0.2), material);
    BodyDescription box;
    box.position = {0.4, 0, 0.05};
    box.linearVelocity = {0, 0.3, 0};
    const ObjectId id = world.addBody(box, BoxShape(Eigen::Vector3d(0.06, 0.05, 0.05)), material);
    run(world, 1.0 / 120, 120);
    const Eigen::Vector3d x = motionOf(world, id).centerOfMass;
    const Eigen::Vector3d v = motionOf(world, id).linearVelocity;
    EXPECT_NEAR((v - Eigen::Vector3d(0, 0, 1.2).cross(x)).norm(), 0.0, 1e-7);
    EXPECT_TRUE(world.getReport().converged);
  }
}

TEST(ContactMotion, ExtrapolationIsPartOfTheState) {
  WorldOptions options;
  options.extrapolates = true;
  World world(options);
  World other;
  EXPECT_NE(world.hash(), other.hash());
  ASSERT_TRUE(other.restore(world.snapshot()));
  EXPECT_EQ(world.hash(), other.hash());
}

struct Disc {
  double degrees = 12.0, frequency = 1000.0, radius = 0.05, height = 0.006;
  bool groundFirst = true, onBox = false;
};

/// Loss of energy, over m g z, of a disc that rolls round on its rim for a second; see `abut verify
/// --only eulers-disk`.
double lossOf(const Disc& disc) {
  const double a = disc.radius, h = disc.height, tilt = disc.degrees * kPi / 180;
  const double i1 = (3 * a * a + h * h) / 12, i3 = a * a / 2;
  const double s = std::sin(tilt), c = std::cos(tilt);
  const double rate = std::sqrt(9.81 * (a * c - h / 2 * s) / (s * (i1 * c - i3 * s * h / (2 * a))));
  const Eigen::Vector3d axis(s, 0, c), up = (Eigen::Vector3d(0, 0, 1) - axis * c) / s;
  World world;
  const MaterialId material = addMaterial(world, 100.0);
  BodyDescription ground;
  ground.type = BodyType::Static;
  ground.id = disc.groundFirst ? 1 : 2;
  if (disc.onBox) {
    ground.position = {0, 0, -1};
    world.addBody(ground, BoxShape(Eigen::Vector3d(3, 3, 1)), material);
  } else {
    world.addBody(ground, PlaneShape(Eigen::Vector3d(0, 0, 1), 0), material);
  }
  BodyDescription d;
  d.id = disc.groundFirst ? 2 : 1;
  d.position = {0, 0, a * s + h / 2 * c};
  d.orientation = Quat{std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
  d.angularVelocity = up * (rate * s) + axis * (rate * s * h / (2 * a));
  d.mass = 1.0;
  d.inertia = {i1, i1, i3};
  world.addBody(d, CylinderShape(a, h), material);
  run(world, 1.0 / disc.frequency, 1);
  const double first = world.getStepLedger().kineticBefore + world.getStepLedger().potentialBefore;
  run(world, 1.0 / disc.frequency, static_cast<int>(disc.frequency));
  const double last = world.getStepLedger().kineticAfter + world.getStepLedger().potentialAfter;
  return (first - last) / (9.81 * d.position.z());
}

TEST(ContactMotion, EulersDiskKeepsItsEnergy) {
  for (const double degrees : {7.0, 12.0, 25.0, 40.0}) {
    EXPECT_LT(std::abs(lossOf({degrees})), 1e-7) << degrees;
  }
  EXPECT_LT(std::abs(lossOf({25.0, 2000.0, 0.3, 0.02})), 1e-7);
}

/// Points of the rim that it is about to roll over approach faster than they can close: they are
/// not stopped as impacts. A step in which the contact goes round by a radian or two is made in
/// legs.
TEST(ContactMotion, EulersDiskKeepsItsEnergyInLongSteps) {
  EXPECT_LT(std::abs(lossOf({12.0, 60.0})), 1e-5);
  EXPECT_LT(std::abs(lossOf({3.0, 60.0, 0.05, 0.006, false})), 1e-5);
  EXPECT_LT(std::abs(lossOf({18.0, 60.0, 0.05, 0.006, true, true})), 1e-5);
  EXPECT_LT(std::abs(lossOf({25.0, 60.0, 0.5, 0.01, false, true})), 1e-5);
  EXPECT_LT(std::abs(lossOf({50.0, 60.0})), 1e-4);
}

/// What rests costs no passes and keeps its place: islands without motion are not followed.
TEST(ContactMotion, AStackAtRestStaysToRounding) {
  World world;
  const MaterialId material = addMaterial(world, 0.5);
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape(Eigen::Vector3d(0, 0, 1), 0), material);
  ObjectId top = 0;
  for (int i = 0; i < 5; ++i) {
    BodyDescription d;
    d.position = {0, 0, 0.5 + i};
    top = world.addBody(d, BoxShape(Eigen::Vector3d(0.5, 0.5, 0.5)), material);
  }
  run(world, 1.0 / 60, 120);
  EXPECT_NEAR(motionOf(world, top).centerOfMass.z(), 4.5, 1e-11);
}

/// A ball that rolls with rolling resistance f on a turning table: couples take part in the passes.
/// The books close (run() checks), and energy is only lost.
TEST(ContactMotion, RollingResistanceTakesPart) {
  World world;
  const MaterialId material = addMaterial(world, 1.0, 1e-3);
  BodyDescription table;
  table.type = BodyType::Kinematic;
  table.position = {0, 0, -0.1};
  table.angularVelocity = {0, 0, 1.5};
  world.addBody(table, CylinderShape(5, 0.2), material);
  BodyDescription ball;
  ball.position = {0.5, 0, 0.1};
  ball.linearVelocity = {0, 0.75, 0};
  world.addBody(ball, SphereShape(0.1), material);
  run(world, 1.0 / 120, 240);
  EXPECT_LT(world.getLedger().friction, 0.0);
}

}  // namespace
}  // namespace abut
