// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/aabb.hpp>

namespace abut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Aabb unitBoxAt(double x, double y, double z) {
  return {{x - 0.5, y - 0.5, z - 0.5}, {x + 0.5, y + 0.5, z + 0.5}};
}

TEST(Aabb, DefaultIsThePointAtTheOrigin) {
  const Aabb box;
  EXPECT_TRUE(box.contains(Eigen::Vector3d(0, 0, 0)));
  EXPECT_FALSE(box.contains(Eigen::Vector3d(1e-300, 0, 0)));
  EXPECT_EQ(box.volume(), 0.0);
}

TEST(Aabb, OverlapNeedsAllThreeAxes) {
  const Aabb box = unitBoxAt(0, 0, 0);
  EXPECT_TRUE(box.overlaps(unitBoxAt(0.9, -0.9, 0.9)));
  EXPECT_FALSE(box.overlaps(unitBoxAt(1.1, 0, 0)));
  EXPECT_FALSE(box.overlaps(unitBoxAt(0, -1.1, 0)));
  EXPECT_FALSE(box.overlaps(unitBoxAt(0, 0, 1.1)));
}

TEST(Aabb, TouchingBoxesOverlapAndOneUlpApartDoNot) {
  const Aabb left({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(left.overlaps({{1, 1, 1}, {2, 2, 2}}));
  EXPECT_FALSE(left.overlaps({{std::nextafter(1.0, 2.0), 0, 0}, {2, 1, 1}}));
}

TEST(Aabb, ContainsItsBoundaryAndWhatLiesInside) {
  const Aabb box({-1, -2, -3}, {1, 2, 3});
  EXPECT_TRUE(box.contains(Eigen::Vector3d(1, 2, 3)));
  EXPECT_FALSE(box.contains(Eigen::Vector3d(1, 2, std::nextafter(3.0, 4.0))));
  EXPECT_TRUE(box.contains(box));
  EXPECT_FALSE(box.contains(Aabb({-1, -2, -3}, {1, 2, 4})));
}

TEST(Aabb, CenterHalfExtentsVolumeAndSurfaceArea) {
  const Aabb box({1, 2, 3}, {3, 6, 11});  // Sides 2, 4, 8.
  EXPECT_EQ(box.center(), Eigen::Vector3d(2, 4, 7));
  EXPECT_EQ(box.halfExtents(), Eigen::Vector3d(1, 2, 4));
  EXPECT_EQ(box.volume(), 64.0);
  EXPECT_EQ(box.surfaceArea(), 2.0 * (2 * 4 + 4 * 8 + 8 * 2));
}

TEST(Aabb, MergeIsTheUnionAndEmptyIsItsNeutralElement) {
  Aabb box = Aabb::empty();
  EXPECT_FALSE(box.overlaps(Aabb::infinite()) && box.contains(Eigen::Vector3d(0, 0, 0)));
  box.merge(unitBoxAt(0, 0, 0));
  EXPECT_EQ(box.min_, Eigen::Vector3d(-0.5, -0.5, -0.5));
  EXPECT_EQ(box.max_, Eigen::Vector3d(0.5, 0.5, 0.5));
  box.merge(Aabb::empty());
  EXPECT_EQ(box.max_, Eigen::Vector3d(0.5, 0.5, 0.5));
  box.merge(Eigen::Vector3d(2, 0, -3));
  EXPECT_EQ(box.min_, Eigen::Vector3d(-0.5, -0.5, -3));
  EXPECT_EQ(box.max_, Eigen::Vector3d(2, 0.5, 0.5));
}

TEST(Aabb, InfiniteContainsEverythingAndMayBeHalfInfinite) {
  EXPECT_TRUE(Aabb::infinite().contains(Eigen::Vector3d(1e300, -1e300, 0)));
  const Aabb below({-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, 0.0});
  EXPECT_TRUE(below.overlaps(unitBoxAt(1e9, 0, 0.5)));
  EXPECT_FALSE(below.overlaps(unitBoxAt(0, 0, 0.6)));
}

TEST(Aabb, ExpandMovesEverySideAndShrinksAtMostToTheCentre) {
  Aabb box({0, 0, 0}, {2, 4, 8});
  box.expand(1.0);
  EXPECT_EQ(box.min_, Eigen::Vector3d(-1, -1, -1));
  EXPECT_EQ(box.max_, Eigen::Vector3d(3, 5, 9));
  box.expand(-2.5);  // x: [-1, 3] has half width 2, so it closes at its centre 1.
  EXPECT_EQ(box.min_, Eigen::Vector3d(1, 1.5, 1.5));
  EXPECT_EQ(box.max_, Eigen::Vector3d(1, 2.5, 6.5));
}

TEST(Aabb, FactoriesCentreOnTheOrigin) {
  EXPECT_EQ(Aabb::forSphere(2.0).min_, Eigen::Vector3d(-2, -2, -2));
  EXPECT_EQ(Aabb::forSphere(2.0).max_, Eigen::Vector3d(2, 2, 2));
  EXPECT_EQ(Aabb::forBox({1, 2, 3}).min_, Eigen::Vector3d(-1, -2, -3));
  EXPECT_EQ(Aabb::forBox({1, 2, 3}).max_, Eigen::Vector3d(1, 2, 3));
}

TEST(Aabb, TransformedContainsEveryCornerAndIsTight) {
  const Aabb local({-1, -2, -3}, {4, 5, 6});
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
  transform.linear() =
      (Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -3).normalized())).toRotationMatrix();
  transform.translation() = Eigen::Vector3d(100, -20, 3);
  const Aabb world = Aabb::transformed(local, transform);
  Aabb corners = Aabb::empty();
  for (int i = 0; i < 8; ++i) {
    corners.merge(
        Eigen::Vector3d(transform * Eigen::Vector3d(i & 1 ? local.max_.x() : local.min_.x(),
                                                    i & 2 ? local.max_.y() : local.min_.y(),
                                                    i & 4 ? local.max_.z() : local.min_.z())));
  }
  EXPECT_TRUE(world.contains(corners));
  // Coordinates reach 110; widening and rounding are a few units of 2e-15 of that.
  constexpr double kTolerance = 2e-15 * 110 * 8;
  EXPECT_LE((world.min_ - corners.min_).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_LE((world.max_ - corners.max_).cwiseAbs().maxCoeff(), kTolerance);
}

TEST(Aabb, TransformedInfiniteBoxIsInfinite) {
  const Aabb below({-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, 0.0});
  const Aabb world = Aabb::transformed(below, Eigen::Isometry3d::Identity());
  EXPECT_TRUE(world.contains(below));
}

}  // namespace
}  // namespace abut
