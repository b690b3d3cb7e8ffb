// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/point_cloud_shape.hpp>

#include "math/trigonometry.hpp"
#include "shapes/density.hpp"
#include "shapes/point_cloud_data.hpp"
#include "shapes/tolerances.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {
namespace {

std::vector<Bounds> ballBounds(const std::vector<Vec3>& points, double radius) {
  std::vector<Bounds> boxes;
  boxes.reserve(points.size());
  for (const Vec3& p : points) boxes.push_back(grown({p, p}, radius));
  return boxes;
}

std::unique_ptr<const PointCloudData> makeCloud(std::span<const Eigen::Vector3d> given,
                                                double radius) {
  const FloatEnvironment environment;
  requireInRange("PointCloudShape: radius", radius, kMinShapeSize, kMaxShapeSize, "m");
  if (given.empty() || given.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(StatusCode::OutOfRange, "PointCloudShape: expected 1 to 4294967295 points, got " +
                                            std::to_string(given.size()));
  }
  std::vector<Vec3> points;
  points.reserve(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Vec3 p = toVec3(given[i]);
    if (!isFinite(p) || maxElement(absOf(p)) > kMaxShapeSize) {
      throw Error(isFinite(p) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                  "PointCloudShape: point " + std::to_string(i) + " is (" + toText(p.x) + ", " +
                      toText(p.y) + ", " + toText(p.z) + "); expected finite coordinates up to " +
                      toText(kMaxShapeSize) + " m");
    }
    points.push_back(p);
  }
  return std::make_unique<const PointCloudData>(std::move(points), radius);
}

/// Distance along a unit ray to a ball that does not contain its origin; negative for a miss.
double ballEntry(const UnitRay& ray, const Vec3& center, double radius) {
  const Vec3 from = ray.origin - center;
  const double along = -dot(from, ray.direction);
  if (!(along > 0.0)) return -1.0;
  const double offset = norm(from + ray.direction * along);
  if (offset > radius) return -1.0;
  return maxOf(along - std::sqrt((radius - offset) * (radius + offset)), 0.0);
}

}  // namespace

PointCloudData::PointCloudData(std::vector<Vec3> centers, double ballRadius)
    : points(std::move(centers)), radius(ballRadius), bvh(ballBounds(points, ballRadius)) {
  for (const Vec3& p : points) boundingRadius = maxOf(boundingRadius, norm(p));
  boundingRadius += radius;
}

std::uint32_t nearestBall(const PointCloudData& cloud, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t found = 0;
  cloud.bvh.minimize(
      best, [&](const Bounds& box) { return squaredDistance(box, p) * kBoundSlack; },
      [&](std::uint32_t i) {
        const double d = squaredNorm(p - cloud.points[i]);
        if (d > best || (d == best && i > found)) return;
        best = d;
        found = i;
      });
  return found;
}

PointCloudShape::PointCloudShape(std::span<const Eigen::Vector3d> points, double radius)
    : Shape(ShapeType::PointCloud), radius_(radius), cloud_(makeCloud(points, radius)) {}

PointCloudShape::~PointCloudShape() = default;
PointCloudShape::PointCloudShape(PointCloudShape&& other) noexcept
    : Shape(std::move(other)), radius_(other.radius_), cloud_(other.cloud_) {}

std::size_t PointCloudShape::numPoints() const {
  return cloud_->points.size();
}

Eigen::Vector3d PointCloudShape::getPoint(std::size_t i) const {
  return toEigen(cloud_->points.at(i));
}

Aabb PointCloudShape::computeLocalAabb() const {
  const Bounds& box = cloud_->bvh.getBounds();
  return {toEigen(box.min), toEigen(box.max)};
}

double PointCloudShape::boundingRadius() const {
  return cloud_->boundingRadius;
}

Status PointCloudShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  Status status = checkDensity(density);
  if (!status) return status;
  const auto count = static_cast<double>(cloud_->points.size());
  Vec3 sum{};
  for (const Vec3& p : cloud_->points) sum += p;
  const Vec3 center = sum / count;
  Vec3 squares{}, mixed{};
  for (const Vec3& p : cloud_->points) {
    const Vec3 d = p - center;
    squares += scaled(d, d);
    mixed += Vec3{d.x * d.y, d.x * d.z, d.y * d.z};
  }
  const double r2 = radius_ * radius_;
  const double ball = density * (4.0 / 3.0 * kPi * (r2 * radius_));
  const double own = 0.4 * r2 * count;
  result.mass = ball * count;
  result.center = toEigen(center);
  result.inertia = {ball * ((squares.y + squares.z) + own), ball * ((squares.z + squares.x) + own),
                    ball * ((squares.x + squares.y) + own)};
  result.products = {-ball * mixed.x, -ball * mixed.y, -ball * mixed.z};
  return {};
}

double PointCloudShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  const Vec3 p = toVec3(point);
  return environment.keep(norm(p - cloud_->points[nearestBall(*cloud_, p)]) - radius_);
}

bool PointCloudShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  const std::uint32_t around = nearestBall(*cloud_, r.origin);
  if (norm(r.origin - cloud_->points[around]) <= radius_) {
    if (!writeInsideHit(r, hit)) return false;
    hit.subShape = around;
    return true;
  }
  const double pad = kRayPad * (norm(r.origin) + cloud_->boundingRadius);
  double best = r.maxDistance;
  std::uint32_t found = 0;
  bool any = false;
  cloud_->bvh.minimize(
      best, [&](const Bounds& box) { return rayEntry(box, r.origin, r.direction, pad, best); },
      [&](std::uint32_t i) {
        const double t = ballEntry(r, cloud_->points[i], radius_);
        if (t < 0.0 || t > best || (any && t == best && i > found)) return;
        best = t;
        found = i;
        any = true;
      });
  if (!any) return false;
  const Vec3& center = cloud_->points[found];
  const Vec3 normal = normalized((r.origin + r.direction * best) - center);
  if (!writeHit(r, best, center + normal * radius_, normal, hit)) return false;
  hit.subShape = found;
  return true;
}

}  // namespace abut::inline v0_1
