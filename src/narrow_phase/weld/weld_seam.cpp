// SPDX-License-Identifier: MIT
#include "narrow_phase/weld/weld_seam.hpp"

#include <limits>

#include <abut/math/convert.hpp>
#include <abut/shapes/point_cloud_shape.hpp>

#include "narrow_phase/convex/convex_gap.hpp"
#include "shapes/compound_data.hpp"
#include "shapes/hull_data.hpp"
#include "shapes/point_cloud_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// Contact normals this far beyond a right angle to the common face are not its business.
constexpr double kAcross = 1e-9;

/// A body that slips off both sides of a seam is a tip over it, not much deeper along the common
/// face than along its flanks. One this many times as deep is beside the seam ...
constexpr double kFalseDepth = 4.0;
/// ... unless it is shallower than this, times the size.
constexpr double kGraze = 1e-4;

/// A convex part of a placed shape.
struct ConvexPart {
  const Shape* shape = nullptr;  // Null for the ball of a point cloud.
  ConvexCore core;
  Pose pose;
};

/// False if the part is not convex (a triangle, a plane).
bool findPart(const Shape& shape, const Pose& pose, std::uint64_t subShape, ConvexPart& part) {
  if (shape.getType() == ShapeType::Compound) {
    const CompoundData& compound = static_cast<const CompoundShape&>(shape).getCompound();
    const CompoundShape::Child& child = compound.children[subShape >> 32u];
    return findPart(*child.shape, compose(pose, child.pose), subShape & 0xffffffffu, part);
  }
  if (shape.getType() == ShapeType::PointCloud) {
    const PointCloudData& cloud = static_cast<const PointCloudShape&>(shape).getCloud();
    part.core.radius = cloud.radius;
    part.pose = {pose.rotation, apply(pose, cloud.points[subShape & 0xffffffffu])};
    return true;
  }
  if (!shape.isConvex()) return false;
  part.shape = &shape;
  part.core = coreOf(shape);
  part.pose = pose;
  return true;
}

/// Calls visit(outward normal, core frame) for every flat face that holds the point (core frame).
template <typename Visit>
void forEachFaceAt(const ConvexCore& core, const Vec3& p, double tolerance, Visit visit) {
  using Kind = ConvexCore::Kind;
  const Vec3& h = core.half;
  if (core.kind == Kind::Box) {
    const double at[3] = {p.x, p.y, p.z}, half[3] = {h.x, h.y, h.z};
    for (int i = 0; i < 3; ++i) {
      if (absOf(at[i]) < half[i] - tolerance) continue;
      const double sign = at[i] < 0.0 ? -1.0 : 1.0;
      visit(Vec3{i == 0 ? sign : 0.0, i == 1 ? sign : 0.0, i == 2 ? sign : 0.0});
    }
  } else if (core.kind == Kind::Hull) {
    for (const HullData::Face& face : core.hull->faces) {
      if (dot(face.normal, p) >= face.offset - tolerance) visit(face.normal);
    }
  } else if (core.kind == Kind::Cylinder || core.kind == Kind::Cone) {
    if (p.z <= -h.z + tolerance) visit(Vec3{0.0, 0.0, -1.0});
    if (core.kind == Kind::Cylinder && p.z >= h.z - tolerance) visit(Vec3{0.0, 0.0, 1.0});
  }
}

/// True if the normal is that of a face at the point.
bool isFaceContact(const ConvexPart& part, const Vec3& p, const Vec3& n, double tolerance) {
  const Vec3 local = transposeTimes(part.pose.rotation, n);
  bool found = false;
  forEachFaceAt(part.core, applyInverse(part.pose, p), tolerance, [&](const Vec3& face) {
    found = found || (dot(face, local) > 0.0 && norm(cross(face, local)) <= kAcross);
  });
  return found;
}

bool holds(const ConvexPart& part, const Vec3& q, double tolerance) {
  if (part.shape == nullptr) return false;
  return part.shape->signedDistance(toEigen(applyInverse(part.pose, q))) <= tolerance;
}

/// Witness of a contact's deepest point on object 2 (1 if swapped).
Vec3 witness(const PartManifold& m, bool swapped) {
  const Vec3 half = m.normal * (0.5 * m.points[0].depth);
  return swapped ? m.points[0].position - half : m.points[0].position + half;
}

}  // namespace

bool bridgeSeam(const PairQuery& query, const PartManifold& a, const PartManifold& b,
                double tolerance, PairManifold& result) {
  // The seam is in object 2, or in object 1: then `swapped`, and all normals turn round.
  const bool swapped = a.subShape2 == b.subShape2;
  if (swapped == (a.subShape1 == b.subShape1)) return false;
  const Shape& whole = swapped ? query.shape1 : query.shape2;
  const Shape& single = swapped ? query.shape2 : query.shape1;
  const Pose& wholePose = swapped ? query.pose1 : query.pose2;
  const Pose& singlePose = swapped ? query.pose2 : query.pose1;
  ConvexPart partA, partB, body;
  if (!findPart(whole, wholePose, swapped ? a.subShape1 : a.subShape2, partA)) return false;
  if (!findPart(whole, wholePose, swapped ? b.subShape1 : b.subShape2, partB)) return false;
  if (!findPart(single, singlePose, swapped ? a.subShape2 : a.subShape1, body)) return false;
  const Vec3 pointA = witness(a, swapped), pointB = witness(b, swapped);
  const double sign = swapped ? -1.0 : 1.0;
  if (isFaceContact(partA, pointA, a.normal * sign, tolerance)) return false;
  if (isFaceContact(partB, pointB, b.normal * sign, tolerance)) return false;
  double least = std::numeric_limits<double>::infinity();
  Vec3 best{}, lowest{};
  bool onA = false;
  forEachFaceAt(partA.core, applyInverse(partA.pose, pointA), tolerance, [&](const Vec3& face) {
    const Vec3 n = partA.pose.rotation * face;
    if (dot(n, a.normal) * sign < -kAcross || dot(n, b.normal) * sign < -kAcross) return;
    const double plane = dot(n, pointA);
    if (absOf(dot(n, pointB) - plane) > tolerance) return;
    const Vec3 localB = transposeTimes(partB.pose.rotation, n);
    const double topB = dot(n, apply(partB.pose, support(partB.core, localB))) + partB.core.radius;
    if (absOf(topB - plane) > tolerance) return;
    const Vec3 toBody = transposeTimes(body.pose.rotation, -n);
    const Vec3 p = apply(body.pose, support(body.core, toBody)) - n * body.core.radius;
    const double depth = plane - dot(n, p);
    const bool isOnA = holds(partA, p + n * depth, tolerance);
    if (!isOnA && !holds(partB, p + n * depth, tolerance)) return;
    if (depth >= least) return;
    least = depth;
    best = n;
    lowest = p;
    onA = isOnA;
  });
  if (!isFinite(least)) return false;
  const double size = boundingRadius(body.core) + boundingRadius(partA.core);
  const double depth = maxOf(a.points[0].depth, b.points[0].depth);
  if (least > kFalseDepth * maxOf(depth, kGraze * size)) return false;
  PairGap gap;
  gap.gap = -least;
  gap.normal = best * sign;
  const Vec3 top = lowest + best * least;
  gap.p1 = swapped ? top : lowest;
  gap.p2 = swapped ? lowest : top;
  gap.feature1 = a.points[0].feature1;
  gap.feature2 = a.points[0].feature2;
  gap.status = statusOfGap(gap.gap, size);
  const ConvexPart& under = onA ? partA : partB;
  const ConvexPart& part1 = swapped ? under : body;
  const ConvexPart& part2 = swapped ? body : under;
  convexManifold(part1.core, part1.pose, part2.core, part2.pose, gap, query.margin, result);
  result.subShape1 = onA ? a.subShape1 : b.subShape1;
  result.subShape2 = onA ? a.subShape2 : b.subShape2;
  return true;
}

}  // namespace abut::inline v0_1
