// SPDX-License-Identifier: MIT
#include "shapes/mesh_data.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "math/trigonometry.hpp"

namespace abut::inline v0_1 {
namespace {

/// Two triangles are flush if the sine of the angle between them is below this. Coordinates carry
/// an error of 1e-16 of the mesh's extent, triangles may be 1e-4 of it: 1e-12, with room.
constexpr double kFlatSine = 1e-10;
/// Vertices of a patch deviate from its plane by at most this times the mesh's radius.
constexpr double kPlaneTolerance = 1e-12;
/// Two outline edges are one straight line if the sine of the angle between them is below this.
constexpr double kStraightSine = 1e-9;

struct HalfEdge {
  std::uint32_t lower, upper, triangle;
  int corner;

  [[nodiscard]] auto key() const { return std::tuple(lower, upper, triangle, corner); }
};

std::vector<Bounds> triangleBounds(const std::vector<Vec3>& vertices,
                                   std::span<const MeshShape::Triangle> triangles) {
  std::vector<Bounds> boxes;
  boxes.reserve(triangles.size());
  for (const MeshShape::Triangle& t : triangles) {
    const Vec3 &a = vertices[t[0]], &b = vertices[t[1]], &c = vertices[t[2]];
    boxes.push_back({minOf(minOf(a, b), c), maxOf(maxOf(a, b), c)});
  }
  return boxes;
}

Vec3 areaVector(const Vec3& a, const Vec3& b, const Vec3& c) {
  return cross(b - a, c - a);
}

}  // namespace

MeshData::MeshData(std::vector<Vec3> points, std::span<const MeshShape::Triangle> given,
                   const MeshReport& found)
    : vertices(std::move(points)), report(found), bvh(triangleBounds(vertices, given)) {
  triangles.resize(given.size());
  for (std::size_t t = 0; t < given.size(); ++t) {
    Triangle& triangle = triangles[t];
    for (int k = 0; k < 3; ++k) {
      triangle.vertex[k] = given[t][k];
      triangle.neighbor[k] = kNone;
      triangle.edge[k] = static_cast<std::uint32_t>(3 * t + k);
      triangle.kind[k] = EdgeKind::Open;
    }
    triangle.patch = kNone;
    const auto index = static_cast<std::uint32_t>(t);
    triangle.normal = normalized(areaVector(corner(index, 0), corner(index, 1), corner(index, 2)));
  }
  for (const Vec3& v : vertices) radius = maxOf(radius, norm(v));
  connect();
  solid = report.openEdges == 0 && report.nonManifoldEdges == 0 && report.flippedEdges == 0;
  classifyEdges();
  growPatches();
  buildStars();
  classifyVertices();
  listPatchCorners();
  computeVertexNormals();
  hull = hullOfConvexMesh(*this);
  pieces = piecesOfMesh(*this);
  if (!solid || hull != nullptr) return;
  double area = 0.0;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    area += 0.5 * norm(cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0)));
  }
  if (area > 0.0) thickness = maxOf(0.0, enclosedVolume(*this) / area);
}

void MeshData::connect() {
  std::vector<HalfEdge> halves;
  halves.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles[t].vertex[k], b = triangles[t].vertex[(k + 1) % 3];
      halves.push_back({a < b ? a : b, a < b ? b : a, t, k});
    }
  }
  std::sort(halves.begin(), halves.end(),
            [](const HalfEdge& a, const HalfEdge& b) { return a.key() < b.key(); });
  for (std::size_t i = 0, end = 0; i < halves.size(); i = end) {
    while (end < halves.size() && halves[end].lower == halves[i].lower &&
           halves[end].upper == halves[i].upper) {
      const HalfEdge& half = halves[end++];
      triangles[half.triangle].edge[half.corner] = 3 * halves[i].triangle + halves[i].corner;
    }
    if (end - i == 1) ++report.openEdges;
    if (end - i > 2) ++report.nonManifoldEdges;
    if (end - i != 2) continue;
    const HalfEdge &a = halves[i], &b = halves[i + 1];
    // Two triangles that agree run along their edge in opposite directions.
    if (triangles[a.triangle].vertex[a.corner] == triangles[b.triangle].vertex[b.corner]) {
      ++report.flippedEdges;
      continue;
    }
    triangles[a.triangle].neighbor[a.corner] = b.triangle;
    triangles[b.triangle].neighbor[b.corner] = a.triangle;
  }
}

void MeshData::classifyEdges() {
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t n = triangles[t].neighbor[k];
      if (n == kNone || n < t) continue;
      int back = 0;
      while (triangles[n].edge[back] != triangles[t].edge[k]) ++back;
      const Vec3 edge = corner(t, (k + 1) % 3) - corner(t, k);
      const double sine = dot(cross(triangles[t].normal, triangles[n].normal), normalized(edge));
      const bool opposed = dot(triangles[t].normal, triangles[n].normal) < 0.0;
      EdgeKind kind = sine < 0.0 ? EdgeKind::Concave : EdgeKind::Convex;
      if (!opposed && absOf(sine) <= kFlatSine) kind = EdgeKind::Flat;
      triangles[t].kind[k] = triangles[n].kind[back] = kind;
    }
  }
}

void MeshData::growPatch(std::uint32_t seed, std::uint32_t patch,
                         std::vector<std::uint32_t>& queue) {
  const Vec3 point = corner(seed, 0), normal = triangles[seed].normal;
  Vec3 sum{};
  queue.assign(1, seed);
  triangles[seed].patch = patch;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Triangle& triangle = triangles[queue[i]];
    sum += areaVector(corner(queue[i], 0), corner(queue[i], 1), corner(queue[i], 2));
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t n = triangle.neighbor[k];
      if (n == kNone || triangle.kind[k] != EdgeKind::Flat || triangles[n].patch != kNone) continue;
      bool flush = true;
      for (int c = 0; c < 3; ++c) {
        const double height = absOf(dot(normal, corner(n, c) - point));
        flush = flush && height <= kPlaneTolerance * radius;
      }
      if (!flush) continue;
      triangles[n].patch = patch;
      queue.push_back(n);
    }
  }
  std::sort(queue.begin(), queue.end());
  patches.push_back({queue.size() == 1 ? normal : normalized(sum), point,
                     static_cast<std::uint32_t>(patchTriangles.size()),
                     static_cast<std::uint32_t>(queue.size()), 0, 0});
  patchTriangles.insert(patchTriangles.end(), queue.begin(), queue.end());
}

void MeshData::growPatches() {
  std::vector<std::uint32_t> queue;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    if (triangles[t].patch != kNone) continue;
    growPatch(t, static_cast<std::uint32_t>(patches.size()), queue);
  }
  // A flat edge between two patches (a chain of tiny bends) is an outline edge: which way it bends
  // is decided by rounding, and either answer is right within it.
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t n = triangles[t].neighbor[k];
      if (n == kNone || triangles[t].kind[k] != EdgeKind::Flat) continue;
      if (triangles[t].patch != triangles[n].patch) triangles[t].kind[k] = EdgeKind::Convex;
    }
  }
}

void MeshData::buildStars() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  links.reserve(6 * triangles.size());
  for (const Triangle& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      links.emplace_back(t.vertex[k], t.vertex[(k + 1) % 3]);
      links.emplace_back(t.vertex[(k + 1) % 3], t.vertex[k]);
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  starFirst.assign(vertices.size() + 1, 0);
  star.reserve(links.size());
  for (const auto& [from, to] : links) {
    ++starFirst[from + 1];
    star.push_back(to);
  }
  for (std::size_t v = 0; v < vertices.size(); ++v) starFirst[v + 1] += starFirst[v];
}

void MeshData::classifyVertices() {
  // Per vertex: number of distinct outline edges, and the directions of the first two.
  std::vector<std::uint32_t> count(vertices.size(), 0);
  std::vector<std::array<Vec3, 2>> directions(vertices.size());
  const auto enter = [&](std::uint32_t v, std::uint32_t other) {
    if (count[v] < 2) directions[v][count[v]] = vertices[other] - vertices[v];
    ++count[v];
  };
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      if (triangles[t].kind[k] == EdgeKind::Flat || triangles[t].edge[k] != 3 * t + k) continue;
      enter(triangles[t].vertex[k], triangles[t].vertex[(k + 1) % 3]);
      enter(triangles[t].vertex[(k + 1) % 3], triangles[t].vertex[k]);
    }
  }
  vertexKinds.assign(vertices.size(), VertexKind::Corner);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (count[v] == 0) vertexKinds[v] = VertexKind::Flat;
    if (count[v] != 2) continue;
    const Vec3 &a = directions[v][0], &b = directions[v][1];
    const bool straight = norm(cross(a, b)) <= kStraightSine * norm(a) * norm(b);
    if (straight && dot(a, b) < 0.0) vertexKinds[v] = VertexKind::Crease;
  }
}

void MeshData::listPatchCorners() {
  std::vector<std::uint32_t> corners;
  for (std::uint32_t p = 0; p < patches.size(); ++p) {
    corners.clear();
    for (const std::uint32_t t : trianglesOfPatch(p)) {
      for (const std::uint32_t v : triangles[t].vertex) {
        if (vertexKinds[v] == VertexKind::Corner) corners.push_back(v);
      }
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    patches[p].firstCorner = static_cast<std::uint32_t>(patchCorners.size());
    patches[p].numCorners = static_cast<std::uint32_t>(corners.size());
    patchCorners.insert(patchCorners.end(), corners.begin(), corners.end());
  }
}

void MeshData::computeVertexNormals() {
  vertexNormals.assign(vertices.size(), Vec3{});
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = corner(t, (k + 1) % 3) - corner(t, k);
      const Vec3 b = corner(t, (k + 2) % 3) - corner(t, k);
      const double angle = atan2Of(norm(cross(a, b)), dot(a, b));
      vertexNormals[triangles[t].vertex[k]] += triangles[t].normal * angle;
    }
  }
}

}  // namespace abut::inline v0_1
