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

}  // namespace
}  // namespace abut
