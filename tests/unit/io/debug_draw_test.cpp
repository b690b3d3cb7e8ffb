// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/io/debug_draw.hpp>

namespace abut {
namespace {

using Point = Eigen::Vector3d;

struct Drawn {
  char kind = ' ';
  std::vector<Point> points;
  DebugColor color;
};

/// Keeps what it is given.
class Sheet final : public DebugDraw {
public:
  void line(const Point& a, const Point& b, const DebugColor& c) override {
    all.push_back({'l', {a, b}, c});
  }
  void triangle(const Point& a, const Point& b, const Point& c, const DebugColor& color) override {
    all.push_back({'t', {a, b, c}, color});
  }
  void point(const Point& at, double /*size*/, const DebugColor& c) override {
    all.push_back({'p', {at}, c});
  }
  [[nodiscard]] std::vector<Drawn> of(char kind, const DebugColor& color) const {
    std::vector<Drawn> some;
    for (const Drawn& d : all)
      if (d.kind == kind && d.color == color) some.push_back(d);
    return some;
  }
  std::vector<Drawn> all;
};

const DebugColors kColors;

DebugDrawOptions onlyEdges() {
  DebugDrawOptions o;
  o.contacts = o.forces = o.centers = false;
  return o;
}

/// A body alone, turned and away from the origin.
template <class AnyShape>
Sheet drawAlone(AnyShape shape, const DebugDrawOptions& options = onlyEdges()) {
  World world;
  world.addBody({.position = {1, 2, 3}, .orientation = {0.5, 0.5, 0.5, 0.5}}, std::move(shape));
  Sheet sheet;
  drawWorld(world, sheet, options);
  return sheet;
}

TEST(DebugDraw, ABoxHasItsTwelveEdges) {
  const Sheet sheet = drawAlone(BoxShape({1, 2, 3}));
  ASSERT_EQ(sheet.all.size(), 12u);
  double sum = 0.0;
  for (const Drawn& d : sheet.all) {
    EXPECT_EQ(d.color, kColors.dynamic);
    sum += (d.points[1] - d.points[0]).norm();
    // All corners are equally far from the centre: sqrt(1 + 4 + 9).
    for (const Point& p : d.points) EXPECT_NEAR((p - Point(1, 2, 3)).norm(), std::sqrt(14), 1e-12);
  }
  EXPECT_NEAR(sum, 4 * (2 + 4 + 6), 1e-12);
  // x, y, z of the body are y, z, x of the world: the longest edges (along its z) lie along x.
  for (const Drawn& d : sheet.all) {
    const Point along = d.points[1] - d.points[0];
    if (along.norm() > 5) {
      EXPECT_NEAR(std::fabs(along.x()), 6.0, 1e-12);
    }
  }
}

TEST(DebugDraw, AHullOfACubeHasTheSameEdgesWithoutDiagonals) {
  std::vector<Point> corners;
  for (int k = 0; k < 8; ++k)
    corners.emplace_back((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
  const Sheet sheet = drawAlone(ConvexShape(corners));
  EXPECT_EQ(sheet.all.size(), 12u);
  for (const Drawn& d : sheet.all) EXPECT_NEAR((d.points[1] - d.points[0]).norm(), 2.0, 1e-12);
}

TEST(DebugDraw, RoundShapesAreOnTheirSurfaces) {
  DebugDrawOptions options = onlyEdges();
  options.segments = 8;
  const Sheet ball = drawAlone(SphereShape(0.7), options);
  EXPECT_EQ(ball.all.size(), 3u * 8);
  for (const Drawn& d : ball.all)
    for (const Point& p : d.points) EXPECT_NEAR((p - Point(1, 2, 3)).norm(), 0.7, 1e-12);
  // The body's z is the world's x.
  const auto onSegment = [](const Point& p, double half) {
    const Point q = p - Point(1, 2, 3);
    return (q - Point(std::clamp(q.x(), -half, half), 0, 0)).norm();
  };
  for (const Drawn& d : drawAlone(CapsuleShape(0.3, 2.0), options).all)
    for (const Point& p : d.points) EXPECT_NEAR(onSegment(p, 1.0), 0.3, 1e-12);
  for (const Drawn& d : drawAlone(CylinderShape(0.3, 2.0), options).all) {
    for (const Point& p : d.points) {
      EXPECT_NEAR(std::hypot(p.y() - 2, p.z() - 3), 0.3, 1e-12);
      EXPECT_NEAR(std::fabs(p.x() - 1), 1.0, 1e-12);
    }
  }
}

TEST(DebugDraw, FacesEncloseTheVolume) {
  DebugDrawOptions options = onlyEdges();
  options.edges = false;
  options.faces = true;
  const Sheet sheet = drawAlone(BoxShape({1, 2, 3}), options);
  double volume = 0.0;
  for (const Drawn& d : sheet.all) {
    ASSERT_EQ(d.kind, 't');
    volume += d.points[0].dot(d.points[1].cross(d.points[2])) / 6.0;
  }
  EXPECT_NEAR(volume, 2 * 4 * 6, 1e-4);  // Single precision.
}

TEST(DebugDraw, ContactsShowNormalsAndForcesThatCarryTheWeight) {
  for (const WorldOptions& scheme : {WorldOptions{}, WorldOptions::realTime()}) {
    World world(scheme);
    world.addBody({.type = BodyType::Static, .id = 1}, PlaneShape({0, 0, 1}));
    world.addBody({.position = {0, 0, 0.5}, .id = 2}, BoxShape({0.5, 0.5, 0.5}));
    for (int i = 0; i < 100; ++i) world.step(0.01).orThrow();
    DebugDrawOptions options;
    options.forceScale = 1e-4;
    options.normalLength = 0.25;
    options.axes = true;
    Sheet sheet;
    drawWorld(world, sheet, options);
    EXPECT_EQ(sheet.of('p', kColors.contact).size(), world.getContacts().size());
    double sum = 0.0;
    for (const Drawn& d : sheet.of('l', kColors.force)) sum += (d.points[1] - d.points[0]).z();
    // On object 1, the ground: the weight of 1000 kg, downward.
    EXPECT_NEAR(sum, -1e-4 * 9810, 1e-6);
    for (const Drawn& d : sheet.of('l', kColors.normal))
      EXPECT_NEAR((d.points[1] - d.points[0]).z(), -0.25, 1e-9);
    ASSERT_EQ(sheet.of('p', kColors.center).size(), 1u);  // The ground has none.
    EXPECT_NEAR(sheet.of('p', kColors.center)[0].points[0].z(), 0.5, 1e-3);
    EXPECT_EQ(sheet.of('l', kColors.fixed).size(), 5u);  // A square and its normal.
  }
}

TEST(DebugDraw, ColoursSayWhatABodyIs) {
  WorldOptions options = WorldOptions::realTime();
  options.sleeping = true;
  World world(options);
  world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}));
  const ObjectId box = world.addBody({.position = {0, 0, 0.5}}, BoxShape({0.5, 0.5, 0.5}));
  world.addBody({.type = BodyType::Kinematic, .position = {9, 0, 5}}, BoxShape({1, 1, 1}));
  world.addBody({.type = BodyType::Static, .position = {0, 9, 5}, .sensor = true},
                BoxShape({1, 1, 1}));
  for (int i = 0; i < 600 && !world.isAsleep(box); ++i) world.step(0.01).orThrow();
  ASSERT_TRUE(world.isAsleep(box));
  const std::uint64_t before = world.hash();
  Sheet sheet;
  drawWorld(world, sheet, onlyEdges());
  EXPECT_EQ(world.hash(), before);
  EXPECT_EQ(sheet.of('l', kColors.asleep).size(), 12u);
  EXPECT_EQ(sheet.of('l', kColors.kinematic).size(), 12u);
  EXPECT_EQ(sheet.of('l', kColors.sensor).size(), 12u);
  EXPECT_EQ(sheet.of('l', kColors.dynamic).size(), 0u);
}

TEST(DebugDraw, OptionsOutOfRangeAreRefused) {
  World world;
  Sheet sheet;
  DebugDrawOptions options;
  options.segments = 2;
  EXPECT_THROW(drawWorld(world, sheet, options), Error);
  options = {};
  options.forceScale = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(drawWorld(world, sheet, options), Error);
  options = {};
  options.planeSize = 0.0;
  EXPECT_THROW(drawWorld(world, sheet, options), Error);
  EXPECT_TRUE(sheet.all.empty());
}

}  // namespace
}  // namespace abut
