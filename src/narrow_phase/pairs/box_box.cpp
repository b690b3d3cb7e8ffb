// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>

#include "narrow_phase/box/box_distance.hpp"
#include "narrow_phase/box/box_patch.hpp"
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"
#include "narrow_phase/tolerances.hpp"
#include "shapes/box_features.hpp"

namespace abut::inline v0_1 {
namespace {

/// A gap along an axis beyond this, times the size, is no rounding: the distance is Euclidean then.
constexpr double kGapRounding = 4e-16;

Vec3 halfOf(const Shape& shape) {
  return toVec3(static_cast<const BoxShape&>(shape).getHalfExtents());
}

BoxPair relate(const PairQuery& query) {
  return relateBoxes(halfOf(query.shape1), halfOf(query.shape2), query.pose1.rotation,
                     query.pose2.rotation, query.pose2.translation);
}

double& component(Vec3& v, std::uint32_t axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}
double component(const Vec3& v, std::uint32_t axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}
const Vec3& component(const Mat3& m, std::uint32_t axis) {
  return axis == 0 ? m.x : (axis == 1 ? m.y : m.z);
}

std::uint32_t largestAxis(const Vec3& v) {
  const Vec3 a = absOf(v);
  return a.x >= a.y && a.x >= a.z ? 0u : (a.y >= a.z ? 1u : 2u);
}

/// Looks from a face of box 1 (against the normal) or of box 2 (along it).
BoxFaceView viewFrom1(const PairQuery& query, const BoxPair& pair, std::uint32_t axis,
                      const Vec3& normal, const Vec3& normalWorld) {
  return {pair.half1, pair.half2, pair.axes2,           pair.center2, axis,
          -normal,    true,       query.pose1.rotation, {},           -normalWorld};
}
BoxFaceView viewFrom2(const PairQuery& query, const BoxPair& pair, std::uint32_t axis,
                      const Vec3& normal2, const Vec3& normalWorld) {
  return {pair.half2, pair.half1, transpose(pair.axes2), -pair.center2In2,        axis,
          normal2,    false,      query.pose2.rotation,  query.pose2.translation, normalWorld};
}

Vec3 unitVector(std::uint32_t axis, double sign) {
  return {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
}

/// The witness of an edge-edge axis: the nearest points of the two edges.
PairPoint crossingPoint(const PairQuery& query, const BoxPair& pair, const BoxAxis& axis) {
  const std::uint32_t i = axis.axis1, j = axis.axis2;
  const std::uint32_t vertex1 = signBits(-axis.normal);
  const std::uint32_t vertex2 = signBits(transposeTimes(pair.axes2, axis.normal));
  // Middles of the edges.
  Vec3 on1 = boxVertex(pair.half1, vertex1), on2 = boxVertex(pair.half2, vertex2);
  component(on1, i) = 0.0;
  component(on2, j) = 0.0;
  const Vec3 u = unitVector(i, 1.0), v = component(pair.axes2, j);
  const double limit1 = component(pair.half1, i), limit2 = component(pair.half2, j);
  const Vec3 middle2 = pair.center2 + pair.axes2 * on2;
  const Vec3 apart = middle2 - on1;
  const double cosine = dot(u, v), sine2 = squaredNorm(cross(u, v));
  const double alongU = dot(apart, u), alongV = dot(apart, v);
  const double s = clampTo((alongU - cosine * alongV) / sine2, -limit1, limit1);
  const double t = clampTo((cosine * alongU - alongV) / sine2, -limit2, limit2);
  const Vec3 position = ((on1 + u * s) + (middle2 + v * t)) * 0.5;
  return {query.pose1.rotation * position,
          axis.depth,
          {Feature::Kind::Edge, boxEdge(i, vertex1)},
          {Feature::Kind::Edge, boxEdge(j, vertex2)}};
}

/// The witness of a face axis when clipping lost it to rounding: the other box's support vertex.
PairPoint supportPoint(const PairQuery& query, const BoxPair& pair, const BoxAxis& axis,
                       const Vec3& normalWorld) {
  if (axis.kind == BoxAxis::Kind::Face1) {
    const std::uint32_t vertex = signBits(transposeTimes(pair.axes2, axis.normal));
    const Vec3 p2 = pair.center2 + pair.axes2 * boxVertex(pair.half2, vertex);
    return {query.pose1.rotation * p2 - normalWorld * (0.5 * axis.depth),
            axis.depth,
            {Feature::Kind::Face, boxFace(axis.axis1, signBits(-axis.normal))},
            {Feature::Kind::Vertex, vertex}};
  }
  const std::uint32_t vertex = signBits(-axis.normal);
  const std::uint32_t side = signBits(transposeTimes(pair.axes2, axis.normal));
  const Vec3 p1 = boxVertex(pair.half1, vertex);
  return {query.pose1.rotation * p1 + normalWorld * (0.5 * axis.depth),
          axis.depth,
          {Feature::Kind::Vertex, vertex},
          {Feature::Kind::Face, boxFace(axis.axis2, side)}};
}

/// Points along a normal that lies within a degree of a face of either box; -infinity if of none.
double addFlushPatch(const PairQuery& query, const BoxPair& pair, const Vec3& normal,
                     const Vec3& normalWorld, double allowed, PairManifold& manifold) {
  const Vec3 normal2 = transposeTimes(pair.axes2, normal);
  const double cosine1 = maxElement(absOf(normal)), cosine2 = maxElement(absOf(normal2));
  if (maxOf(cosine1, cosine2) < kFlushCosine) return -std::numeric_limits<double>::infinity();
  const BoxFaceView view = cosine1 >= cosine2
                               ? viewFrom1(query, pair, largestAxis(normal), normal, normalWorld)
                               : viewFrom2(query, pair, largestAxis(normal2), normal2, normalWorld);
  return addBoxPatch(view, allowed, pair.size, manifold);
}

/// All points of two boxes that overlap or touch.
void buildManifold(const PairQuery& query, const BoxPair& pair, const BoxAxis& axis, double allowed,
                   PairManifold& manifold) {
  double deepest = 0.0;
  if (axis.kind == BoxAxis::Kind::Face1) {
    manifold.normal = query.pose1.rotation * axis.normal;
    deepest = addBoxPatch(viewFrom1(query, pair, axis.axis1, axis.normal, manifold.normal), allowed,
                          pair.size, manifold);
  } else if (axis.kind == BoxAxis::Kind::Face2) {
    const Vec3& b = component(query.pose2.rotation, axis.axis2);
    const double along = component(pair.center2In2, axis.axis2);
    manifold.normal = along < 0.0 ? b : -b;
    const Vec3 normal2 = unitVector(axis.axis2, along < 0.0 ? 1.0 : -1.0);
    deepest = addBoxPatch(viewFrom2(query, pair, axis.axis2, normal2, manifold.normal), allowed,
                          pair.size, manifold);
  } else {
    manifold.normal = query.pose1.rotation * axis.normal;
    deepest = addFlushPatch(query, pair, axis.normal, manifold.normal, allowed, manifold);
  }
  manifold.type = typeOfCount(manifold.count);
  // The patch holds the deepest point but for rounding, unless that is the crossing of two edges.
  if (manifold.count == 0 || deepest < axis.depth - kTouchTolerance * pair.size) {
    const PairPoint p = axis.kind == BoxAxis::Kind::Edges
                            ? crossingPoint(query, pair, axis)
                            : supportPoint(query, pair, axis, manifold.normal);
    manifold.add(p.position, p.depth, p.feature1, p.feature2);
    if (manifold.count == 1) manifold.type = ContactType::Point;
  }
  manifold.status = statusOfGap(-axis.depth, pair.size);
}

/// Distance of boxes that are apart: GJK finds the normal, the features that it leaves the points.
void findApart(const PairQuery& query, const BoxPair& pair, PairGap& gap) {
  polytopeGap(coreOf(query.shape1), query.pose1, coreOf(query.shape2), query.pose2, gap);
  const Vec3 normal = transposeTimes(query.pose1.rotation, gap.normal);
  const BoxNearest nearest = findBoxNearest(pair, normal, gap.gap);
  if (gap.gap > kShortBoxDistance * pair.size) {
    // The direction between the points, unless it proves less than rounding lets it and GJK's
    // normal misses the points by less.
    constexpr double kProven = 1e-13;
    const Vec3 across = nearest.p1 - nearest.p2;
    const Vec3 direction = across * (1.0 / nearest.distance);
    const double unproven = nearest.distance - boxGapAlong(pair, direction);
    if (unproven <= kProven * pair.size || unproven <= norm(across - normal * gap.gap)) {
      gap.gap = nearest.distance;
      gap.normal = query.pose1.rotation * direction;
    }
  }
  const Vec3 middle = query.pose1.rotation * ((nearest.p1 + nearest.p2) * 0.5);
  gap.p1 = middle + gap.normal * (0.5 * gap.gap);
  gap.p2 = middle - gap.normal * (0.5 * gap.gap);
  gap.feature1 = nearest.feature1;
  gap.feature2 = nearest.feature2;
  gap.status = statusOfGap(gap.gap, pair.size);
}

/// All points of two boxes that are apart by no more than the margin.
void buildApart(const PairQuery& query, const BoxPair& pair, const PairGap& gap, double allowed,
                PairManifold& manifold) {
  manifold.normal = gap.normal;
  manifold.status = gap.status;
  const Vec3 normal = transposeTimes(query.pose1.rotation, gap.normal);
  const double deepest = addFlushPatch(query, pair, normal, gap.normal, allowed, manifold);
  manifold.type = typeOfCount(manifold.count);
  if (manifold.count != 0 && deepest >= -gap.gap - kTouchTolerance * pair.size) return;
  manifold.add((gap.p1 + gap.p2) * 0.5, -gap.gap, gap.feature1, gap.feature2);
  if (manifold.count == 1) manifold.type = ContactType::Point;
}

template <bool>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const BoxPair pair = relate(query);
  const double allowed = reportedGap(query, pair.size);
  BoxAxis axis;
  if (!findBoxAxis(pair, allowed, axis)) return true;
  if (!query.enableContact && !axis.apart) {
    sink.markCollision();
    return true;
  }
  PairManifold manifold;
  if (axis.apart) {
    // Within the margin along every axis, but the distance is Euclidean.
    PairGap gap;
    findApart(query, pair, gap);
    if (gap.gap > allowed) return true;
    buildApart(query, pair, gap, allowed, manifold);
  } else {
    buildManifold(query, pair, axis, allowed, manifold);
  }
  sink.add(manifold);
  return true;
}

}  // namespace

ABUT_DEFINE_COLLIDE(Box, Box, collideKernel)

void distanceBoxBox(const PairQuery& query, PairGap& result) {
  const BoxPair pair = relate(query);
  const double touching = kTouchTolerance * pair.size;
  BoxAxis axis;
  if (!findBoxAxis(pair, kGapRounding * pair.size, axis)) {
    findApart(query, pair, result);
    return;
  }
  PairManifold manifold;
  buildManifold(query, pair, axis, touching, manifold);
  result.gap = -axis.depth;
  int deepest = 0;
  for (int i = 1; i < manifold.count; ++i) {
    if (manifold.points[i].depth > manifold.points[deepest].depth) deepest = i;
  }
  const PairPoint& p = manifold.points[deepest];
  result.normal = manifold.normal;
  result.p1 = p.position + manifold.normal * (0.5 * result.gap);
  result.p2 = p.position - manifold.normal * (0.5 * result.gap);
  result.feature1 = p.feature1;
  result.feature2 = p.feature2;
  result.status = manifold.status;
}

}  // namespace abut::inline v0_1
