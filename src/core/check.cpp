// SPDX-License-Identifier: MIT
#include "core/check.hpp"

#include <charconv>

namespace abut {

std::string toText(double value) {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

void requireInRange(const char* what, double value, double min, double max, const char* unit) {
  if (value >= min && value <= max) return;
  const StatusCode code = isFinite(value) ? StatusCode::OutOfRange : StatusCode::NonFinite;
  throw Error(code, std::string(what) + ": expected a number from " + toText(min) + " to " +
                        toText(max) + " [" + unit + "], got " + toText(value));
}

}  // namespace abut
