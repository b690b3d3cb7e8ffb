// SPDX-License-Identifier: MIT
#include "support/assembly.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>

namespace abut::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Body trianglePart(const Vector& a, const Vector& b, const Vector& c) {
  Body body;
  body.specimen = Specimen::hull({a, b, c});
  return body;
}

Assembly convexSample(const Specimen& specimen, bool flatBottom, bool flatTop) {
  Assembly result = assemblyOf(Body(specimen));
  result.bottom = -0.5;
  result.top = 0.5;
  result.isBottomFlat = flatBottom;
  result.isTopFlat = flatTop;
  return result;
}

Assembly cubeMesh() {
  const std::vector<Vector> v = Specimen::box({0.5, 0.5, 0.5}).corners();
  // Corner i has x, y, z positive where bit 0, 1, 2 of i is set.
  return meshOf(v, {{0, 2, 3},
                    {0, 3, 1},
                    {4, 5, 7},
                    {4, 7, 6},
                    {0, 1, 5},
                    {0, 5, 4},
                    {2, 6, 7},
                    {2, 7, 3},
                    {0, 4, 6},
                    {0, 6, 2},
                    {1, 3, 7},
                    {1, 7, 5}});
}

/// Distance of a point from a triangle.
double triangleDistance(const Vector& p, const std::vector<Vector>& t) {
  const Vector n = (t[1] - t[0]).cross(t[2] - t[0]);
  bool inside = true;
  double best = kInfinity;
  for (int i = 0; i < 3; ++i) {
    const Vector &a = t[i], &b = t[(i + 1) % 3];
    if (n.cross(b - a).dot(p - a) < 0.0) inside = false;
    const double s = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    best = std::min(best, (p - a - s * (b - a)).norm());
  }
  return inside ? std::min(best, std::abs(n.dot(p - t[0])) / n.norm()) : best;
}

bool isTriangle(const Body& part) {
  return part.specimen.points.size() == 3;
}

double planeDistance(const HalfSpace& plane, const PlacedAssembly& other) {
  double least = kInfinity;
  for (const Body& part : other.parts()) {
    least = std::min(least, plane.normal.dot(part.support(-plane.normal)) - plane.offset);
  }
  return least;
}

}  // namespace

Assembly assemblyOf(const Body& convex) {
  Assembly result;
  result.shape = convex.shape;
  result.parts = {convex};
  return result;
}

Assembly cloudOf(const std::vector<Vector>& points, double radius) {
  Assembly result;
  result.shape = std::make_shared<PointCloudShape>(points, radius);
  for (const Vector& p : points) {
    result.parts.emplace_back(Specimen::sphere(radius), Matrix::Identity(), p);
  }
  return result;
}

Assembly meshOf(const std::vector<Vector>& vertices,
                const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  Assembly result;
  result.shape = std::make_shared<MeshShape>(vertices, triangles);
  for (const auto& t : triangles) {
    result.parts.push_back(trianglePart(vertices[t[0]], vertices[t[1]], vertices[t[2]]));
  }
  return result;
}

Assembly compoundOf(const std::vector<Body>& children) {
  Assembly result;
  std::vector<CompoundShape::Child> list;
  for (const Body& child : children) {
    list.push_back({child.shape, makePose(child.rotation, child.position)});
  }
  result.shape = std::make_shared<CompoundShape>(std::move(list));
  result.parts = children;
  return result;
}

Assembly heightFieldOf(std::size_t numX, std::size_t numY, double spacing,
                       const std::vector<double>& heights) {
  Assembly result;
  result.shape = std::make_shared<HeightFieldShape>(numX, numY, spacing, spacing, heights);
  const auto vertex = [&](std::size_t i, std::size_t j) {
    return Vector((static_cast<double>(i) - 0.5 * static_cast<double>(numX - 1)) * spacing,
                  (static_cast<double>(j) - 0.5 * static_cast<double>(numY - 1)) * spacing,
                  heights[j * numX + i]);
  };
  for (std::size_t j = 0; j + 1 < numY; ++j) {
    for (std::size_t i = 0; i + 1 < numX; ++i) {
      const Vector a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1),
                   d = vertex(i, j + 1);
      result.parts.push_back(trianglePart(a, b, c));
      result.parts.push_back(trianglePart(a, c, d));
    }
  }
  return result;
}

Assembly sampleOf(ShapeType type) {
  Assembly result;
  switch (type) {
    case ShapeType::Sphere:
      return convexSample(Specimen::sphere(0.5), false, false);
    case ShapeType::Box:
      return convexSample(Specimen::box({0.5, 0.5, 0.5}), true, true);
    case ShapeType::Capsule:
      return convexSample(Specimen::capsule(0.3, 0.4), false, false);
    case ShapeType::Cylinder:
      return convexSample(Specimen::cylinder(0.5, 1.0), true, true);
    case ShapeType::Cone:
      result = convexSample(Specimen::cone(0.5, 1.0), true, false);
      result.isTopSharp = true;
      return result;
    case ShapeType::Convex:
      result = convexSample(Specimen::hull({{0.5, 0.0, 0.0},
                                            {-0.5, 0.0, 0.0},
                                            {0.0, 0.5, 0.0},
                                            {0.0, -0.5, 0.0},
                                            {0.0, 0.0, 0.5},
                                            {0.0, 0.0, -0.5}}),
                            false, false);
      result.isBottomSharp = result.isTopSharp = true;
      return result;
    case ShapeType::Plane:
      result.shape = std::make_shared<PlaneShape>(Vector(0.0, 0.0, 1.0), 0.0);
      break;
    case ShapeType::Mesh:
      result = cubeMesh();
      result.bottom = -0.5;
      result.top = 0.5;
      break;
    case ShapeType::HeightField:
      result = heightFieldOf(5, 5, 0.75, std::vector<double>(25, 0.0));
      break;
    case ShapeType::PointCloud:
      result = cloudOf({{0.3, 0.3, 0.0},
                        {-0.3, 0.3, 0.0},
                        {0.3, -0.3, 0.0},
                        {-0.3, -0.3, 0.0},
                        {0.0, 0.0, 0.4},
                        {0.0, 0.0, -0.4}},
                       0.1);
      result.bottom = -0.5;
      result.top = 0.5;
      return result;
    case ShapeType::Compound:
      result =
          compoundOf({Body(Specimen::box({0.25, 0.5, 0.5}), Matrix::Identity(), {-0.25, 0.0, 0.0}),
                      Body(Specimen::box({0.25, 0.5, 0.5}), Matrix::Identity(), {0.25, 0.0, 0.0})});
      result.bottom = -0.5;
      result.top = 0.5;
      break;
  }
  result.isBottomFlat = result.isTopFlat = true;
  return result;
}

PlacedShape PlacedAssembly::placed(ObjectId id) const {
  return place(*assembly->shape, rotation, position, id);
}

std::vector<Body> PlacedAssembly::parts() const {
  std::vector<Body> result = assembly->parts;
  for (Body& part : result) {
    part.position = rotation * part.position + position;
    part.rotation = rotation * part.rotation;
  }
  return result;
}

HalfSpace PlacedAssembly::halfSpace() const {
  const auto& plane = static_cast<const PlaneShape&>(*assembly->shape);
  const Vector normal = rotation * plane.getNormal();
  return {normal, plane.getOffset() + normal.dot(position)};
}

double PlacedAssembly::outsideBy(const Vector& point) const {
  if (assembly->isPlane()) {
    const HalfSpace h = halfSpace();
    return h.normal.dot(point) - h.offset;
  }
  double least = kInfinity;
  for (const Body& part : parts()) {
    if (isTriangle(part)) {
      const Vector local = part.rotation.transpose() * (point - part.position);
      least = std::min(least, triangleDistance(local, part.specimen.points));
    } else {
      least = std::min(least, test::outsideBy(part, point));
    }
  }
  return least;
}

double PlacedAssembly::extent() const {
  double largest = 0.0;
  for (const Body& part : assembly->parts) {
    largest = std::max(largest, part.position.norm() + part.specimen.extent());
  }
  return largest;
}

BruteForce bruteForceDistance(const PlacedAssembly& a, const PlacedAssembly& b, double tolerance) {
  if (a.assembly->isPlane()) return {planeDistance(a.halfSpace(), b)};
  if (b.assembly->isPlane()) return {planeDistance(b.halfSpace(), a)};
  constexpr long kMaxCells = 50000;
  BruteForce result{kInfinity};
  const std::vector<Body> parts1 = a.parts(), parts2 = b.parts();
  for (const Body& part1 : parts1) {
    for (const Body& part2 : parts2) {
      // A pair with a direction of less overlap than the best pair has is not the deepest.
      const LowestOverlap lowest =
          lowestOverlap(part1, part2, kInfinity, tolerance, kMaxCells, -result.distance);
      if (lowest.upper < -result.distance) continue;
      result = {-lowest.upper, lowest.complete};
    }
  }
  return result;
}

}  // namespace abut::test
