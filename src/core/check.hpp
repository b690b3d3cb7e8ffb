// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <abut/core/status.hpp>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Abut must not be compiled with -ffast-math or parts of it: results would vary by machine."
#endif

namespace abut::inline v0_1 {

/// Shortest text that reads back as the same double, e.g. "0.1", "-1e+30", "nan". No locale.
[[nodiscard]] std::string toText(double value);

/// True unless value is NaN or infinite.
[[nodiscard]] inline bool isFinite(double value) {
  return value - value == 0.0;
}

/// Throws Error(NonFinite or OutOfRange) unless min <= value <= max.
/// The message reads "<what>: expected a number from <min> to <max> [<unit>], got <value>".
void requireInRange(const char* what, double value, double min, double max, const char* unit);

}  // namespace abut::inline v0_1
