// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/contact_geometry.hpp>

#include "core/guard.hpp"
#include "narrow_phase/dispatch/pair_order.hpp"
#include "narrow_phase/surface/contact_region.hpp"

namespace abut::inline v0_1 {
namespace {

Status checkRegionPair(const char* what, const PlacedShape& object1, const PlacedShape& object2,
                       double margin) {
  Status status = checkPair(object1, object2);
  if (status) status = checkMargin(margin);
  if (!status) return status;
  const bool planes = !object1.shape->isConvex() && !object2.shape->isConvex();
  for (const PlacedShape* object : {&object1, &object2}) {
    const ShapeType type = object->shape->getType();
    if (type <= ShapeType::Plane && !planes) continue;
    return Status::failure(StatusCode::UnsupportedPair,
                           std::string(what) + ": expected two convex shapes or one and a plane, " +
                               "got a " + std::string(toString(type)) +
                               "; query the parts of a composite shape one by one",
                           object->id);
  }
  return {};
}

/// The corner of a region in the contact plane.
struct PlanePoint {
  double x, y;
  int index;  ///< Into the manifold.
};

double turnOf(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Convex hull, counter-clockwise from the smallest (x, y) (Andrew's chain). Returns its size.
int hullOf(PlanePoint* points, int count, PlanePoint* hull) {
  std::sort(points, points + count, [](const PlanePoint& a, const PlanePoint& b) {
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.index < b.index;
  });
  int size = 0;
  for (int i = 0; i < count; ++i) {
    while (size >= 2 && turnOf(hull[size - 2], hull[size - 1], points[i]) <= 0.0) --size;
    hull[size++] = points[i];
  }
  const int lower = size + 1;
  for (int i = count - 2; i >= 0; --i) {
    while (size >= lower && turnOf(hull[size - 2], hull[size - 1], points[i]) <= 0.0) --size;
    hull[size++] = points[i];
  }
  return size - 1;  // The first point came again.
}

/// Area and centroid of the polygon by its fan from the first corner.
void measure(const PairManifold& manifold, const PlanePoint* hull, int size, double& area,
             Vec3& centroid) {
  area = 0.0;
  Vec3 moment;
  const Vec3& origin = manifold.points[hull[0].index].position;
  for (int i = 1; i + 1 < size; ++i) {
    const double part = 0.5 * turnOf(hull[0], hull[i], hull[i + 1]);
    const Vec3 b = manifold.points[hull[i].index].position - origin;
    const Vec3 c = manifold.points[hull[i + 1].index].position - origin;
    area += part;
    moment += (b + c) * (part / 3.0);
  }
  if (area > 0.0) centroid = origin + moment / area;
}

}  // namespace

Status edgeContact(const PlacedShape& object1, const PlacedShape& object2, EdgeContact& result,
                   double margin) try {
  const FloatEnvironment environment;
  Status status = checkRegionPair("edgeContact", object1, object2, margin);
  if (!status) return status;
  const bool swap = mustSwap(object1, object2);
  const PlacedShape& first = swap ? object2 : object1;
  PairGap gap;
  PairManifold manifold;
  contactRegion(makeQuery(first, swap ? object1 : object2, margin, true), gap, manifold);
  result.found = false;
  if (manifold.count < 2 || manifold.type != ContactType::Edge) return {};
  // The ends are the two points farthest apart, the first pair of equals.
  int a = 0, b = 1;
  double length2 = -1.0;
  for (int i = 0; i < manifold.count; ++i) {
    for (int j = i + 1; j < manifold.count; ++j) {
      const double d2 = squaredNorm(manifold.points[j].position - manifold.points[i].position);
      if (!(d2 > length2)) continue;
      length2 = d2;
      a = i;
      b = j;
    }
  }
  if (!(length2 > 0.0)) return {};
  const PairPoint &end1 = manifold.points[a], &end2 = manifold.points[b];
  const Vec3& origin = first.pose.translation;
  result.found = true;
  result.point1 = toEigen(end1.position + origin);
  result.point2 = toEigen(end2.position + origin);
  result.edgeDirection = toEigen(normalized(end2.position - end1.position));
  result.normal = toEigen(swap ? -manifold.normal : manifold.normal);
  result.depth1 = end1.depth;
  result.depth2 = end2.depth;
  return {};
} catch (...) {
  return statusOfException();
}

Status faceContact(const PlacedShape& object1, const PlacedShape& object2, FaceContact& result,
                   double margin) try {
  const FloatEnvironment environment;
  Status status = checkRegionPair("faceContact", object1, object2, margin);
  if (!status) return status;
  const bool swap = mustSwap(object1, object2);
  const PlacedShape& first = swap ? object2 : object1;
  PairGap gap;
  PairManifold manifold;
  contactRegion(makeQuery(first, swap ? object1 : object2, margin, true), gap, manifold);
  result.found = false;
  result.polygon.clear();
  result.depths.clear();
  if (manifold.count < 3 || manifold.type != ContactType::Face) return {};

  const Vec3 t1 = anyPerpendicular(manifold.normal), t2 = cross(manifold.normal, t1);
  PlanePoint points[PairManifold::kMaxPoints], hull[2 * PairManifold::kMaxPoints];
  for (int i = 0; i < manifold.count; ++i) {
    const Vec3& p = manifold.points[i].position;
    points[i] = {dot(p, t1), dot(p, t2), i};
  }
  const int size = hullOf(points, manifold.count, hull);
  double area = 0.0;
  Vec3 centroid;
  if (size >= 3) measure(manifold, hull, size, area, centroid);
  if (!(area > 0.0)) return {};

  const Vec3& origin = first.pose.translation;
  for (int i = 0; i < size; ++i) {
    const PairPoint& p = manifold.points[hull[swap ? (size - i) % size : i].index];
    result.polygon.push_back(toEigen(p.position + origin));
    result.depths.push_back(p.depth);
  }
  result.found = true;
  result.normal = toEigen(swap ? -manifold.normal : manifold.normal);
  result.centroid = toEigen(centroid + origin);
  result.area = area;
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
