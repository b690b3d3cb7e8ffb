// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "narrow_phase/composite.hpp"

namespace abut {

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
};

/// Two meshes in their working frame.
struct MeshPair {
  explicit MeshPair(const PairQuery& query);

  MeshSide side1, side2;
  Mat3 toQuery;   ///< From the working frame to the query's.
  double reach;   ///< Gaps up to this are contacts [m].
  double margin;  ///< [m]
  double size;    ///< Scale of coordinates [m].
};

/// Calls visit(triangle1, triangle2) for every pair whose boxes are within `reach`; a superset, in
/// an order that depends on the trees.
template <typename Visit>
void forEachTrianglePair(const MeshPair& pair, Visit visit) {
  struct Entry {
    std::uint32_t node1, node2;
  };
  const Bvh &tree1 = pair.side1.mesh.bvh, &tree2 = pair.side2.mesh.bvh;
  const Pose to1 = relative(pair.side1.pose, pair.side2.pose);
  const Mat3 spread = absOf(to1.rotation);
  const double slack = pair.reach + 4.0 * kTouchTolerance * pair.size;
  Entry stack[2 * Bvh::kStackSize];
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const Entry e = stack[--top];
    const Bvh::Node &a = tree1.getNodes()[e.node1], &b = tree2.getNodes()[e.node2];
    const Vec3 middle = apply(to1, (b.bounds.min + b.bounds.max) * 0.5);
    const Vec3 half = spread * ((b.bounds.max - b.bounds.min) * 0.5);
    if (!overlaps(a.bounds, grown({middle - half, middle + half}, slack))) continue;
    if (a.count != 0 && b.count != 0) {
      for (std::uint32_t i = 0; i < a.count; ++i) {
        for (std::uint32_t k = 0; k < b.count; ++k) {
          visit(tree1.getItems()[a.first + i], tree2.getItems()[b.first + k]);
        }
      }
    } else if (b.count != 0 || (a.count == 0 && norm(a.bounds.max - a.bounds.min) >
                                                    norm(b.bounds.max - b.bounds.min))) {
      stack[top++] = {a.first, e.node2};
      stack[top++] = {e.node1 + 1, e.node2};
    } else {
      stack[top++] = {e.node1, b.first};
      stack[top++] = {e.node1, e.node2 + 1};
    }
  }
}

/// Corners of one mesh against the patches of the other. With `swapped` the corners are mesh 2's.
/// Returns the number of manifolds.
int collideCornersWithFaces(const MeshPair& pair, bool swapped, ManifoldSink& sink);

/// Outline edges against outline edges: crossings of facing patches, and edges across each other.
int collideEdgesWithEdges(const MeshPair& pair, ManifoldSink& sink);

/// Corners near edges or corners of the other mesh, while apart. Corners are mesh 2's if swapped.
int collideCornersApart(const MeshPair& pair, bool swapped, ManifoldSink& sink);

/// Rotates a manifold from the working frame to the query's and hands it on.
void emitMeshManifold(const MeshPair& pair, PairManifold& manifold, ManifoldSink& sink);

/// Cosine and sine of one degree: surfaces this close to parallel touch as faces.
inline constexpr double kFacingCosine = 0.99984769515639124;
inline constexpr double kFacingSine = 0.01745240643728351;

}  // namespace abut
