// SPDX-License-Identifier: MIT
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/contact_geometry.hpp>
#include <abut/shapes/compound_shape.hpp>

#include "core/guard.hpp"
#include "narrow_phase/cast/sweep.hpp"
#include "narrow_phase/dispatch/pair_order.hpp"
#include "narrow_phase/dispatch/pair_table.hpp"
#include "narrow_phase/surface/contact_region.hpp"
#include "narrow_phase/surface/surface_geometry.hpp"
#include "shapes/compound_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// The part of a shape that a sub-shape number names.
MovingPart partNamed(const Shape& shape, std::uint64_t subShape) {
  const auto item = static_cast<std::uint32_t>(subShape);
  if (shape.getType() != ShapeType::Compound) return partOf(leafOf(shape, {}, 0), item);
  const auto child = static_cast<std::size_t>(subShape >> 32);
  const CompoundShape::Child& c =
      static_cast<const CompoundShape&>(shape).getCompound().children[child];
  return partOf(leafOf(*c.shape, c.pose, 0), item);
}

/// Where the shapes touch: the middle of the region if it is more than a point.
Vec3 contactPosition(const PairQuery& query, PairGap& gap) {
  if (query.shape2.getType() > ShapeType::Plane || !query.shape1.isConvex()) {
    pairFunctions(query.shape1.getType(), query.shape2.getType()).distance(query, gap);
    return (gap.p1 + gap.p2) * 0.5;
  }
  PairManifold manifold;
  contactRegion(query, gap, manifold);
  if (manifold.count < 2) return (gap.p1 + gap.p2) * 0.5;
  Vec3 sum;
  for (int i = 0; i < manifold.count; ++i) sum += manifold.points[i].position;
  return sum / static_cast<double>(manifold.count);
}

/// Curvature as a symmetric 2x2 form in the contact plane.
struct Bending {
  double xx = 0.0, xy = 0.0, yy = 0.0;

  void add(double curvature, double x, double y) {
    xx += curvature * (x * x);
    xy += curvature * (x * y);
    yy += curvature * (y * y);
  }
};

/// Adds a surface's form, given its principal direction.
void addSurface(const SurfacePoint& surface, const Vec3& direction, const Vec3& t1, const Vec3& t2,
                Bending& bending) {
  const double x = dot(direction, t1), y = dot(direction, t2);
  bending.add(surface.principalCurvatures[0], x, y);
  bending.add(surface.principalCurvatures[1], -y, x);
}

/// Eigenvalues of the form, larger first, and the direction of the larger one.
void diagonalize(const Bending& f, const Vec3& t1, const Vec3& t2, ParametricContact& result) {
  const double mean = 0.5 * (f.xx + f.yy), half = 0.5 * (f.xx - f.yy);
  const double radius = std::sqrt(half * half + f.xy * f.xy);
  result.relativeCurvatures = {mean + radius, mean - radius};
  // (half + radius, xy) and (xy, radius - half) are both eigenvectors: the longer one.
  Vec3 direction = t1;
  if (radius > 0.0) {
    direction = half >= 0.0 ? t1 * (half + radius) + t2 * f.xy : t1 * f.xy + t2 * (radius - half);
    direction = normalized(direction);
  }
  result.relativeDirection = toEigen(direction);
}

/// Surface of one object at a place (frame of the pair query), written with a world direction.
Status describe(const PlacedShape& object, std::uint64_t subShape, const Pose& pose,
                const Vec3& position, const Vec3& outward, SurfacePoint& surface, Vec3& direction) {
  const MovingPart part = partNamed(*object.shape, subShape);
  const Pose place = compose(pose, part.local);
  Vec3 local;
  if (!surfaceAt(part, applyInverse(place, position), transposeTimes(place.rotation, outward),
                 surface, local)) {
    return Status::failure(
        StatusCode::UnsupportedPair,
        "parametricContact: a vertex, edge or rim of a " +
            std::string(toString(object.shape->getType())) +
            " touches, where curvature is not defined; use collide(), or round the shape",
        object.id);
  }
  direction = place.rotation * local;
  surface.principalDirection = toEigen(direction);
  return {};
}

}  // namespace

Status parametricContact(const PlacedShape& object1, const PlacedShape& object2,
                         ParametricContact& result, double margin) try {
  const FloatEnvironment environment;
  Status status = checkPair(object1, object2);
  if (status) status = checkMargin(margin);
  if (!status) return status;
  const bool swap = mustSwap(object1, object2);
  const PlacedShape& first = swap ? object2 : object1;
  const PlacedShape& second = swap ? object1 : object2;
  const PairQuery query = makeQuery(first, second, margin, true);
  PairGap gap;
  const Vec3 position = contactPosition(query, gap);
  if (gap.gap > margin && gap.status != QueryStatus::Touching) {
    result.found = false;
    return {};
  }
  // On each surface half the gap away from the middle.
  const Vec3 toSurface = gap.normal * (0.5 * gap.gap);
  ParametricContact contact;
  SurfacePoint& surface1 = swap ? contact.surface2 : contact.surface1;
  SurfacePoint& surface2 = swap ? contact.surface1 : contact.surface2;
  Vec3 direction1, direction2;
  status = describe(first, gap.subShape1, query.pose1, position + toSurface, -gap.normal, surface1,
                    direction1);
  if (status) {
    status = describe(second, gap.subShape2, query.pose2, position - toSurface, gap.normal,
                      surface2, direction2);
  }
  if (!status) return status;
  const Vec3 t1 = anyPerpendicular(gap.normal), t2 = cross(gap.normal, t1);
  Bending bending;
  addSurface(surface1, direction1, t1, t2, bending);
  addSurface(surface2, direction2, t1, t2, bending);
  diagonalize(bending, t1, t2, contact);
  contact.found = true;
  contact.position = toEigen(position + first.pose.translation);
  contact.normal = toEigen(swap ? -gap.normal : gap.normal);
  contact.depth = -gap.gap;
  result = contact;
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
