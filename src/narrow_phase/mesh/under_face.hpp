// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "narrow_phase/dispatch/pair_query.hpp"
#include "narrow_phase/mesh/patch.hpp"

namespace abut::inline v0_1 {

/// A curved solid that lies in a face of the body: its outermost corners below that face, no deeper
/// than the deepest contact, which has that normal, are pushed out with it. Else a ring would sink
/// where it is not lowest. Of the triangles given; adds points to the manifold, which has none, and
/// returns the triangle that names it.
std::uint32_t collectUnderFace(const BodyOverMesh& body, std::span<const std::uint32_t> triangles,
                               const Vec3& normal, double deepest, PairManifold& m);

}  // namespace abut::inline v0_1
