// SPDX-License-Identifier: MIT
// Symptom: collide() and World::step() crashed for convex hulls whose faces are flush to rounding,
// such as the stones of a settled arch.
// Cause: three corners of a face of the expanding polytope coincided. The direction of that face
// was 0/0, and the search for the vertex at the greatest height ran past the end of the hull, since
// no height equals NaN.
// Mechanism: a face whose corners coincide is a point, and its direction that of the point; and the
// search for a vertex ends with the vertices, whatever the direction.
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/world/world.hpp>

#include "shapes/hull_data.hpp"
#include "support/specimen.hpp"

namespace abut::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Stone i of a half-circular arch of `count` stones, mean radius 1, thickness t, width 0.5; its
/// origin lies on the mean circle.
std::shared_ptr<ConvexShape> voussoir(int i, int count, double t) {
  const double a = kPi * i / count, b = kPi * (i + 1) / count, c = 0.5 * (a + b);
  std::vector<Eigen::Vector3d> corners;
  for (double r : {1.0 - t / 2.0, 1.0 + t / 2.0}) {
    for (double angle : {a, b}) {
      for (int side : {-1, 1}) {
        corners.push_back(Vector(r * std::cos(angle), side * 0.25, r * std::sin(angle)) -
                          Vector(std::cos(c), 0.0, std::sin(c)));
      }
    }
  }
  return std::make_shared<ConvexShape>(corners);
}

/// Poses of two neighbouring stones as a settled arch had them.
const Pose kStone6{{{0x1p+0, -0x1.3fa1435028936p-47, -0x1.050e21e11523ep-47},
                    {0x1.3fa1435028952p-47, 0x1p+0, 0x1.aa01d743b9bc4p-48},
                    {0x1.050e21e11521cp-47, -0x1.aa01d743b9c16p-48, 0x1p+0}},
                   {0, 0, 0}};
const Pose kStone7{{{0x1p+0, -0x1.17ccccccccce5p-48, -0x1.a8ddddddddde1p-47},
                    {0x1.17ccccccccce5p-48, 0x1p+0, 0x1.0444444443796p-55},
                    {0x1.a8ddddddddde1p-47, -0x1.044444444549cp-55, 0x1p+0}},
                   {-0x1.091f3f400221fp-2, 0x1.4085b5af7d5b9p-49, -0x1.e44f0a342fbe8p-4}};

TEST(FlushHulls, StonesOfASettledArchTouchAlongTheirJoint) {
  const auto stone6 = voussoir(6, 11, 0.1080573), stone7 = voussoir(7, 11, 0.1080573);
  // The joint lies at the angle 7 pi / 11; its normal points from stone 7 to stone 6.
  const Vector joint(std::sin(7.0 * kPi / 11.0), 0.0, -std::cos(7.0 * kPi / 11.0));
  for (bool exchanged : {false, true}) {
    for (double margin : {0.0, 0.0207}) {
      const PlacedShape first{stone6.get(), kStone6, exchanged ? 2u : 1u};
      const PlacedShape second{stone7.get(), kStone7, exchanged ? 1u : 2u};
      CollisionOption option = CollisionOption::fullContacts();
      option.margin = margin;
      CollisionResult result;
      ASSERT_TRUE(collide(first, second, option, result));
      ASSERT_EQ(result.numManifolds(), 1u);
      EXPECT_EQ(result.getManifold(0).numContacts(), 4u);
      // The poses are turned by 2e-14 at most, and the corners are rounded.
      EXPECT_NEAR(result.getManifold(0).getContact(0).normal.dot(joint), 1.0, 1e-12);
      EXPECT_NEAR(result.penetrationDepth(), 0.0, 1e-13);
      DistanceResult gap;
      ASSERT_TRUE(distance(first, second, gap));
      EXPECT_NEAR(gap.distance, 0.0, 1e-13);
      EXPECT_NEAR(gap.normal.dot(joint), 1.0, 1e-12);
    }
  }
}

/// Height of the crown of an arch of loose stones after a number of steps.
double crownOfArch(StepScheme scheme, int count, double t, double friction, int steps) {
  WorldOptions options = scheme == StepScheme::RealTime ? WorldOptions::realTime() : WorldOptions();
  World world(options);
  Material material;
  material.friction = friction;
  MaterialId id;
  world.materials().add(material, id).orThrow();
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape(Vector(0.0, 0.0, 1.0)), id);
  std::vector<ObjectId> stones;
  for (int i = 0; i < count; ++i) {
    const double c = kPi * (i + 0.5) / count;
    stones.push_back(
        world.addBody({.position = {std::cos(c), 0.0, std::sin(c)}}, voussoir(i, count, t), id));
  }
  for (int i = 0; i < steps; ++i) world.step(1.0 / 120.0).orThrow();
  BodyMotion motion;
  world.getMotion(stones[static_cast<std::size_t>(count / 2)], motion).orThrow();
  return motion.pose.translation.z;
}

TEST(FlushHulls, AnArchOfStonesStands) {
  // Thicker than the limit 0.1075 of a half-circular arch of many stones, with ample friction.
  EXPECT_NEAR(crownOfArch(StepScheme::Exact, 11, 0.1080573, 10.0, 330), 1.0, 1e-3);
}

TEST(FlushHulls, ArchesStandInBothSchemes) {
  Generator random(29);
  for (int count : {7, 9, 11, 13, 15}) {
    const double t = random.range(0.13, 0.21);
    // The middle stone's origin is the crown, at the mean radius.
    EXPECT_NEAR(crownOfArch(StepScheme::Exact, count, t, 0.9, 360), 1.0, 1e-3) << count << " " << t;
    EXPECT_NEAR(crownOfArch(StepScheme::RealTime, count, t, 0.9, 360), 1.0, 2e-2)
        << count << " " << t;
  }
}

TEST(FlushHulls, AnyDirectionHasAVertex) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Generator random(11);
  for (int count : {4, 20, 100, 700}) {
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i < count; ++i) points.push_back(random.direction());
    const ConvexShape shape(points);
    const HullData& hull = shape.getHull();
    for (double bad : {kNan, -kNan, kInfinity, -kInfinity}) {
      for (const Vec3& d :
           {Vec3{bad, 0, 0}, Vec3{0, bad, 1}, Vec3{1, 1, bad}, Vec3{bad, bad, bad}}) {
        EXPECT_LT(supportVertex(hull, d), hull.numVertices);
      }
    }
  }
}

}  // namespace
}  // namespace abut::test
