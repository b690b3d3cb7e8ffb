// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Geometry>

#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/shape.hpp>

#include "support/generator.hpp"

namespace abut::test {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

/// A bounded convex body described once, for the library and, apart from it, for its judges: the
/// geometry below is written from the definitions and shares no code with the library.
struct Specimen {
  enum class Kind { Sphere, Box, Capsule, Cylinder, Cone, Hull };

  Kind kind = Kind::Sphere;
  double radius = 0.0;         ///< Sphere, capsule, cylinder, cone.
  double height = 0.0;         ///< Cylinder, cone; segment of a capsule.
  Vector half{0.0, 0.0, 0.0};  ///< Box.
  std::vector<Vector> points;  ///< Hull: the points it is the hull of.

  static Specimen sphere(double radius);
  static Specimen box(const Vector& half);
  static Specimen capsule(double radius, double length);
  static Specimen cylinder(double radius, double height);
  static Specimen cone(double radius, double height);
  static Specimen hull(std::vector<Vector> points);

  [[nodiscard]] bool isPolytope() const { return kind == Kind::Box || kind == Kind::Hull; }
  /// A farthest point along d, own frame.
  [[nodiscard]] Vector support(const Vector& d) const;
  /// Largest distance of a point from the origin of the frame.
  [[nodiscard]] double extent() const;
  /// Corners of a polytope; a sphere's or capsule's core (1 or 2 points).
  [[nodiscard]] std::vector<Vector> corners() const;
  /// The same body as the library has it.
  [[nodiscard]] std::shared_ptr<const Shape> shape() const;
};

/// { x : normal . x <= offset }.
struct HalfSpace {
  Vector normal;
  double offset;
};

/// A specimen at a place, with the library's shape beside it.
struct Body {
  Specimen specimen;
  std::shared_ptr<const Shape> shape;
  Matrix rotation = Matrix::Identity();
  Vector position{0.0, 0.0, 0.0};

  std::shared_ptr<const std::vector<HalfSpace>> facets;  ///< Of a hull, by Qhull.

  Body() = default;
  explicit Body(Specimen s, const Matrix& r = Matrix::Identity(),
                const Vector& p = Vector(0.0, 0.0, 0.0));

  /// A farthest point along d, world frame.
  [[nodiscard]] Vector support(const Vector& d) const;
  [[nodiscard]] PlacedShape placed(ObjectId id = kNoObject) const;
};

/// Pose of the library from a rotation matrix and a position; throws for a bad one.
[[nodiscard]] Pose makePose(const Matrix& rotation, const Vector& position);
[[nodiscard]] PlacedShape place(const Shape& shape, const Matrix& rotation, const Vector& position,
                                ObjectId id = kNoObject);

/// n points on a sphere of the given radius, stretched by up to `stretch` along each axis.
[[nodiscard]] std::vector<Vector> randomPoints(Generator& random, int n, double radius,
                                               double stretch);
/// A random body of one of the kinds, lengths between low and high.
[[nodiscard]] Specimen randomSpecimen(Generator& random, Specimen::Kind kind, double low,
                                      double high, int maxVertices = 64);

}  // namespace abut::test
