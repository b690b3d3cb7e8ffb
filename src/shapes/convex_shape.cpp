// SPDX-License-Identifier: MIT
#include <limits>
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/convex_shape.hpp>

#include "math/pose.hpp"
#include "shapes/density.hpp"
#include "shapes/hull_mass.hpp"
#include "shapes/quickhull.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Vec3> checkedPoints(std::span<const Eigen::Vector3d> points) {
  std::vector<Vec3> result;
  result.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = toVec3(points[i]);
    const std::string what = "ConvexShape: point " + std::to_string(i);
    for (const double c : {p.x, p.y, p.z}) {
      requireInRange(what.c_str(), c, -kMaxShapeSize, kMaxShapeSize, "m");
    }
    result.push_back(p);
  }
  return result;
}

/// Squared distance of p from the segment ab.
double squaredDistance(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 e = b - a, d = p - a;
  const double t = clampTo(dot(d, e) / squaredNorm(e), 0.0, 1.0);
  return squaredNorm(d - e * t);
}

/// Squared distance of p from a face, where p is `height` above its plane.
double squaredDistance(const HullData& hull, const HullData::Face& face, const Vec3& p,
                       double height) {
  bool isAbove = true;
  double nearest = -1.0;
  for (std::uint32_t k = 0; k < face.numCorners; ++k) {
    const std::uint32_t next = k + 1 == face.numCorners ? 0 : k + 1;
    const Vec3 a = hull.vertex(hull.corners[face.firstCorner + k]);
    const Vec3 b = hull.vertex(hull.corners[face.firstCorner + next]);
    if (dot(cross(face.normal, b - a), p - a) >= 0.0) continue;
    isAbove = false;
    const double d2 = squaredDistance(p, a, b);
    if (nearest < 0.0 || d2 < nearest) nearest = d2;
  }
  return isAbove ? height * height : nearest;
}

}  // namespace

ConvexShape::ConvexShape(std::span<const Eigen::Vector3d> points)
    : Shape(ShapeType::Convex),
      hull_(std::make_unique<const HullData>(buildHull(checkedPoints(points)))) {}

ConvexShape::~ConvexShape() = default;
ConvexShape::ConvexShape(std::initializer_list<Eigen::Vector3d> points)
    : ConvexShape(std::span(points.begin(), points.size())) {}

ConvexShape::ConvexShape(ConvexShape&& other) noexcept
    : Shape(std::move(other)), hull_(other.hull_) {}

std::size_t ConvexShape::numVertices() const {
  return hull_->numVertices;
}

std::size_t ConvexShape::numFaces() const {
  return hull_->faces.size();
}

std::size_t ConvexShape::numEdges() const {
  return hull_->edges.size();
}

Eigen::Vector3d ConvexShape::getVertex(std::size_t i) const {
  if (i >= hull_->numVertices) {
    throw Error(StatusCode::OutOfRange, "ConvexShape::getVertex: expected an index below " +
                                            std::to_string(hull_->numVertices) + ", got " +
                                            std::to_string(i));
  }
  return toEigen(hull_->vertex(static_cast<std::uint32_t>(i)));
}

std::span<const std::uint32_t> ConvexShape::getFace(std::size_t i) const {
  if (i >= hull_->faces.size()) {
    throw Error(StatusCode::OutOfRange, "ConvexShape::getFace: expected an index below " +
                                            std::to_string(hull_->faces.size()) + ", got " +
                                            std::to_string(i));
  }
  const HullData::Face& face = hull_->faces[i];
  return std::span(hull_->corners).subspan(face.firstCorner, face.numCorners);
}

Eigen::Vector3d ConvexShape::getFaceNormal(std::size_t i) const {
  if (i >= hull_->faces.size()) {
    throw Error(StatusCode::OutOfRange, "ConvexShape::getFaceNormal: expected an index below " +
                                            std::to_string(hull_->faces.size()) + ", got " +
                                            std::to_string(i));
  }
  return toEigen(hull_->faces[i].normal);
}

Aabb ConvexShape::computeLocalAabb() const {
  Vec3 low = hull_->vertex(0), high = low;
  for (std::uint32_t i = 1; i < hull_->numVertices; ++i) {
    low = minOf(low, hull_->vertex(i));
    high = maxOf(high, hull_->vertex(i));
  }
  return {toEigen(low), toEigen(high)};
}

Aabb ConvexShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  Vec3 low, high;
  reachOf(*hull_, transpose(pose.rotation), low, high);  // World axes seen from the shape.
  // Three products and sums of terms up to the radius, one sum with the translation.
  constexpr double kRounding = 8.0 * 0x1p-53;
  const Vec3 t = pose.translation, a = absOf(t);
  const Vec3 pad = Vec3{hull_->radius + a.x, hull_->radius + a.y, hull_->radius + a.z} * kRounding;
  return {toEigen((low + t) - pad), toEigen((high + t) + pad)};
}

double ConvexShape::boundingRadius() const {
  return hull_->radius;
}

Status ConvexShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  Status status = checkDensity(density);
  if (!status) return status;
  const VolumeIntegrals v = integrate(*hull_);
  const Vec3 s = v.squares * density;
  result.mass = density * v.volume;
  result.center = toEigen(v.center);
  result.inertia = toEigen(Vec3{s.y + s.z, s.x + s.z, s.x + s.y});
  result.products = toEigen(v.products * -density);
  return {};
}

double ConvexShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  const Vec3 p = toVec3(point);
  const HullData& hull = *hull_;
  const auto heightOver = [&](const HullData::Face& f) {
    return dot(f.normal, p - hull.vertex(hull.corners[f.firstCorner]));
  };
  double highest = heightOver(hull.faces[0]);
  for (const HullData::Face& f : hull.faces) highest = maxOf(highest, heightOver(f));
  if (!(highest > 0.0)) return environment.keep(highest);
  // Outside, the nearest point lies on a face that p is above.
  double nearest = -1.0;
  for (const HullData::Face& f : hull.faces) {
    const double height = heightOver(f);
    if (!(height > 0.0)) continue;
    const double d2 = squaredDistance(hull, f, p, height);
    if (nearest < 0.0 || d2 < nearest) nearest = d2;
  }
  return environment.keep(std::sqrt(nearest));
}

bool ConvexShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  const HullData& hull = *hull_;
  double enter = -kInfinity, leave = kInfinity;
  const HullData::Face* entered = nullptr;
  for (const HullData::Face& f : hull.faces) {
    const double height = dot(f.normal, r.origin - hull.vertex(hull.corners[f.firstCorner]));
    const double rate = dot(f.normal, r.direction);
    if (height > 0.0) {
      if (!(rate < 0.0)) return false;
      const double t = height / -rate;
      if (t > enter) {
        enter = t;
        entered = &f;
      }
    } else if (rate > 0.0) {
      leave = minOf(leave, -height / rate);
    }
  }
  if (entered == nullptr) return writeInsideHit(r, hit);
  if (enter > leave) return false;
  return writeHit(r, enter, r.origin + r.direction * enter, entered->normal, hit);
}

}  // namespace abut::inline v0_1
