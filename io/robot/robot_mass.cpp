// SPDX-License-Identifier: MIT
#include "io/robot/robot_mass.hpp"

#include <memory>

#include <abut/abut.hpp>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"

namespace abut::inline v0_1::io {
namespace {

Mat3 sum(const Mat3& a, const Mat3& b) {
  return {add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
}

std::unique_ptr<Shape> shapeOf(const RobotShape& s) {
  switch (s.kind) {
    case RobotShape::Kind::Sphere:
      return std::make_unique<SphereShape>(s.size.x);
    case RobotShape::Kind::Box:
      return std::make_unique<BoxShape>(
          Eigen::Vector3d(s.size.x * 0.5, s.size.y * 0.5, s.size.z * 0.5));
    case RobotShape::Kind::Capsule:
      return std::make_unique<CapsuleShape>(s.size.x, s.size.y);
    case RobotShape::Kind::Cylinder:
      return std::make_unique<CylinderShape>(s.size.x, s.size.y);
    case RobotShape::Kind::Hull: {
      std::vector<Eigen::Vector3d> points;
      for (const Vec3& p : s.points) points.push_back(toEigen(p));
      return std::make_unique<ConvexShape>(points);
    }
    case RobotShape::Kind::Plane:
    case RobotShape::Kind::Field:
      break;
  }
  return std::make_unique<PlaneShape>(Eigen::Vector3d(0, 0, 1));
}

/// Whether a symmetric matrix has no eigenvalue below `least`, by the pivots of M - least 1.
bool isAbove(const Mat3& m, double least) {
  const double a = m.x.x - least;
  if (!(a > 0.0)) return false;
  const double b = (m.y.y - least) - m.x.y * (m.x.y / a);
  const double c = m.y.z - m.x.z * (m.x.y / a);
  if (!(b > 0.0)) return false;
  return (m.z.z - least) - (m.x.z * (m.x.z / a) + c * (c / b)) > 0.0;
}

}  // namespace

Mat3 steiner(double mass, const Vec3& d) {
  const double d2 = dotOf(d, d);
  return {{mass * (d2 - d.x * d.x), -mass * d.x * d.y, -mass * d.x * d.z},
          {-mass * d.x * d.y, mass * (d2 - d.y * d.y), -mass * d.y * d.z},
          {-mass * d.x * d.z, -mass * d.y * d.z, mass * (d2 - d.z * d.z)}};
}

RobotMass placed(const RobotMass& m, const Pose& pose) {
  const Mat3& r = pose.rotation;
  return {m.mass, add(rotate(r, m.center), pose.translation),
          times(r, times(m.tensor, transposed(r)))};
}

RobotMass sumOf(const RobotMass& a, const RobotMass& b) {
  if (a.mass == 0.0 && a.tensor.x.x == 0.0) return b;
  if (b.mass == 0.0 && b.tensor.x.x == 0.0) return a;
  const double mass = a.mass + b.mass;
  const Vec3 center =
      mass > 0.0 ? scaled(add(scaled(a.center, a.mass), scaled(b.center, b.mass)), 1.0 / mass)
                 : a.center;
  return {mass, center,
          sum(sum(a.tensor, steiner(a.mass, subtract(a.center, center))),
              sum(b.tensor, steiner(b.mass, subtract(b.center, center))))};
}

RobotMass massOf(const RobotShape& shape, double density) {
  MassProperties m;
  try {
    shapeOf(shape)->computeMass(density, m).orThrow();
  } catch (const Error& error) {
    throw InputError(error.what());
  }
  const RobotMass own{m.mass,
                      toVec3(m.center),
                      {{m.inertia.x(), m.products.x(), m.products.y()},
                       {m.products.x(), m.inertia.y(), m.products.z()},
                       {m.products.y(), m.products.z(), m.inertia.z()}}};
  return placed(own, shape.pose);
}

std::string faultOfTensor(const Mat3& t) {
  constexpr double kTriangleSlack = 1e-6;  // Moments in files are rounded.
  constexpr double kLeastPivot = 1e-14;    // Pivots are known to about 1e-16 of the trace.
  const double trace = (t.x.x + t.y.y) + t.z.z;
  if (!isAbove(t, kLeastPivot * trace)) return "is not positive definite";
  const Mat3 half{{0.5 * trace - t.x.x, -t.x.y, -t.x.z},
                  {-t.y.x, 0.5 * trace - t.y.y, -t.y.z},
                  {-t.z.x, -t.z.y, 0.5 * trace - t.z.z}};
  if (!isAbove(half, -kTriangleSlack * trace))
    return "has a principal moment above the sum of the others, which no solid has";
  return "";
}

}  // namespace abut::inline v0_1::io
