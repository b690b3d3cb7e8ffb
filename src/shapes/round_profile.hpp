// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include <abut/shapes/shape.hpp>

#include "math/pose.hpp"
#include "shapes/convex_core.hpp"

namespace abut::inline v0_1 {

// Common parts of the shapes of revolution, cylinder and cone.

/// Relative widening of a world box: each bound is a sum of a few products and one square root.
inline constexpr double kAabbWidening = 2e-15;

/// Half lengths of the world box of a disc at right angles to the rotation's z axis. Along world
/// axis i it is r sqrt(x_i^2 + y_i^2), which keeps its digits where sqrt(1 - z_i^2) loses them.
inline Vec3 discExtents(const Mat3& rotation, double radius) {
  const Vec3 &x = rotation.x, &y = rotation.y;
  return {radius * std::sqrt(x.x * x.x + y.x * y.x), radius * std::sqrt(x.y * x.y + y.y * y.y),
          radius * std::sqrt(x.z * x.z + y.z * y.z)};
}

/// Ok, or OutOfRange unless the density is positive and finite.
Status checkDensity(const char* where, double density);

/// The part of a ray inside a convex set, with the outward normal where it enters.
struct RayInterval {
  double enter = -std::numeric_limits<double>::infinity();
  double leave = std::numeric_limits<double>::infinity();
  Vec3 normal;  ///< Any length.

  /// Keeps what also lies in [from, to], entered through a surface with the given normal.
  void clipTo(double from, double to, const Vec3& outward) {
    if (from > enter) {
      enter = from;
      normal = outward;
    }
    leave = minOf(leave, to);
  }

  /// Keeps the part where value + t * slope <= 0.
  void clipBelow(double value, double slope, const Vec3& outward) {
    if (slope > 0.0) {
      leave = minOf(leave, -value / slope);
    } else if (slope < 0.0) {
      clipTo(-value / slope, leave, outward);
    } else if (value > 0.0) {
      leave = -std::numeric_limits<double>::infinity();
    }
  }
};

/// A ray whose direction is divided by its largest component, so that squares neither overflow nor
/// vanish.
struct ScaledRay {
  explicit ScaledRay(const Ray& ray);

  /// Writes the hit at the interval's start, or at 0 if the ray starts inside; false if none.
  bool finish(const RayInterval& inside, RayHit& hit) const;

  Vec3 origin;
  Vec3 direction;
  double scale;        ///< Given direction = direction * scale; 0: no direction.
  double maxFraction;  ///< In multiples of the given direction.
};

/// Points on a rim that stand for a disc, 45 degrees apart, fixed in the body.
inline constexpr int kNumRimPoints = 8;

/// Vertex numbers in a SupportFeature: rim points 0..7 (bottom), 8..15 (top); the ends of a line
/// down the side, and a single rim point, 16 (bottom) and 17 (top or apex).
inline constexpr std::uint32_t kSideLineVertex = 2 * kNumRimPoints;

/// The disc at height z seen from above (top) or below. Sets all but the feature.
void discFeature(double radius, double z, bool top, SupportFeature& result);

}  // namespace abut::inline v0_1
