// SPDX-License-Identifier: MIT
#include <abut/shapes/box_shape.hpp>

#include "unit/narrow_phase/pair_certificate.hpp"

namespace abut {
namespace {

/// Errors are measured against the boxes' size, at most 3 m.
constexpr double kTolerance = 4e-12;

/// Depth by brute force: fifteen axes, all vertices, nothing clever. Negative: apart along one.
double bruteForceDepth(const PlacedShape& a, const PlacedShape& b) {
  const Mat3 &r1 = a.pose.rotation, &r2 = b.pose.rotation;
  const Vec3 axes1[3] = {r1.x, r1.y, r1.z}, axes2[3] = {r2.x, r2.y, r2.z};
  std::vector<Vec3> axes(axes1, axes1 + 3);
  axes.insert(axes.end(), axes2, axes2 + 3);
  for (const Vec3& u : axes1) {
    for (const Vec3& v : axes2) {
      const Vec3 n = cross(u, v);
      if (norm(n) > 1e-6) axes.push_back(normalized(n));
    }
  }
  double least = 1e300;
  for (const Vec3& n : axes) {
    least = minOf(least, minOf(-test::supportGap(a, b, n), -test::supportGap(a, b, -n)));
  }
  return least;
}

double pointSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  return norm(p - (a + d * clampTo(dot(p - a, d) / dot(d, d), 0.0, 1.0)));
}

double segmentSegment(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  double least = minOf(minOf(pointSegment(a, c, d), pointSegment(b, c, d)),
                       minOf(pointSegment(c, a, b), pointSegment(d, a, b)));
  const Vec3 u = b - a, v = d - c, n = cross(u, v);
  if (norm(n) < 1e-9) return least;
  const double s = dot(cross(c - a, v), n) / dot(n, n), t = dot(cross(c - a, u), n) / dot(n, n);
  if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
    least = minOf(least, absOf(dot(c - a, n)) / norm(n));
  }
  return least;
}

/// Distance of separated boxes by brute force over all pairs of features.
double bruteForceDistance(const PlacedShape& a, const PlacedShape& b) {
  double least = 1e300;
  Vec3 corners[2][8];
  const PlacedShape* boxes[2] = {&a, &b};
  for (int k = 0; k < 2; ++k) {
    const Vec3 h = toVec3(static_cast<const BoxShape&>(*boxes[k]->shape).getHalfExtents());
    for (int i = 0; i < 8; ++i) {
      const Vec3 local{i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z};
      corners[k][i] = apply(boxes[k]->pose, local);
    }
  }
  for (int i = 0; i < 8; ++i) {
    least = minOf(least, test::surfaceDistance(b, toEigen(corners[0][i])));
    least = minOf(least, test::surfaceDistance(a, toEigen(corners[1][i])));
  }
  for (int i = 0; i < 8; ++i) {
    for (int bit = 1; bit < 8; bit *= 2) {
      if (i & bit) continue;
      for (int j = 0; j < 8; ++j) {
        for (int other = 1; other < 8; other *= 2) {
          if (j & other) continue;
          least = minOf(least, segmentSegment(corners[0][i], corners[0][i | bit], corners[1][j],
                                              corners[1][j | other]));
        }
      }
    }
  }
  return least;
}

class BoxBox : public ::testing::Test {
protected:
  BoxShape brick{{0.25, 0.5, 0.75}}, plate{{1.0, 1.0, 0.01}}, cube{{0.5, 0.5, 0.5}};

  void check(const Shape& first, const Shape& second, std::uint64_t seed, int count) {
    test::WorstErrors worst;
    test::Random random(seed);
    double worstDepth = 0.0;
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " pose " + std::to_string(i));
      const PlacedShape a{&first, test::awkwardPose(random, 1.0), 1};
      const PlacedShape b{&second, test::awkwardPose(random, 1.0), 2};
      test::checkDistance(a, b, kTolerance, worst);
      if (!HasFatalFailure()) {
        test::checkContacts(a, b, i % 4 == 0 ? 0.1 : 0.0, kTolerance, worst);
      }
      if (!HasFatalFailure()) test::checkSwap(a, b);
      const double depth = bruteForceDepth(a, b);
      CollisionResult result;
      ASSERT_TRUE(collide(a, b, {}, result).isOk());
      if (depth < -kTolerance) {
        ASSERT_FALSE(result.isCollision());
      } else if (depth > kTolerance) {
        ASSERT_TRUE(result.isCollision());
        ASSERT_NEAR(result.penetrationDepth(), depth, kTolerance);
        worstDepth = maxOf(worstDepth, absOf(result.penetrationDepth() - depth));
      }
      if (depth < -1e-9 && i % 10 == 0) {
        DistanceResult r;
        ASSERT_TRUE(distance(a, b, r).isOk());
        ASSERT_NEAR(r.distance, bruteForceDistance(a, b), kTolerance);
      }
    }
    RecordProperty("gapError", toText(worst.gap));
    RecordProperty("witnessError", toText(worst.witness));
    RecordProperty("depthError", toText(worstDepth));
  }
};

Pose turned(const Vec3& rotationVector, const Vec3& translation) {
  return {toMatrix(quatFromRotationVector(rotationVector)), translation};
}

/// Contacts of two boxes, objects 1 and 2.
CollisionResult contacts(const Shape& first, const Pose& pose1, const Shape& second,
                         const Pose& pose2) {
  CollisionResult result;
  EXPECT_TRUE(collide({&first, pose1, 1}, {&second, pose2, 2}, {}, result).isOk());
  return result;
}

constexpr double kPi = 3.14159265358979323846;

TEST_F(BoxBox, IsCertifiedAndAgreesWithBruteForce) {
  check(brick, brick, 1, 5000);
  check(cube, cube, 2, 5000);
  check(brick, plate, 3, 5000);
  check(plate, plate, 4, 5000);
}

TEST_F(BoxBox, SharedMicroRotationKeepsFourContactsOfEqualDepth) {
  for (const double angle : {0.0, 1.40625e-7, 5e-8, 1e-7, 1e-4}) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0.8, 0}}) {
      for (const double far : {0.0, 1e3}) {
        const Pose pose1 = turned(axis * angle, {far, -far, far});
        const Vec3 up = pose1.rotation.z * 0.99;
        const Pose pose2{pose1.rotation, pose1.translation + up};
        const CollisionResult result = contacts(cube, pose1, cube, pose2);
        ASSERT_EQ(result.numContacts(), 4u) << angle;
        for (const ContactPoint& c : result.getManifold(0).getContacts()) {
          EXPECT_NEAR(c.depth, 0.01, far == 0.0 ? 1e-15 : 1e-12) << angle;
        }
      }
    }
  }
}

TEST_F(BoxBox, MicroRotationOfOneBoxKeepsFourContacts) {
  // A tilt of 1e-6 or less changes depths by at most 1e-6 across the face.
  for (const double angle : {1.40625e-7, 5e-8, 1e-7, 1e-6}) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0.64, 0.48}}) {
      const CollisionResult result =
          contacts(cube, {}, cube, turned(axis * angle, {0.0, 0.0, 0.99}));
      ASSERT_EQ(result.numContacts(), 4u) << angle;
      for (const ContactPoint& c : result.getManifold(0).getContacts()) {
        EXPECT_NEAR(c.depth, 0.01, 2.0 * angle);
      }
    }
  }
}

TEST_F(BoxBox, DepthIsTheOverlapFromTouchingToHalf) {
  for (double overlap = 1e-12; overlap <= 0.5; overlap *= 1.5) {
    for (const double far : {0.0, 1024.0}) {
      const double z = far + (1.0 - overlap);
      const CollisionResult result = contacts(cube, {{}, {0, 0, far}}, cube, {{}, {0, 0, z}});
      ASSERT_EQ(result.numContacts(), 4u) << overlap;
      for (const ContactPoint& c : result.getManifold(0).getContacts()) {
        EXPECT_EQ(c.depth, 1.0 - (z - far)) << overlap;
        EXPECT_EQ(c.normal, Eigen::Vector3d(0, 0, -1));
      }
    }
  }
}

TEST_F(BoxBox, CrossingEdgesTouchAtOnePointOfTheirDepth) {
  // Both cubes turned by 45 degrees, about x below and about y above: edges along x and y cross on
  // the z axis. The edges' height over the centres is sqrt(1/2).
  const double height = std::sqrt(0.5);
  for (const double overlap : {1e-9, 1e-3, 0.05}) {
    const CollisionResult result =
        contacts(cube, turned({kPi / 4, 0, 0}, {}), cube,
                 turned({0, kPi / 4, 0}, {0, 0, 2.0 * height - overlap}));
    ASSERT_EQ(result.numContacts(), 1u);
    const ContactPoint& c = result.getContact(0);
    EXPECT_NEAR(c.depth, overlap, 1e-15);
    EXPECT_EQ(c.feature1.kind, Feature::Kind::Edge);
    EXPECT_EQ(c.feature2.kind, Feature::Kind::Edge);
    EXPECT_NEAR(c.position.x(), 0.0, 1e-15);
    EXPECT_NEAR(c.position.y(), 0.0, 1e-15);
    EXPECT_NEAR(c.position.z(), height - 0.5 * overlap, 1e-15);
    EXPECT_EQ(result.getManifold(0).getType(), ContactType::Point);
  }
}

TEST_F(BoxBox, TiltedCubeTouchesWithItsLowestEdge) {
  // 15 degrees about x; the lowest edge lies cos/2 + sin/2 below the centre.
  const double angle = kPi / 12;
  const double lowest = 0.5 * (std::cos(angle) + std::sin(angle));
  const BoxShape floor({5.0, 5.0, 0.5});
  const CollisionResult result =
      contacts(floor, {{}, {0, 0, -0.5}}, cube, turned({angle, 0, 0}, {0, 0, lowest - 0.01}));
  ASSERT_EQ(result.numContacts(), 2u);
  EXPECT_EQ(result.getManifold(0).getType(), ContactType::Edge);
  for (const ContactPoint& c : result.getManifold(0).getContacts()) {
    EXPECT_NEAR(c.depth, 0.01, 1e-15);
    EXPECT_EQ(c.feature1.kind, Feature::Kind::Face);
    EXPECT_EQ(c.feature2.kind, Feature::Kind::Vertex);
  }
}

TEST_F(BoxBox, DepthsDifferAcrossATiltedFaceAndTheGreatestIsReported) {
  // Tilt a about y: over the face's width of 1 the depth falls from deepest by sin(a).
  const double angle = 0.005;
  const BoxShape floor({5.0, 5.0, 0.5});
  const double lowest = 0.5 * (std::cos(angle) + std::sin(angle));
  const CollisionResult result =
      contacts(floor, {{}, {0, 0, -0.5}}, cube, turned({0, angle, 0}, {0, 0, lowest - 0.01}));
  ASSERT_EQ(result.numContacts(), 4u);
  EXPECT_NEAR(result.penetrationDepth(), 0.01, 1e-15);
  const auto points = result.getManifold(0).getContacts();
  EXPECT_NEAR(points[3].depth, 0.01 - std::sin(angle), 1e-15);
  for (const ContactPoint& c : points) EXPECT_GE(c.depth, 0.0);
}

TEST_F(BoxBox, GrazingAndKissingAreTouching) {
  for (const Vec3& offset : {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}, Vec3{0.5, 0.25, 1}}) {
    for (const Vec3& turn : {Vec3{}, Vec3{0.3, -0.2, 0.9}, Vec3{kPi / 4, 0, 0}}) {
      const Pose pose1 = turned(turn, {0.1, 0.2, 0.3});
      const Pose pose2{pose1.rotation, pose1.translation + pose1.rotation * offset};
      const CollisionResult result = contacts(cube, pose1, cube, pose2);
      ASSERT_EQ(result.numManifolds(), 1u);
      EXPECT_EQ(result.getManifold(0).getStatus(), QueryStatus::Touching);
      EXPECT_NEAR(result.penetrationDepth(), 0.0, 1e-15);
    }
  }
}

TEST_F(BoxBox, CubesOfSideTwoAtOffsetOnePointNineOverlapByATenth) {
  const BoxShape two({1.0, 1.0, 1.0});
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    const CollisionResult result = contacts(two, {}, two, {{}, axis * 1.9});
    EXPECT_NEAR(result.penetrationDepth(), 0.1, 1e-15);
    EXPECT_EQ(result.numContacts(), 4u);
    EXPECT_EQ(toVec3(result.getManifold(0).getSharedNormal()), -axis);
  }
}

TEST_F(BoxBox, ThinPlateNearASmallBoxHasItsPlainDistance) {
  // Half sizes of a report about a peer's lost digits: a plate 1 cm thick, a box above it.
  const BoxShape thin({0.23, 0.24, 0.005}), small({0.02475, 0.073, 0.03625});
  test::Random random(395);
  for (int i = 0; i < 2000; ++i) {
    const PlacedShape a{&thin, random.pose(0.3), 1}, b{&small, random.pose(0.3), 2};
    test::WorstErrors worst;
    test::checkDistance(a, b, 1e-12, worst);
    if (HasFatalFailure()) return;
  }
}

TEST_F(BoxBox, MarginIsComparedWithTheEuclideanDistance) {
  // Apart diagonally by (0.1, 0.1, 0.1): 0.1 along every axis, sqrt(0.03) = 0.1732 in truth.
  const PlacedShape a{&cube, {}, 1}, b{&cube, {{}, {1.1, 1.1, 1.1}}, 2};
  CollisionOption option;
  CollisionResult result;
  option.margin = 0.17;
  ASSERT_TRUE(collide(a, b, option, result).isOk());
  EXPECT_FALSE(result.isCollision());
  option.margin = 0.18;
  ASSERT_TRUE(collide(a, b, option, result).isOk());
  ASSERT_EQ(result.numContacts(), 1u);
  EXPECT_NEAR(result.getContact(0).depth, -std::sqrt(0.03), 1e-15);
  EXPECT_EQ(result.getContact(0).feature1, (Feature{Feature::Kind::Vertex, 7}));
}

TEST_F(BoxBox, SignIsRightThroughTouching) {
  // Faces, an edge and a vertex approach a face: the gap is known exactly.
  for (const Vec3& turn : {Vec3{}, Vec3{kPi / 4, 0, 0}, Vec3{0.4, 0.5, 0}}) {
    const Mat3 r = toMatrix(quatFromRotationVector(turn));
    const double reach = 0.5 * (absOf(r.x.z) + absOf(r.y.z) + absOf(r.z.z));
    double last = 1.0;
    for (const double gap : {1e-3, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -1e-3}) {
      DistanceResult d;
      ASSERT_TRUE(distance({&cube, {}, 1}, {&cube, {r, {0, 0, (0.5 + reach) + gap}}, 2}, d).isOk());
      EXPECT_NEAR(d.distance, gap, 4e-16);
      EXPECT_LE(d.distance, last);
      last = d.distance;
    }
  }
}

}  // namespace
}  // namespace abut
