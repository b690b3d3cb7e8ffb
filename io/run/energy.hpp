// SPDX-License-Identifier: MIT
#pragma once

#include "io/recording/frame.hpp"
#include "io/scene/scene.hpp"

namespace abut::inline v0_1::io {

/// What the bodies of a frame hold [J].
struct HeldEnergy {
  double kinetic = 0.0;
  double potential = 0.0;  ///< In the scene's gravity.
};

/// Of one dynamic body.
[[nodiscard]] HeldEnergy heldEnergy(const BodyRecord& body, const BodyFrame& frame,
                                    const Vec3& gravity, double gravityScale);

/// Of the dynamic bodies, summed in the order of ids.
[[nodiscard]] HeldEnergy heldEnergy(const Scene& scene, const RunHeader& header,
                                    const Frame& frame);

}  // namespace abut::inline v0_1::io
