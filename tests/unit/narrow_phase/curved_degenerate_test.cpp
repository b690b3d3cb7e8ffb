// SPDX-License-Identifier: MIT
// Cylinders and cones in exactly degenerate places: coaxial, parallel, flat on flat, rim on rim,
// apex on face, edge and vertex, with gaps down to rounding.
#include <gtest/gtest.h>

#include "unit/narrow_phase/curved_oracle.hpp"

namespace abut::curved_test {
namespace {

using Kind = ConvexCore::Kind;

constexpr double kR1 = 0.5, kH1 = 0.75, kR2 = 0.25, kH2 = 1.0;  // Radii and half heights.

ConvexCore core(Kind kind, double x, double y, double z, double radius = 0.0) {
  ConvexCore result;
  result.kind = kind;
  result.half = {x, y, z};
  result.radius = radius;
  return result;
}

const Mat3 kUpright{};
const Mat3 kUpsideDown{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
const Mat3 kAlongX{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};  // Axis along +x.
const Mat3 kAlongY{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};  // Axis along +y.

/// Body 1 upright at the origin; body 2 touches it at `touching`, with the normal from 2 to 1.
struct Family {
  const char* name;
  ConvexCore core1, core2;
  Mat3 rotation2;
  Vec3 touching;
  Vec3 normal;
};

const ConvexCore kCylinder1 = core(Kind::Cylinder, kR1, 0, kH1);
const ConvexCore kCylinder2 = core(Kind::Cylinder, kR2, 0, kH2);
const ConvexCore kCone1 = core(Kind::Cone, kR1, 0, kH1);
const ConvexCore kCone2 = core(Kind::Cone, kR2, 0, kH2);
// Side normal (0.8, 0.6) in (rho, z): height 4/3 of the radius.
const ConvexCore kCone345 = core(Kind::Cone, 0.75, 0, 0.5);
const ConvexCore kBox = core(Kind::Box, 0.5, 0.75, 0.25);
const ConvexCore kCapsule = core(Kind::Segment, 0, 0, 0.5, 0.25);
const ConvexCore kSphere = core(Kind::Point, 0, 0, 0, 0.25);

ConvexCore flatTriangle() {
  return triangleCore({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
}

/// Turns the cone's side into the plane z = 0: its outward normal (0.8, 0, 0.6) becomes -z.
const Mat3 kOnItsSide{{-0.6, 0, -0.8}, {0, 1, 0}, {0.8, 0, -0.6}};

std::vector<Family> families() {
  const Vec3 x{1, 0, 0}, z{0, 0, 1}, down{0, 0, -1};
  const double side = kR1 + kR2, stack = kH1 + kH2;
  return {
      {"coaxial stack", kCylinder1, kCylinder2, kUpright, {0, 0, -stack}, z},
      {"coaxial equal", kCylinder1, kCylinder1, kUpright, {0, 0, -2 * kH1}, z},
      {"stack off centre", kCylinder1, kCylinder2, kUpright, {0.375, 0, -stack}, z},
      {"stack on the rim", kCylinder1, kCylinder2, kUpright, {side, 0, -stack}, z},
      {"inner rim tangent", kCylinder1, kCylinder2, kUpright, {kR1 - kR2, 0, -stack}, z},
      {"parallel sides", kCylinder1, kCylinder2, kUpright, {-side, 0, 0}, x},
      {"parallel sides shifted", kCylinder1, kCylinder2, kUpright, {-side, 0, 1.5}, x},
      {"parallel sides end to end", kCylinder1, kCylinder2, kUpright, {-side, 0, stack}, x},
      {"crossed sides", kCylinder1, kCylinder2, kAlongY, {-side, 0, 0}, x},
      {"crossed sides at the rim", kCylinder1, kCylinder2, kAlongY, {-side, 0, kH1}, x},
      {"crossed sides at both rims", kCylinder1, kCylinder2, kAlongY, {-side, kH2, kH1}, x},
      {"cap on side", kCylinder1, kCylinder2, kAlongX, {-(kR1 + kH2), 0, 0}, x},
      {"cap on side off centre", kCylinder1, kCylinder2, kAlongX, {-(kR1 + kH2), 0.125, 0.25}, x},
      {"cap's rim on side", kCylinder1, kCylinder2, kAlongX, {-(kR1 + kH2), 0.25, 0}, x},
      {"lying on cap", kCylinder1, kCylinder2, kAlongY, {0, 0, kH1 + kR2}, down},
      {"lying on the cap's rim", kCylinder1, kCylinder2, kAlongY, {kR1, 0, kH1 + kR2}, down},
      {"lying across the cap's rim", kCylinder1, kCylinder2, kAlongY, {0, 1.2, kH1 + kR2}, down},
      {"cone on cap", kCylinder1, kCone2, kUpright, {0, 0, kH1 + kH2}, down},
      {"apex on cap", kCylinder1, kCone2, kUpsideDown, {0, 0, kH1 + kH2}, down},
      {"apex on rim", kCylinder1, kCone2, kUpsideDown, {kR1, 0, kH1 + kH2}, down},
      {"apex on side", kCylinder1, kCone2, kAlongX, {-(kR1 + kH2), 0, 0.25}, x},
      {"apex on side at the rim", kCylinder1, kCone2, kAlongX, {-(kR1 + kH2), 0, kH1}, x},
      {"cone's side on cap", kCylinder1, kCone345, kOnItsSide, {0, 0, kH1 + 0.3}, down},
      {"bases", kCone1, kCone2, kUpsideDown, {0, 0, -stack}, z},
      {"bases off centre", kCone1, kCone2, kUpsideDown, {0.3, 0, -stack}, z},
      {"apexes", kCone1, kCone2, kUpsideDown, {0, 0, stack}, down},
      {"base on apex", kCone1, kCone2, kUpright, {0, 0, stack}, down},
      {"base's rim on apex", kCone1, kCone2, kUpright, {kR2, 0, stack}, down},
      {"apex against base rim", kCone1, kCone2, kAlongX, {-(kR1 + kH2), 0, -kH1}, x},
      {"parallel cone sides",
       kCone345,
       kCone345,
       kUpsideDown,
       {0.8 * 0.6, 0, 0.6 * 0.6},
       {-0.8, 0, -0.6}},
      {"coaxial cone sides", kCone345, kCone345, kUpright, {0, 0, 1}, down},
      {"cap on box", kBox, kCylinder2, kUpright, {0, 0, 0.25 + kH2}, down},
      {"cap over the box's edge", kBox, kCylinder2, kUpright, {0.5, 0, 0.25 + kH2}, down},
      {"cap over the box's corner", kBox, kCylinder2, kUpright, {0.5, 0.75, 0.25 + kH2}, down},
      {"cap tangent to the box's edge", kBox, kCylinder2, kUpright, {0.75, 0, 0.25 + kH2}, down},
      {"lying on box", kBox, kCylinder2, kAlongY, {0, 0, 0.25 + kR2}, down},
      {"lying on the box's edge", kBox, kCylinder2, kAlongY, {0.5, 0, 0.25 + kR2}, down},
      {"lying across the box's edge", kBox, kCylinder2, kAlongX, {1.25, 0, 0.25 + kR2}, down},
      {"upright against the box's edge", kBox, kCylinder2, kUpright, {-0.5 - kR2, 0.75, 0}, x},
      {"cone on box", kBox, kCone2, kUpright, {0, 0, 0.25 + kH2}, down},
      {"apex on face", kBox, kCone2, kUpsideDown, {0.1, 0.2, 0.25 + kH2}, down},
      {"apex on edge", kBox, kCone2, kUpsideDown, {0.5, 0.2, 0.25 + kH2}, down},
      {"apex on corner", kBox, kCone2, kUpsideDown, {0.5, 0.75, 0.25 + kH2}, down},
      {"cone's side on box", kBox, kCone345, kOnItsSide, {0, 0, 0.25 + 0.3}, down},
      {"cone's side over the edge", kBox, kCone345, kOnItsSide, {0.5, 0, 0.25 + 0.3}, down},
      {"triangle on cap", kCylinder1, flatTriangle(), kUpright, {0, 0, kH1}, down},
      {"triangle's edge on cap", kCylinder1, flatTriangle(), kUpright, {0, 1, kH1}, down},
      {"triangle under base", kCone1, flatTriangle(), kUpright, {0, 0, -kH1}, z},
      {"apex under triangle", kCone1, flatTriangle(), kUpright, {0, 0, kH1}, down},
      {"capsule along side", kCylinder1, kCapsule, kUpright, {-(kR1 + 0.25), 0, 0}, x},
      {"capsule on cap", kCylinder1, kCapsule, kAlongY, {0, 0, kH1 + 0.25}, down},
      {"capsule upright on cap", kCylinder1, kCapsule, kUpright, {0, 0, kH1 + 0.75}, down},
      {"capsule crossing side", kCylinder1, kCapsule, kAlongY, {-(kR1 + 0.25), 0, 0}, x},
      {"capsule over apex", kCone1, kCapsule, kAlongY, {0, 0, kH1 + 0.25}, down},
      {"sphere over apex", kCone1, kSphere, kUpright, {0, 0, kH1 + 0.25}, down},
      {"sphere on cap axis", kCylinder1, kSphere, kUpright, {0, 0, kH1 + 0.25}, down},
  };
}

void check(const Family& family, double g, const Mat3& common, bool swapped) {
  Pair pair;
  const Pose pose1{common, {}};
  const Pose pose2{common * family.rotation2, common * (family.touching - family.normal * g)};
  pair.core1 = swapped ? family.core2 : family.core1;
  pair.core2 = swapped ? family.core1 : family.core2;
  pair.pose1.rotation = swapped ? pose2.rotation : pose1.rotation;
  pair.pose2.rotation = swapped ? pose1.rotation : pose2.rotation;
  pair.pose2.translation = swapped ? -pose2.translation : pose2.translation;
  PairGap gap;
  curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, gap);
  SCOPED_TRACE(testing::Message() << family.name << ", gap " << g << ", swapped " << swapped);
  const double size = boundingRadius(pair.core1) + boundingRadius(pair.core2);
  EXPECT_LE(certificate(pair, gap), 1e-12 * size);
  EXPECT_NE(gap.status, QueryStatus::IterationLimit);
  EXPECT_NEAR(gap.gap, -pair.overlap(gap.normal), 4e-15 * size);
  EXPECT_GE(gap.gap, g - 1e-13 * size);
  if (g >= 0.0) {
    EXPECT_LE(gap.gap, g + 1e-13 * size);
  } else {
    EXPECT_LE(-gap.gap, bruteForce(pair, 300) + 1e-12 * size);
  }
}

TEST(CurvedGapDegenerate, EveryFamilyKeepsValueSignAndCertificate) {
  constexpr double kGaps[] = {0.0,   1e-15, -1e-15, 1e-13, -1e-13, 1e-12, -1e-12, 1e-9,
                              -1e-9, 1e-6,  -1e-6,  1e-3,  -1e-3,  0.1,   -0.1,   0.5};
  Random random(77);
  Mat3 turns[4];
  for (int i = 1; i < 4; ++i) turns[i] = random.rotation();
  for (const Family& family : families()) {
    for (double g : kGaps) {
      for (const Mat3& turn : turns) {
        check(family, g, turn, false);
        check(family, g, turn, true);
      }
    }
  }
}

/// Rotations by 1e-16 .. 1e-3 away from each degenerate place. Where two rims, or a rim and an
/// edge, are tangent and coplanar but for the tilt, the answer may stay unproved; it says so then,
/// and is still a bound: the depth is no less than the least overlap.
TEST(CurvedGapDegenerate, SmallTiltsKeepCertificateOrSayThatItIsMissing) {
  Random random(78);
  int answers = 0, unproved = 0;
  for (const Family& family : families()) {
    for (double angle = 1e-16; angle < 2e-3; angle *= 10.0) {
      for (double g : {0.0, 1e-9, -1e-9, -1e-3, 1e-3}) {
        Family tilted = family;
        const Vec3 axis = random.direction();
        tilted.rotation2 = toMatrix(quatFromRotationVector(axis * angle)) * family.rotation2;
        Pair pair{tilted.core1, tilted.core2, {}, {}};
        pair.pose2 = {tilted.rotation2, family.touching - family.normal * g};
        PairGap gap;
        curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, gap);
        SCOPED_TRACE(testing::Message() << family.name << ", gap " << g << ", angle " << angle);
        const double size = boundingRadius(pair.core1) + boundingRadius(pair.core2);
        ++answers;
        EXPECT_NEAR(gap.gap, -pair.overlap(gap.normal), 4e-15 * size);
        if (gap.status == QueryStatus::IterationLimit) {
          ++unproved;
          continue;
        }
        EXPECT_LE(certificate(pair, gap), 1e-12 * size);
        if (gap.gap < -1e-12) {
          EXPECT_LE(-gap.gap, bruteForce(pair, 300) + 1e-12 * size);
        }
      }
    }
  }
  EXPECT_LE(unproved, answers / 1000) << unproved << " of " << answers;
}

/// Concentric bodies: the way out is the shorter of the sum of radii and the sum of half heights.
TEST(CurvedGapDegenerate, ConcentricCylindersLeaveByTheShorterWay) {
  PairGap gap;
  curvedGap(kCylinder1, {}, kCylinder2, {}, gap);
  EXPECT_NEAR(gap.gap, -(kR1 + kR2), 1e-15);
  curvedGap(kCylinder1, {}, core(Kind::Cylinder, 3.0, 0, 0.25), {}, gap);
  EXPECT_NEAR(gap.gap, -(kH1 + 0.25), 1e-15);
  curvedGap(kCylinder1, {}, kCylinder1, {}, gap);
  EXPECT_NEAR(gap.gap, -2 * kR1, 1e-15);
}

}  // namespace
}  // namespace abut::curved_test
