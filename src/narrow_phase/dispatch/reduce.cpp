// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/reduce.hpp"

#include <utility>

namespace abut::inline v0_1 {
namespace {

/// Areas below this part of the squared length are rounding of the positions.
constexpr double kAreaRounding = 1e-12;
/// Depths this close, times the extent of the points, are one: rounding of a body that lies flat.
/// Far below what depths are exact to.
constexpr double kOneDepth = 5e-13;
/// Lengths and areas this close, relatively, are equal.
constexpr double kOneScore = 1e-8;

/// By features, whichever object has which: the same for exchanged objects.
bool featureLess(const PairPoint& a, const PairPoint& b) {
  const bool swapA = a.feature2 < a.feature1, swapB = b.feature2 < b.feature1;
  const Feature &lowA = swapA ? a.feature2 : a.feature1, &lowB = swapB ? b.feature2 : b.feature1;
  if (lowA != lowB) return lowA < lowB;
  const Feature &topA = swapA ? a.feature1 : a.feature2, &topB = swapB ? b.feature1 : b.feature2;
  if (topA != topB) return topA < topB;
  return lexicographicLess(a.position, b.position);
}

bool deeperFirst(const PairPoint& a, const PairPoint& b) {
  if (a.depth != b.depth) return a.depth > b.depth;
  return featureLess(a, b);
}

/// Moves the point with the largest score to place `slot`, unless no score is above `threshold`; of
/// those within `same` of the largest the one with the smallest features. Returns whether it did.
template <typename Score>
bool selectBest(PairManifold& m, int slot, double threshold, double same, Score score) {
  double most = threshold;
  for (int i = slot; i < m.count; ++i) most = maxOf(most, score(m.points[i]));
  if (!(most > threshold)) return false;
  const double enough = most - (same + kOneScore * absOf(most));
  int best = -1;
  for (int i = slot; i < m.count; ++i) {
    const double s = score(m.points[i]);
    if (s < enough || !(s > threshold)) continue;
    if (best < 0 || featureLess(m.points[i], m.points[best])) best = i;
  }
  std::swap(m.points[slot], m.points[best]);
  return true;
}

/// Moves the deepest to the front. Of those as deep but for rounding it is the one with the
/// smallest features, and it gets the greatest depth, so that that stays the manifold's.
void selectDeepest(PairManifold& m) {
  double deepest = m.points[0].depth;
  Vec3 lower = m.points[0].position, upper = lower;
  for (int i = 1; i < m.count; ++i) {
    deepest = maxOf(deepest, m.points[i].depth);
    lower = minOf(lower, m.points[i].position);
    upper = maxOf(upper, m.points[i].position);
  }
  const Vec3 extent = upper - lower;
  const double enough = deepest - kOneDepth * ((extent.x + extent.y) + extent.z);
  int best = -1;
  for (int i = 0; i < m.count; ++i) {
    if (m.points[i].depth < enough) continue;
    if (best < 0 || featureLess(m.points[i], m.points[best])) best = i;
  }
  std::swap(m.points[0], m.points[best]);
  m.points[0].depth = deepest;
}

}  // namespace

void reduceManifold(PairManifold& m) {
  constexpr int kKept = static_cast<int>(ContactManifold::kMaxContacts);
  if (m.count > kKept) {
    selectDeepest(m);
    const Vec3 a = m.points[0].position;
    const auto distance = [&](const PairPoint& p) { return squaredNorm(p.position - a); };
    int kept = 1;
    if (selectBest(m, kept, 0.0, 0.0, distance)) {
      ++kept;
      const Vec3 ab = m.points[1].position - a;
      // Signed area of the triangle (a, b, p) seen along the normal, times two; on a line it is no
      // more than rounding.
      const double noise = kAreaRounding * squaredNorm(ab);
      const auto area = [&](const PairPoint& p) {
        return dot(m.normal, cross(ab, p.position - a));
      };
      const auto otherArea = [&](const PairPoint& p) { return -area(p); };
      if (selectBest(m, kept, noise, noise, area)) ++kept;
      if (selectBest(m, kept, noise, noise, otherArea)) ++kept;
      // Where the deepest lies between others, the line's other end is still missing.
      const auto behind = [&](const PairPoint& p) { return -dot(ab, p.position - a); };
      if (kept < kKept && selectBest(m, kept, noise, noise, behind)) ++kept;
    }
    m.count = kept;
  }
  for (int i = 1; i < m.count; ++i) {
    for (int j = i; j > 0 && deeperFirst(m.points[j], m.points[j - 1]); --j) {
      std::swap(m.points[j], m.points[j - 1]);
    }
  }
}

}  // namespace abut::inline v0_1
