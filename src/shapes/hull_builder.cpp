// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/core/status.hpp>

#include "shapes/hull_faces.hpp"
#include "shapes/hull_mass.hpp"
#include "shapes/quickhull.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

/// Points within this distance of a plane are on it, times the largest coordinate: coordinates
/// carry a rounding error of 2^-53 of it after a rotation, a plane through three of them a few of
/// those, and a point at the far end of the face a few times that.
constexpr double kPlaneTolerance = 32.0 * 0x1p-52;
/// Passes of merging and dropping; one or two suffice for anything but noise.
constexpr int kMaxPasses = 16;

std::string numbered(std::size_t n) {
  return std::to_string(n);
}

/// Sorted by (x, y, z), without equal points and negative zeros.
std::vector<Vec3> canonical(std::span<const Vec3> points) {
  std::vector<Vec3> result;
  result.reserve(points.size());
  for (const Vec3& p : points) result.push_back({p.x + 0.0, p.y + 0.0, p.z + 0.0});
  std::sort(result.begin(), result.end(), lexicographicLess);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

double largestCoordinate(std::span<const Vec3> points) {
  double largest = 0.0;
  for (const Vec3& p : points) largest = maxOf(largest, maxElement(absOf(p)));
  return largest;
}

template <typename Measure>
std::uint32_t argMax(std::span<const Vec3> points, Measure measure, double& best) {
  std::uint32_t index = 0;
  best = measure(points[0]);
  for (std::uint32_t i = 1; i < points.size(); ++i) {
    const double value = measure(points[i]);
    if (value > best) {
      best = value;
      index = i;
    }
  }
  return index;
}

/// Four points far from each other. Returns nullptr, or what keeps the points from spanning a
/// volume beyond the tolerance.
const char* firstSimplex(std::span<const Vec3> points, double tolerance,
                         std::array<std::uint32_t, 4>& simplex) {
  double best;
  std::uint32_t extremes[6];
  extremes[0] = argMax(
      points, [](const Vec3& p) { return p.x; }, best);
  extremes[1] = argMax(
      points, [](const Vec3& p) { return -p.x; }, best);
  extremes[2] = argMax(
      points, [](const Vec3& p) { return p.y; }, best);
  extremes[3] = argMax(
      points, [](const Vec3& p) { return -p.y; }, best);
  extremes[4] = argMax(
      points, [](const Vec3& p) { return p.z; }, best);
  extremes[5] = argMax(
      points, [](const Vec3& p) { return -p.z; }, best);
  std::uint32_t a = extremes[0], b = extremes[0];
  double length2 = -1.0;
  for (const std::uint32_t i : extremes) {
    for (const std::uint32_t j : extremes) {
      const double d2 = squaredNorm(points[i] - points[j]);
      if (d2 > length2) {
        length2 = d2;
        a = i;
        b = j;
      }
    }
  }
  if (!(length2 > tolerance * tolerance)) return "coincide";
  const Vec3 pa = points[a], e = (points[b] - pa) * (1.0 / std::sqrt(length2));
  const std::uint32_t c = argMax(
      points, [&](const Vec3& p) { return squaredNorm(cross(p - pa, e)); }, best);
  if (!(best > 4.0 * tolerance * tolerance)) return "are collinear";
  Vec3 n = normalized(cross(e, points[c] - pa));
  n = normalized(n - e * dot(n, e));
  const std::uint32_t d = argMax(
      points, [&](const Vec3& p) { return absOf(dot(n, p - pa)); }, best);
  if (!(best > 2.0 * tolerance)) return "are coplanar";
  simplex = {a, b, c, d};
  return nullptr;
}

/// Area-weighted normal of a polygon (Newell), seen from its first corner, made square to the
/// longest chord from there: in a long narrow face rounding would tilt it most along the length.
Vec3 polygonNormal(std::span<const Vec3> points, const std::vector<std::uint32_t>& loop) {
  const Vec3 origin = points[loop[0]];
  Vec3 sum, chord;
  for (std::size_t i = 1; i < loop.size(); ++i) {
    const Vec3 to = points[loop[i]] - origin;
    if (squaredNorm(to) > squaredNorm(chord)) chord = to;
    if (i + 1 < loop.size()) sum += cross(to, points[loop[i + 1]] - origin);
  }
  const double length = norm(sum);
  if (!(length > 0.0)) {
    throw Error(StatusCode::DegenerateGeometry,
                "ConvexShape: a face of the hull has no area; points are too close to each other "
                "for their distance from the origin");
  }
  const Vec3 n = sum * (1.0 / length);
  return normalized(n - chord * (dot(n, chord) / squaredNorm(chord)));
}

void addEdges(HullData& hull) {
  struct HalfEdge {
    std::uint32_t low, high, face, corner;
    bool forward;
  };
  std::vector<HalfEdge> halves;
  for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
    const HullData::Face& face = hull.faces[f];
    for (std::uint32_t k = 0; k < face.numCorners; ++k) {
      const std::uint32_t corner = face.firstCorner + k;
      const std::uint32_t next = face.firstCorner + (k + 1 == face.numCorners ? 0 : k + 1);
      const std::uint32_t a = hull.corners[corner], b = hull.corners[next];
      halves.push_back({a < b ? a : b, a < b ? b : a, f, corner, a < b});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& p, const HalfEdge& q) {
    if (p.low != q.low) return p.low < q.low;
    if (p.high != q.high) return p.high < q.high;
    return p.forward > q.forward;
  });
  hull.cornerEdges.resize(hull.corners.size());
  for (std::size_t i = 0; i + 1 < halves.size(); i += 2) {
    const HalfEdge &p = halves[i], &q = halves[i + 1];
    hull.cornerEdges[p.corner] = hull.cornerEdges[q.corner] =
        static_cast<std::uint32_t>(hull.edges.size());
    hull.edges.push_back({p.low, p.high, p.face, q.face});
  }
  hull.vertexEdgeStart.assign(hull.numVertices + 1, 0);
  for (const HullData::Edge& e : hull.edges) {
    ++hull.vertexEdgeStart[e.vertex1 + 1];
    ++hull.vertexEdgeStart[e.vertex2 + 1];
  }
  for (std::uint32_t v = 0; v < hull.numVertices; ++v) {
    hull.vertexEdgeStart[v + 1] += hull.vertexEdgeStart[v];
  }
  hull.vertexEdges.resize(2 * hull.edges.size());
  std::vector<std::uint32_t> fill(hull.vertexEdgeStart.begin(), hull.vertexEdgeStart.end() - 1);
  for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
    hull.vertexEdges[fill[hull.edges[e].vertex1]++] = e;
    hull.vertexEdges[fill[hull.edges[e].vertex2]++] = e;
  }
}

/// Numbers the vertices that faces use in lexicographic order and fills the arrays.
HullData assemble(std::span<const Vec3> points, const Polygons& faces) {
  std::vector<std::uint32_t> number(points.size(), kNone);
  for (const auto& loop : faces) {
    for (const std::uint32_t v : loop) number[v] = 0;
  }
  HullData hull;
  for (std::uint32_t v = 0; v < points.size(); ++v) {
    if (number[v] == kNone) continue;
    number[v] = hull.numVertices++;
    hull.x.push_back(points[v].x);
    hull.y.push_back(points[v].y);
    hull.z.push_back(points[v].z);
    hull.radius = maxOf(hull.radius, norm(points[v]));
  }
  while (hull.x.size() % 4 != 0) {
    hull.x.push_back(hull.x[0]);
    hull.y.push_back(hull.y[0]);
    hull.z.push_back(hull.z[0]);
  }
  for (const auto& loop : faces) {
    HullData::Face face;
    face.normal = polygonNormal(points, loop);
    face.offset = dot(face.normal, points[loop[0]]);
    face.firstCorner = static_cast<std::uint32_t>(hull.corners.size());
    face.numCorners = static_cast<std::uint32_t>(loop.size());
    for (const std::uint32_t v : loop) {
      face.offset = maxOf(face.offset, dot(face.normal, points[v]));
      hull.corners.push_back(number[v]);
    }
    hull.faces.push_back(face);
  }
  addEdges(hull);
  return hull;
}

/// Largest distance of a point from its hull's planes, outwards.
double farthestOutside(const HullData& hull, const Vec3& p) {
  double worst = dot(hull.faces[0].normal, p) - hull.faces[0].offset;
  for (const HullData::Face& f : hull.faces) worst = maxOf(worst, dot(f.normal, p) - f.offset);
  return worst;
}

/// Hull of the points as they are, coplanar triangles merged. `corners` become the points where
/// three faces meet, `onHull` all that the triangles use.
HullData hullOf(std::span<const Vec3> points, const std::array<std::uint32_t, 4>& simplex,
                double tolerance, std::vector<std::uint32_t>& corners,
                std::vector<std::uint32_t>& onHull) {
  const std::vector<HullTriangle> triangles = triangulateHull(points, simplex);
  std::vector<std::uint32_t> group = groupCoplanar(points, triangles, tolerance);
  corners = cornersOf(points.size(), triangles, group);
  onHull.clear();
  for (const HullTriangle& t : triangles) {
    onHull.insert(onHull.end(), t.corners.begin(), t.corners.end());
  }
  std::sort(onHull.begin(), onHull.end());
  onHull.erase(std::unique(onHull.begin(), onHull.end()), onHull.end());
  Polygons faces = facesOf(triangles, group);
  if (faces.empty()) faces = facesOf(triangles, ungrouped(triangles.size()));
  return assemble(points, faces);
}

}  // namespace

HullData buildHull(std::span<const Vec3> input) {
  const FloatEnvironment environment;
  if (input.size() < 4) {
    throw Error(StatusCode::DegenerateGeometry,
                "ConvexShape: expected at least 4 points, got " + numbered(input.size()));
  }
  std::vector<Vec3> points = canonical(input);
  const double tolerance = kPlaneTolerance * largestCoordinate(points);
  std::vector<Vec3> dropped, kept;
  HullData hull;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    std::array<std::uint32_t, 4> simplex;
    if (const char* what = firstSimplex(points, tolerance, simplex)) {
      if (pass > 0) break;  // Merging would flatten it: leave it as it was.
      throw Error(StatusCode::DegenerateGeometry,
                  std::string("ConvexShape: the points ") + what + " within rounding (" +
                      numbered(points.size()) +
                      " distinct points); give at least four that span a volume");
    }
    std::vector<std::uint32_t> corners, onHull;
    hull = hullOf(points, simplex, tolerance, corners, onHull);
    // What merging dropped must not stick out; if it does, it comes back for good.
    std::vector<Vec3> inside;
    const std::size_t numKept = kept.size();
    for (const Vec3& p : dropped) {
      (farthestOutside(hull, p) > 2.0 * tolerance ? kept : inside).push_back(p);
    }
    dropped.swap(inside);
    std::vector<Vec3> next = kept;
    bool drops = false;
    for (const std::uint32_t v : onHull) {
      const bool stays = kept.size() != numKept ||
                         std::binary_search(corners.begin(), corners.end(), v) ||
                         std::find(kept.begin(), kept.end(), points[v]) != kept.end();
      (stays ? next : dropped).push_back(points[v]);
      drops = drops || !stays;
    }
    next = canonical(next);
    if ((!drops && kept.size() == numKept) || next.size() < 4) break;
    points.swap(next);
  }
  hull.center = centerOfVolume(hull);
  groupVertices(hull);
  return hull;
}

}  // namespace abut::inline v0_1
