// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/narrow_phase/queries.hpp>

#include "support/oracle.hpp"

namespace abut {
namespace {

using test::Body;
using test::Generator;
using test::Specimen;
using test::Vector;

/// Errors allowed, times the size of the pair.
constexpr double kTolerance = 1e-12;

/// Certificate of the answer, and its depth against the hull of the Minkowski difference by Qhull.
double errorOf(const Body& body1, const Body& body2, std::string& worst) {
  DistanceResult result;
  EXPECT_TRUE(distance(body1.placed(1), body2.placed(2), result).isOk());
  const double size = test::pairSize(body1, body2);
  double error = test::certificateError(body1, body2, test::claimOf(result), worst);
  if (result.distance < 0.0 && test::haveQhull()) {
    const double depth = test::polytopeDepth(body1, body2);
    if (depth > -1e300 && std::abs(depth + result.distance) > error * size) {
      error = std::abs(depth + result.distance) / size;
      worst = "depth by Qhull";
    }
  }
  return error;
}

class HullGap : public ::testing::TestWithParam<Specimen::Kind> {};

TEST_P(HullGap, RandomPairsAgreeWithCertificateAndQhull) {
  const std::uint64_t seed = 101 + static_cast<std::uint64_t>(GetParam());
  Generator random(seed);
  double largest = 0.0;
  for (int i = 0; i < 150; ++i) {
    const Specimen other = test::randomSpecimen(random, GetParam(), 0.2, 1.0, 24);
    const Specimen hull = test::randomSpecimen(random, Specimen::Kind::Hull, 0.2, 1.0, 24);
    const Eigen::Matrix3d rotation1 = random.rotation();
    const Eigen::Matrix3d rotation2 = random.rotation();
    const double reach = random.range(0.0, 2.5);
    const Body body1(other, rotation1);
    const Body body2(hull, rotation2, reach * random.direction());
    std::string worst;
    const double error = errorOf(body1, body2, worst);
    largest = std::max(largest, error);
    ASSERT_LE(error, kTolerance) << worst << ", seed " << seed << " case " << i;
  }
  RecordProperty("largestError", std::to_string(largest));
}

INSTANTIATE_TEST_SUITE_P(Kinds, HullGap,
                         ::testing::Values(Specimen::Kind::Sphere, Specimen::Kind::Capsule,
                                           Specimen::Kind::Box, Specimen::Kind::Hull));

std::vector<Vector> boxCorners(const Vector& half) {
  std::vector<Vector> corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                         i & 4 ? half.z() : -half.z());
  }
  return corners;
}

double distanceOf(const Body& body1, const Body& body2, std::string& worst) {
  DistanceResult result;
  EXPECT_TRUE(distance(body1.placed(1), body2.placed(2), result).isOk());
  EXPECT_LE(test::certificateError(body1, body2, test::claimOf(result), worst), kTolerance)
      << worst;
  return result.distance;
}

TEST(HullSweep, GapThroughTouchingIsMonotoneWithTheRightSign) {
  // Cubes of side 2 that meet in faces, edges, corners: the gap along the line of approach is s,
  // s sqrt 2, s sqrt 3 once apart, and s while they overlap (the least overlap is that of a face).
  const Specimen cube = Specimen::hull(boxCorners(Vector(1.0, 1.0, 1.0)));
  Generator random(41);
  for (int turn = 0; turn < 6; ++turn) {
    const Eigen::Matrix3d rotation =
        turn == 0 ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : random.rotation();
    for (const Vector& way : {Vector(1, 0, 0), Vector(1, 1, 0), Vector(1, 1, 1)}) {
      double last = -1.0;
      for (int k = -26; k <= 26; ++k) {
        // -1e-3 .. -1e-16, 0, 1e-16 .. 1e-3.
        const double s =
            k == 0 ? 0.0 : (k < 0 ? -1.0 : 1.0) * std::pow(10.0, (std::abs(k) - 33) / 2.0);
        const Body body1(cube, rotation), body2(cube, rotation, rotation * (way * (2.0 + s)));
        std::string worst;
        const double gap = distanceOf(body1, body2, worst);
        // 2 + s itself is rounded to 4.4e-16, positions by a few times that.
        ASSERT_GE(gap, last - 4e-15) << "turn " << turn << " s " << s;
        // Gaps within 1e-13 of the size have no direction of their own: a face's is taken.
        const double upper = s > 0.0 ? s * way.norm() : s, lower = s < 4e-13 ? s : upper;
        ASSERT_LE(gap, upper + 4e-15) << "turn " << turn << " s " << s;
        ASSERT_GE(gap, lower - 4e-15) << "turn " << turn << " s " << s;
        last = gap;
      }
    }
  }
}

TEST(HullKillers, ReportedFailuresOfOthersAreRight) {
  std::string worst;
  // libccd #25: cubes of side 2 at offset 1.9.
  const Specimen cube = Specimen::hull(boxCorners(Vector(1, 1, 1)));
  EXPECT_NEAR(
      distanceOf(Body(cube), Body(cube, Eigen::Matrix3d::Identity(), Vector(1.9, 0, 0)), worst),
      -0.1, 1e-15);
  // FCL #395: a thin box in a smaller one, at many turns and offsets.
  const Specimen thin = Specimen::hull(boxCorners(Vector(0.23, 0.24, 0.005)));
  const Specimen small = Specimen::hull(boxCorners(Vector(0.02475, 0.073, 0.03625)));
  Generator random(43);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Matrix3d rotation = random.rotation();
    const Body body1(thin),
        body2(small, i % 2 == 0 ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : rotation,
              0.1 * random.unit() * random.direction());
    ASSERT_LE(errorOf(body1, body2, worst), kTolerance) << worst << " case " << i;
  }
  // FCL #493, #495: equal boxes kissing under the same rotation.
  for (int i = 0; i < 200; ++i) {
    const Eigen::Matrix3d rotation = random.rotation();
    const Body body1(cube, rotation), body2(cube, rotation, rotation * Vector(0.0, 2.0, 0.0));
    ASSERT_NEAR(distanceOf(body1, body2, worst), 0.0, 4e-15);
  }
}

TEST(HullKillers, ABodyInsideItselfHasItsFullDepth) {
  // Concentric copies: the least overlap is the least width, by Qhull's facets.
  Generator random(47);
  for (int i = 0; i < 40; ++i) {
    const Specimen hull = Specimen::hull(test::randomPoints(random, 6 + i, 0.5, 1.2));
    const Eigen::Matrix3d rotation = random.rotation();
    const Vector offset =
        i % 2 == 0 ? Vector(0, 0, 0) : Vector(std::pow(10.0, -i / 2.0) * random.direction());
    std::string worst;
    ASSERT_LE(errorOf(Body(hull, rotation), Body(hull, rotation, offset), worst), kTolerance)
        << worst;
  }
}

TEST(HullPair, ExchangingTheBodiesExchangesTheAnswerBitForBit) {
  Generator random(53);
  for (int i = 0; i < 100; ++i) {
    const Specimen a = test::randomSpecimen(random, Specimen::Kind::Hull, 0.2, 1.0, 24);
    const Specimen b = test::randomSpecimen(random, Specimen::Kind::Hull, 0.2, 1.0, 24);
    const Eigen::Matrix3d rotation1 = random.rotation();
    const Eigen::Matrix3d rotation2 = random.rotation();
    const Body body1(a, rotation1), body2(b, rotation2, random.unit() * random.direction());
    DistanceResult forth, back;
    ASSERT_TRUE(distance(body1.placed(1), body2.placed(2), forth).isOk());
    ASSERT_TRUE(distance(body2.placed(2), body1.placed(1), back).isOk());
    ASSERT_EQ(forth.distance, back.distance);
    ASSERT_EQ(forth.normal, Vector(-back.normal));
    ASSERT_EQ(forth.point1, back.point2);
    ASSERT_EQ(forth.feature1, back.feature2);
  }
}

TEST(HullPair, MovedByAKilometreTheAnswerIsTheSame) {
  Generator random(59);
  const Vector far(1024.0, -2048.0, 512.0);
  for (int i = 0; i < 100; ++i) {
    const Specimen a = test::randomSpecimen(random, Specimen::Kind::Hull, 0.2, 1.0, 24);
    const Eigen::Matrix3d rotation1 = random.rotation();
    const Eigen::Matrix3d rotation2 = random.rotation();
    // Multiples of 2^-20, so that the move itself is exact.
    const Vector offset = (random.unit() * random.direction() * 0x1p20).array().round() * 0x1p-20;
    DistanceResult near, moved;
    ASSERT_TRUE(
        distance(Body(a, rotation1).placed(1), Body(a, rotation2, offset).placed(2), near).isOk());
    ASSERT_TRUE(distance(Body(a, rotation1, far).placed(1),
                         Body(a, rotation2, far + offset).placed(2), moved)
                    .isOk());
    ASSERT_EQ(near.distance, moved.distance);
    ASSERT_EQ(near.normal, moved.normal);
  }
}

TEST(HullPair, ThousandsOfVerticesConcentricAreExact) {
  Generator random(61);
  const Specimen ball = Specimen::hull(test::randomPoints(random, 2000, 0.5, 1.0));
  std::string worst;
  const double gap = distanceOf(Body(ball), Body(ball), worst);
  // Twice the least distance of a facet, or a little less across edges; a ball's is 1.
  EXPECT_GT(gap, -1.0);
  EXPECT_LT(gap, -0.98);
}

}  // namespace
}  // namespace abut
