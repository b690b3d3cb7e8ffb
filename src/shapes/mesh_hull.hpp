// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <abut/shapes/feature.hpp>

#include "shapes/hull_data.hpp"

namespace abut::inline v0_1 {

struct MeshData;

/// The solid of a closed mesh that bends outwards everywhere: its convex hull, with the names that
/// the mesh has for the hull's features. The hull's vertices are vertices of the mesh, its faces
/// and edges are unions of triangles and edges of the mesh.
struct MeshHull {
  HullData hull;
  std::vector<std::uint32_t> vertexIds;  ///< Vertices of the mesh.
  std::vector<std::uint32_t> edgeIds;    ///< 3 t + k: the part of the edge at its first vertex.
  std::vector<std::uint32_t> faceIds;    ///< First triangles of the patches.

  /// A feature of the hull as a feature of the mesh.
  [[nodiscard]] Feature toMesh(Feature local) const {
    if (local.kind == Feature::Kind::Vertex) return {local.kind, vertexIds[local.index]};
    if (local.kind == Feature::Kind::Edge) return {local.kind, edgeIds[local.index]};
    if (local.kind == Feature::Kind::Face) return {local.kind, faceIds[local.index]};
    return local;
  }
};

/// Volume inside a closed mesh [m^3]; negative if its fronts face inwards.
double enclosedVolume(const MeshData& mesh);

/// The hull of a mesh that is closed and convex, null for any other. Cost: linear in the triangles
/// up to the first valley, and that of the hull if there is none.
std::unique_ptr<const MeshHull> hullOfConvexMesh(const MeshData& mesh);

}  // namespace abut::inline v0_1
