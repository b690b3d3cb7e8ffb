// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "shapes/bvh.hpp"
#include "shapes/mesh_hull.hpp"

namespace abut::inline v0_1 {

struct MeshData;

/// A convex part of a solid: bounded by planes of the solid's faces, as large as they let it be.
/// Vertices and edges where a piece ends inside a face or inside the solid have numbers beyond the
/// mesh's own.
struct MeshPiece {
  MeshHull solid;
  Bounds box;              ///< Of the piece, mesh frame [m].
  std::uint32_t triangle;  ///< Of the face from which it was grown.
};

/// A closed mesh with valleys as convex pieces that overlap each other and together have every face
/// of it: an L is its two bars, each of full length. Empty for an open or convex mesh, and for one
/// that would need too many pieces, as curved surfaces with valleys do.
///
/// Contacts of the pieces are contacts of the solid or are settled by those: a piece ends where the
/// solid does, or inside it, where another piece goes on.
std::vector<MeshPiece> piecesOfMesh(const MeshData& mesh);

}  // namespace abut::inline v0_1
