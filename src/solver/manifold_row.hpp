// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

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
  Vec3 arm1[kMaxPoints], arm2[kMaxPoints];  ///< From the centres of mass to the points [m].
  double bound[kMaxPoints] = {};            ///< Least normal velocity [m/s].
  double separation[kMaxPoints] = {};       ///< Gap, or minus the depth [m].
  Vec3 offset;            ///< Added to the velocity of 1 over 2: surface motion [m/s].
  double friction = 0.0;  ///< Coulomb's coefficient.
  double restitution = 0.0;
  double rolling = 0.0, spinning = 0.0;  ///< Arms of the resisting couples [m].
  double slop = 0.0;                     ///< Overlap that is left alone [m].

  // In: the warm start. Out: the answer. On body 1; on body 2 negated.
  double normalImpulse[kMaxPoints] = {};  ///< [N s], >= 0.
  Vec3 tangentImpulse;                    ///< At the centre of the points, world [N s].
  double twistImpulse = 0.0;              ///< Of friction about the normal [N m s].
  Vec3 resistingImpulse;  ///< Couple of the resistances, world [N m s]; starts at zero.
};

/// Centre of the points, as seen from a body.
inline Vec3 centreOf(const Vec3 (&arms)[ManifoldRow::kMaxPoints], int count) {
  Vec3 sum = arms[0];
  for (int i = 1; i < count; ++i) sum += arms[i];
  return sum / static_cast<double>(count);
}

}  // namespace abut::inline v0_1
