// SPDX-License-Identifier: MIT
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "unit/narrow_phase/pair_certificate.hpp"

namespace abut {
namespace {

/// Size of every shape below is at most 2 m; errors are measured against that.
constexpr double kTolerance = 4e-12;

class ClosedForms : public ::testing::Test {
protected:
  SphereShape sphere{0.5}, pebble{1e-3};
  BoxShape box{{0.25, 0.5, 0.75}}, plate{{1.0, 1.0, 0.01}};
  CapsuleShape capsule{0.25, 1.0}, needle{0.01, 1.5};
  PlaneShape plane{{0.0, 0.0, 1.0}, 0.25}, slope{{1.0, 2.0, 2.0}, -0.25};

  void check(const Shape& first, const Shape& second, int count) {
    test::WorstErrors worst;
    const std::uint64_t seed =
        17 + static_cast<int>(first.getType()) * 16 + static_cast<int>(second.getType());
    test::Random random(seed);
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " pose " + std::to_string(i));
      const PlacedShape a{&first, test::awkwardPose(random, 1.0), 1};
      const PlacedShape b{&second, test::awkwardPose(random, 1.0), 2};
      const double margin = i % 4 == 0 ? 0.1 : 0.0;
      test::checkDistance(a, b, kTolerance, worst);
      if (!HasFatalFailure()) test::checkContacts(a, b, margin, kTolerance, worst);
      if (!HasFatalFailure()) test::checkSwap(a, b);
    }
    RecordProperty("gapError", toText(worst.gap));
    RecordProperty("witnessError", toText(worst.witness));
    RecordProperty("oracleError", toText(worst.oracle));
  }
};

TEST_F(ClosedForms, SphereSphereIsCertified) {
  check(sphere, sphere, 3000);
  check(sphere, pebble, 3000);
}

TEST_F(ClosedForms, SphereBoxIsCertified) {
  check(sphere, box, 5000);
  check(pebble, plate, 5000);
}

TEST_F(ClosedForms, SphereCapsuleIsCertified) {
  check(sphere, capsule, 5000);
  check(pebble, needle, 5000);
}

TEST_F(ClosedForms, CapsuleCapsuleIsCertified) {
  check(capsule, capsule, 10000);
  check(needle, capsule, 10000);
  check(needle, needle, 10000);
}

TEST_F(ClosedForms, BoxCapsuleIsCertified) {
  check(box, capsule, 10000);
  check(plate, capsule, 10000);
  check(box, needle, 10000);
}

TEST_F(ClosedForms, PlanesAreCertifiedWithEverything) {
  const Shape* const all[] = {&sphere, &pebble, &box, &plate, &capsule, &needle};
  for (const Shape* convex : all) {
    check(*convex, plane, 2000);
    check(*convex, slope, 2000);
  }
}

Pose at(double x, double y, double z, const Mat3& rotation = {}) {
  return {rotation, {x, y, z}};
}

/// z -> x, and z -> y.
const Mat3 kAlongX{{0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
const Mat3 kAlongY{{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}};

TEST_F(ClosedForms, ConcentricSpheresPartAlongZ) {
  DistanceResult r;
  ASSERT_TRUE(distance({&sphere, at(1, 2, 3), 1}, {&pebble, at(1, 2, 3), 2}, r).isOk());
  EXPECT_EQ(r.normal, Eigen::Vector3d(0.0, 0.0, 1.0));
  EXPECT_EQ(r.distance, -(0.5 + 1e-3));
}

TEST_F(ClosedForms, ParallelCapsulesTouchAlongALine) {
  // Side by side, shifted by 0.4 along their axes: the line runs from -0.1 to 0.5, depth 0.1.
  CollisionResult result;
  ASSERT_TRUE(
      collide({&capsule, at(0, 0, 0), 1}, {&capsule, at(0.4, 0, 0.4), 2}, {}, result).isOk());
  ASSERT_EQ(result.numManifolds(), 1u);
  const ContactManifold& m = result.getManifold(0);
  EXPECT_EQ(m.getType(), ContactType::Edge);
  ASSERT_EQ(m.numContacts(), 2u);
  double sum = 0.0, spread = 0.0;
  for (const ContactPoint& c : m.getContacts()) {
    EXPECT_NEAR(c.depth, 0.1, 1e-15);
    EXPECT_NEAR(c.position.x(), 0.2, 1e-15);
    sum += c.position.z();
    spread += std::fabs(c.position.z() - 0.2);
  }
  EXPECT_NEAR(sum, 0.4, 1e-15);
  EXPECT_NEAR(spread, 0.6, 1e-15);
}

TEST_F(ClosedForms, CrossingCapsulesTouchAtAPoint) {
  CollisionResult result;
  ASSERT_TRUE(
      collide({&capsule, at(0, 0, 0), 1}, {&capsule, at(0, 0.4, 0.1, kAlongX), 2}, {}, result)
          .isOk());
  ASSERT_EQ(result.numContacts(), 1u);
  EXPECT_NEAR(result.getContact(0).depth, 0.1, 1e-15);
  EXPECT_EQ(result.getManifold(0).getType(), ContactType::Point);
}

TEST_F(ClosedForms, MeetingAxesTakeTheirCrossProductAsNormal) {
  // Axis 1 along z, axis 2 along x: z x x = y.
  DistanceResult r;
  ASSERT_TRUE(distance({&capsule, at(0, 0, 0), 1}, {&capsule, at(0, 0, 0, kAlongX), 2}, r).isOk());
  EXPECT_EQ(r.distance, -0.5);
  EXPECT_EQ(r.normal, Eigen::Vector3d(0.0, 1.0, 0.0));
}

TEST_F(ClosedForms, CollinearCapsulesPartSideways) {
  DistanceResult r;
  ASSERT_TRUE(distance({&capsule, at(0, 0, 0), 1}, {&capsule, at(0, 0, 0.3), 2}, r).isOk());
  EXPECT_EQ(r.distance, -0.5);
  EXPECT_EQ(r.normal.z(), 0.0);
}

TEST_F(ClosedForms, CapsuleLyingOnABoxHasTwoPoints) {
  // Length 1 along x over a face of half width 0.25: the box's rim limits the line.
  for (const double tilt : {0.0, 1e-9, 1e-6}) {
    Mat3 rotation = kAlongX;
    rotation.z.z = tilt;
    rotation.x.x = -tilt;
    CollisionResult result;
    ASSERT_TRUE(collide({&box, at(0, 0, 0), 1}, {&capsule, at(0, 0, 0.99, rotation), 2}, {}, result)
                    .isOk());
    ASSERT_EQ(result.numContacts(), 2u) << tilt;
    EXPECT_EQ(result.getManifold(0).getType(), ContactType::Edge);
    for (const ContactPoint& c : result.getManifold(0).getContacts()) {
      EXPECT_NEAR(c.depth, 0.01, tilt + 1e-15);
      EXPECT_NEAR(std::fabs(c.position.x()), 0.25, 1e-5);
    }
  }
}

TEST_F(ClosedForms, CapsulePiercingABoxParksAlongTheShortestWay) {
  // Along y through the centre: out along x in 0.25 + r, beating z in 0.75 and y in 1.0.
  DistanceResult r;
  ASSERT_TRUE(distance({&box, at(0, 0, 0), 1}, {&capsule, at(0.05, 0, 0, kAlongY), 2}, r).isOk());
  EXPECT_NEAR(r.distance, -(0.2 + 0.25), 1e-15);
  EXPECT_NEAR(r.normal.x(), -1.0, 1e-15);
}

TEST_F(ClosedForms, BoxFlatOnAPlaneHasFourEqualDepths) {
  const PlaneShape floor({0.0, 0.0, 1.0});
  CollisionResult result;
  ASSERT_TRUE(collide({&floor, at(5, 6, 0), 7}, {&box, at(0, 0, 0.74), 3}, {}, result).isOk());
  ASSERT_EQ(result.numContacts(), 4u);
  const ContactManifold& m = result.getManifold(0);
  EXPECT_EQ(m.getType(), ContactType::Face);
  EXPECT_EQ(m.getObject1(), 7u);
  // From object 2, the box, to object 1, the half-space below it.
  EXPECT_EQ(m.getSharedNormal(), Eigen::Vector3d(0.0, 0.0, -1.0));
  for (const ContactPoint& c : m.getContacts()) EXPECT_NEAR(c.depth, 0.01, 1e-16);
}

TEST_F(ClosedForms, OpposedPlanesHaveADistanceAndCrossingOnesAreRefused) {
  const PlaneShape floor({0.0, 0.0, 1.0}, 1.0), ceiling({0.0, 0.0, -1.0}, -3.0);
  DistanceResult r;
  ASSERT_TRUE(distance({&floor, at(1, 2, 0), 1}, {&ceiling, at(3, 4, 0), 2}, r).isOk());
  EXPECT_EQ(r.distance, 2.0);
  EXPECT_EQ(r.normal, Eigen::Vector3d(0.0, 0.0, -1.0));
  EXPECT_EQ(distance({&floor, at(0, 0, 0), 1}, {&slope, at(0, 0, 0), 2}, r).getCode(),
            StatusCode::UnboundedOverlap);
  CollisionResult result;
  ASSERT_TRUE(collide({&floor, at(0, 0, 2.5), 1}, {&ceiling, at(0, 0, 0), 2}, {}, result).isOk());
  EXPECT_NEAR(result.penetrationDepth(), 0.5, 1e-15);
}

}  // namespace
}  // namespace abut
