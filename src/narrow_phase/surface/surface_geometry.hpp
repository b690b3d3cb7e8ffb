// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/contact_geometry.hpp>

#include "narrow_phase/cast/moving_pair.hpp"

namespace abut::inline v0_1 {

/// Geometry of a part's surface at a point with the given unit outward normal, both in the core's
/// frame; `direction` is the principal direction there. Parametrisations as in SurfaceKind. False
/// where the part has a vertex, an edge or a rim with that normal.
bool surfaceAt(const MovingPart& part, const Vec3& point, const Vec3& outward,
               SurfacePoint& surface, Vec3& direction);

}  // namespace abut::inline v0_1
