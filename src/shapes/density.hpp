// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// Densities that computeMass() accepts [kg/m^3]: positive, and so far below the largest double
/// that neither mass nor inertia of the largest shape can overflow.
inline constexpr double kMaxDensity = 1e100;

/// Ok, or OutOfRange unless 0 < density <= kMaxDensity (a NaN is refused too).
Status checkDensity(double density);

}  // namespace abut::inline v0_1
