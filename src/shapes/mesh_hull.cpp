// SPDX-License-Identifier: MIT
#include "shapes/mesh_hull.hpp"

#include <algorithm>

#include <abut/core/status.hpp>

#include "shapes/hull_mass.hpp"
#include "shapes/mesh_data.hpp"
#include "shapes/quickhull.hpp"

namespace abut::inline v0_1 {
namespace {

/// A connected closed surface that bends outwards everywhere is convex, or winds around its inside
/// more than once: then its volume is larger than the hull's by a part of the order of one. Far
/// above rounding even for plates a million times as wide as thick.
constexpr double kSameVolume = 1e-6;

bool bendsOutwards(const MeshData& mesh) {
  if (!mesh.solid) return false;
  for (const MeshData::Triangle& t : mesh.triangles) {
    for (const EdgeKind kind : t.kind) {
      if (kind != EdgeKind::Flat && kind != EdgeKind::Convex) return false;
    }
  }
  return true;
}

bool isConnected(const MeshData& mesh) {
  std::vector<bool> seen(mesh.triangles.size(), false);
  std::vector<std::uint32_t> queue{0};
  seen[0] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::uint32_t t : mesh.triangles[queue[i]].neighbor) {
      if (seen[t]) continue;
      seen[t] = true;
      queue.push_back(t);
    }
  }
  return queue.size() == mesh.triangles.size();
}

/// Triangles at each vertex.
struct Fans {
  explicit Fans(const MeshData& mesh) : first(mesh.vertices.size() + 1, 0) {
    for (const MeshData::Triangle& t : mesh.triangles) {
      for (const std::uint32_t v : t.vertex) ++first[v + 1];
    }
    for (std::size_t v = 0; v + 1 < first.size(); ++v) first[v + 1] += first[v];
    triangles.resize(first.back());
    std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      for (const std::uint32_t v : mesh.triangles[t].vertex) triangles[fill[v]++] = t;
    }
  }
  [[nodiscard]] std::uint32_t count(std::uint32_t v) const { return first[v + 1] - first[v]; }
  [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t v) const {
    return {triangles.data() + first[v], count(v)};
  }

  std::vector<std::uint32_t> first, triangles;
};

/// The vertices of the mesh that are the hull's, in the hull's order: both by x, y, z.
void nameVertices(const MeshData& mesh, std::vector<std::uint32_t> used, MeshHull& result) {
  std::sort(used.begin(), used.end(), [&](std::uint32_t a, std::uint32_t b) {
    return lexicographicLess(mesh.vertices[a], mesh.vertices[b]);
  });
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < result.hull.numVertices; ++i) {
    while (mesh.vertices[used[next]] != result.hull.vertex(i)) ++next;
    result.vertexIds.push_back(used[next]);
  }
}

/// The edge of the mesh that leaves vertex a most nearly towards b.
std::uint32_t edgeTowards(const MeshData& mesh, const Fans& fans, std::uint32_t a,
                          std::uint32_t b) {
  const Vec3 along = mesh.vertices[b] - mesh.vertices[a];
  std::uint32_t best = MeshData::kNone;
  double most = 0.0;
  for (const std::uint32_t t : fans.at(a)) {
    const MeshData::Triangle& triangle = mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t from = triangle.vertex[k], to = triangle.vertex[(k + 1) % 3];
      if (from != a && to != a) continue;
      const Vec3 edge = mesh.vertices[from == a ? to : from] - mesh.vertices[a];
      const double facing = dot(along, edge) / norm(edge);
      if (best != MeshData::kNone && (facing < most || (facing == most && triangle.edge[k] > best)))
        continue;
      most = facing;
      best = triangle.edge[k];
    }
  }
  return best;
}

/// The end or corner with the smallest fan is asked, so that hubs of large fans cost nothing.
void nameEdges(const MeshData& mesh, const Fans& fans, MeshHull& result) {
  for (const HullData::Edge& e : result.hull.edges) {
    const std::uint32_t a = result.vertexIds[e.vertex1], b = result.vertexIds[e.vertex2];
    const bool fromB = fans.count(b) < fans.count(a);
    result.edgeIds.push_back(fromB ? edgeTowards(mesh, fans, b, a) : edgeTowards(mesh, fans, a, b));
  }
}

void nameFaces(const MeshData& mesh, const Fans& fans, MeshHull& result) {
  for (const HullData::Face& face : result.hull.faces) {
    std::uint32_t corner = MeshData::kNone;
    for (std::uint32_t k = 0; k < face.numCorners; ++k) {
      const std::uint32_t v = result.vertexIds[result.hull.corners[face.firstCorner + k]];
      if (corner == MeshData::kNone || fans.count(v) < fans.count(corner)) corner = v;
    }
    std::uint32_t best = MeshData::kNone;
    double most = 0.0;
    for (const std::uint32_t t : fans.at(corner)) {
      const double facing = dot(mesh.triangles[t].normal, face.normal);
      if (best != MeshData::kNone && facing <= most) continue;
      most = facing;
      best = t;
    }
    result.faceIds.push_back(mesh.trianglesOfPatch(mesh.triangles[best].patch)[0]);
  }
}

}  // namespace

double enclosedVolume(const MeshData& mesh) {
  const Bounds& box = mesh.bvh.getBounds();
  const Vec3 amid = (box.min + box.max) * 0.5;
  double sum = 0.0;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    sum += dot(mesh.corner(t, 0) - amid, cross(mesh.corner(t, 1) - amid, mesh.corner(t, 2) - amid));
  }
  return sum / 6.0;
}

std::unique_ptr<const MeshHull> hullOfConvexMesh(const MeshData& mesh) {
  if (!bendsOutwards(mesh) || !isConnected(mesh)) return nullptr;
  const double volume = enclosedVolume(mesh);
  if (!(volume > 0.0)) return nullptr;
  const Fans fans(mesh);
  std::vector<std::uint32_t> used;  // Vertices without a triangle are not part of the surface.
  std::vector<Vec3> points;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    if (fans.count(v) == 0) continue;
    used.push_back(v);
    points.push_back(mesh.vertices[v]);
  }
  auto result = std::make_unique<MeshHull>();
  try {
    result->hull = buildHull(points);
  } catch (const Error&) {
    return nullptr;  // Too thin for a hull: the surface stays a surface.
  }
  if (absOf(integrate(result->hull).volume - volume) > kSameVolume * volume) return nullptr;
  nameVertices(mesh, std::move(used), *result);
  nameEdges(mesh, fans, *result);
  nameFaces(mesh, fans, *result);
  return result;
}

}  // namespace abut::inline v0_1
