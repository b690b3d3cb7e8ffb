// SPDX-License-Identifier: MIT
#pragma once

#include "solver/resisting_couple.hpp"

namespace abut::inline v0_1 {

// What Coulomb's law and the resistances allow of an impulse and a couple z, and how that changes
// with z.

/// The nearest impulse that Coulomb's law allows, the normal part first.
inline Vec3 allowedImpulse(const Vec3& z, double friction) {
  if (!(z.x > 0.0)) return {};
  const double length = std::sqrt(z.y * z.y + z.z * z.z), limit = friction * z.x;
  const double back = length > limit ? limit / length : 1.0;
  return {z.x, z.y * back, z.z * back};
}

/// Derivative of a pair of numbers that is scaled back to a multiple of the normal impulse where it
/// is longer.
struct DiskDerivative {
  double d11 = 0.0, d12 = 0.0, d22 = 0.0;   ///< By the pair itself.
  double byNormal1 = 0.0, byNormal2 = 0.0;  ///< By the normal impulse.
};

inline DiskDerivative diskDerivative(double x, double y, double coefficient, double normal) {
  const double length = std::sqrt(x * x + y * y), limit = coefficient * normal;
  if (length <= limit) return {1.0, 0.0, 1.0, 0.0, 0.0};
  const double e1 = x / length, e2 = y / length, turn = limit / length;
  return {turn * (1.0 - e1 * e1), -turn * (e1 * e2), turn * (1.0 - e2 * e2), coefficient * e1,
          coefficient * e2};
}

/// Derivative of what is allowed at a contact that pushes, z_n > 0. The normal impulse is z_n.
struct AllowanceDerivative {
  DiskDerivative slide, roll;
  double spin = 0.0, spinByNormal = 0.0;

  AllowanceDerivative(const Vec3& z, double friction)
      : slide(diskDerivative(z.y, z.z, friction, z.x)) {}

  void addCouple(const PreparedCouple& c, const Vec3& z, double normal) {
    roll = diskDerivative(z.y, z.z, c.rolling, normal);
    if (absOf(z.x) <= c.spinning * normal) {
      spin = 1.0;
    } else {
      spinByNormal = z.x > 0.0 ? c.spinning : -c.spinning;
    }
  }
};

}  // namespace abut::inline v0_1
