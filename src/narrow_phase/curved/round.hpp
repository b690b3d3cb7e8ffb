// SPDX-License-Identifier: MIT
#pragma once

#include "math/pose.hpp"
#include "shapes/convex_core.hpp"

namespace abut::inline v0_1::curved {

// The gap of two cores 1 and 2 is that of the origin from their difference D = {y - x}. D is kept
// as the sum of shape "B" as it is and shape "A" mirrored at the origin, all in B's frame. With the
// support function h(m) of D, the signed distance is -min h over unit vectors m, and m points from
// B to A.

/// A cylinder or cone anywhere in space.
struct Round {
  Vec3 c;  ///< Centre [m].
  Vec3 a;  ///< Unit axis; towards the apex of a cone.
  double r = 0.0;
  double hz = 0.0;  ///< Half height [m].
  bool cone = false;
  /// Normals of the side have m . a = sinSide (0 for a cylinder).
  double sinSide = 0.0;
  double cosSide = 1.0;

  [[nodiscard]] int numRims() const { return cone ? 1 : 2; }
  /// Side of the axis on which rim i lies: rim 0 at -hz, rim 1 at +hz.
  [[nodiscard]] static double rimSign(int i) { return i == 0 ? -1.0 : 1.0; }
};

/// The core in the given frame; mirrored at the origin if asked for.
Round makeRound(const ConvexCore& core, const Pose& pose, bool mirror);

/// Component of m at right angles to the unit vector a.
inline Vec3 perpendicularPart(const Vec3& m, const Vec3& a) {
  return m - a * dot(m, a);
}

/// The same for a unit vector m, where the direction of the result counts, not its value alone:
/// near the axis the rounding left along a is projected out once more.
inline Vec3 radialPart(const Vec3& m, const Vec3& a, double z) {
  const Vec3 once = m - a * z;
  return z * z > 0.99 ? perpendicularPart(once, a) : once;
}

/// Unit vector along the part of w at right angles to the unit vector g; zero if there is none.
/// Projected twice: where w is nearly parallel to g the first result still leans along g.
inline Vec3 unitAcross(const Vec3& w, const Vec3& g) {
  const Vec3 once = perpendicularPart(w, g);
  const double length = norm(once);
  if (!(length > 0.0)) return {};
  const Vec3 twice = perpendicularPart(once / length, g);
  const double rest = norm(twice);
  return rest > 0.0 ? twice / rest : Vec3{};
}

/// Support of a round body along m, with a point that attains it.
struct RoundSupport {
  double h;
  Vec3 p;
  double s;  ///< |m x a|.
  bool rim;  ///< The point lies on a rim, not on the apex.
};

inline RoundSupport supportOf(const Round& b, const Vec3& m) {
  const double z = dot(m, b.a);
  const Vec3 perp = radialPart(m, b.a, z);
  const double s = norm(perp);
  const double base = dot(m, b.c);
  if (b.cone) {
    const double rim = b.r * s - b.hz * z, apex = b.hz * z;
    if (apex >= rim) return {base + apex, b.c + b.a * b.hz, s, false};
    return {base + rim, b.c - b.a * b.hz + perp * (b.r / s), s, true};
  }
  const double offset = z < 0.0 ? -b.hz : b.hz;
  const Vec3 center = b.c + b.a * offset;
  const double h = base + b.r * s + absOf(b.hz * z);
  return {h, s > 0.0 ? center + perp * (b.r / s) : center, s, true};
}

/// Value only.
inline double supportValue(const Round& b, const Vec3& m) {
  const double z = dot(m, b.a);
  const double s = norm(m - b.a * z);
  const double base = dot(m, b.c);
  if (b.cone) return base + maxOf(b.r * s - b.hz * z, b.hz * z);
  return base + b.r * s + absOf(b.hz * z);
}

/// Direction m that minimises support(body, m) + m . w over the sphere: the outward normal where
/// the point -w is nearest to the body's surface. Closed form.
Vec3 nearestNormal(const Round& body, const Vec3& w);

/// Signed distance of a point from the body.
double signedDistanceTo(const Round& body, const Vec3& p);

/// The lowest h seen, and directions that reach it but for rounding: of those one may have
/// witness points that prove it where another has not. Of more than there is room for the first
/// are kept: h is right all the same, and a query that finds no proof says IterationLimit.
struct Best {
  static constexpr int kMaxOthers = 16;

  Vec3 m;
  double h = 1e300;
  double slack;  ///< What counts as rounding [m].
  int numOthers = 0;
  union {  // Not set to zero: written before read.
    Vec3 others[kMaxOthers];
  };

  explicit Best(double size) : slack(2e-14 * size) {}

  void consider(const Vec3& direction, double value) {
    if (value > h + slack) return;
    if (value < h) {
      if (value < h - slack)
        numOthers = 0;
      else
        keep(m);
      h = value;
      m = direction;
    } else {
      keep(direction);
    }
  }

private:
  void keep(const Vec3& direction) {
    if (numOthers < kMaxOthers) others[numOthers++] = direction;
  }
};

}  // namespace abut::inline v0_1::curved
