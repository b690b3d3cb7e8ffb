// SPDX-License-Identifier: MIT
#include "support/specimen.hpp"

#include <cmath>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/oracle.hpp"

namespace abut::test {
namespace {

/// Rim point of a disc about z along d; the centre if d is along z.
Vector rimPoint(double radius, double z, const Vector& d) {
  const double length = std::hypot(d.x(), d.y());
  if (length == 0.0) return {0.0, 0.0, z};
  return {radius * d.x() / length, radius * d.y() / length, z};
}

const Vector& farthest(const std::vector<Vector>& points, const Vector& d) {
  std::size_t best = 0;
  double bestValue = points[0].dot(d);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double value = points[i].dot(d);
    if (value > bestValue) {
      bestValue = value;
      best = i;
    }
  }
  return points[best];
}

}  // namespace

Specimen Specimen::sphere(double radius) {
  Specimen s;
  s.kind = Kind::Sphere;
  s.radius = radius;
  return s;
}

Specimen Specimen::box(const Vector& half) {
  Specimen s;
  s.kind = Kind::Box;
  s.half = half;
  return s;
}

Specimen Specimen::capsule(double radius, double length) {
  Specimen s;
  s.kind = Kind::Capsule;
  s.radius = radius;
  s.height = length;
  return s;
}

Specimen Specimen::cylinder(double radius, double height) {
  Specimen s = capsule(radius, height);
  s.kind = Kind::Cylinder;
  return s;
}

Specimen Specimen::cone(double radius, double height) {
  Specimen s = capsule(radius, height);
  s.kind = Kind::Cone;
  return s;
}

Specimen Specimen::hull(std::vector<Vector> points) {
  Specimen s;
  s.kind = Kind::Hull;
  s.points = std::move(points);
  return s;
}

Vector Specimen::support(const Vector& d) const {
  switch (kind) {
    case Kind::Sphere:
      return d * (radius / d.norm());
    case Kind::Box:
      return {std::copysign(half.x(), d.x()), std::copysign(half.y(), d.y()),
              std::copysign(half.z(), d.z())};
    case Kind::Capsule:
      return d * (radius / d.norm()) + Vector(0.0, 0.0, std::copysign(0.5 * height, d.z()));
    case Kind::Cylinder:
      return rimPoint(radius, std::copysign(0.5 * height, d.z()), d);
    case Kind::Cone: {
      const Vector apex(0.0, 0.0, 0.5 * height);
      const Vector rim = rimPoint(radius, -0.5 * height, d);
      return apex.dot(d) >= rim.dot(d) ? apex : rim;
    }
    case Kind::Hull:
      return farthest(points, d);
  }
  return {};
}

double Specimen::extent() const {
  switch (kind) {
    case Kind::Sphere:
      return radius;
    case Kind::Box:
      return half.norm();
    case Kind::Capsule:
      return radius + 0.5 * height;
    case Kind::Cylinder:
    case Kind::Cone:
      return std::hypot(radius, 0.5 * height);
    case Kind::Hull: {
      double largest = 0.0;
      for (const Vector& p : points) largest = std::max(largest, p.norm());
      return largest;
    }
  }
  return 0.0;
}

std::vector<Vector> Specimen::corners() const {
  switch (kind) {
    case Kind::Sphere:
      return {Vector(0.0, 0.0, 0.0)};
    case Kind::Capsule:
      return {Vector(0.0, 0.0, -0.5 * height), Vector(0.0, 0.0, 0.5 * height)};
    case Kind::Box: {
      std::vector<Vector> result;
      for (int i = 0; i < 8; ++i) {
        result.emplace_back((i & 1) != 0 ? half.x() : -half.x(),
                            (i & 2) != 0 ? half.y() : -half.y(),
                            (i & 4) != 0 ? half.z() : -half.z());
      }
      return result;
    }
    case Kind::Hull:
      return points;
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return {};
}

std::shared_ptr<const Shape> Specimen::shape() const {
  switch (kind) {
    case Kind::Sphere:
      return std::make_shared<SphereShape>(radius);
    case Kind::Box:
      return std::make_shared<BoxShape>(half);
    case Kind::Capsule:
      return std::make_shared<CapsuleShape>(radius, height);
    case Kind::Cylinder:
      return std::make_shared<CylinderShape>(radius, height);
    case Kind::Cone:
      return std::make_shared<ConeShape>(radius, height);
    case Kind::Hull:
      return std::make_shared<ConvexShape>(points);
  }
  return nullptr;
}

Body::Body(Specimen s, const Matrix& r, const Vector& p)
    : specimen(std::move(s)), shape(specimen.shape()), rotation(r), position(p) {
  if (specimen.kind == Specimen::Kind::Hull) {
    facets = std::make_shared<const std::vector<HalfSpace>>(hullFacets(specimen.points));
  }
}

Vector Body::support(const Vector& d) const {
  return rotation * specimen.support(rotation.transpose() * d) + position;
}

PlacedShape Body::placed(ObjectId id) const {
  return place(*shape, rotation, position, id);
}

Pose makePose(const Matrix& rotation, const Vector& position) {
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
  transform.linear() = rotation;
  transform.translation() = position;
  return poseFrom(transform);
}

PlacedShape place(const Shape& shape, const Matrix& rotation, const Vector& position, ObjectId id) {
  return {&shape, makePose(rotation, position), id};
}

std::vector<Vector> randomPoints(Generator& random, int n, double radius, double stretch) {
  Vector scale;
  for (int i = 0; i < 3; ++i) scale[i] = radius * random.logRange(1.0, stretch);
  std::vector<Vector> points;
  for (int i = 0; i < n; ++i) points.emplace_back(random.direction().cwiseProduct(scale));
  return points;
}

Specimen randomSpecimen(Generator& random, Specimen::Kind kind, double low, double high,
                        int maxVertices) {
  double length[3];
  for (double& l : length) l = random.logRange(low, high);
  switch (kind) {
    case Specimen::Kind::Sphere:
      return Specimen::sphere(length[0]);
    case Specimen::Kind::Box:
      return Specimen::box({length[0], length[1], length[2]});
    case Specimen::Kind::Capsule:
      return Specimen::capsule(length[0], length[1]);
    case Specimen::Kind::Cylinder:
      return Specimen::cylinder(length[0], length[1]);
    case Specimen::Kind::Cone:
      return Specimen::cone(length[0], length[1]);
    case Specimen::Kind::Hull: {
      const int n = 4 + random.below(maxVertices - 3);
      return Specimen::hull(randomPoints(random, n, low, high / low));
    }
  }
  return {};
}

}  // namespace abut::test
