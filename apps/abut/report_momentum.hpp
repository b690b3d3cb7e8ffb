// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "io/recording/frame.hpp"

namespace abut::tool {

/// Momentum of the dynamic bodies.
struct Momentum {
  Vec3 linear;   ///< [N s]
  Vec3 angular;  ///< About the world's origin [N m s].
};

/// Sum of m v, and of x cross m v + R I R^T w. `bodies` and `frames` are in the same order.
[[nodiscard]] Momentum momentumOf(std::span<const io::BodyRecord> bodies,
                                  std::span<const io::BodyFrame> frames);

}  // namespace abut::tool
