// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// A point that may be kept in a manifold.
struct Candidate {
  Vec3 position;  ///< [m]
  double depth;   ///< [m]
};

/// Chooses at most `most` (1 to 4) candidates: the deepest (the first of those within depthEpsilon
/// of the greatest depth), and those that with it span the largest area across the normal; two: the
/// farthest apart. Ties go to the candidates that come first, so candidates in a canonical order
/// give a choice that does not depend on their order of arrival. Writes ascending indices and
/// returns how many.
int selectPoints(std::span<const Candidate> candidates, const Vec3& normal, std::size_t most,
                 double depthEpsilon, std::array<std::uint32_t, 4>& chosen);

/// Area of the convex hull of up to four points seen along the unit normal [m^2].
double spannedArea(std::span<const Vec3> points, const Vec3& normal);

}  // namespace abut::inline v0_1
