// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Sign of the volume of the tetrahedron (a, b, c, d): +1 if d lies on the side of the plane abc
/// from which a, b, c run counter-clockwise, -1 on the other side, 0 exactly on it. Exact for
/// coordinates between 1e-70 and 1e70 in magnitude, or zero: filtered first, then evaluated with
/// expansions of doubles.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace abut::inline v0_1
