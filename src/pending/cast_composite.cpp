// SPDX-License-Identifier: MIT
// Stand-in until the real definitions land; delete this file then.
#include <stdexcept>

#include "narrow_phase/cast_composite.hpp"

namespace abut {
void castComposite(const MovingPair&, const Shape&, const Shape&, Impact&) {
  throw std::logic_error("pending");
}
}  // namespace abut
