// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// A point of a manifold.
struct RowPoint {
  Vec3 arm1, arm2;             ///< From the centres of mass to the point [m].
  double bound = 0.0;          ///< Least normal velocity [m/s].
  double separation = 0.0;     ///< Gap, or minus the depth [m].
  double normalImpulse = 0.0;  ///< In: the warm start. Out: the answer. On body 1 [N s], >= 0.
  std::uint32_t contact = 0;   ///< Where the point comes from: who makes the rows knows.
};

/// A contact manifold as the batch solver takes it: up to four points with one normal, and friction
/// as one force at their centre with a couple about the normal.
struct ManifoldRow {
  static constexpr int kMaxPoints = 4;
  /// Rows of this colour are not independent: it takes what no other colour could.
  static constexpr std::uint32_t kLastColour = 63;

  std::uint32_t body1 = 0, body2 = 0;  ///< Indices of the bodies.
  std::uint32_t colour = 0;  ///< Rows of equal colour, but the last, share no body that moves.
  int count = 0;             ///< Of points.
  bool isLean = false;       ///< It may be one of a LeanBatch, see isLean().
  Vec3 normal;               ///< World, from body 2 to body 1.
  Vec3 offset;               ///< Added to the velocity of 1 over 2: surface motion [m/s].
  double friction = 0.0;     ///< Coulomb's coefficient.
  double restitution = 0.0;
  double rolling = 0.0, spinning = 0.0;  ///< Arms of the resisting couples [m].
  double slop = 0.0;                     ///< Overlap that is left alone [m].

  // In: the warm start. Out: the answer. On body 1; on body 2 negated.
  Vec3 tangentImpulse;        ///< At the centre of the points, world [N s].
  double twistImpulse = 0.0;  ///< Of friction about the normal [N m s].
  Vec3 resistingImpulse;      ///< Couple of the resistances, world [N m s]; starts at zero.

  /// So many points, which lie apart: most rows of a heap have one. A copy has the same.
  RowPoint* points = nullptr;
};

/// Centre of the points, as seen from a body.
inline Vec3 centre1Of(const ManifoldRow& row, int count) {
  Vec3 sum = row.points[0].arm1;
  for (int i = 1; i < count; ++i) sum += row.points[i].arm1;
  return sum / static_cast<double>(count);
}
inline Vec3 centre2Of(const ManifoldRow& row, int count) {
  Vec3 sum = row.points[0].arm2;
  for (int i = 1; i < count; ++i) sum += row.points[i].arm2;
  return sum / static_cast<double>(count);
}
inline Vec3 centre1Of(const ManifoldRow& row) {
  return centre1Of(row, row.count);
}
inline Vec3 centre2Of(const ManifoldRow& row) {
  return centre2Of(row, row.count);
}

}  // namespace abut::inline v0_1
