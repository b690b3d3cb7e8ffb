// SPDX-License-Identifier: MIT
#include "core/check.hpp"

// One file stands for the library: all are compiled with the same flags (cmake/AbutOptions.cmake).
#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)
#error "Abut must not be compiled with fused multiply-add: results would vary by machine."
#endif

#include <charconv>
#ifndef __cpp_lib_to_chars
#include <cstdio>
#include <cstdlib>
#endif

namespace abut::inline v0_1 {

#ifdef __cpp_lib_to_chars
std::string toText(double value) {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}
#else
// For standard libraries without to_chars for doubles (libc++ before 14): the fewest digits that
// read back, then the shorter of the fixed and the scientific form, as to_chars chooses.
std::string toText(double value) {
  if (!isFinite(value)) return value > 0.0 ? "inf" : (value < 0.0 ? "-inf" : "nan");
  constexpr int kDigitsAlwaysEnough = 17;
  char scientific[32];
  int digits = 1;
  for (; digits <= kDigitsAlwaysEnough; ++digits) {
    std::snprintf(scientific, sizeof scientific, "%.*e", digits - 1, value);
    if (std::strtod(scientific, nullptr) == value) break;
  }
  const std::string text = scientific;
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  const int decimals = digits - 1 > exponent ? digits - 1 - exponent : 0;
  char fixed[400];  // 309 digits before the point, or 324 behind it, and 17.
  const int length = std::snprintf(fixed, sizeof fixed, "%.*f", decimals, value);
  return static_cast<std::size_t>(length) <= text.size() ? fixed : text;
}
#endif

void requireInRange(const char* what, double value, double min, double max, const char* unit) {
  if (value >= min && value <= max) return;
  const StatusCode code = isFinite(value) ? StatusCode::OutOfRange : StatusCode::NonFinite;
  throw Error(code, std::string(what) + ": expected a number from " + toText(min) + " to " +
                        toText(max) + " [" + unit + "], got " + toText(value));
}

}  // namespace abut::inline v0_1
