// SPDX-License-Identifier: MIT
#include "narrow_phase/cast/sweep.hpp"

#include <limits>

#include <abut/math/convert.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>

#include "shapes/mesh_data.hpp"
#include "shapes/point_cloud_data.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// When a height that goes from `first` to `last` comes down to zero, at the earliest.
double descent(const FrameSweep& sweep, double first, double last, double limit) {
  const double high = first - sweep.deviation, low = last - sweep.deviation;
  if (high <= 0.0) return sweep.begin;
  if (low > 0.0) return kNever;
  const double t = sweep.begin + (high / (high - low)) * (sweep.end - sweep.begin);
  return t > limit ? kNever : t;
}

}  // namespace

Leaf leafOf(const Shape& shape, const Pose& local, std::uint64_t subShape) {
  Leaf leaf;
  leaf.shape = &shape;
  leaf.local = local;
  leaf.subShape = subShape;
  const ShapeType type = shape.getType();
  if (type == ShapeType::Mesh) {
    leaf.mesh = &static_cast<const MeshShape&>(shape).getMesh();
    if (leaf.mesh->hull != nullptr) {
      leaf.hull = leaf.mesh->hull.get();
      leaf.bounds = leaf.mesh->bvh.getBounds();
      leaf.mesh = nullptr;
      return leaf;
    }
  } else if (type == ShapeType::HeightField) {
    leaf.mesh = &static_cast<const HeightFieldShape&>(shape).getMesh();
  } else if (type == ShapeType::PointCloud) {
    leaf.cloud = &static_cast<const PointCloudShape&>(shape).getCloud();
  } else {
    if (type == ShapeType::Plane) return leaf;  // Without bounds.
    const Aabb box = shape.computeLocalAabb();
    leaf.bounds = {toVec3(box.min_), toVec3(box.max_)};
    return leaf;
  }
  leaf.bvh = leaf.mesh != nullptr ? &leaf.mesh->bvh : &leaf.cloud->bvh;
  leaf.bounds = leaf.bvh->getBounds();
  return leaf;
}

MovingPart wholePart(const Shape& shape) {
  MovingPart part;
  part.shape = &shape;
  if (shape.getType() == ShapeType::Plane) {
    const auto& plane = static_cast<const PlaneShape&>(shape);
    part.isPlane = true;
    part.planeNormal = toVec3(plane.getNormal());
    part.planeOffset = plane.getOffset();
  } else {
    part.core = coreOf(shape);
  }
  return part;
}

MovingPart partOf(const Leaf& leaf, std::uint32_t item) {
  MovingPart part;
  part.local = leaf.local;
  part.subShape = leaf.subShape | item;
  if (leaf.mesh != nullptr) {
    const MeshData& mesh = *leaf.mesh;
    part.core = triangleCore(mesh.corner(item, 0), mesh.corner(item, 1), mesh.corner(item, 2));
  } else if (leaf.hull != nullptr) {
    part.core.kind = ConvexCore::Kind::Hull;
    part.core.hull = &leaf.hull->hull;
    part.subShape = leaf.subShape;
  } else if (leaf.cloud != nullptr) {
    part.core.radius = leaf.cloud->radius;
    part.local.translation = apply(leaf.local, leaf.cloud->points[item]);
  } else {
    part = wholePart(*leaf.shape);
    part.local = leaf.local;
    part.subShape = leaf.subShape;
  }
  return part;
}

Bounds boundsOf(const Leaf& leaf, std::uint32_t item) {
  if (leaf.mesh != nullptr) {
    const Vec3 &a = leaf.mesh->corner(item, 0), &b = leaf.mesh->corner(item, 1);
    const Vec3& c = leaf.mesh->corner(item, 2);
    return {minOf(minOf(a, b), c), maxOf(maxOf(a, b), c)};
  }
  if (leaf.cloud == nullptr) return leaf.bounds;
  const Vec3& center = leaf.cloud->points[item];
  return grown({center, center}, leaf.cloud->radius);
}

FrameSweep sweepOf(const MovingPair& pair, const Pose& local1, const Pose& local2, double radius1,
                   double begin, double end) {
  FrameSweep sweep;
  sweep.begin = begin;
  sweep.end = end;
  double farthest = 0.0;
  for (const bool atEnd : {false, true}) {
    const double t = atEnd ? end : begin;
    const Vec3 origin2 = pair.offset - pair.approach * t;
    const Pose object1{rotationAt(pair.rotation1, pair.angular1, t), {}};
    const Pose object2{rotationAt(pair.rotation2, pair.angular2, t), origin2};
    (atEnd ? sweep.finish : sweep.start) =
        relative(compose(object2, local2), compose(object1, local1));
    farthest = maxOf(farthest, norm(origin2));
  }
  // A point x of object 1 seen from object 2 has |x''| <= w2^2 |x| + 2 w2 |x'| + w1^2 r1; linear
  // interpolation over a length h misses it by at most h^2/8 of that.
  const double w1 = norm(pair.angular1), w2 = norm(pair.angular2), h = end - begin;
  const double speed = norm(pair.approach) + w1 * radius1;
  const double bend = (w2 * w2 * (farthest + radius1) + 2.0 * (w2 * speed)) + w1 * w1 * radius1;
  // A dozen products of lengths up to the farthest point, each rounded.
  constexpr double kRounding = 1e-14;
  sweep.deviation = 0.125 * h * h * bend + kRounding * (farthest + radius1);
  return sweep;
}

BoxSweep::BoxSweep(const FrameSweep& sweep, const Bounds& box) : sweep_(sweep) {
  const Vec3 middle = (box.min + box.max) * 0.5, half = (box.max - box.min) * 0.5;
  center_ = apply(sweep.start, middle);
  path_ = apply(sweep.finish, middle) - center_;
  // Points move linearly, so between the ends no extent is larger than at one of them.
  half_ = maxOf(absOf(sweep.start.rotation) * half, absOf(sweep.finish.rotation) * half);
}

double BoxSweep::earliest(const Bounds& box, double limit) const {
  const double length = sweep_.end - sweep_.begin;
  const double end = length > 0.0 ? (limit - sweep_.begin) / length : 0.0;
  const double entry =
      rayEntry({box.min - half_, box.max + half_}, center_, path_, sweep_.deviation, end);
  return entry > end ? kNever : sweep_.begin + entry * length;
}

double BoxSweep::earliest(const Vec3& normal, double offset, double limit) const {
  const Vec3 size = scaled(absOf(normal), half_);
  const double height = (dot(normal, center_) - offset) - ((size.x + size.y) + size.z);
  return descent(sweep_, height, height + dot(normal, path_), limit);
}

double earliestAtSheet(const FrameSweep& sweep, const ConvexCore& core, const Vec3& normal,
                       double offset, double limit) {
  double bound = sweep.begin;
  for (const double side : {1.0, -1.0}) {
    const Vec3 n = normal * side;
    double height[2];
    for (int i = 0; i < 2; ++i) {
      const Pose& pose = i == 0 ? sweep.start : sweep.finish;
      const Vec3 lowest = apply(pose, support(core, -transposeTimes(pose.rotation, n)));
      height[i] = (dot(n, lowest) - core.radius) - side * offset;
    }
    bound = maxOf(bound, descent(sweep, height[0], height[1], limit));
  }
  return bound;
}

}  // namespace abut::inline v0_1
