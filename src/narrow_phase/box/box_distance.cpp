// SPDX-License-Identifier: MIT
#include "narrow_phase/box/box_distance.hpp"

#include "narrow_phase/convex/segments.hpp"
#include "shapes/box_features.hpp"

namespace abut::inline v0_1 {
namespace {

/// Vertices within this part of the size of the support plane may belong to the nearest feature.
constexpr double kNearSupport = 1e-6;

/// Vertices and edges of a box near its support plane along a direction, in its own frame.
struct Candidates {
  std::uint32_t vertices[8];
  int numVertices = 0;
  struct Edge {
    std::uint32_t axis, vertex;
  } edges[12];
  int numEdges = 0;
};

Candidates candidatesOf(const Vec3& half, const Vec3& d, double tolerance) {
  Candidates found;
  bool near[8];
  const double reach = dot(absOf(d), half);
  for (std::uint32_t v = 0; v < 8; ++v) {
    near[v] = dot(boxVertex(half, v), d) >= reach - tolerance;
    if (near[v]) found.vertices[found.numVertices++] = v;
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t bit = 1u << axis;
    for (std::uint32_t v = 0; v < 8; ++v) {
      if ((v & bit) == 0u && near[v] && near[v | bit]) found.edges[found.numEdges++] = {axis, v};
    }
  }
  return found;
}

double component(const Vec3& v, std::uint32_t axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

/// The middle of the edge from vertex v along +axis.
Vec3 middleOf(const Vec3& half, std::uint32_t axis, std::uint32_t v) {
  const Vec3 p = boxVertex(half, v);
  return {axis == 0 ? 0.0 : p.x, axis == 1 ? 0.0 : p.y, axis == 2 ? 0.0 : p.z};
}

/// The vertex at an end of an edge, or the edge.
Feature featureAt(std::uint32_t axis, std::uint32_t v, double half, double t) {
  if (absOf(t) < half) return {Feature::Kind::Edge, boxEdge(axis, v)};
  return {Feature::Kind::Vertex, t > 0.0 ? v | (1u << axis) : v};
}

/// Nearest point of a box to a point p outside it, and its feature.
Vec3 nearestOnBox(const Vec3& half, const Vec3& p, Feature& feature) {
  const Vec3 q{clampTo(p.x, -half.x, half.x), clampTo(p.y, -half.y, half.y),
               clampTo(p.z, -half.z, half.z)};
  const std::uint32_t beyond =
      (q.x != p.x ? 1u : 0u) | (q.y != p.y ? 2u : 0u) | (q.z != p.z ? 4u : 0u);
  feature = boxRegion(beyond, signBits(p));
  return q;
}

class Search {
public:
  Search(const BoxPair& pair, const Vec3& normal, double gap)
      : pair_(pair), along_(normal * gap), short_(gap <= kShortBoxDistance * pair.size) {}

  void tryVertex2(std::uint32_t v) {
    const Vec3 p2 = pair_.center2 + pair_.axes2 * boxVertex(pair_.half2, v);
    Feature feature1;
    const Vec3 p1 = nearestOnBox(pair_.half1, p2, feature1);
    offer(p1, p2, feature1, {Feature::Kind::Vertex, v});
  }
  void tryVertex1(std::uint32_t v) {
    const Vec3 p1 = boxVertex(pair_.half1, v);
    Feature feature2;
    const Vec3 q =
        nearestOnBox(pair_.half2, transposeTimes(pair_.axes2, p1 - pair_.center2), feature2);
    offer(p1, pair_.center2 + pair_.axes2 * q, {Feature::Kind::Vertex, v}, feature2);
  }
  void tryEdges(const Candidates::Edge& e1, const Candidates::Edge& e2) {
    const Mat3& m = pair_.axes2;
    const Vec3 middle1 = middleOf(pair_.half1, e1.axis, e1.vertex);
    const Vec3 middle2 = pair_.center2 + m * middleOf(pair_.half2, e2.axis, e2.vertex);
    SegmentPair s;
    s.axis1 = {e1.axis == 0 ? 1.0 : 0.0, e1.axis == 1 ? 1.0 : 0.0, e1.axis == 2 ? 1.0 : 0.0};
    s.axis2 = e2.axis == 0 ? m.x : (e2.axis == 1 ? m.y : m.z);
    s.half1 = component(pair_.half1, e1.axis);
    s.half2 = component(pair_.half2, e2.axis);
    s.offset = middle2 - middle1;
    findNearest(s);
    offer(middle1 + s.axis1 * s.s, middle2 + s.axis2 * s.t,
          featureAt(e1.axis, e1.vertex, s.half1, s.s), featureAt(e2.axis, e2.vertex, s.half2, s.t));
  }
  [[nodiscard]] const BoxNearest& getBest() const { return best_; }

private:
  void offer(const Vec3& p1, const Vec3& p2, const Feature& feature1, const Feature& feature2) {
    const Vec3 across = p1 - p2;
    const double distance = norm(across);
    const double score =
        short_ ? -norm(across - along_) : boxGapAlong(pair_, across * (1.0 / distance)) - distance;
    if (found_ && score <= score_) return;
    found_ = true;
    score_ = score;
    best_ = {distance, p1, p2, feature1, feature2};
  }

  const BoxPair& pair_;
  Vec3 along_;
  bool short_;
  bool found_ = false;
  double score_ = 0.0;
  BoxNearest best_{};
};

}  // namespace

double boxGapAlong(const BoxPair& pair, const Vec3& n) {
  const Vec3 n2 = transposeTimes(pair.axes2, n);
  return -(dot(absOf(n), pair.half1) + dot(absOf(n2), pair.half2)) - dot(n, pair.center2);
}

BoxNearest findBoxNearest(const BoxPair& pair, const Vec3& normal, double gap) {
  const double tolerance = kNearSupport * pair.size;
  const Candidates c1 = candidatesOf(pair.half1, -normal, tolerance);
  const Candidates c2 = candidatesOf(pair.half2, transposeTimes(pair.axes2, normal), tolerance);
  Search search(pair, normal, gap);
  for (int i = 0; i < c2.numVertices; ++i) search.tryVertex2(c2.vertices[i]);
  for (int i = 0; i < c1.numVertices; ++i) search.tryVertex1(c1.vertices[i]);
  for (int i = 0; i < c1.numEdges; ++i) {
    for (int j = 0; j < c2.numEdges; ++j) search.tryEdges(c1.edges[i], c2.edges[j]);
  }
  return search.getBest();
}

}  // namespace abut::inline v0_1
