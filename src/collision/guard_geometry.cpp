// SPDX-License-Identifier: MIT
#include "collision/guard_geometry.hpp"

#include <abut/math/convert.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "shapes/compound_data.hpp"
#include "shapes/mesh_data.hpp"

namespace abut::inline v0_1 {

double leastPartWidth(const Shape& shape, double halfWidth) {
  if (shape.getType() == ShapeType::Mesh) {
    const double thickness = static_cast<const MeshShape&>(shape).getMesh().thickness;
    return thickness > 0.0 ? minOf(halfWidth, thickness) : halfWidth;
  }
  if (shape.getType() != ShapeType::Compound) return halfWidth;
  return static_cast<const CompoundShape&>(shape).getCompound().halfWidth;
}

double partWidth(const Shape& shape, std::uint64_t subShape, double halfWidth) {
  if (shape.getType() != ShapeType::Compound) return halfWidth;
  const CompoundData& parts = static_cast<const CompoundShape&>(shape).getCompound();
  return parts.halfWidths[static_cast<std::size_t>(subShape >> 32)];
}

bool staysBefore(const Course& course, double radius, const Shape& plane, const Pose& place,
                 double reach) {
  const auto& p = static_cast<const PlaneShape&>(plane);
  const Vec3 n = place.rotation * toVec3(p.getNormal());
  const double height = dot(n, course.center - place.translation) - p.getOffset();
  return minOf(height, height + dot(n, course.way)) > radius + reach;
}

}  // namespace abut::inline v0_1
