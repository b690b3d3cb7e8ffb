// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/reduce.hpp"

#include <utility>

namespace abut {
namespace {

/// Areas below this part of the squared length are rounding of the positions.
constexpr double kAreaRounding = 1e-12;

bool featureLess(const PairPoint& a, const PairPoint& b) {
  if (a.feature1 != b.feature1) return a.feature1 < b.feature1;
  if (a.feature2 != b.feature2) return a.feature2 < b.feature2;
  return lexicographicLess(a.position, b.position);
}

bool deeperFirst(const PairPoint& a, const PairPoint& b) {
  if (a.depth != b.depth) return a.depth > b.depth;
  return featureLess(a, b);
}

/// Moves the point with the largest score (ties: smaller features) to place `slot`, unless no score
/// is above `threshold`. Returns whether it did.
template <typename Score>
bool selectBest(PairManifold& m, int slot, double threshold, Score score) {
  int best = -1;
  double bestScore = threshold;
  for (int i = slot; i < m.count; ++i) {
    const double s = score(m.points[i]);
    if (s < bestScore || (best < 0 && s == bestScore)) continue;
    if (best >= 0 && s == bestScore && !featureLess(m.points[i], m.points[best])) continue;
    best = i;
    bestScore = s;
  }
  if (best < 0) return false;
  std::swap(m.points[slot], m.points[best]);
  return true;
}

}  // namespace

void reduceManifold(PairManifold& m) {
  constexpr int kKept = static_cast<int>(ContactManifold::kMaxContacts);
  if (m.count > kKept) {
    int deepest = 0;
    for (int i = 1; i < m.count; ++i) {
      if (deeperFirst(m.points[i], m.points[deepest])) deepest = i;
    }
    std::swap(m.points[0], m.points[deepest]);
    const Vec3 a = m.points[0].position;
    int kept = 1;
    if (selectBest(m, kept, 0.0, [&](const PairPoint& p) { return squaredNorm(p.position - a); })) {
      ++kept;
      const Vec3 ab = m.points[1].position - a;
      // Signed area of the triangle (a, b, p) seen along the normal, times two; on a line it is no
      // more than rounding.
      const double noise = kAreaRounding * squaredNorm(ab);
      const auto area = [&](const PairPoint& p) {
        return dot(m.normal, cross(ab, p.position - a));
      };
      if (selectBest(m, kept, noise, [&](const PairPoint& p) { return area(p); })) ++kept;
      if (selectBest(m, kept, noise, [&](const PairPoint& p) { return -area(p); })) ++kept;
      // Where the deepest lies between others, the line's other end is still missing.
      const auto behind = [&](const PairPoint& p) { return -dot(ab, p.position - a); };
      if (kept < kKept && selectBest(m, kept, noise, behind)) ++kept;
    }
    m.count = kept;
  }
  for (int i = 1; i < m.count; ++i) {
    for (int j = i; j > 0 && deeperFirst(m.points[j], m.points[j - 1]); --j) {
      std::swap(m.points[j], m.points[j - 1]);
    }
  }
}

}  // namespace abut
