// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include <Eigen/Core>

#include <abut/core/status.hpp>
#include <abut/math/aabb.hpp>

namespace abut::inline v0_1 {

/// The order of these values is the order of a pair's two shapes inside the narrow phase: convex
/// shapes, the plane, composite shapes.
enum class ShapeType : std::uint8_t {
  Sphere,
  Box,
  Capsule,
  Cylinder,
  Cone,
  Convex,
  Plane,
  Mesh,
  HeightField,
  PointCloud,
  Compound,
};
inline constexpr int kNumShapeTypes = 11;

/// Stable English name, e.g. "HeightField".
[[nodiscard]] std::string_view toString(ShapeType type);

/// Lengths that shapes accept [m]: sizes, radii, coordinates of vertices.
inline constexpr double kMinShapeSize = 1e-6;
inline constexpr double kMaxShapeSize = 1e6;

/// Mass, centre and inertia of a solid of uniform density, in the shape's own frame.
struct MassProperties {
  double mass = 0.0;                     ///< [kg]
  Eigen::Vector3d center{0., 0., 0.};    ///< Centre of mass [m].
  Eigen::Vector3d inertia{0., 0., 0.};   ///< Ixx, Iyy, Izz about the centre of mass [kg m^2].
  Eigen::Vector3d products{0., 0., 0.};  ///< Ixy, Ixz, Iyz: elements of the tensor (= -integral).
};

/// A ray in the frame of whatever it is cast at: origin + t * direction for t in [0, maxFraction].
struct Ray {
  Eigen::Vector3d origin{0., 0., 0.};      ///< [m]
  Eigen::Vector3d direction{0., 0., -1.};  ///< Any length but zero; need not be a unit vector.
  double maxFraction = 1.0;                ///< >= 0, may be infinite.
};

/// Where a ray enters a shape.
struct RayHit {
  double fraction = 0.0;               ///< t of the hit, in multiples of the direction's length.
  Eigen::Vector3d point{0., 0., 0.};   ///< [m]
  Eigen::Vector3d normal{0., 0., 0.};  ///< Unit outward surface normal, against the ray.
  std::uint64_t subShape = 0;  ///< Low 32 bits: triangle, cell or point; high 32 bits: child.
};

/// Geometry in its own frame, immutable after construction, shared by any number of objects.
///
/// To add a shape: (1) a value in ShapeType, (2) a header here, (3) its source in src/shapes; the
/// compiler then names every switch that lacks it: (4) its numbers in src/shapes/shape_digest.cpp,
/// (5) if it is convex a case in src/shapes/convex_core.cpp, which gives it collide(), distance()
/// and casts against every other shape through its support function; if it is composite, a case in
/// src/narrow_phase/mesh/composite.cpp, (6) its row in the coverage test, (7) its line in the docs.
///
/// Constructors throw abut::Error that names the value and the remedy.
class Shape {
public:
  virtual ~Shape() = default;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;

  [[nodiscard]] ShapeType getType() const { return type_; }

  /// True for shapes with a support function: all but planes and composites.
  [[nodiscard]] bool isConvex() const;

  /// Smallest box around the shape in its own frame; infinite sides for a plane.
  [[nodiscard]] virtual Aabb computeLocalAabb() const = 0;

  /// World box under a pose, as tight as is cheap, never too small.
  [[nodiscard]] virtual Aabb computeAabb(const Pose& pose) const;

  /// Largest distance of a point of the shape from its frame's origin [m]; infinite for a plane.
  [[nodiscard]] virtual double boundingRadius() const = 0;

  /// Mass properties for a density [kg/m^3].
  /// Fails with OutOfRange for a density that is not positive and finite, and with NotSolid for
  /// planes, open or inconsistently oriented meshes, and height fields.
  virtual Status computeMass(double density, MassProperties& result) const = 0;

  /// Distance of a point (local frame) from the surface [m]: positive outside, negative inside.
  /// Open meshes and height fields: the sign is the side of the nearest face's normal.
  [[nodiscard]] virtual double signedDistance(const Eigen::Vector3d& point) const = 0;

  /// First entry of a ray (local frame). A ray that starts inside hits at fraction 0 with the
  /// normal against its direction; surfaces without inside (mesh, height field) are hit from both
  /// sides. Returns false, and leaves `hit` alone, if there is none.
  [[nodiscard]] virtual bool raycast(const Ray& ray, RayHit& hit) const = 0;

  /// A farthest point of the shape along a direction (local frame, any length but zero).
  /// Throws Error(UnsupportedPair) for a shape that is not convex.
  [[nodiscard]] Eigen::Vector3d supportPoint(const Eigen::Vector3d& direction) const;

protected:
  explicit Shape(ShapeType type) : type_(type) {}
  /// For handing a shape over; one that was moved from stays what it is.
  Shape(Shape&&) noexcept = default;

private:
  ShapeType type_;
};

}  // namespace abut::inline v0_1
