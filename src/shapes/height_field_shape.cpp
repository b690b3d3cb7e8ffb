// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/height_field_shape.hpp>

#include "shapes/density.hpp"
#include "shapes/mesh_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// Triangles have 32-bit numbers, three edges each.
constexpr std::size_t kMaxSamples = 1u << 29;

void check(std::size_t numX, std::size_t numY, double spacingX, double spacingY,
           std::span<const double> heights) {
  if (numX < 2 || numY < 2 || numX > kMaxSamples / numY) {
    throw Error(StatusCode::OutOfRange,
                "HeightFieldShape: expected at least 2 x 2 samples and at most " +
                    std::to_string(kMaxSamples) + " in all, got " + std::to_string(numX) + " x " +
                    std::to_string(numY));
  }
  requireInRange("HeightFieldShape: spacing x", spacingX, kMinShapeSize, kMaxShapeSize, "m");
  requireInRange("HeightFieldShape: spacing y", spacingY, kMinShapeSize, kMaxShapeSize, "m");
  requireInRange("HeightFieldShape: half extent x", 0.5 * spacingX * static_cast<double>(numX - 1),
                 0.0, kMaxShapeSize, "m");
  requireInRange("HeightFieldShape: half extent y", 0.5 * spacingY * static_cast<double>(numY - 1),
                 0.0, kMaxShapeSize, "m");
  if (heights.size() != numX * numY) {
    throw Error(StatusCode::OutOfRange, "HeightFieldShape: " + std::to_string(numX) + " x " +
                                            std::to_string(numY) + " samples need " +
                                            std::to_string(numX * numY) + " heights, got " +
                                            std::to_string(heights.size()));
  }
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (absOf(heights[i]) <= kMaxShapeSize) continue;
    throw Error(isFinite(heights[i]) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                "HeightFieldShape: height " + std::to_string(i) + " is " + toText(heights[i]) +
                    "; expected a number up to " + toText(kMaxShapeSize) + " m");
  }
}

std::unique_ptr<const MeshData> makeMesh(std::size_t numX, std::size_t numY, double spacingX,
                                         double spacingY, std::span<const double> heights) {
  const FloatEnvironment environment;
  check(numX, numY, spacingX, spacingY, heights);
  std::vector<Vec3> vertices;
  vertices.reserve(numX * numY);
  const double centerX = 0.5 * static_cast<double>(numX - 1);
  const double centerY = 0.5 * static_cast<double>(numY - 1);
  for (std::size_t j = 0; j < numY; ++j) {
    const double y = (static_cast<double>(j) - centerY) * spacingY;
    for (std::size_t i = 0; i < numX; ++i) {
      const double x = (static_cast<double>(i) - centerX) * spacingX;
      vertices.push_back({x, y, heights[j * numX + i]});
    }
  }
  std::vector<MeshShape::Triangle> triangles;
  triangles.reserve(2 * (numX - 1) * (numY - 1));
  for (std::size_t j = 0; j + 1 < numY; ++j) {
    for (std::size_t i = 0; i + 1 < numX; ++i) {
      const auto a = static_cast<std::uint32_t>(j * numX + i);
      const auto up = static_cast<std::uint32_t>(a + numX);
      triangles.push_back({a, a + 1, up + 1});
      triangles.push_back({a, up + 1, up});
    }
  }
  return std::make_unique<const MeshData>(std::move(vertices), triangles, MeshReport{});
}

}  // namespace

HeightFieldShape::HeightFieldShape(std::size_t numX, std::size_t numY, double spacingX,
                                   double spacingY, std::span<const double> heights)
    : Shape(ShapeType::HeightField),
      num_x_(numX),
      num_y_(numY),
      spacing_x_(spacingX),
      spacing_y_(spacingY),
      mesh_(makeMesh(numX, numY, spacingX, spacingY, heights)) {}

HeightFieldShape::~HeightFieldShape() = default;
HeightFieldShape::HeightFieldShape(HeightFieldShape&& other) noexcept
    : Shape(std::move(other)),
      num_x_(other.num_x_),
      num_y_(other.num_y_),
      spacing_x_(other.spacing_x_),
      spacing_y_(other.spacing_y_),
      mesh_(other.mesh_) {}

double HeightFieldShape::getHeight(std::size_t i, std::size_t j) const {
  return mesh_->vertices.at(j * num_x_ + i).z;
}

Aabb HeightFieldShape::computeLocalAabb() const {
  return meshAabb(*mesh_);
}

Aabb HeightFieldShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Aabb surface = Aabb::transformed(computeLocalAabb(), pose);
  Vec3 lower = toVec3(surface.min_), upper = toVec3(surface.max_);
  const Vec3 up = pose.rotation.z;
  const auto openDownwards = [](double along, double& low, double& high) {
    if (along > 0.0) low = -kInfinity;
    if (along < 0.0) high = kInfinity;
  };
  openDownwards(up.x, lower.x, upper.x);
  openDownwards(up.y, lower.y, upper.y);
  openDownwards(up.z, lower.z, upper.z);
  return {toEigen(lower), toEigen(upper)};
}

double HeightFieldShape::boundingRadius() const {
  return mesh_->radius;
}

Status HeightFieldShape::computeMass(double density, MassProperties&) const {
  Status status = checkDensity(density);
  if (!status) return status;
  return Status::failure(StatusCode::NotSolid,
                         "height field: it has no bottom, so no volume; make the body static, or "
                         "give mass and inertia");
}

double HeightFieldShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  return environment.keep(nearestOnMesh(*mesh_, toVec3(point)).distance);
}

bool HeightFieldShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  return raycastMesh(*mesh_, ray, hit);
}

}  // namespace abut::inline v0_1
