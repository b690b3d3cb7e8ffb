// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/shapes/feature.hpp>

#include "math/pose.hpp"

namespace abut::inline v0_1 {

class Shape;
struct HullData;

/// A convex set as a core plus a radius: all points within `radius` of the core. Spheres and
/// capsules are a point and a segment with a radius; the others have radius 0. Plain data, cheap to
/// copy; the generic algorithms work on this and nothing else.
struct ConvexCore {
  enum class Kind : std::uint8_t {
    Point,     ///< The origin.
    Segment,   ///< From (0,0,-half.z) to (0,0,+half.z).
    Triangle,  ///< corners[0..2], counter-clockwise seen from its front.
    Box,       ///< |x| <= half.x, ...
    Hull,      ///< hull->...
    Cylinder,  ///< Radius half.x, |z| <= half.z.
    Cone,      ///< Base radius half.x at z = -half.z, apex at z = +half.z.
  };

  Kind kind = Kind::Point;
  double radius = 0.0;  ///< Rounding [m].
  Vec3 half;            ///< As the kind says [m].
  const HullData* hull = nullptr;
  Vec3 corners[3];
};

/// The core of a convex shape. The view ends with the shape. Precondition: shape.isConvex().
ConvexCore coreOf(const Shape& shape);

/// Core of a triangle with the given corners.
ConvexCore triangleCore(const Vec3& a, const Vec3& b, const Vec3& c);

/// A farthest point of the core (without the radius) along d (core frame, any length but zero).
/// Ties go to a fixed choice, so equal input gives equal bits.
Vec3 support(const ConvexCore& core, const Vec3& d);

/// Largest distance of a point of the rounded set from the frame's origin [m].
double boundingRadius(const ConvexCore& core);

/// The part of a core's boundary that faces along d: a vertex, an edge, or a face whose normal lies
/// within the given angle of d. Discs are replaced by points on the rim anchored in the body, and
/// their true boundary is kept for clipping.
struct SupportFeature {
  static constexpr int kMaxVertices = 32;

  int count = 0;  ///< 1 vertex, 2 edge, >= 3 face (counter-clockwise along d).
  union {         // Arrays are left uninitialised: they are written before they are read.
    Vec3 vertices[kMaxVertices];  ///< Core frame [m].
  };
  std::uint32_t vertexIds[kMaxVertices];  ///< Numbers of the vertices in the shape.
  std::uint32_t edgeIds[kMaxVertices];    ///< Edge from vertex i to i+1.
  Feature feature;                        ///< The vertex, edge or face itself.
  Vec3 normal;                            ///< Of a face: its own unit outward normal.
  bool isDisc = false;                    ///< A cap: disc with this centre and radius about normal.
  Vec3 discCenter;
  double discRadius = 0.0;

  SupportFeature() {}  // NOLINT
};

/// Features whose directions lie within `cosTolerance` of the unit vector d; the largest wins
/// (face before edge before vertex).
void supportFeature(const ConvexCore& core, const Vec3& d, double cosTolerance,
                    SupportFeature& result);

}  // namespace abut::inline v0_1
