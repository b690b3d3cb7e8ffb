// SPDX-License-Identifier: MIT
#pragma once

#include "shapes/convex_core.hpp"

namespace abut::inline v0_1 {

/// A support feature seen along the contact normal: coordinates x, y across the normal and height z
/// along it, corners counter-clockwise. A feature of two corners is a segment, of one a point.
struct FlatFeature {
  static constexpr int kMaxVertices = SupportFeature::kMaxVertices;

  int count = 0;
  double x[kMaxVertices], y[kMaxVertices], z[kMaxVertices];
  std::uint32_t vertexIds[kMaxVertices];
  std::uint32_t edgeIds[kMaxVertices];  ///< From corner i to the next.
  Feature feature;
  double slopeX = 0.0, slopeY = 0.0;  ///< Of the plane or line: z = z[0] + slope . (x - x[0]).
  double radius = 0.0;                ///< Rounding of the core [m].
  bool isRound = false;               ///< A line on a cylinder's side: smooth across.
  double tube = 0.0;                  ///< The cylinder's radius then [m].
  bool isDisc = false;
  double discX = 0.0, discY = 0.0, discZ = 0.0, discRadius = 0.0;

  FlatFeature() {}  // NOLINT: leaves the arrays uninitialised.

  [[nodiscard]] double heightAt(double px, double py) const {
    return z[0] + (slopeX * (px - x[0]) + slopeY * (py - y[0]));
  }
  /// Height of the rounded surface over (px, py), on the upper (+1) or lower (-1) side. Of an edge:
  /// (px, py) lies on it but for `across`, a distance to its side.
  [[nodiscard]] double surfaceAt(double px, double py, double side, double across = 0.0) const;
  /// The same of an edge, or of a line on a cylinder's side, for any (px, py) beside it.
  [[nodiscard]] double lineSurfaceAt(double px, double py, double side) const;
};

/// A corner of the region that two features share, with the features that make it.
struct ClipPoint {
  double x, y;
  Feature feature1, feature2;
};

struct ClipRegion {
  /// Corners of both, and crossings of an edge with the other outline, two at most.
  static constexpr int kMaxPoints = 4 * SupportFeature::kMaxVertices;
  int count = 0;
  union {  // Left uninitialised.
    ClipPoint points[kMaxPoints];
  };

  ClipRegion() {}  // NOLINT
};

/// Corners of the intersection of two features across the normal: corners of 1 on 2, corners of 2
/// on 1, crossings of their boundaries. Corners within `tolerance` of a boundary are on it, and
/// points within it of an earlier one are left out. Empty if the features do not meet.
void clipFeatures(const FlatFeature& f1, const FlatFeature& f2, double tolerance,
                  ClipRegion& result);

}  // namespace abut::inline v0_1
