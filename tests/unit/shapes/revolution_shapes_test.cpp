// SPDX-License-Identifier: MIT
// Cylinder and cone: boxes, mass, point distance, rays, features.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>

#include "math/pose.hpp"
#include "shapes/convex_core.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using test::Random;

/// The point lies in the solid of revolution within tolerance.
bool insideCylinder(const Vec3& p, double r, double h, double tolerance) {
  return std::hypot(p.x, p.y) <= r + tolerance && std::fabs(p.z) <= 0.5 * h + tolerance;
}
bool insideCone(const Vec3& p, double r, double h, double tolerance) {
  return p.z >= -0.5 * h - tolerance && std::hypot(p.x, p.y) <= r * (0.5 * h - p.z) / h + tolerance;
}

TEST(CylinderShape, RejectsSizesOutsideTheRange) {
  EXPECT_THROW(CylinderShape(0.0, 1.0), Error);
  EXPECT_THROW(CylinderShape(1.0, -1.0), Error);
  EXPECT_THROW(CylinderShape(std::nan(""), 1.0), Error);
  EXPECT_THROW(ConeShape(1.0, 1e7), Error);
  EXPECT_THROW(ConeShape(std::numeric_limits<double>::infinity(), 1.0), Error);
  EXPECT_NO_THROW(ConeShape(1e-6, 1e6));
}

TEST(CylinderShape, MassFollowsTheClosedForms) {
  // r = 0.5, h = 2, density 3: m = 3 pi/2, Ixx = m (3/4 + 4)/12, Izz = m/8.
  const double m = 1.5 * std::acos(-1.0);
  MassProperties mass;
  ASSERT_TRUE(CylinderShape(0.5, 2.0).computeMass(3.0, mass).isOk());
  EXPECT_NEAR(mass.mass, m, 1e-15 * m);
  EXPECT_EQ(mass.center, Eigen::Vector3d(0, 0, 0));
  EXPECT_NEAR(mass.inertia.x(), m * 4.75 / 12, 1e-15 * m);
  EXPECT_EQ(mass.inertia.x(), mass.inertia.y());
  EXPECT_NEAR(mass.inertia.z(), m / 8, 1e-15 * m);
  EXPECT_EQ(mass.products, Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(CylinderShape(0.5, 2.0).computeMass(0.0, mass).getCode(), StatusCode::OutOfRange);
}

TEST(ConeShape, MassFollowsTheClosedFormsAboutACentreAQuarterUp) {
  // r = 0.5, h = 2, density 3: m = pi/2; centre at -h/4; Ixx = m (3/20 r^2 + 3/80 h^2).
  const double m = 0.5 * std::acos(-1.0);
  MassProperties mass;
  ASSERT_TRUE(ConeShape(0.5, 2.0).computeMass(3.0, mass).isOk());
  EXPECT_NEAR(mass.mass, m, 1e-15);
  EXPECT_EQ(mass.center, Eigen::Vector3d(0, 0, -0.5));
  EXPECT_NEAR(mass.inertia.x(), m * (0.15 * 0.25 + 0.0375 * 4), 1e-15);
  EXPECT_NEAR(mass.inertia.z(), m * 0.3 * 0.25, 1e-15);
  EXPECT_EQ(ConeShape(0.5, 2.0).computeMass(-1.0, mass).getCode(), StatusCode::OutOfRange);
}

TEST(RevolutionShapes, WorldBoxIsTheSupportAlongEachAxis) {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const double r = random.between(0.1, 2), h = random.between(0.1, 2);
    const CylinderShape cylinder(r, h);
    const ConeShape cone(r, h);
    Pose pose;
    pose.rotation = trial == 0 ? Mat3{} : random.rotation();
    pose.translation = random.direction() * 3.0;
    for (const Shape* shape :
         {static_cast<const Shape*>(&cylinder), static_cast<const Shape*>(&cone)}) {
      const Aabb box = shape->computeAabb(pose);
      for (int axis = 0; axis < 3; ++axis) {
        for (double sign : {-1.0, 1.0}) {
          Eigen::Vector3d d = Eigen::Vector3d::Zero();
          d[axis] = sign;
          const Vec3 local = transposeTimes(pose.rotation, toVec3(d));
          const Eigen::Vector3d far =
              toEigen(apply(pose, toVec3(shape->supportPoint(toEigen(local)))));
          const double bound = sign > 0 ? box.max_[axis] : box.min_[axis];
          EXPECT_GE(sign * (bound - far[axis]), 0.0);
          EXPECT_LE(sign * (bound - far[axis]), 5e-14);
        }
      }
      EXPECT_LE(shape->boundingRadius(), std::hypot(r, 0.5 * h) * (1 + 1e-15));
    }
  }
}

TEST(RevolutionShapes, SignedDistanceIsExactAtNamedPlaces) {
  const CylinderShape cylinder(1.0, 4.0);
  EXPECT_EQ(cylinder.signedDistance({0, 0, 0}), -1.0);
  EXPECT_EQ(cylinder.signedDistance({3, 0, 1}), 2.0);
  EXPECT_EQ(cylinder.signedDistance({0, 0, 5}), 3.0);
  EXPECT_EQ(cylinder.signedDistance({0, 4, 6}), 5.0);  // 3-4-5 from the rim.
  EXPECT_EQ(cylinder.signedDistance({0, 0, 1.75}), -0.25);
  // Cone with r = 3, h = 4: slant 5, the side's normal (4, 3)/5 in (rho, z).
  const ConeShape cone(3.0, 4.0);
  EXPECT_EQ(cone.signedDistance({0, 0, 3}), 1.0);
  EXPECT_EQ(cone.signedDistance({1, 0, -5}), 3.0);
  EXPECT_EQ(cone.signedDistance({6, 0, -6}), 5.0);
  EXPECT_NEAR(cone.signedDistance({0, 0, 0}), -1.2, 1e-15);
  EXPECT_NEAR(cone.signedDistance({1.5 + 1.6, 0, 1.2}), 2.0, 1e-15);
  EXPECT_EQ(cone.signedDistance({0, 0, -1.75}), -0.25);
}

TEST(RevolutionShapes, SignedDistanceAgreesWithTheSupportFunction) {
  // Outside: distance = max over n of n.p - h(n); inside: -min over n of h(n) - n.p. The maximum is
  // over the meridian plane of the point only.
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const double r = random.between(0.2, 2), h = random.between(0.2, 2);
    const CylinderShape cylinder(r, h);
    const ConeShape cone(r, h);
    const Vec3 p = random.direction() * random.between(0, 2);
    const double rho = std::hypot(p.x, p.y);
    const Vec3 across{p.x / rho, p.y / rho, 0};
    for (const Shape* shape :
         {static_cast<const Shape*>(&cylinder), static_cast<const Shape*>(&cone)}) {
      const ConvexCore core = coreOf(*shape);
      double best = -1e9;
      for (int i = 0; i < 20000; ++i) {
        const double angle = 2 * std::acos(-1.0) * i / 20000;
        const Vec3 n = across * std::cos(angle) + Vec3{0, 0, std::sin(angle)};
        best = std::max(best, dot(n, p) - dot(n, support(core, n)));
      }
      const double distance = shape->signedDistance(toEigen(p));
      EXPECT_GE(distance, best - 1e-14);
      EXPECT_LE(distance, best + 2e-3);
    }
  }
}

template <class Inside>
void checkRays(const Shape& shape, double r, double h, Inside inside, Random& random) {
  const Vec3 target = random.direction() * random.between(0, 1.2 * std::hypot(r, 0.5 * h));
  const Vec3 origin = random.direction() * random.between(0, 4);
  Ray ray;
  ray.origin = toEigen(origin);
  ray.direction = toEigen((target - origin) * random.between(0.1, 10));
  ray.maxFraction = std::numeric_limits<double>::infinity();
  RayHit hit;
  const Vec3 d = toVec3(ray.direction);
  const double size = norm(origin) + r + h;
  if (shape.raycast(ray, hit)) {
    EXPECT_TRUE(inside(toVec3(hit.point), r, h, 1e-12 * size));
    EXPECT_NEAR(std::sqrt(hit.normal.squaredNorm()), 1.0, 1e-14);
    EXPECT_LE(dot(toVec3(hit.normal), d), 0.0);
    if (hit.fraction > 0) {
      // The point is on the boundary, and the normal supports the shape there.
      EXPECT_NEAR(shape.signedDistance(hit.point), 0.0, 1e-13 * size);
      const Vec3 n = toVec3(hit.normal);
      EXPECT_NEAR(dot(n, support(coreOf(shape), n)), dot(n, toVec3(hit.point)), 1e-7);
    } else {
      EXPECT_LE(shape.signedDistance(ray.origin), 1e-13);
    }
  }
  // Marching finds nothing before the hit.
  const double end = shape.raycast(ray, hit) ? hit.fraction : 20.0 / norm(d);
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(inside(origin + d * (end * (i / 50.0)), r, h, -1e-9) && end > 0);
  }
}

TEST(RevolutionShapes, RaysHitWhereTheyEnterAndNowhereBefore) {
  Random random(21);
  for (int trial = 0; trial < 4000; ++trial) {
    const double r = random.between(0.2, 2), h = random.between(0.2, 2);
    checkRays(CylinderShape(r, h), r, h, insideCylinder, random);
    checkRays(ConeShape(r, h), r, h, insideCone, random);
  }
}

TEST(RevolutionShapes, RaysAlongTheAxisAndFromInside) {
  const CylinderShape cylinder(1.0, 2.0);
  const ConeShape cone(1.0, 2.0);
  RayHit hit;
  Ray down{{0, 0, 5}, {0, 0, -2}, 10.0};
  ASSERT_TRUE(cylinder.raycast(down, hit));
  EXPECT_EQ(hit.fraction, 2.0);
  EXPECT_EQ(hit.normal, Eigen::Vector3d(0, 0, 1));
  ASSERT_TRUE(cone.raycast(down, hit));
  EXPECT_EQ(hit.fraction, 2.0);
  EXPECT_EQ(hit.normal, Eigen::Vector3d(0, 0, 1));
  Ray up{{0.5, 0, -3}, {0, 0, 1}, 10.0};
  ASSERT_TRUE(cone.raycast(up, hit));
  EXPECT_EQ(hit.fraction, 2.0);
  EXPECT_EQ(hit.normal, Eigen::Vector3d(0, 0, -1));
  Ray inside{{0.1, 0, 0}, {0, 0, 1}, 10.0};
  ASSERT_TRUE(cone.raycast(inside, hit));
  EXPECT_EQ(hit.fraction, 0.0);
  EXPECT_EQ(hit.normal, Eigen::Vector3d(0, 0, -1));
  Ray shortRay{{0, 0, 5}, {0, 0, -2}, 1.9};
  EXPECT_FALSE(cylinder.raycast(shortRay, hit));
  EXPECT_FALSE(cone.raycast(shortRay, hit));
  // Through the mirror image of the cone above its apex only.
  Ray above{{-5, 0, 3}, {1, 0, 0}, 100.0};
  EXPECT_FALSE(cone.raycast(above, hit));
}

TEST(RevolutionShapes, SupportFeaturesAreCapSideRimAndApex) {
  const double cosTolerance = std::cos(0.02);
  ConvexCore core = coreOf(CylinderShape(1.0, 2.0));
  SupportFeature f;
  supportFeature(core, {0, 0, 1}, cosTolerance, f);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Face, 2}));
  EXPECT_TRUE(f.isDisc);
  EXPECT_EQ(f.count, 8);
  // Counter-clockwise along d, all on the rim.
  for (int sign : {-1, 1}) {
    const Vec3 d{0, 0, static_cast<double>(sign)};
    supportFeature(core, d, cosTolerance, f);
    for (int i = 0; i < f.count; ++i) {
      const Vec3 a = f.vertices[i], b = f.vertices[(i + 1) % f.count];
      EXPECT_GT(dot(cross(a - f.discCenter, b - f.discCenter), d), 0.5);
      EXPECT_NEAR(std::hypot(a.x, a.y), 1.0, 1e-15);
    }
  }
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Face, 2}));
  supportFeature(core, {0.6, 0.8, 0.0}, cosTolerance, f);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Face, 0}));
  EXPECT_FALSE(f.isDisc);
  EXPECT_EQ(f.count, 2);
  supportFeature(core, {0.6, 0, -0.8}, cosTolerance, f);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Edge, 0}));
  EXPECT_EQ(f.vertices[0], (Vec3{1, 0, -1}));

  core = coreOf(ConeShape(3.0, 4.0));
  supportFeature(core, {0, 0, -1}, cosTolerance, f);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Face, 1}));
  supportFeature(core, {0, 0, 1}, cosTolerance, f);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Vertex, 0}));
  supportFeature(core, {0.8, 0, 0.6}, cosTolerance, f);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Face, 0}));
  EXPECT_EQ(f.vertices[1], (Vec3{0, 0, 2}));
  supportFeature(core, {1, 0, 0}, cosTolerance, f);
  EXPECT_EQ(f.feature, (Feature{Feature::Kind::Edge, 0}));
}

}  // namespace
}  // namespace abut
