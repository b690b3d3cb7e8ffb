// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/contact_geometry.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "math/trigonometry.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using Eigen::Vector3d;

constexpr double kRounding = 1e-14;

PlacedShape at(const Shape& shape, const Vec3& position, ObjectId id, const Vec3& turn = {}) {
  return {&shape, {toMatrix(quatFromRotationVector(turn)), position}, id};
}

void expectNear(const Vector3d& a, const Vector3d& b, double tolerance = kRounding) {
  EXPECT_NEAR((a - b).norm(), 0.0, tolerance) << a.transpose() << " against " << b.transpose();
}

/// The principal curvatures are the eigenvalues of the second form relative to the first; all
/// charts here are orthogonal (F = M = 0).
void expectConsistent(const SurfacePoint& s) {
  const auto& [e, f, g] = s.firstFundamentalForm;
  const auto& [l, m, n] = s.secondFundamentalForm;
  EXPECT_EQ(f, 0.0);
  EXPECT_EQ(m, 0.0);
  const double k1 = l / e, k2 = n / g;
  EXPECT_NEAR(std::max(k1, k2), s.principalCurvatures[0], 1e-12 * (1.0 + k1 + k2));
  EXPECT_NEAR(std::min(k1, k2), s.principalCurvatures[1], 1e-12 * (1.0 + k1 + k2));
  EXPECT_NEAR(s.principalDirection.norm(), 1.0, kRounding);
}

TEST(ParametricContact, TwoBallsHaveTheSumOfTheirCurvatures) {
  const SphereShape small(0.25), large(2.0);
  test::Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Vec3 n = random.direction();
    const Mat3 turn = random.pose(0.0).rotation;
    ParametricContact contact;
    ASSERT_TRUE(parametricContact({&small, {turn, n * 2.2}, 1}, at(large, {}, 2), contact));
    ASSERT_TRUE(contact.found);
    EXPECT_NEAR(contact.depth, 0.05, kRounding);
    expectNear(contact.normal, toEigen(n));
    EXPECT_NEAR(contact.relativeCurvatures[0], 4.0 + 0.5, 1e-13);
    EXPECT_NEAR(contact.relativeCurvatures[1], 4.0 + 0.5, 1e-13);
    EXPECT_EQ(contact.surface1.kind, SurfaceKind::Spherical);
    expectConsistent(contact.surface1);
    expectConsistent(contact.surface2);
    // The chart leads back to the point: on the large ball the outward normal is n.
    const SinCos u = sinCos(contact.surface2.param[0]), v = sinCos(contact.surface2.param[1]);
    expectNear({v.sin * u.cos, v.sin * u.sin, v.cos}, toEigen(n));
    // On the small one it is -n, in its own frame.
    const SinCos u1 = sinCos(contact.surface1.param[0]), v1 = sinCos(contact.surface1.param[1]);
    expectNear({v1.sin * u1.cos, v1.sin * u1.sin, v1.cos}, toEigen(transposeTimes(turn, -n)));
  }
}

TEST(ParametricContact, ABallOnAFaceHasItsOwnCurvature) {
  const SphereShape ball(0.5);
  const BoxShape box({1, 2, 3});
  ParametricContact contact;
  ASSERT_TRUE(parametricContact(at(ball, {0.3, 2.45, 0.7}, 1), at(box, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_EQ(contact.surface2.kind, SurfaceKind::Flat);
  // On the face across y the coordinates are z and x.
  EXPECT_NEAR(contact.surface2.param[0], 0.7, kRounding);
  EXPECT_NEAR(contact.surface2.param[1], 0.3, kRounding);
  EXPECT_NEAR(contact.relativeCurvatures[0], 2.0, kRounding);
  EXPECT_NEAR(contact.relativeCurvatures[1], 2.0, kRounding);
  expectNear(contact.position, {0.3, 1.975, 0.7});
}

TEST(ParametricContact, ACylinderOnAPlaneIsCurvedOneWay) {
  const CylinderShape cylinder(0.2, 1.0);
  const CapsuleShape capsule(0.2, 1.0);
  const PlaneShape plane({0, 0, 1});
  for (const Shape* shape :
       {static_cast<const Shape*>(&cylinder), static_cast<const Shape*>(&capsule)}) {
    ParametricContact contact;
    // Its axis along y.
    ASSERT_TRUE(parametricContact(at(*shape, {5, 6, 0.2}, 1, {0.5 * kPi, 0, 0}), at(plane, {}, 2),
                                  contact));
    ASSERT_TRUE(contact.found);
    EXPECT_EQ(contact.surface1.kind, SurfaceKind::Cylindrical);
    EXPECT_NEAR(contact.surface1.param[1], 0.0, kRounding);  // The middle of the line.
    expectConsistent(contact.surface1);
    EXPECT_NEAR(contact.relativeCurvatures[0], 5.0, 1e-13);
    EXPECT_NEAR(contact.relativeCurvatures[1], 0.0, 1e-13);
    EXPECT_NEAR(std::fabs(contact.relativeDirection.x()), 1.0, kRounding);
    expectNear(contact.position, {5, 6, 0}, 1e-13);
  }
}

TEST(ParametricContact, ACapsuleStandsOnItsCap) {
  const CapsuleShape capsule(0.2, 1.0);
  const PlaneShape plane({0, 0, 1});
  ParametricContact contact;
  ASSERT_TRUE(parametricContact(at(capsule, {0, 0, 0.69}, 1), at(plane, {}, 2), contact));
  EXPECT_EQ(contact.surface1.kind, SurfaceKind::Spherical);
  EXPECT_NEAR(contact.surface1.param[1], kPi, kRounding);
  EXPECT_NEAR(contact.relativeCurvatures[1], 5.0, 1e-13);
}

TEST(ParametricContact, CrossedCapsulesFollowTheirAngle) {
  const CapsuleShape thin(0.1, 2.0), thick(0.4, 2.0);
  for (const double angle : {0.2, 0.7, 0.5 * kPi}) {
    ParametricContact contact, mirrored;
    const PlacedShape a = at(thin, {0.49, 0, 0}, 1, {angle, 0, 0}), b = at(thick, {}, 2);
    ASSERT_TRUE(parametricContact(a, b, contact));
    ASSERT_TRUE(contact.found);
    // Curvatures k1 = 10, k2 = 2.5 at the angle a between their directions: the sum has the trace
    // k1 + k2 and the difference of its eigenvalues is sqrt(k1^2 + k2^2 + 2 k1 k2 cos 2a).
    const double cosine = sinCos(2.0 * angle).cos;
    const double spread = std::sqrt(100.0 + 6.25 + 50.0 * cosine);
    EXPECT_NEAR(contact.relativeCurvatures[0], 0.5 * (12.5 + spread), 1e-12);
    EXPECT_NEAR(contact.relativeCurvatures[1], 0.5 * (12.5 - spread), 1e-12);
    EXPECT_NEAR(contact.relativeDirection.dot(contact.normal), 0.0, kRounding);
    ASSERT_TRUE(parametricContact(b, a, mirrored));
    EXPECT_EQ(mirrored.relativeCurvatures, contact.relativeCurvatures);
    EXPECT_EQ(mirrored.surface1.param, contact.surface2.param);
    EXPECT_EQ(mirrored.normal, -contact.normal);
  }
}

TEST(ParametricContact, AConeOnItsSideIsCurvedByItsDistanceFromTheApex) {
  const double radius = 0.3, height = 0.4, side = 0.5;
  const ConeShape cone(radius, height);
  const PlaneShape plane({0, 0, 1});
  // Turned about x so that the side's outward normal (0, h, r)/side in the y-z plane points down.
  const double angle = -(atan2Of(radius, height) + 0.5 * kPi);
  const Mat3 rotation = toMatrix(quatFromRotationVector({angle, 0, 0}));
  const Vec3 rim{0, radius, -0.5 * height};
  ParametricContact contact;
  ASSERT_TRUE(parametricContact({&cone, {rotation, {0, 0, -(rotation * rim).z}}, 1},
                                at(plane, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_EQ(contact.surface1.kind, SurfaceKind::Conical);
  // The middle of the line from apex to rim; there the curvature is h / (r v).
  EXPECT_NEAR(contact.surface1.param[1], 0.5 * side, 1e-13);
  EXPECT_NEAR(contact.relativeCurvatures[0], height / (radius * 0.5 * side), 1e-11);
  EXPECT_NEAR(contact.relativeCurvatures[1], 0.0, 1e-12);
  expectConsistent(contact.surface1);
}

TEST(ParametricContact, FlatFacesHaveNoCurvature) {
  const std::vector<Vector3d> points = {{0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
  const ConvexShape hull(points);
  const SphereShape ball(0.5);
  ParametricContact contact;
  ASSERT_TRUE(parametricContact(at(ball, {-0.2, 0, -0.49}, 1), at(hull, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_EQ(contact.surface2.kind, SurfaceKind::Flat);
  EXPECT_EQ(contact.surface2.principalCurvatures[0], 0.0);
  EXPECT_NEAR(contact.relativeCurvatures[1], 2.0, 1e-13);
}

TEST(ParametricContact, ABallOnATriangleOrOnABallOfACloud) {
  const std::vector<double> heights(9, 0.0);
  const HeightFieldShape field(3, 3, 1.0, 1.0, heights);
  const std::vector<Vector3d> points = {{0, 0, 0}, {3, 0, 0}};
  const PointCloudShape cloud(points, 0.25);
  const SphereShape ball(0.5);
  ParametricContact contact;
  ASSERT_TRUE(parametricContact(at(ball, {0.3, 0.2, 0.49}, 1), at(field, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_EQ(contact.surface2.kind, SurfaceKind::Flat);
  EXPECT_NEAR(contact.relativeCurvatures[1], 2.0, 1e-13);
  ASSERT_TRUE(parametricContact(at(ball, {3, 0, 0.74}, 1), at(cloud, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_NEAR(contact.relativeCurvatures[1], 2.0 + 4.0, 1e-13);
}

TEST(ParametricContact, EdgesAndCornersHaveNoCurvatureToReport) {
  const SphereShape ball(0.5);
  const BoxShape box({1, 1, 1});
  const CylinderShape cylinder(0.5, 1.0);
  const PlaneShape plane({0, 0, 1});
  ParametricContact contact;
  contact.depth = 7.0;
  for (const Vec3& p : {Vec3{1.3, 1.3, 0}, Vec3{1.2, 1.2, 1.2}}) {
    const Status status = parametricContact(at(ball, p, 1), at(box, {}, 2), contact);
    EXPECT_EQ(status.getCode(), StatusCode::UnsupportedPair);
    EXPECT_EQ(status.getObject(), 2u);
  }
  EXPECT_EQ(parametricContact(at(cylinder, {0, 0, 0.6}, 1, {0.5, 0, 0}), at(plane, {}, 2), contact)
                .getCode(),
            StatusCode::UnsupportedPair);
  EXPECT_EQ(contact.depth, 7.0);
}

TEST(ParametricContact, FarApartNothingIsFound) {
  const SphereShape ball(0.5);
  ParametricContact contact;
  ASSERT_TRUE(parametricContact(at(ball, {0, 0, 2}, 1), at(ball, {}, 2), contact));
  EXPECT_FALSE(contact.found);
  ASSERT_TRUE(parametricContact(at(ball, {0, 0, 2}, 1), at(ball, {}, 2), contact, 1.5));
  EXPECT_TRUE(contact.found);
  EXPECT_NEAR(contact.depth, -1.0, kRounding);
}

}  // namespace
}  // namespace abut
