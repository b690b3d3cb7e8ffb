// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/clear_way.hpp"

#include <algorithm>

#include "narrow_phase/tolerances.hpp"

// While a triangle moves along a direction it meets another on one stretch of the way, for both are
// convex. Seen along the way, where they lie over each other is a convex polygon, over which the
// way that is left is linear: its ends are at corners of the one over the other, or where edges
// cross. The stretches that hang together with the start are what has to be cleared.

namespace abut::inline v0_1 {
namespace {

/// Twice the area to the left of a to b that c makes, seen along z.
double turn(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Height of a triangle over (p.x, p.y); false if that is beside it, or it is seen from the side.
bool heightOver(const Vec3* t, const Vec3& p, double& height) {
  const double w0 = turn(t[1], t[2], p), w1 = turn(t[2], t[0], p), w2 = turn(t[0], t[1], p);
  const bool left = w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0;
  const bool right = w0 <= 0.0 && w1 <= 0.0 && w2 <= 0.0;
  const double sum = (w0 + w1) + w2;
  if ((!left && !right) || sum == 0.0) return false;
  height = ((w0 * t[0].z + w1 * t[1].z) + w2 * t[2].z) / sum;
  return true;
}

}  // namespace

void findWithin(const MeshSide& side, const Bounds& box, ScratchList<std::uint32_t>& result) {
  const Mat3 spread = absOf(transpose(side.pose.rotation));
  const Vec3 middle = applyInverse(side.pose, (box.min + box.max) * 0.5);
  const Vec3 half = spread * ((box.max - box.min) * 0.5);
  const std::size_t first = result.size();
  side.mesh.bvh.forEachOverlap({middle - half, middle + half}, [&](std::uint32_t t) {
    const Vec3 a = side.corner(t, 0), b = side.corner(t, 1), c = side.corner(t, 2);
    if (overlaps(box, {minOf(minOf(a, b), c), maxOf(maxOf(a, b), c)})) result.push(t);
  });
  std::sort(result.items().begin() + static_cast<std::ptrdiff_t>(first), result.items().end());
}

ClearWay::ClearWay(const MeshPair& pair, const Bounds& box) : pair_(pair) {
  findWithin(pair.side1, box, triangles_);
}

ClearWay::Flat ClearWay::flatten(const MeshSide& side, std::uint32_t t) const {
  Flat flat;
  flat.triangle = t;
  for (int k = 0; k < 3; ++k) {
    const Vec3 p = side.corner(t, k);
    flat.corner[k] = {dot(axes_.x, p), dot(axes_.y, p), dot(axes_.z, p)};
  }
  flat.box = {minOf(minOf(flat.corner[0], flat.corner[1]), flat.corner[2]),
              maxOf(maxOf(flat.corner[0], flat.corner[1]), flat.corner[2])};
  return flat;
}

void ClearWay::begin(const Vec3& n, double limit) {
  const Vec3 least = absOf(n.x) <= absOf(n.y) && absOf(n.x) <= absOf(n.z) ? Vec3{1, 0, 0}
                     : absOf(n.y) <= absOf(n.z)                           ? Vec3{0, 1, 0}
                                                                          : Vec3{0, 0, 1};
  axes_.x = normalized(cross(n, least));
  axes_.y = cross(n, axes_.x);
  axes_.z = n;
  limit_ = limit;
}

Bounds ClearWay::boxOfWay(std::uint32_t t) const {
  Vec3 corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = applyInverse(pair_.side2.pose, pair_.side1.corner(t, k));
  const Vec3 way = transposeTimes(pair_.side2.pose.rotation, axes_.z) * limit_;
  const Bounds box{minOf(minOf(corner[0], corner[1]), corner[2]),
                   maxOf(maxOf(corner[0], corner[1]), corner[2])};
  return grown(merged(box, {box.min + way, box.max + way}), kTouchTolerance * pair_.size);
}

bool ClearWay::meet(const Flat& a, const Flat& b, Meeting& m) const {
  if (b.box.max.z < a.box.min.z || b.box.min.z - a.box.max.z > limit_) return false;
  if (a.box.max.x < b.box.min.x || b.box.max.x < a.box.min.x) return false;
  if (a.box.max.y < b.box.min.y || b.box.max.y < a.box.min.y) return false;
  m.begin = std::numeric_limits<double>::infinity();
  m.end = -m.begin;
  Vec3 place{};
  const auto offer = [&](const Vec3& on1, double z2, Feature f1, Feature f2) {
    const double way = z2 - on1.z;
    m.begin = minOf(m.begin, way);
    if (!(way > m.end)) return;
    m.end = way;
    place = on1;
    m.feature1 = f1;
    m.feature2 = f2;
  };
  double z = 0.0;
  using Kind = Feature::Kind;
  for (std::uint32_t k = 0; k < 3; ++k) {
    if (heightOver(b.corner, a.corner[k], z))
      offer(a.corner[k], z, {Kind::Vertex, k}, {Kind::Face, 0});
    const Vec3& q = b.corner[k];
    if (heightOver(a.corner, q, z)) offer({q.x, q.y, z}, q.z, {Kind::Face, 0}, {Kind::Vertex, k});
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Vec3 &p = a.corner[i], d = a.corner[(i + 1) % 3] - p;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Vec3 &q = b.corner[k], e = b.corner[(k + 1) % 3] - q;
      const double det = d.x * e.y - d.y * e.x;
      if (det == 0.0) continue;
      const double s = ((q.x - p.x) * e.y - (q.y - p.y) * e.x) / det;
      const double t = ((q.x - p.x) * d.y - (q.y - p.y) * d.x) / det;
      if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) continue;
      offer(p + d * s, q.z + e.z * t, {Kind::Edge, i}, {Kind::Edge, k});
    }
  }
  if (!(m.end >= 0.0) || m.begin > limit_) return false;
  m.triangle1 = a.triangle;
  m.triangle2 = b.triangle;
  m.point = (axes_.x * place.x + axes_.y * place.y) + axes_.z * place.z;
  return true;
}

double ClearWay::follow(const Vec3& n, ScratchList<Meeting>& meetings) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::span<Meeting> all = meetings.items();
  std::sort(all.begin(), all.end(),
            [](const Meeting& a, const Meeting& b) { return a.key() < b.key(); });
  const double slack = kNearerSlack * pair_.size;
  double end = 0.0;
  std::size_t count = 0;
  while (count < all.size() && all[count].begin <= end + slack) {
    end = maxOf(end, all[count++].end);
    if (end >= limit_) return kNone;
  }
  meetings.resize(count);
  // What comes out last is the lower side of mesh 1 from the upper side of mesh 2, or edges of
  // them.
  bool isLower = count == 0, isUpper = count == 0;
  for (const Meeting& m : meetings.items()) {
    if (m.end < end - slack) continue;
    isLower = isLower || dot(pair_.side1.normal(m.triangle1), n) <= kConeTolerance;
    isUpper = isUpper || dot(pair_.side2.normal(m.triangle2), n) >= -kConeTolerance;
  }
  return isLower && isUpper ? end : kNone;
}

}  // namespace abut::inline v0_1
