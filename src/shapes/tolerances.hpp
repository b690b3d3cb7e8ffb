// SPDX-License-Identifier: MIT
#pragma once

/// Rules that several shapes keep.
namespace abut::inline v0_1 {

/// Lower bounds of distances are taken this much smaller than computed: their rounding error (a few
/// ulp) cannot hide an equally near part.
inline constexpr double kBoundSlack = 1.0 - 1e-14;

/// Boxes are widened by this times the distances involved before a ray is tested against them: far
/// above the rounding error of a hit, far below anything visible.
inline constexpr double kRayPad = 1e-12;

}  // namespace abut::inline v0_1
