// SPDX-License-Identifier: MIT
// Stand-in until the real definitions land; delete this file then.
#include <stdexcept>

#include "narrow_phase/convex_gap.hpp"

namespace abut {
void curvedGap(const ConvexCore&, const Pose&, const ConvexCore&, const Pose&, PairGap&) {
  throw std::logic_error("pending");
}
}  // namespace abut
