// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

/// A world box is widened by this, times the terms of its coordinates. Each coordinate is a sum of
/// at most four products: its rounding error stays below 8 ulp of the terms.
inline constexpr double kWidening = 2e-15;

}  // namespace abut::inline v0_1
