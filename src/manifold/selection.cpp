// SPDX-License-Identifier: MIT
#include "manifold/selection.hpp"

#include <algorithm>

#include "math/pose.hpp"

namespace abut::inline v0_1 {
namespace {

/// The search below tries every triple of these.
constexpr std::size_t kMaxSearched = 16;

double twiceArea(const Vec3& n, const Vec3& a, const Vec3& b) {
  return absOf(dot(n, cross(a, b)));
}

/// Twice the area of the hull of four points. A convex quadrilateral is half the product of its
/// diagonals, and the two other pairings give less; with one point inside, a triangle is larger.
double twiceHullArea(const Vec3& n, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 ab = b - a, ac = c - a, ad = d - a, bc = c - b, bd = d - b, cd = d - c;
  const double quads =
      maxOf(maxOf(twiceArea(n, ab, cd), twiceArea(n, ac, bd)), twiceArea(n, ad, bc));
  const double triangles = maxOf(maxOf(twiceArea(n, ab, ac), twiceArea(n, ab, ad)),
                                 maxOf(twiceArea(n, ac, ad), twiceArea(n, bc, bd)));
  return maxOf(quads, triangles);
}

std::uint32_t deepestOf(std::span<const Candidate> c, double depthEpsilon) {
  double greatest = c[0].depth;
  for (const Candidate& candidate : c) greatest = maxOf(greatest, candidate.depth);
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    if (c[i].depth >= greatest - depthEpsilon) return i;
  }
  return 0;
}

/// Thins a large set to the extreme points in evenly spaced directions across the normal: a start
/// for improve().
std::size_t thin(std::span<const Candidate> c, const Vec3& normal, std::uint32_t deepest,
                 std::array<std::uint32_t, kMaxSearched>& kept) {
  const Vec3 u = anyPerpendicular(normal), v = cross(normal, u);
  std::size_t count = 0;
  kept[count++] = deepest;
  for (std::size_t k = 0; k + 1 < kMaxSearched; ++k) {
    // Directions on a square around the origin: evenly enough, and without trigonometry.
    const double t = 8.0 * static_cast<double>(k) / static_cast<double>(kMaxSearched - 1);
    const double s = t < 4.0 ? t : t - 4.0;
    const double x = s < 2.0 ? 1.0 : 3.0 - s, y = s < 2.0 ? s - 1.0 : 1.0;
    const Vec3 direction = (u * x + v * y) * (t < 4.0 ? 1.0 : -1.0);
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < c.size(); ++i) {
      if (dot(direction, c[i].position) > dot(direction, c[best].position)) best = i;
    }
    if (std::find(kept.begin(), kept.begin() + count, best) == kept.begin() + count) {
      kept[count++] = best;
    }
  }
  std::sort(kept.begin(), kept.begin() + count);
  return count;
}

/// Exchanges single points of a quadrilateral, all but the first, for any candidate as long as that
/// enlarges it.
void improve(std::span<const Candidate> c, const Vec3& normal, std::array<std::uint32_t, 4>& q) {
  constexpr int kMaxRounds = 8;  // Two or three are usual.
  const auto area = [&](const std::array<std::uint32_t, 4>& i) {
    return twiceHullArea(normal, c[i[0]].position, c[i[1]].position, c[i[2]].position,
                         c[i[3]].position);
  };
  double best = area(q);
  bool improved = true;
  for (int round = 0; round < kMaxRounds && improved; ++round) {
    improved = false;
    for (std::size_t place = 1; place < 4; ++place) {
      for (std::uint32_t i = 0; i < c.size(); ++i) {
        if (std::find(q.begin(), q.end(), i) != q.end()) continue;
        std::array<std::uint32_t, 4> trial = q;
        trial[place] = i;
        const double a = area(trial);
        if (!(a > best)) continue;
        best = a;
        q = trial;
        improved = true;
      }
    }
  }
}

struct Best {
  double score = -1.0;
  std::array<std::uint32_t, 3> others{};

  void offer(double s, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    if (!(s > score)) return;
    score = s;
    others = {i, j, k};
  }
};

}  // namespace

double spannedArea(std::span<const Vec3> p, const Vec3& normal) {
  if (p.size() < 3) return 0.0;
  const Vec3& last = p.size() == 3 ? p[2] : p[3];
  return 0.5 * twiceHullArea(normal, p[0], p[1], p[2], last);
}

int selectPoints(std::span<const Candidate> c, const Vec3& normal, std::size_t most,
                 double depthEpsilon, std::array<std::uint32_t, 4>& chosen) {
  if (c.size() <= most) {
    for (std::uint32_t i = 0; i < c.size(); ++i) chosen[i] = i;
    return static_cast<int>(c.size());
  }
  const std::uint32_t deepest = deepestOf(c, depthEpsilon);
  std::array<std::uint32_t, kMaxSearched> pool;
  std::size_t n = c.size();
  if (n > kMaxSearched) {
    n = thin(c, normal, deepest, pool);
  } else {
    for (std::uint32_t i = 0; i < n; ++i) pool[i] = i;
  }
  const Vec3 a = c[deepest].position;
  Best best;
  for (std::size_t i = 0; i < n && most > 1; ++i) {
    if (pool[i] == deepest) continue;
    const Vec3& p = c[pool[i]].position;
    if (most == 2) best.offer(squaredNorm(p - a), pool[i], 0, 0);
    for (std::size_t j = i + 1; j < n && most > 2; ++j) {
      if (pool[j] == deepest) continue;
      const Vec3& q = c[pool[j]].position;
      if (most == 3) best.offer(twiceArea(normal, p - a, q - a), pool[i], pool[j], 0);
      for (std::size_t k = j + 1; k < n && most > 3; ++k) {
        if (pool[k] == deepest) continue;
        best.offer(twiceHullArea(normal, a, p, q, c[pool[k]].position), pool[i], pool[j], pool[k]);
      }
    }
  }
  chosen[0] = deepest;
  std::copy_n(best.others.begin(), 3, chosen.begin() + 1);
  // A thinned pool may hold fewer points than may be kept.
  const std::size_t count = best.score < 0.0 ? 1 : most;
  if (count == 4 && c.size() > kMaxSearched) improve(c, normal, chosen);
  std::sort(chosen.begin(), chosen.begin() + count);
  return static_cast<int>(count);
}

}  // namespace abut::inline v0_1
