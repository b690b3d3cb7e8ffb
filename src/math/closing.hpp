// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace abut::inline v0_1 {

/// First time in [0, most] at which gap + u t + a t^2 / 2 is zero, or most.
inline double timeToClose(double gap, double u, double a, double most) {
  if (!(gap > 0.0)) return 0.0;
  // 2 gap / (-u + root) is the smaller root for either sign of a, without cancellation for u < 0.
  const double discriminant = u * u - 2.0 * a * gap;
  if (discriminant < 0.0) return most;
  const double divisor = std::sqrt(discriminant) - u;
  const double t = divisor > 0.0 ? 2.0 * gap / divisor : most;
  return t < most ? t : most;
}

}  // namespace abut::inline v0_1
