// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/mesh_shape.hpp>

#include "shapes/mesh_data.hpp"

namespace abut::inline v0_1 {
namespace {

using Triangle = MeshShape::Triangle;

/// A triangle whose height is below this times its longest edge is a line within the rounding of
/// its own coordinates.
constexpr double kMinHeight = 1e-14;
/// Vertices and triangles have 32-bit numbers, three edges each.
constexpr std::size_t kMaxTriangles = 1u << 30;

void checkVertices(std::span<const Eigen::Vector3d> vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3 v = toVec3(vertices[i]);
    if (isFinite(v) && maxElement(absOf(v)) <= kMaxShapeSize) continue;
    throw Error(isFinite(v) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                "MeshShape: vertex " + std::to_string(i) + " is (" + toText(v.x) + ", " +
                    toText(v.y) + ", " + toText(v.z) + "); expected finite coordinates up to " +
                    toText(kMaxShapeSize) + " m");
  }
}

void checkTriangles(std::span<const Triangle> triangles, std::size_t numVertices) {
  if (triangles.empty()) {
    throw Error(StatusCode::DegenerateGeometry, "MeshShape: no triangles; give at least one");
  }
  if (triangles.size() > kMaxTriangles || numVertices > kMaxTriangles) {
    throw Error(StatusCode::LimitExceeded,
                "MeshShape: " + std::to_string(triangles.size()) + " triangles and " +
                    std::to_string(numVertices) + " vertices; at most " +
                    std::to_string(kMaxTriangles) + " of each, so split the mesh");
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const std::uint32_t v : triangles[t]) {
      if (v < numVertices) continue;
      throw Error(StatusCode::OutOfRange, "MeshShape: triangle " + std::to_string(t) +
                                              " names vertex " + std::to_string(v) +
                                              ", but there are " + std::to_string(numVertices) +
                                              "; indices start at 0");
    }
  }
}

/// Number of each vertex after bitwise equal positions (-0 equals 0) were merged into the first.
std::vector<std::uint32_t> mergeVertices(std::span<const Eigen::Vector3d> given,
                                         std::vector<Vec3>& vertices) {
  std::vector<std::uint32_t> order(given.size()), merged(given.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 u = toVec3(given[a]), v = toVec3(given[b]);
    return u == v ? a < b : lexicographicLess(u, v);
  });
  for (std::size_t i = 0, first = 0; i < order.size(); ++i) {
    if (toVec3(given[order[i]]) != toVec3(given[order[first]])) first = i;
    merged[order[i]] = order[first];
  }
  std::vector<std::uint32_t> numbers(given.size());
  for (std::uint32_t i = 0; i < given.size(); ++i) {
    if (merged[i] == i) {
      numbers[i] = static_cast<std::uint32_t>(vertices.size());
      vertices.push_back(toVec3(given[i]));
    } else {
      numbers[i] = numbers[merged[i]];
    }
  }
  return numbers;
}

bool isDegenerate(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest = maxOf(maxOf(squaredNorm(b - a), squaredNorm(c - b)), squaredNorm(a - c));
  return !(norm(cross(b - a, c - a)) > kMinHeight * longest);
}

/// For each triangle, whether an earlier one has the same three corners in any order.
std::vector<bool> findDuplicates(const std::vector<Triangle>& triangles) {
  std::vector<std::pair<Triangle, std::uint32_t>> keys;
  keys.reserve(triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    Triangle sorted = triangles[t];
    std::sort(sorted.begin(), sorted.end());
    keys.emplace_back(sorted, t);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<bool> duplicate(triangles.size(), false);
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].first == keys[i - 1].first) duplicate[keys[i].second] = true;
  }
  return duplicate;
}

std::unique_ptr<const MeshData> makeMesh(std::span<const Eigen::Vector3d> givenVertices,
                                         std::span<const Triangle> givenTriangles) {
  const FloatEnvironment environment;
  checkVertices(givenVertices);
  checkTriangles(givenTriangles, givenVertices.size());
  MeshReport report;
  std::vector<Vec3> vertices;
  const std::vector<std::uint32_t> numbers = mergeVertices(givenVertices, vertices);
  report.mergedVertices = givenVertices.size() - vertices.size();
  std::vector<Triangle> triangles;
  for (const Triangle& given : givenTriangles) {
    const Triangle t{numbers[given[0]], numbers[given[1]], numbers[given[2]]};
    if (isDegenerate(vertices[t[0]], vertices[t[1]], vertices[t[2]])) {
      ++report.degenerateTriangles;
    } else {
      triangles.push_back(t);
    }
  }
  const std::vector<bool> duplicate = findDuplicates(triangles);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (!duplicate[t]) triangles[kept++] = triangles[t];
  }
  report.duplicateTriangles = triangles.size() - kept;
  triangles.resize(kept);
  if (triangles.empty()) {
    throw Error(StatusCode::DegenerateGeometry,
                "MeshShape: all " + std::to_string(givenTriangles.size()) +
                    " triangles have zero area; check the vertices and their unit");
  }
  return std::make_unique<const MeshData>(std::move(vertices), triangles, report);
}

}  // namespace

MeshShape::MeshShape(std::span<const Eigen::Vector3d> vertices, std::span<const Triangle> triangles)
    : Shape(ShapeType::Mesh), mesh_(makeMesh(vertices, triangles)) {}

MeshShape::~MeshShape() = default;
MeshShape::MeshShape(std::initializer_list<Eigen::Vector3d> vertices,
                     std::initializer_list<Triangle> triangles)
    : MeshShape(std::span(vertices.begin(), vertices.size()),
                std::span(triangles.begin(), triangles.size())) {}

MeshShape::MeshShape(MeshShape&& other) noexcept : Shape(std::move(other)), mesh_(other.mesh_) {}

const MeshReport& MeshShape::getReport() const {
  return mesh_->report;
}

bool MeshShape::isSolid() const {
  return mesh_->solid;
}

std::size_t MeshShape::numVertices() const {
  return mesh_->vertices.size();
}

std::size_t MeshShape::numTriangles() const {
  return mesh_->triangles.size();
}

Eigen::Vector3d MeshShape::getVertex(std::size_t i) const {
  return toEigen(mesh_->vertices.at(i));
}

MeshShape::Triangle MeshShape::getTriangle(std::size_t i) const {
  const MeshData::Triangle& t = mesh_->triangles.at(i);
  return {t.vertex[0], t.vertex[1], t.vertex[2]};
}

Aabb MeshShape::computeLocalAabb() const {
  return meshAabb(*mesh_);
}

double MeshShape::boundingRadius() const {
  return mesh_->radius;
}

Status MeshShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  return meshMass(*mesh_, density, result);
}

double MeshShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  return environment.keep(nearestOnMesh(*mesh_, toVec3(point)).distance);
}

bool MeshShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  return raycastMesh(*mesh_, ray, hit);
}

}  // namespace abut::inline v0_1
