// SPDX-License-Identifier: MIT
// Stand-in until the real definitions land; delete this file then.
#include <stdexcept>

#include "narrow_phase/pairs/pairs.hpp"

namespace abut {
void collideComposite(const PairQuery&, ManifoldSink&) {
  throw std::logic_error("pending");
}
void distanceComposite(const PairQuery&, PairGap&) {
  throw std::logic_error("pending");
}
}  // namespace abut
