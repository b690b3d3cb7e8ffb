// SPDX-License-Identifier: MIT
#include "narrow_phase/curved/flat.hpp"

namespace abut::inline v0_1::curved {
namespace {

using Index = std::uint32_t;

void buildSegment(SmallFlat& f, double hz) {
  f.numVertices = 2;
  f.vertices[0] = {0.0, 0.0, -hz};
  f.vertices[1] = {0.0, 0.0, hz};
  f.numDirections = 4;
  f.directions[0] = {1.0, 0.0, 0.0};
  f.directions[1] = {0.0, 1.0, 0.0};
  f.directions[2] = {-1.0, 0.0, 0.0};
  f.directions[3] = {0.0, -1.0, 0.0};
  f.numArcs = 4;
  for (Index i = 0; i < 4; ++i) {
    f.offsets[i] = 0.0;
    f.arcs[i] = {i, (i + 1) % 4, 0, 1};
  }
}

void buildTriangle(SmallFlat& f, const Vec3 (&corners)[3]) {
  f.numVertices = 3;
  for (int i = 0; i < 3; ++i) f.vertices[i] = corners[i];
  const Vec3 n = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
  f.numDirections = 5;
  f.directions[0] = n;
  f.directions[1] = -n;
  f.offsets[0] = dot(n, corners[0]);
  f.offsets[1] = -f.offsets[0];
  f.numArcs = 6;
  for (Index i = 0; i < 3; ++i) {
    const Index j = (i + 1) % 3;
    const Vec3 outward = normalized(cross(corners[j] - corners[i], n));
    f.directions[2 + i] = outward;
    f.offsets[2 + i] = dot(outward, corners[i]);
    f.arcs[std::size_t{2} * i] = {0, 2 + i, i, j};
    f.arcs[std::size_t{2} * i + 1] = {2 + i, 1, i, j};
  }
}

void buildBox(SmallFlat& f, const Vec3& half) {
  f.numVertices = 8;
  f.half = half;
  for (int i = 0; i < 8; ++i) {
    f.vertices[i] = {(i & 1) ? half.x : -half.x, (i & 2) ? half.y : -half.y,
                     (i & 4) ? half.z : -half.z};
  }
  f.numDirections = 6;
  const double halves[3] = {half.x, half.y, half.z};
  for (int i = 0; i < 6; ++i) {
    const double sign = (i & 1) ? 1.0 : -1.0;
    f.directions[i] = {i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0, i / 2 == 2 ? sign : 0.0};
    f.offsets[i] = halves[i / 2];
  }
  f.numArcs = 12;
  Index count = 0;
  for (Index axis = 0; axis < 3; ++axis) {
    const Index j = (axis + 1) % 3, k = (axis + 2) % 3;
    for (Index signs = 0; signs < 4; ++signs) {
      const Index sj = signs & 1, sk = signs >> 1;
      const Index vertex = (sj << j) | (sk << k);
      f.arcs[count++] = {2 * j + sj, 2 * k + sk, vertex, vertex | (1u << axis)};
    }
  }
}

}  // namespace

SmallFlat::SmallFlat(const ConvexCore& core) {
  switch (core.kind) {
    case ConvexCore::Kind::Segment:
      buildSegment(*this, core.half.z);
      return;
    case ConvexCore::Kind::Triangle:
      buildTriangle(*this, core.corners);
      return;
    case ConvexCore::Kind::Box:
      buildBox(*this, core.half);
      return;
    case ConvexCore::Kind::Point:
    case ConvexCore::Kind::Hull:
    case ConvexCore::Kind::Cylinder:
    case ConvexCore::Kind::Cone:
      return;  // The caller's precondition.
  }
}

Vec3 SmallFlat::center() const {
  if (numVertices == 3) return (vertices[0] + vertices[1] + vertices[2]) * (1.0 / 3.0);
  return {};
}

void SmallFlat::supportSet(const Vec3& m, double tolerance, SupportSet& set) const {
  const double most = height(m);
  int last = 0;
  set.count = 0;
  for (int i = 0; i < numVertices; ++i) {
    if (dot(vertices[i], m) < most - tolerance) continue;
    set.points[set.count++] = vertices[i];
    last = i;
  }
  set.feature = {Feature::Kind::Vertex, static_cast<Index>(last)};
  if (set.count == 4) {
    // Two bits of the vertex number run through a box's face: go around it.
    const Vec3 third = set.points[2];
    set.points[2] = set.points[3];
    set.points[3] = third;
  }
}

void HullFlat::supportSet(const Vec3& m, double tolerance, SupportSet& set) const {
  const std::uint32_t top = support(m);
  const double most = dot(vertex(top), m);
  int count = 0;
  Vec3 two[2];
  for (Index i = 0; i < hull.numVertices && count < 3; ++i) {
    if (dot(vertex(i), m) < most - tolerance) continue;
    if (count < 2) two[count] = vertex(i);
    ++count;
  }
  set.feature = {Feature::Kind::Vertex, top};
  set.count = count;
  if (count < 3) {
    for (int i = 0; i < count; ++i) set.points[i] = two[i];
    return;
  }
  Index face = 0;
  double nearest = -2.0;
  for (Index i = 0; i < hull.faces.size(); ++i) {
    const double cosine = dot(hull.faces[i].normal, m);
    if (cosine > nearest) {
      nearest = cosine;
      face = i;
    }
  }
  const HullData::Face& f = hull.faces[face];
  // More corners than there is room for: an even choice, so that the polygon goes all round.
  const Index room = SupportSet::kMaxPoints;
  const Index kept = f.numCorners < room ? f.numCorners : room;
  for (Index i = 0; i < kept; ++i) {
    const auto corner = static_cast<Index>(std::uint64_t{i} * f.numCorners / kept);
    set.points[i] = vertex(hull.corners[f.firstCorner + corner]);
  }
  set.count = static_cast<int>(kept);
  set.feature = {Feature::Kind::Face, face};
}

}  // namespace abut::inline v0_1::curved
