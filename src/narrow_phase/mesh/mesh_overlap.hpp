// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "narrow_phase/mesh/held_contacts.hpp"
#include "narrow_phase/mesh/mesh_mesh.hpp"

namespace abut::inline v0_1 {

/// Where the surfaces of two solids cross, each place apart: contacts of the rules that are deeper
/// than mesh 1 has to go to be clear of mesh 2 there are dropped, and where none is as deep as
/// that, that way is added. Everything is in the working frame but for the contacts' normals and
/// points, which are in the query's.
void settleOverlaps(const MeshPair& pair, std::span<const TrianglePair> near, HeldContacts& held);

}  // namespace abut::inline v0_1
