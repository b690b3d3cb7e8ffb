// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>

#include "math/pose.hpp"
#include "shapes/compound_data.hpp"
#include "shapes/mesh_data.hpp"
#include "shapes/tolerances.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {
namespace {

using Child = CompoundShape::Child;

Pose checkedPose(const Pose& pose, std::size_t index) {
  Pose checked;
  const Status status = toPose(toEigen(pose), checked);
  if (status.isOk() && maxElement(absOf(pose.translation)) <= kMaxShapeSize) return checked;
  throw Error(
      status.isOk() ? StatusCode::OutOfRange : status.getCode(),
      "CompoundShape: the pose of child " + std::to_string(index) + " is not usable: " +
          (status.isOk() ? "it lies beyond " + toText(kMaxShapeSize) + " m" : status.getMessage()));
}

std::unique_ptr<const CompoundData> makeCompound(std::vector<Child> given) {
  const FloatEnvironment environment;
  if (given.empty()) {
    throw Error(StatusCode::DegenerateGeometry, "CompoundShape: no children; give at least one");
  }
  std::vector<Child> children;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].shape) {
      throw Error(StatusCode::NullObject, "CompoundShape: child " + std::to_string(i) + " is null");
    }
    given[i].pose = checkedPose(given[i].pose, i);
    const ShapeType type = given[i].shape->getType();
    if (type == ShapeType::Plane) {
      throw Error(StatusCode::UnsupportedPair,
                  "CompoundShape: child " + std::to_string(i) +
                      " is a plane, which has no bounds; make it an object of its own, or a box");
    }
    if (type != ShapeType::Compound) {
      children.push_back(std::move(given[i]));
      continue;
    }
    const auto& nested = static_cast<const CompoundShape&>(*given[i].shape);
    for (std::size_t k = 0; k < nested.numChildren(); ++k) {
      const Child& child = nested.getChild(k);
      children.push_back({child.shape, compose(given[i].pose, child.pose)});
    }
  }
  return std::make_unique<const CompoundData>(std::move(children));
}

std::vector<Bounds> childBounds(const std::vector<Child>& children) {
  std::vector<Bounds> boxes;
  boxes.reserve(children.size());
  for (const Child& child : children) {
    // A tree is over bounds: a height field's are those of its surface.
    const bool isField = child.shape->getType() == ShapeType::HeightField;
    const Aabb box = isField ? Aabb::transformed(child.shape->computeLocalAabb(), child.pose)
                             : child.shape->computeAabb(child.pose);
    boxes.push_back({toVec3(box.min_), toVec3(box.max_)});
  }
  return boxes;
}

bool isSurface(const Shape& shape) {
  if (shape.getType() == ShapeType::HeightField) return true;
  return shape.getType() == ShapeType::Mesh && !static_cast<const MeshShape&>(shape).isSolid();
}

Mat3 inertiaTensor(const MassProperties& m) {
  const Vec3 d = toVec3(m.inertia), p = toVec3(m.products);
  return {{d.x, p.x, p.y}, {p.x, d.y, p.z}, {p.y, p.z, d.z}};
}

}  // namespace

CompoundData::CompoundData(std::vector<Child> flattened)
    : children(std::move(flattened)), boxes(childBounds(children)), bvh(boxes) {
  for (const Child& child : children) {
    const double reach = norm(child.pose.translation) + child.shape->boundingRadius();
    boundingRadius = maxOf(boundingRadius, reach);
  }
  for (std::uint32_t i = 0; i < children.size(); ++i) {
    if (children[i].shape->getType() != ShapeType::HeightField) continue;
    const Aabb box = children[i].shape->computeAabb(children[i].pose);
    fields.push_back(i);
    fieldBoxes.push_back({toVec3(box.min_), toVec3(box.max_)});
  }
  const Bounds& whole = bvh.getBounds();
  halfWidths.reserve(children.size());
  for (const Child& child : children) {
    const Shape& shape = *child.shape;
    const Aabb own = shape.computeLocalAabb();
    const Vec3 size =
        isSurface(shape) ? whole.max - whole.min : toVec3(own.max_) - toVec3(own.min_);
    double width = 0.5 * minOf(minOf(size.x, size.y), size.z);
    if (shape.getType() == ShapeType::Mesh) {
      const double thickness = static_cast<const MeshShape&>(shape).getMesh().thickness;
      if (thickness > 0.0) width = minOf(width, thickness);
    }
    halfWidths.push_back(width);
    halfWidth = halfWidths.size() == 1 ? halfWidths[0] : minOf(halfWidth, halfWidths.back());
  }
}

CompoundShape::CompoundShape(std::vector<Child> children)
    : Shape(ShapeType::Compound), compound_(makeCompound(std::move(children))) {}

CompoundShape::~CompoundShape() = default;
CompoundShape::CompoundShape(CompoundShape&& other) noexcept
    : Shape(std::move(other)), compound_(other.compound_) {}

std::size_t CompoundShape::numChildren() const {
  return compound_->children.size();
}

const CompoundShape::Child& CompoundShape::getChild(std::size_t i) const {
  return compound_->children.at(i);
}

Aabb CompoundShape::computeLocalAabb() const {
  const Bounds& box = compound_->bvh.getBounds();
  return {toEigen(box.min), toEigen(box.max)};
}

Aabb CompoundShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  Aabb box = Shape::computeAabb(pose);
  for (const std::uint32_t i : compound_->fields) {
    const Child& child = compound_->children[i];
    box.merge(child.shape->computeAabb(compose(pose, child.pose)));
  }
  return box;
}

double CompoundShape::boundingRadius() const {
  return compound_->boundingRadius;
}

Status CompoundShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  std::vector<MassProperties> parts(numChildren());
  double mass = 0.0;
  Vec3 moment{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Child& child = compound_->children[i];
    const Status status = child.shape->computeMass(density, parts[i]);
    if (!status) {
      return Status::failure(status.getCode(),
                             "compound, child " + std::to_string(i) + ": " + status.getMessage());
    }
    mass += parts[i].mass;
    moment += apply(child.pose, toVec3(parts[i].center)) * parts[i].mass;
  }
  const Vec3 center = moment / mass;
  Mat3 sum = Mat3{} * 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Child& child = compound_->children[i];
    const Mat3& r = child.pose.rotation;
    const Vec3 d = apply(child.pose, toVec3(parts[i].center)) - center;
    // Parallel axes: I + m (|d|^2 1 - d d^T).
    const Mat3 outer{d * d.x, d * d.y, d * d.z};
    sum = sum + ((r * inertiaTensor(parts[i])) * transpose(r) +
                 (Mat3{} * squaredNorm(d) - outer) * parts[i].mass);
  }
  result.mass = mass;
  result.center = toEigen(center);
  result.inertia = {sum.x.x, sum.y.y, sum.z.z};
  result.products = {sum.y.x, sum.z.x, sum.z.y};
  return {};
}

double CompoundShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  // The union of the solids; a surface without inside counts where it is nearer than all of them.
  const Vec3 p = toVec3(point);
  double solid = std::numeric_limits<double>::infinity(), surface = solid;
  for (const Child& child : compound_->children) {
    const double d = child.shape->signedDistance(toEigen(applyInverse(child.pose, p)));
    const bool isField = child.shape->getType() == ShapeType::HeightField;
    if (isField || !isSurface(*child.shape)) {
      solid = minOf(solid, d);
    } else if (absOf(d) < absOf(surface)) {
      surface = d;
    }
  }
  return environment.keep(solid > 0.0 && absOf(surface) < solid ? surface : solid);
}

bool CompoundShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  const double pad = kRayPad * (norm(r.origin) + compound_->boundingRadius);
  double reach = r.maxDistance;
  std::uint32_t found = 0;
  bool any = false;
  RayHit best;
  compound_->bvh.minimize(
      reach, [&](const Bounds& box) { return rayEntry(box, r.origin, r.direction, pad, reach); },
      [&](std::uint32_t i) {
        const Child& child = compound_->children[i];
        Ray local;
        local.origin = toEigen(applyInverse(child.pose, r.origin));
        local.direction = toEigen(transposeTimes(child.pose.rotation, r.direction));
        local.maxFraction = reach;
        RayHit candidate;
        if (!child.shape->raycast(local, candidate)) return;
        if (any && candidate.fraction == reach && i > found) return;
        any = true;
        found = i;
        reach = candidate.fraction;
        best = candidate;
      });
  if (!any) return false;
  const Pose& pose = compound_->children[found].pose;
  const Vec3 point = apply(pose, toVec3(best.point));
  if (!writeHit(r, reach, point, pose.rotation * toVec3(best.normal), hit)) return false;
  hit.subShape = (static_cast<std::uint64_t>(found) << 32u) | best.subShape;
  return true;
}

}  // namespace abut::inline v0_1
