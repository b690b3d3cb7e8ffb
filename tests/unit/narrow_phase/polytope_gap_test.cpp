// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "polytope_support.hpp"

namespace abut {
namespace {

using testing::Random;
using Kind = ConvexCore::Kind;

/// Errors allowed, times the size of the pair.
constexpr double kTolerance = 1e-12;

/// What makes an answer right, apart from being the least overlap: the gap is that of the supports
/// along the normal, the witnesses lie on it and in the shapes.
void expectCertified(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                     const Pose& pose2, const PairGap& gap, Random& random) {
  const double size = boundingRadius(core1) + boundingRadius(core2);
  ASSERT_NEAR(norm(gap.normal), 1.0, 1e-14);
  ASSERT_NEAR(-gap.gap, testing::overlapAlong(core1, pose1, core2, pose2, gap.normal),
              kTolerance * size);
  ASSERT_LE(norm((gap.p1 - gap.p2) - gap.normal * gap.gap), kTolerance * size);
  std::vector<Vec3> directions{gap.normal, -gap.normal};
  for (int i = 0; i < 16; ++i) directions.push_back(random.direction());
  ASSERT_LE(testing::outside(core1, pose1, gap.p1, directions), kTolerance * size);
  ASSERT_LE(testing::outside(core2, pose2, gap.p2, directions), kTolerance * size);
  if (gap.gap < 0.0) {
    for (const Vec3& d : directions) {
      ASSERT_GE(testing::overlapAlong(core1, pose1, core2, pose2, d), -gap.gap - kTolerance * size);
    }
  }
}

TEST(PolytopeGap, RandomPairsOfSmallCoresCarryTheirCertificate) {
  const std::uint64_t seed = 1;
  Random random(seed);
  for (int k1 = 0; k1 <= static_cast<int>(Kind::Box); ++k1) {
    for (int k2 = 0; k2 <= static_cast<int>(Kind::Box); ++k2) {
      for (int i = 0; i < 500; ++i) {
        SCOPED_TRACE(::testing::Message()
                     << "seed " << seed << " kinds " << k1 << " " << k2 << " case " << i);
        const ConvexCore core1 = testing::randomCore(random, static_cast<Kind>(k1));
        const ConvexCore core2 = testing::randomCore(random, static_cast<Kind>(k2));
        const Pose pose1{random.rotation(), {}};
        const Mat3 rotation2 = random.rotation();
        const Pose pose2{rotation2, random.inCube(random.uniform(0.0, 3.0))};
        PairGap gap;
        polytopeGap(core1, pose1, core2, pose2, gap);
        expectCertified(core1, pose1, core2, pose2, gap, random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace abut
