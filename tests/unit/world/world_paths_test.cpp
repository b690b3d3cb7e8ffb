// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion m;
  world.getMotion(id, m).orThrow();
  return m;
}

std::shared_ptr<const Shape> box(double x, double y, double z) {
  return std::make_shared<BoxShape>(Eigen::Vector3d(x, y, z));
}

ObjectId addKinematic(World& world) {
  BodyDescription d;
  d.type = BodyType::Kinematic;
  return world.addBody(d, box(1, 1, 0.1));
}

/// A lift: rests for a second, rises 2 m in another, then turns by 90 degrees about z.
std::vector<PathPoint> lift() {
  const Quat quarter{std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  return {{1, {0, 0, 0}, {}}, {2, {0, 0, 2}, {}}, {3, {0, 0, 2}, quarter}};
}

class PathsOfScheme : public test::BothSchemes {};

INSTANTIATE_TEST_SUITE_P(Schemes, PathsOfScheme, test::bothSchemes(), test::schemeName);

TEST_P(PathsOfScheme, BodyIsWhereThePathIsAtEveryStepEnd) {
  World world(options());
  const ObjectId id = addKinematic(world);
  ASSERT_TRUE(world.setPath(id, lift()));
  for (const double dt : {0.4, 0.7, 0.15, 0.33, 0.5, 0.42, 0.6}) {
    ASSERT_TRUE(world.step(dt));
    const double t = world.getTime();
    const BodyMotion m = motionOf(world, id);
    const double z = t < 1 ? 0.0 : t < 2 ? 2 * (t - 1) : 2.0;
    EXPECT_NEAR(m.centerOfMass.z(), z, 1e-15) << t;
    const double angle = t < 2 ? 0.0 : t < 3 ? (t - 2) * 1.5707963267948966 : 1.5707963267948966;
    EXPECT_NEAR(m.pose.rotation.x.y, std::sin(angle), 1e-15) << t;
  }
  // After the last point it rests, exactly there.
  EXPECT_EQ(motionOf(world, id).centerOfMass, Eigen::Vector3d(0, 0, 2));
  ASSERT_TRUE(world.step(0.1));
  EXPECT_EQ(motionOf(world, id).linearVelocity.norm(), 0.0);
}

TEST_P(PathsOfScheme, LiftPaysForWhatItRaises) {
  World world(options());
  const ObjectId id = addKinematic(world);
  BodyDescription d;
  d.position = {0, 0, 0.6};
  d.mass = 5;
  const ObjectId load = world.addBody(d, box(0.5, 0.5, 0.5));
  ASSERT_TRUE(world.setPath(id, lift()));
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(world.step(0.01));
    const EnergyAccount& books = world.getStepLedger();
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry()) << i;
  }
  // In real time overlaps up to the slop stay.
  const double slop = isExact() ? 1e-6 : 2e-3;
  EXPECT_NEAR(motionOf(world, load).centerOfMass.z(), 2.6, slop);
  const EnergyAccount& books = world.getLedger();
  EXPECT_NEAR(books.potentialAfter - books.potentialBefore, 5 * 9.81 * 2, 100 * slop);
  // The start at 2 m/s costs m v^2, half of it lost; the stop throws the load up, which lands.
  EXPECT_GT(books.drivers, 5 * 9.81 * 2);
  EXPECT_LT(books.impact, 0.0);
}

TEST_P(PathsOfScheme, LoadTurnsWithTheTable) {
  World world(options());
  const ObjectId table = addKinematic(world);
  BodyDescription d;
  d.position = {0.6, 0, 0.2};
  const ObjectId load = world.addBody(d, box(0.1, 0.1, 0.1));
  const Quat half{std::cos(0.25), 0, 0, std::sin(0.25)};  // Half a radian in 4 s: no slip.
  const std::vector<PathPoint> path{{0, {0, 0, 0}, {}}, {4, {0, 0, 0}, half}};
  ASSERT_TRUE(world.setPath(table, path));
  for (int i = 0; i < 240; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  EXPECT_NEAR(motionOf(world, load).centerOfMass.x(), 0.6 * std::cos(0.5), 1e-3);
  EXPECT_NEAR(motionOf(world, load).centerOfMass.y(), 0.6 * std::sin(0.5), 1e-3);
}

TEST_P(PathsOfScheme, SurviveASnapshot) {
  World first(options()), second;
  for (World* world : {&first, &second}) addKinematic(*world);
  ASSERT_TRUE(first.setPath(1, lift()));
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(first.step(0.04));
  EXPECT_NE(first.hash(), second.hash());
  ASSERT_TRUE(second.restore(first.snapshot()));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(first.step(0.04));
    ASSERT_TRUE(second.step(0.04));
    ASSERT_EQ(first.hash(), second.hash());
  }
}

TEST_P(PathsOfScheme, BadPathsAreRefusedAndChangeNothing) {
  World world(options());
  const ObjectId id = addKinematic(world);
  const ObjectId free = world.addBody({}, std::make_shared<SphereShape>(0.3));
  const std::uint64_t before = world.hash();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<PathPoint> back = lift();
  back[2].time = 1.5;
  EXPECT_EQ(world.setPath(id, back).getCode(), StatusCode::OutOfRange);
  std::vector<PathPoint> broken = lift();
  broken[1].position.x() = nan;
  EXPECT_EQ(world.setPath(id, broken).getCode(), StatusCode::NonFinite);
  std::vector<PathPoint> skewed = lift();
  skewed[0].orientation = {2, 0, 0, 0};
  EXPECT_EQ(world.setPath(id, skewed).getCode(), StatusCode::NotARotation);
  EXPECT_EQ(world.setPath(free, lift()).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(world.setPath(99, lift()).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.hash(), before);
}

}  // namespace
}  // namespace abut
