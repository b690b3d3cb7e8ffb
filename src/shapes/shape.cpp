// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/shape.hpp>

#include "shapes/convex_core.hpp"

namespace abut::inline v0_1 {

std::string_view toString(ShapeType type) {
  switch (type) {
    case ShapeType::Sphere:
      return "Sphere";
    case ShapeType::Box:
      return "Box";
    case ShapeType::Capsule:
      return "Capsule";
    case ShapeType::Cylinder:
      return "Cylinder";
    case ShapeType::Cone:
      return "Cone";
    case ShapeType::Convex:
      return "Convex";
    case ShapeType::Plane:
      return "Plane";
    case ShapeType::Mesh:
      return "Mesh";
    case ShapeType::HeightField:
      return "HeightField";
    case ShapeType::PointCloud:
      return "PointCloud";
    case ShapeType::Compound:
      return "Compound";
  }
  return "Unknown";
}

bool Shape::isConvex() const {
  return type_ < ShapeType::Plane;
}

Aabb Shape::computeAabb(const Pose& pose) const {
  return Aabb::transformed(computeLocalAabb(), pose);
}

Eigen::Vector3d Shape::supportPoint(const Eigen::Vector3d& direction) const {
  const FloatEnvironment environment;
  if (!isConvex()) {
    throw Error(StatusCode::UnsupportedPair,
                std::string("supportPoint: a ") + std::string(toString(type_)) +
                    " is not convex and has no support function; ask its parts");
  }
  const ConvexCore core = coreOf(*this);
  const Vec3 d = toVec3(direction);
  const double length = norm(d);
  if (!(length > 0.0) || !isFinite(length)) {
    throw Error(StatusCode::OutOfRange,
                "supportPoint: expected a direction of non-zero finite length, got length " +
                    toText(length));
  }
  return toEigen(support(core, d) + d * (core.radius / length));
}

}  // namespace abut::inline v0_1
