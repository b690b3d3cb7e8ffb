// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "dynamics/body_table.hpp"

namespace abut::inline v0_1 {

/// Checks a description and works out a body's mass, centre, inertia and shape. `facts` keeps its
/// id; it is meaningless on failure. Failures name the body, the field, the value and the remedy.
Status makeFacts(const BodyDescription& description, const std::vector<BodyShape>& shapes,
                 const MaterialTable& materials, BodyFacts& facts);

/// The shapes of a body as they were given, after nested compounds were flattened.
std::vector<BodyShape> shapesOf(const BodyFacts& facts);

/// Gives a body the mass, centre and inertia that its type and this call for, mass 0 from the
/// shapes' densities. Failures are those of makeFacts(); `facts` is meaningless then.
Status changeMass(const MassProperties& mass, const MaterialTable& materials, BodyFacts& facts);

/// Inverse of a world inertia with rotations about some world axes taken away: the inverse of the
/// block that is left, zero elsewhere.
Mat3 lockedInverse(const Mat3& inertia, std::uint8_t locks);

}  // namespace abut::inline v0_1
