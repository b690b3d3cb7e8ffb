// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/cast.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 17;
const Vec3 kHalf{0.5, 0.3, 0.2};
/// Two computations of one distance differ by rounding; divided by the speed of approach, which is
/// not below a hundredth of a metre in these scenes but for grazes, that is the error of the time.
constexpr double kSameTime = 1e-10;

/// The surface of a box as twelve triangles.
std::unique_ptr<MeshShape> boxMesh(const Vec3& half) {
  std::vector<Vector3d> vertices;
  for (int i = 0; i < 8; ++i) {
    vertices.emplace_back((i & 1) ? half.x : -half.x, (i & 2) ? half.y : -half.y,
                          (i & 4) ? half.z : -half.z);
  }
  const std::vector<MeshShape::Triangle> triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                      {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                      {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return std::make_unique<MeshShape>(vertices, triangles);
}

/// A flat square [-5, 5]^2 at z = 0 of n x n cells.
std::unique_ptr<HeightFieldShape> flatField(std::size_t n) {
  const std::vector<double> heights((n + 1) * (n + 1), 0.0);
  const double spacing = 10.0 / static_cast<double>(n);
  return std::make_unique<HeightFieldShape>(n + 1, n + 1, spacing, spacing, heights);
}

struct Scene {
  Pose pose1, pose2;
  Motion motion1, motion2;
};

Scene randomScene(test::Random& random, bool turning) {
  Scene scene;
  const Vec3 start = random.direction() * random.between(2.0, 4.0);
  scene.pose1 = {random.pose(0.0).rotation, start};
  scene.pose2 = random.pose(0.3);
  scene.motion1.linear = toEigen((random.vector(0.6) - start) * 1.6);
  if (turning) {
    scene.motion1.angular = toEigen(random.vector(3.0));
    scene.motion2.angular = toEigen(random.vector(2.0));
  }
  return scene;
}

CastResult cast(const Scene& scene, const Shape& shape1, const Shape& shape2) {
  CastResult result;
  EXPECT_TRUE(timeOfImpact({&shape1, scene.pose1, 1}, scene.motion1, {&shape2, scene.pose2, 2},
                           scene.motion2, result));
  return result;
}

/// Casts that must agree; a graze may be told differently by the two.
void expectSame(const CastResult& a, const CastResult& b, int& hits) {
  EXPECT_NE(a.status, QueryStatus::IterationLimit);
  ASSERT_EQ(a.hit, b.hit);
  EXPECT_NEAR(a.fraction, b.fraction, kSameTime);
  if (!a.hit) return;
  ++hits;
}

class CastAtComposite : public testing::TestWithParam<bool> {};

TEST_P(CastAtComposite, AMeshOfABoxIsHitLikeTheBox) {
  const auto mesh = boxMesh(kHalf);
  const BoxShape box(toEigen(kHalf));
  const BoxShape otherBox({0.4, 0.2, 0.3});
  const SphereShape sphere(0.3);
  const CapsuleShape capsule(0.1, 0.8);
  test::Random random(kSeed);
  int hits = 0;
  for (int i = 0; i < 60; ++i) {
    const Scene scene = randomScene(random, GetParam());
    for (const Shape* shape :
         {static_cast<const Shape*>(&sphere), static_cast<const Shape*>(&otherBox),
          static_cast<const Shape*>(&capsule)}) {
      SCOPED_TRACE(testing::Message()
                   << "seed " << kSeed << " case " << i << " " << toString(shape->getType()));
      expectSame(cast(scene, *shape, *mesh), cast(scene, *shape, box), hits);
    }
  }
  EXPECT_GT(hits, 60);
}

TEST_P(CastAtComposite, TwoMeshesMeetLikeTheirBoxes) {
  const auto mesh1 = boxMesh({0.4, 0.2, 0.3}), mesh2 = boxMesh(kHalf);
  const BoxShape box1({0.4, 0.2, 0.3}), box2(toEigen(kHalf));
  test::Random random(kSeed);
  int hits = 0;
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " case " << i);
    const Scene scene = randomScene(random, GetParam());
    expectSame(cast(scene, *mesh1, *mesh2), cast(scene, box1, box2), hits);
  }
  EXPECT_GT(hits, 5);
}

TEST_P(CastAtComposite, ACompoundIsHitWhenItsFirstChildIs) {
  test::Random random(kSeed);
  const auto ball = std::make_shared<SphereShape>(0.2);
  const auto box = std::make_shared<BoxShape>(Vector3d(0.3, 0.1, 0.2));
  std::vector<CompoundShape::Child> children;
  for (int i = 0; i < 6; ++i) {
    const Pose pose = random.pose(0.6);
    children.push_back({i % 2 == 0 ? std::static_pointer_cast<const Shape>(ball) : box, pose});
  }
  const CompoundShape compound(children);
  const SphereShape probe(0.15);
  int hits = 0;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " case " << i);
    Scene scene = randomScene(random, false);
    if (GetParam()) scene.motion1.angular = toEigen(random.vector(3.0));  // The compound's.
    const CastResult whole = cast(scene, compound, probe);
    // Each child alone, as a compound of its own, so that it turns about the same origin.
    double first = 2.0;
    for (std::size_t k = 0; k < children.size(); ++k) {
      const CastResult single = cast(scene, CompoundShape({children[k]}), probe);
      if (single.hit && single.fraction < first) first = single.fraction;
    }
    EXPECT_EQ(whole.hit, first <= 1.0);
    if (!whole.hit) continue;
    ++hits;
    EXPECT_NEAR(whole.fraction, first, kSameTime);
    const CastResult named = cast(scene, CompoundShape({children[whole.subShape1 >> 32]}), probe);
    EXPECT_NEAR(named.fraction, first, kSameTime);
  }
  EXPECT_GT(hits, 15);
}

TEST_P(CastAtComposite, APointCloudIsACompoundOfBalls) {
  test::Random random(kSeed);
  const auto ball = std::make_shared<SphereShape>(0.1);
  std::vector<Vector3d> points;
  std::vector<CompoundShape::Child> children;
  for (int i = 0; i < 30; ++i) {
    const Vec3 p = random.vector(0.5);
    points.push_back(toEigen(p));
    children.push_back({ball, {{}, p}});
  }
  const PointCloudShape cloud(points, 0.1);
  const CompoundShape compound(children);
  const BoxShape box({0.3, 0.2, 0.1});
  int hits = 0;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " case " << i);
    const Scene scene = randomScene(random, GetParam());
    const CastResult a = cast(scene, box, cloud), b = cast(scene, box, compound);
    expectSame(a, b, hits);
    if (a.hit) {
      EXPECT_EQ(a.subShape2, b.subShape2 >> 32);
    }
  }
  EXPECT_GT(hits, 10);
}

TEST_P(CastAtComposite, AMeshMeetsAPlaneLikeItsBox) {
  const auto mesh = boxMesh(kHalf);
  const BoxShape box(toEigen(kHalf));
  const PlaneShape plane({0.1, 0.2, 1.0}, -0.8);
  test::Random random(kSeed);
  int hits = 0;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " case " << i);
    const Scene scene = randomScene(random, GetParam());
    const CastResult a = cast(scene, *mesh, plane), b = cast(scene, box, plane);
    expectSame(a, b, hits);
    if (a.hit && a.fraction > 0.0) {
      EXPECT_NEAR((a.normal - b.normal).norm(), 0.0, 1e-12);
      EXPECT_NEAR((a.point - b.point).norm(), 0.0, 1e-9);
    }
  }
  EXPECT_GT(hits, 10);
}

INSTANTIATE_TEST_SUITE_P(Linear, CastAtComposite, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Turning, CastAtComposite, testing::Values(true));

TEST(CastAtMesh, ExchangingTheObjectsExchangesTheResult) {
  const auto mesh = boxMesh(kHalf);
  const BoxShape box({0.4, 0.2, 0.3});
  test::Random random(kSeed);
  for (int i = 0; i < 30; ++i) {
    const Scene s = randomScene(random, true);
    CastResult a, b;
    ASSERT_TRUE(
        timeOfImpact({&box, s.pose1, 1}, s.motion1, {mesh.get(), s.pose2, 2}, s.motion2, a));
    ASSERT_TRUE(
        timeOfImpact({mesh.get(), s.pose2, 2}, s.motion2, {&box, s.pose1, 1}, s.motion1, b));
    EXPECT_EQ(a.fraction, b.fraction);
    EXPECT_EQ(a.normal, -b.normal);
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.subShape2, b.subShape1);
    EXPECT_EQ(a.feature2, b.feature1);
  }
}

TEST(CastAtMesh, TheDistanceIsZeroAtTheImpactAndPositiveBefore) {
  const auto mesh = boxMesh(kHalf);
  const auto field = flatField(8);
  const BoxShape box({0.4, 0.2, 0.3});
  const CapsuleShape capsule(0.1, 0.8);
  test::Random random(kSeed);
  int hits = 0;
  for (int i = 0; i < 40; ++i) {
    const Scene s = randomScene(random, i % 2 == 0);
    const Shape& moving = i % 4 < 2 ? static_cast<const Shape&>(box) : capsule;
    const Shape& target = i % 8 < 4 ? static_cast<const Shape&>(*mesh) : *field;
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " case " << i);
    const CastResult result = cast(s, moving, target);
    const auto distanceAt = [&](double t) {
      DistanceResult d;
      EXPECT_TRUE(distance({&moving, poseAt(s.pose1, s.motion1, t), 1},
                           {&target, poseAt(s.pose2, s.motion2, t), 2}, d));
      return d.distance;
    };
    // The touch tolerance times the size of the pair; a field of 10 m has the size 8.
    if (result.hit && result.fraction > 0.0) {
      ++hits;
      EXPECT_NEAR(distanceAt(result.fraction), 0.0, 1e-12 * 10.0);
    }
    for (int k = 0; k < 20; ++k) {
      const double t = result.fraction * k / 20.0;
      if (t < result.fraction) {
        EXPECT_GT(distanceAt(t), 0.0) << t;
      }
    }
  }
  EXPECT_GT(hits, 15);
}

TEST(CastAtMesh, WhatStartsInsideASolidHitsAtOnce) {
  const auto mesh = boxMesh({1, 1, 1});
  const SphereShape sphere(0.1);
  CastResult result;
  ASSERT_TRUE(shapeCast({&sphere, {{}, {0.5, 0, 0}}, 1}, {9, 0, 0}, {mesh.get(), {}, 2}, {0, 0, 0},
                        result));
  EXPECT_TRUE(result.hit);
  EXPECT_EQ(result.fraction, 0.0);
  EXPECT_EQ(result.status, QueryStatus::Penetrating);
}

TEST(CastAtHeightField, ABulletMeetsOneOfTenThousandCellsInAFewQueries) {
  const auto field = flatField(100);
  const SphereShape bullet(0.005);
  test::Random random(kSeed);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " case " << i);
    const Vec3 target = scaled(random.vector(4.5), {1, 1, 0});
    Vec3 direction = random.direction();
    direction.z = -0.2 - absOf(direction.z);
    const double range = random.between(0.01, 0.9);
    const Vec3 d = normalized(direction) * 1e4;
    const Vec3 start = target - d * range;
    CastResult result;
    ASSERT_TRUE(
        shapeCast({&bullet, {{}, start}, 1}, toEigen(d), {field.get(), {}, 2}, {0, 0, 0}, result));
    ASSERT_TRUE(result.hit);
    // Height above the field less the radius, over the vertical speed; 1e4 m of coordinates carry
    // 1e-12 m of rounding.
    EXPECT_NEAR(result.fraction, (start.z - 0.005) / -d.z, 1e-14);
    EXPECT_NEAR((result.normal - Vector3d(0, 0, 1)).norm(), 0.0, 1e-9);
    EXPECT_LE(result.iterations, 40u);
  }
}

}  // namespace
}  // namespace abut
