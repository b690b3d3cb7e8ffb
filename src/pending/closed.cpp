// SPDX-License-Identifier: MIT
// Stand-in until the real definitions land; delete this file then.
#include <stdexcept>

#include "narrow_phase/pairs/pairs.hpp"

namespace abut {
void collideConvexPlane(const PairQuery&, ManifoldSink&) {
  throw std::logic_error("pending");
}
void distanceConvexPlane(const PairQuery&, PairGap&) {
  throw std::logic_error("pending");
}
void collidePlanePlane(const PairQuery&, ManifoldSink&) {
  throw std::logic_error("pending");
}
void distancePlanePlane(const PairQuery&, PairGap&) {
  throw std::logic_error("pending");
}
}  // namespace abut
