// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {

/// One of two meshes, placed in the working frame: oriented like mesh 2, origin at object 1.
struct MeshSide {
  const Shape& shape;
  const MeshData& mesh;
  Pose pose;
  bool hasInside;
  Vec3 center;  ///< Middle of its box, working frame [m].

  [[nodiscard]] Vec3 vertex(std::uint32_t v) const { return apply(pose, mesh.vertices[v]); }
  [[nodiscard]] Vec3 corner(std::uint32_t t, int k) const { return apply(pose, mesh.corner(t, k)); }
  [[nodiscard]] Vec3 patchNormal(std::uint32_t t) const {
    return pose.rotation * mesh.patches[mesh.triangles[t].patch].normal;
  }
  [[nodiscard]] Vec3 normal(std::uint32_t t) const {
    return pose.rotation * mesh.triangles[t].normal;
  }
  /// True if a triangle that faces the viewer is nearer to p than the distance.
  [[nodiscard]] bool isWithin(const Vec3& p, double distance, const Vec3& viewer) const {
    const Vec3 local = applyInverse(pose, viewer);
    return isMeshWithin(mesh, applyInverse(pose, p), distance, hasInside ? &local : nullptr);
  }
  /// True if p is in front of a solid's surface by more than the slack.
  [[nodiscard]] bool isOutside(const Vec3& p, double slack) const {
    return hasInside && nearestOnMesh(mesh, applyInverse(pose, p)).distance > slack;
  }
};

/// Two meshes in their working frame.
struct MeshPair {
  explicit MeshPair(const PairQuery& query);

  MeshSide side1, side2;
  Mat3 toQuery;   ///< From the working frame to the query's.
  double reach;   ///< Gaps up to this are contacts [m].
  double search;  ///< Triangles are looked for within this [m].
  double margin;  ///< [m]
  double size;    ///< Scale of coordinates [m].
};

struct TrianglePair {
  std::uint32_t triangle1, triangle2;
};

/// All pairs of triangles whose boxes are within reach; a superset, in an order that depends on the
/// trees.
void findTrianglePairs(const MeshPair& pair, ScratchList<TrianglePair>& result);

/// Corners of one mesh against the patches of the other. With `swapped` the corners are mesh 2's.
/// Returns the number of manifolds.
int collideCornersWithFaces(const MeshPair& pair, std::span<const TrianglePair> near, bool swapped,
                            ManifoldSink& sink);

/// Outline edges against outline edges: crossings of facing patches, and edges across each other.
int collideEdgesWithEdges(const MeshPair& pair, std::span<const TrianglePair> near,
                          ManifoldSink& sink);

/// Corners near edges or corners of the other mesh, while apart. Corners are mesh 2's if swapped.
int collideCornersApart(const MeshPair& pair, std::span<const TrianglePair> near, bool swapped,
                        ManifoldSink& sink);

/// Rotates a manifold from the working frame to the query's and hands it on.
void emitMeshManifold(const MeshPair& pair, PairManifold& manifold, ManifoldSink& sink);

}  // namespace abut::inline v0_1
