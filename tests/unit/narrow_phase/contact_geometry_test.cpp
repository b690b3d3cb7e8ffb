// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/contact_geometry.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "math/trigonometry.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using Eigen::Vector3d;

/// Lengths here are about a metre; a contact passes through some dozens of roundings.
constexpr double kRounding = 1e-14;

PlacedShape at(const Shape& shape, const Vec3& position, ObjectId id, const Vec3& turn = {}) {
  return {&shape, {toMatrix(quatFromRotationVector(turn)), position}, id};
}

void expectNear(const Vector3d& a, const Vector3d& b, double tolerance = kRounding) {
  EXPECT_NEAR((a - b).norm(), 0.0, tolerance) << a.transpose() << " against " << b.transpose();
}

TEST(EdgeContact, ABoxOnItsEdgeTouchesAPlaneAlongTheEdge) {
  const BoxShape box({1.0, 0.5, 0.5});
  const PlaneShape plane({0, 0, 1});
  EdgeContact contact;
  // The edge lies 0.5 sqrt(2) below the centre, 0.01 m in the plane.
  const double height = 0.5 * std::sqrt(2.0) - 0.01;
  ASSERT_TRUE(
      edgeContact(at(box, {0, 0, height}, 1, {0.25 * kPi, 0, 0}), at(plane, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_NEAR(contact.depth1, 0.01, kRounding);
  EXPECT_NEAR(contact.depth2, 0.01, kRounding);
  expectNear(contact.normal, {0, 0, 1});
  EXPECT_NEAR(std::fabs(contact.edgeDirection.x()), 1.0, kRounding);
  EXPECT_NEAR((contact.point2 - contact.point1).norm(), 2.0, kRounding);
  EXPECT_NEAR(contact.point1.z(), -0.005, kRounding);
}

TEST(EdgeContact, ATiltedCapsuleHasADepthAtEachEnd) {
  const CapsuleShape capsule(0.1, 1.0);
  const BoxShape floor({2, 2, 1});
  // Lying along y but for 0.001 rad: the ends of the axis differ in height by sin(0.001), and below
  // the raised end the side lies radius / cos(0.001) under the axis.
  const double tilt = 1e-3;
  EdgeContact contact;
  ASSERT_TRUE(edgeContact(at(capsule, {0, 0, 1.09}, 1, {0.5 * kPi + tilt, 0, 0}), at(floor, {}, 2),
                          contact));
  ASSERT_TRUE(contact.found);
  EXPECT_NEAR(std::fabs(contact.depth1 - contact.depth2),
              sinCos(tilt).sin - 0.1 * (1.0 / sinCos(tilt).cos - 1.0), kRounding);
  EXPECT_NEAR(std::fabs(contact.edgeDirection.y()), 1.0, 1e-6);
}

TEST(EdgeContact, ParallelCapsulesTouchAlongTheStretchTheyShare) {
  const CapsuleShape capsule(0.25, 2.0);
  EdgeContact contact;
  ASSERT_TRUE(edgeContact(at(capsule, {0.48, 0, 0.5}, 1), at(capsule, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  // z from -0.5 to 1.
  EXPECT_NEAR(std::min(contact.point1.z(), contact.point2.z()), -0.5, kRounding);
  EXPECT_NEAR(std::max(contact.point1.z(), contact.point2.z()), 1.0, kRounding);
  EXPECT_NEAR(contact.depth1, 0.02, kRounding);
  EXPECT_NEAR(contact.depth2, 0.02, kRounding);
}

TEST(EdgeContact, PointsFacesAndGapsAreNotFound) {
  const BoxShape box({0.5, 0.5, 0.5});
  const SphereShape sphere(0.5);
  const PlaneShape plane({0, 0, 1});
  EdgeContact contact;
  ASSERT_TRUE(edgeContact(at(sphere, {0, 0, 0.4}, 1), at(plane, {}, 2), contact));
  EXPECT_FALSE(contact.found);
  ASSERT_TRUE(edgeContact(at(box, {0, 0, 0.4}, 1), at(plane, {}, 2), contact));
  EXPECT_FALSE(contact.found);
  const PlacedShape onEdge = at(box, {0, 0, 0.75}, 1, {0.25 * kPi, 0, 0});
  ASSERT_TRUE(edgeContact(onEdge, at(plane, {}, 2), contact));
  EXPECT_FALSE(contact.found);
  ASSERT_TRUE(edgeContact(onEdge, at(plane, {}, 2), contact, 0.1));
  EXPECT_TRUE(contact.found);
}

TEST(FaceContact, TwoSquaresTurnedByHalfARightAngleShareAnOctagon) {
  const BoxShape box({0.5, 0.5, 0.5});
  FaceContact contact, mirrored;
  const PlacedShape upper = at(box, {3, 4, 5.99}, 1, {0, 0, 0.25 * kPi}),
                    lower = at(box, {3, 4, 5}, 2);
  ASSERT_TRUE(faceContact(upper, lower, contact));
  ASSERT_TRUE(contact.found);
  ASSERT_EQ(contact.polygon.size(), 8u);
  ASSERT_EQ(contact.depths.size(), 8u);
  // The regular octagon around the circle of radius 1/2: area 8 r^2 tan(pi/8) = 2 (sqrt(2) - 1).
  EXPECT_NEAR(contact.area, 2.0 * (std::sqrt(2.0) - 1.0), kRounding);
  expectNear(contact.centroid, {3, 4, 5.495});
  expectNear(contact.normal, {0, 0, 1});
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(contact.depths[i], 0.01, kRounding);
    const Vector3d a = contact.polygon[i] - contact.centroid;
    const Vector3d b = contact.polygon[(i + 1) % 8] - contact.centroid;
    EXPECT_GT(a.cross(b).dot(contact.normal), 0.0);
  }
  ASSERT_TRUE(faceContact(lower, upper, mirrored));
  EXPECT_EQ(mirrored.normal, -contact.normal);
  EXPECT_EQ(mirrored.area, contact.area);
  EXPECT_EQ(mirrored.centroid, contact.centroid);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(mirrored.polygon[i], contact.polygon[(8 - i) % 8]);
  }
}

TEST(FaceContact, ShiftedBoxesShareARectangle) {
  const BoxShape large({1, 1, 0.5}), small({0.5, 0.25, 0.5});
  FaceContact contact;
  ASSERT_TRUE(faceContact(at(small, {0.8, 0, 1.0}, 1), at(large, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  // x from 0.3 to 1, y from -0.25 to 0.25, touching at z = 0.5.
  EXPECT_EQ(contact.polygon.size(), 4u);
  EXPECT_NEAR(contact.area, 0.7 * 0.5, kRounding);
  expectNear(contact.centroid, {0.65, 0, 0.5});
}

TEST(FaceContact, ABoxStandsOnAPlaneWithFourCorners) {
  const BoxShape box({0.3, 0.2, 0.1});
  const PlaneShape plane({0, 0, 1}, 2.0);
  FaceContact contact;
  ASSERT_TRUE(faceContact(at(box, {1, 1, 2.05}, 1, {0, 0, 0.7}), at(plane, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_EQ(contact.polygon.size(), 4u);
  EXPECT_NEAR(contact.area, 0.6 * 0.4, kRounding);
  expectNear(contact.centroid, {1, 1, 1.975});
  EXPECT_NEAR(contact.depths[2], 0.05, kRounding);
}

TEST(FaceContact, ACylinderStandsOnAPlaneWithItsEightAnchoredPoints) {
  const CylinderShape cylinder(0.5, 1.0);
  const PlaneShape plane({0, 0, 1});
  FaceContact contact;
  ASSERT_TRUE(faceContact(at(cylinder, {0, 0, 0.5}, 1), at(plane, {}, 2), contact));
  ASSERT_TRUE(contact.found);
  EXPECT_EQ(contact.polygon.size(), 8u);
  // The octagon inscribed in the disc: 2 sqrt(2) r^2.
  EXPECT_NEAR(contact.area, 0.5 * std::sqrt(2.0), kRounding);
  expectNear(contact.centroid, {0, 0, 0});
}

TEST(ContactGeometry, CompositesPairsOfPlanesAndBadMarginsAreRefused) {
  const auto box = std::make_shared<BoxShape>(Vector3d(0.5, 0.5, 0.5));
  const CompoundShape compound({{box, {}}});
  const PlaneShape floor({0, 0, 1}), ceiling({0, 0, -1}, -2.0);
  EdgeContact edge;
  FaceContact face;
  ParametricContact parametric;
  const PlacedShape a = at(*box, {}, 1), b = at(compound, {0, 0, 1}, 2);
  EXPECT_EQ(edgeContact(a, b, edge).getCode(), StatusCode::UnsupportedPair);
  EXPECT_EQ(faceContact(a, b, face).getCode(), StatusCode::UnsupportedPair);
  EXPECT_EQ(faceContact(at(floor, {}, 1), at(ceiling, {}, 2), face).getCode(),
            StatusCode::UnsupportedPair);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PlacedShape c = at(*box, {0, 0, 1}, 2);
  EXPECT_EQ(edgeContact(a, c, edge, -1.0).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(faceContact(a, c, face, nan).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(parametricContact(a, c, parametric, nan).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(parametricContact(a, {}, parametric).getCode(), StatusCode::NullObject);
}

}  // namespace
}  // namespace abut
