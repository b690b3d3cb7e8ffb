// SPDX-License-Identifier: MIT
// The judges are judged by closed forms and by each other before they judge the library.
#include "support/oracle.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut::test {
namespace {

Body box(const Vector& half, const Vector& position = Vector(0.0, 0.0, 0.0)) {
  return Body(Specimen::box(half), Matrix::Identity(), position);
}

TEST(Oracle, OverlapOfSpheresIsRadiiLessDistance) {
  const Body a(Specimen::sphere(1.0));
  const Body b(Specimen::sphere(0.5), Matrix::Identity(), {0.9, 0.0, 0.0});
  // From 2 to 1: -x. Depth 1 + 0.5 - 0.9.
  EXPECT_NEAR(overlapAlong(a, b, {-1.0, 0.0, 0.0}), 0.6, 1e-15);
  const LowestOverlap lowest = lowestOverlap(a, b, 10.0, 1e-12);
  EXPECT_TRUE(lowest.complete);
  EXPECT_NEAR(lowest.upper, 0.6, 1e-12);
  EXPECT_NEAR(lowest.normal.x(), -1.0, 1e-5);
}

TEST(Oracle, LeastOverlapOfParallelBoxesIsTheLeastOfTheAxes) {
  const Body a = box({1.0, 2.0, 3.0});
  const Body b = box({0.5, 0.5, 0.5}, {1.2, 1.0, 0.0});
  const LowestOverlap lowest = lowestOverlap(a, b, 10.0, 1e-12);
  EXPECT_TRUE(lowest.complete);
  EXPECT_NEAR(lowest.upper, 0.3, 1e-12);  // x: 1 + 0.5 - 1.2
}

TEST(Oracle, BranchAndBoundAgreesWithQhull) {
  if (!haveQhull()) GTEST_SKIP() << "Qhull is not installed";
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(kSeed);
  Generator random(kSeed);
  for (int i = 0; i < 200; ++i) {
    const Specimen::Kind kinds[] = {Specimen::Kind::Box, Specimen::Kind::Hull};
    const Specimen s1 = randomSpecimen(random, kinds[i % 2], 0.3, 1.0, 30);
    const Specimen s2 = randomSpecimen(random, kinds[i / 2 % 2], 0.3, 1.0, 30);
    Body a(s1), b(s2);
    a.rotation = random.rotation();
    b.rotation = random.rotation();
    b.position = 0.2 * random.direction();
    const double exact = polytopeDepth(a, b);
    if (!(exact > 0.0)) continue;
    const LowestOverlap lowest = lowestOverlap(a, b, 100.0, 1e-12);
    ASSERT_TRUE(lowest.complete);
    EXPECT_NEAR(lowest.upper, exact, 2e-12);
  }
}

TEST(Oracle, TouchAlongIsExactForBoxes) {
  const Body a = box({1.0, 1.0, 1.0});
  const Body b = box({0.5, 0.5, 0.5});
  // Along x + y/4 the faces x = 1 and x = -0.5 meet when x is 1.5.
  const Vector d = Vector(1.0, 0.25, 0.0).normalized();
  const Touch touch = touchAlong(a, b, d);
  EXPECT_NEAR(touch.travel * d.x(), 1.5, 1e-12);
  EXPECT_NEAR(touch.normal.x(), -1.0, 1e-12);
}

TEST(Oracle, PlacedPairsHaveTheGapAskedFor) {
  constexpr std::uint64_t kSeed = 12;
  SCOPED_TRACE(kSeed);
  Generator random(kSeed);
  for (int i = 0; i < 300; ++i) {
    const auto kind1 = static_cast<Specimen::Kind>(i % 6);
    const auto kind2 = static_cast<Specimen::Kind>(i / 6 % 6);
    Body a(randomSpecimen(random, kind1, 0.3, 1.0)), b(randomSpecimen(random, kind2, 0.3, 1.0));
    a.rotation = random.rotation();
    b.rotation = random.rotation();
    a.position = random.direction();
    // Small overlap: the depth is at most the one aimed at, and positive.
    if (!placeAtGap(a, b, random.direction(), -1e-3)) continue;
    const LowestOverlap lowest = lowestOverlap(a, b, 100.0, 1e-9);
    ASSERT_TRUE(lowest.complete);
    EXPECT_GT(lowest.upper, 1e-6);
    EXPECT_LT(lowest.upper, 1e-3 + 1e-7);
  }
}

TEST(Oracle, PointsAreInsideOrOutside) {
  const Body cone(Specimen::cone(1.0, 2.0), Matrix::Identity(), {1.0, 2.0, 3.0});
  EXPECT_NEAR(outsideBy(cone, {1.0, 2.0, 4.0}), 0.0, 1e-15);  // Apex.
  EXPECT_NEAR(outsideBy(cone, {2.0, 2.0, 2.0}), 0.0, 1e-15);  // Rim.
  EXPECT_NEAR(outsideBy(cone, {1.0, 2.0, 1.5}), 0.5, 1e-15);  // Below the base.
  EXPECT_LT(outsideBy(cone, {1.0, 2.0, 3.0}), 0.0);
  // The side x = (1 - z)/2 has the outward normal (2, 1)/sqrt(5).
  EXPECT_NEAR(outsideBy(cone, {2.0, 2.0, 3.0}), 1.0 / std::sqrt(5.0), 1e-15);
  const Body capsule(Specimen::capsule(0.5, 2.0));
  EXPECT_NEAR(outsideBy(capsule, {0.0, 0.0, 2.0}), 0.5, 1e-15);
  const Body cylinder(Specimen::cylinder(0.5, 2.0));
  EXPECT_NEAR(outsideBy(cylinder, {1.0, 0.0, 0.0}), 0.5, 1e-15);
}

}  // namespace
}  // namespace abut::test
