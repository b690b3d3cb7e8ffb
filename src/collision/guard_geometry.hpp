// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/shapes/shape.hpp>

#include "collision/course.hpp"

namespace abut::inline v0_1 {

/// Least half width of a shape [m], given that of its own box: of a compound that of its thinnest
/// part, of a mesh with valleys its volume over its area where that is less.
double leastPartWidth(const Shape& shape, double halfWidth);

/// Least half width of the part of a shape that a contact's number of a sub-shape names [m]; of a
/// shape without parts, the width given.
double partWidth(const Shape& shape, std::uint64_t subShape, double halfWidth);

/// Whether a shape within a radius of the course's centre stays farther than a reach in front of a
/// plane that does not move.
bool staysBefore(const Course& course, double radius, const Shape& plane, const Pose& place,
                 double reach);

}  // namespace abut::inline v0_1
