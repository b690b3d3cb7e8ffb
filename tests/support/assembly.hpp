// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <abut/shapes/shape.hpp>

#include "support/oracle.hpp"

namespace abut::test {

/// A shape of any type together with the convex parts it consists of, for judges that go through
/// all of them. Triangles are hulls of three points. A plane has no parts.
struct Assembly {
  std::shared_ptr<const Shape> shape;
  std::vector<Body> parts;  ///< Own frame.
  /// The lowest and highest points, which lie on the z axis. For a plane, z <= top is solid.
  double bottom = 0.0, top = 0.0;
  /// Nothing but a sharp tip reaches the lowest or highest point.
  bool isBottomSharp = false, isTopSharp = false;
  /// A whole face lies at the lowest or highest point.
  bool isBottomFlat = false, isTopFlat = false;

  [[nodiscard]] ShapeType type() const { return shape->getType(); }
  [[nodiscard]] bool isPlane() const { return type() == ShapeType::Plane; }
};

/// One specimen of each type, about a metre large. Surfaces that have no underside (plane, height
/// field) have bottom = top.
[[nodiscard]] Assembly sampleOf(ShapeType type);

/// Assemblies for random trials.
[[nodiscard]] Assembly cloudOf(const std::vector<Vector>& points, double radius);
[[nodiscard]] Assembly meshOf(const std::vector<Vector>& vertices,
                              const std::vector<std::array<std::uint32_t, 3>>& triangles);
[[nodiscard]] Assembly compoundOf(const std::vector<Body>& children);
[[nodiscard]] Assembly heightFieldOf(std::size_t numX, std::size_t numY, double spacing,
                                     const std::vector<double>& heights);
[[nodiscard]] Assembly assemblyOf(const Body& convex);

struct PlacedAssembly {
  const Assembly* assembly = nullptr;
  Matrix rotation = Matrix::Identity();
  Vector position{0.0, 0.0, 0.0};

  [[nodiscard]] PlacedShape placed(ObjectId id) const;
  /// The parts in the world.
  [[nodiscard]] std::vector<Body> parts() const;
  /// Of a plane: outward normal and offset in the world.
  [[nodiscard]] HalfSpace halfSpace() const;
  /// By how much a world point is outside of every part.
  [[nodiscard]] double outsideBy(const Vector& point) const;
  [[nodiscard]] double extent() const;
};

struct BruteForce {
  double distance = 0.0;
  bool isProven = true;  ///< False if branch and bound ran out of cells on a pair that matters.
};
/// Signed distance of the nearest, or the deepest, pair of parts, by branch and bound over every
/// pair. Not for two planes.
[[nodiscard]] BruteForce bruteForceDistance(const PlacedAssembly& a, const PlacedAssembly& b,
                                            double tolerance);

}  // namespace abut::test
