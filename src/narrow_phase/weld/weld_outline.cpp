// SPDX-License-Identifier: MIT
#include "narrow_phase/weld/weld_outline.hpp"

#include <algorithm>

namespace abut::inline v0_1 {
namespace {

struct Flat {
  double x, y;
  int index;
};

/// Twice the signed area of (a, b, c).
double turn(const Flat& a, const Flat& b, const Flat& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// True if b lies on, or right of, the line from a to c within the tolerance.
bool isRedundant(const Flat& a, const Flat& b, const Flat& c, double tolerance) {
  const double dx = c.x - a.x, dy = c.y - a.y;
  return turn(a, b, c) <= tolerance * std::sqrt(dx * dx + dy * dy);
}

}  // namespace

void keepOutline(PairManifold& m, double tolerance) {
  if (m.count < 3) return;
  const Vec3 t1 = anyPerpendicular(m.normal), t2 = cross(m.normal, t1);
  Flat points[PairManifold::kMaxPoints];
  for (int i = 0; i < m.count; ++i) {
    const Vec3 from = m.points[i].position - m.points[0].position;
    points[i] = {dot(t1, from), dot(t2, from), i};
  }
  std::sort(points, points + m.count, [](const Flat& a, const Flat& b) {
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.index < b.index;
  });
  // Andrew's monotone chain, lower then upper side.
  Flat chain[2 * PairManifold::kMaxPoints];
  bool kept[PairManifold::kMaxPoints] = {};
  for (int side = 0; side < 2; ++side) {
    int top = 0;
    for (int i = 0; i < m.count; ++i) {
      const Flat& p = points[side == 0 ? i : m.count - 1 - i];
      while (top >= 2 && isRedundant(chain[top - 2], chain[top - 1], p, tolerance)) --top;
      chain[top++] = p;
    }
    for (int i = 0; i < top; ++i) kept[chain[i].index] = true;
  }
  double deepest = 0.0;
  bool any = false;
  for (int i = 0; i < m.count; ++i) {
    if (!kept[i]) continue;
    deepest = any ? maxOf(deepest, m.points[i].depth) : m.points[i].depth;
    any = true;
  }
  int count = 0;
  for (int i = 0; i < m.count; ++i) {
    if (kept[i] || m.points[i].depth > deepest + tolerance) m.points[count++] = m.points[i];
  }
  m.count = count;
}

ContactType typeOfSpread(const PairManifold& m, double tolerance) {
  if (m.count == 1) return ContactType::Point;
  double longest = 0.0, area = 0.0;
  for (int i = 1; i < m.count; ++i) {
    longest = maxOf(longest, norm(m.points[i].position - m.points[0].position));
    for (int k = 1; k < i; ++k) {
      const Vec3 spread = cross(m.points[i].position - m.points[0].position,
                                m.points[k].position - m.points[0].position);
      area = maxOf(area, norm(spread));
    }
  }
  return area <= tolerance * longest ? ContactType::Edge : ContactType::Face;
}

}  // namespace abut::inline v0_1
