// SPDX-License-Identifier: MIT
#include <abut/shapes/box_shape.hpp>

#include "shapes/support_features.hpp"
#include "unit/shapes/shape_checks.hpp"

namespace abut {
namespace {

TEST(BoxShape, RefusesAbsurdSizes) {
  test::checkRefusesSizes([](double h) { BoxShape box({h, 1.0, 1.0}); });
  test::checkRefusesSizes([](double h) { BoxShape box({1.0, h, 1.0}); });
  test::checkRefusesSizes([](double h) { BoxShape box({1.0, 1.0, h}); });
}

TEST(BoxShape, BoxIsTightAndNeverTooSmall) {
  test::checkAabb(BoxShape({0.3, 0.6, 0.9}), 1, 1e-14);
}

TEST(BoxShape, RaysEnterAtTheSurface) {
  test::checkRays(BoxShape({0.3, 0.6, 0.9}), 1.0, 2);
  test::checkRays(BoxShape({1e-3, 1.0, 1.0}), 1.0, 3);
}

TEST(BoxShape, RayInAFacePlaneGrazesTheBox) {
  const BoxShape box({1.0, 1.0, 1.0});
  Ray ray;
  ray.origin = {-3.0, 1.0, 0.0};
  ray.direction = {1.0, 0.0, 0.0};
  ray.maxFraction = 10.0;
  RayHit hit;
  ASSERT_TRUE(box.raycast(ray, hit));
  EXPECT_EQ(hit.fraction, 2.0);
  EXPECT_EQ(hit.normal, Eigen::Vector3d(-1.0, 0.0, 0.0));
}

TEST(BoxShape, SignedDistanceIsExactInsideAndOutside) {
  const BoxShape box({1.0, 2.0, 3.0});
  EXPECT_EQ(box.signedDistance({0.0, 0.0, 0.0}), -1.0);
  EXPECT_EQ(box.signedDistance({0.5, 1.75, 0.0}), -0.25);
  EXPECT_EQ(box.signedDistance({4.0, 6.0, 3.0}), 5.0);
  EXPECT_EQ(box.signedDistance({0.0, 0.0, -3.5}), 0.5);
}

TEST(BoxShape, MassAgreesWithAGrid) {
  test::checkMassAgainstGrid(BoxShape({0.3, 0.6, 0.9}), 40, 1e-3);
}

/// Signs of the vertex with the given number.
Vec3 corner(const Vec3& h, std::uint32_t v) {
  return {(v & 1u) != 0 ? h.x : -h.x, (v & 2u) != 0 ? h.y : -h.y, (v & 4u) != 0 ? h.z : -h.z};
}

TEST(BoxShape, FacingFeatureIsAFaceCounterClockwise) {
  const Vec3 half{0.3, 0.6, 0.9};
  const Vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (std::uint32_t face = 0; face < 6; ++face) {
    const Vec3 d = axes[face / 2] * (face % 2 == 0 ? -1.0 : 1.0);
    SupportFeature f;
    supportFeatureBox(half, d, 0.999, f);
    ASSERT_EQ(f.count, 4);
    EXPECT_EQ(f.feature, (Feature{Feature::Kind::Face, face}));
    EXPECT_EQ(f.normal, d);
    for (int i = 0; i < 4; ++i) {
      const Vec3 a = f.vertices[i], b = f.vertices[(i + 1) % 4], c = f.vertices[(i + 2) % 4];
      EXPECT_EQ(a, corner(half, f.vertexIds[i]));
      EXPECT_GT(dot(cross(b - a, c - b), d), 0.0);
      // The edge's number: its axis and the signs of the two others.
      const Vec3 along = b - a;
      const std::uint32_t axis = along.x != 0.0 ? 0 : (along.y != 0.0 ? 1 : 2);
      const double low = axis == 0 ? a.y : a.x, high = axis == 2 ? a.y : a.z;
      EXPECT_EQ(f.edgeIds[i], axis * 4 + (low > 0.0 ? 1 : 0) + (high > 0.0 ? 2 : 0));
    }
  }
}

TEST(BoxShape, FacingFeatureIsAnEdgeOrAVertexAwayFromFaces) {
  const Vec3 half{0.3, 0.6, 0.9};
  SupportFeature f;
  supportFeatureBox(half, normalized(Vec3{1e-5, -1.0, 1.0}), 0.9999, f);
  EXPECT_EQ(f.count, 2);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Edge, 0 * 4 + 0 + 2}));
  EXPECT_EQ(f.vertices[0], (Vec3{-0.3, -0.6, 0.9}));
  EXPECT_EQ(f.vertices[1], (Vec3{0.3, -0.6, 0.9}));
  supportFeatureBox(half, normalized(Vec3{1.0, -1.0, 1.0}), 0.9999, f);
  EXPECT_EQ(f.count, 1);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Vertex, 1 + 4}));
}

}  // namespace
}  // namespace abut
