// SPDX-License-Identifier: MIT
// Stand-in until the real definitions land; delete this file then.
#include <stdexcept>

#include "math/trigonometry.hpp"

namespace abut {
SinCos sinCos(double) {
  throw std::logic_error("pending");
}
double atan2Of(double, double) {
  throw std::logic_error("pending");
}
double acosOf(double) {
  throw std::logic_error("pending");
}
}  // namespace abut
