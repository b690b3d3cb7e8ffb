// SPDX-License-Identifier: MIT
#include "math/pack_wide.hpp"
#include "math/vec3_pack.hpp"
#include "shapes/hull_data.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {
namespace {

/// Least and greatest heights along three axes, of the vertices of each lane.
struct Heights {
  Pack4d least[3], most[3];
};

template <class P>
ABUT_ALWAYS_INLINE P loadFour(const double* from) {
  Pack4d four;
  __builtin_memcpy(&four, from, sizeof four);
  return load<P>(four);
}

/// Of four vertices, from the i-th on, along an axis.
template <class P>
ABUT_ALWAYS_INLINE P heightsAt(const HullData& hull, std::size_t i, const Vec3Pack<P>& axis) {
  return (loadFour<P>(&hull.x[i]) * axis.x + loadFour<P>(&hull.y[i]) * axis.y) +
         loadFour<P>(&hull.z[i]) * axis.z;
}

template <class P>
ABUT_ALWAYS_INLINE void measure(const HullData& hull, const Mat3& axes, Heights& heights) {
  const Vec3 of[3] = {axes.x, axes.y, axes.z};
  Vec3Pack<P> axis[3];
  P least[3], most[3];
  for (int k = 0; k < 3; ++k) {
    axis[k] = {PackTraits<P>::splat(of[k].x), PackTraits<P>::splat(of[k].y),
               PackTraits<P>::splat(of[k].z)};
    least[k] = most[k] = heightsAt<P>(hull, 0, axis[k]);
  }
  for (std::size_t i = 4; i < hull.x.size(); i += 4) {
    for (int k = 0; k < 3; ++k) {
      const P height = heightsAt<P>(hull, i, axis[k]);
      least[k] = minOf(least[k], height);
      most[k] = maxOf(most[k], height);
    }
  }
  for (int k = 0; k < 3; ++k) {
    PackTraits<P>::store(heights.least[k], least[k]);
    PackTraits<P>::store(heights.most[k], most[k]);
  }
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE void measureWide(const HullData& hull, const Mat3& axes, Heights& heights) {
  measure<Wide4d>(hull, axes, heights);
}
#endif

void measure(const HullData& hull, const Mat3& axes, Heights& heights) {
#if ABUT_HAS_WIDE
  if (kHasWide) return measureWide(hull, axes, heights);
#endif
  measure<Pack4d>(hull, axes, heights);
}

double leastOf(const Pack4d& a) {
  return minOf(minOf(a[0], a[1]), minOf(a[2], a[3]));
}
double mostOf(const Pack4d& a) {
  return maxOf(maxOf(a[0], a[1]), maxOf(a[2], a[3]));
}

/// The same by one search each way: what a tree of many vertices, or a number that is none, takes.
double heightAlong(const HullData& hull, const Vec3& d) {
  return dot(d, hull.vertex(supportVertex(hull, d)));
}

}  // namespace

void reachOf(const HullData& hull, const Mat3& axes, Vec3& low, Vec3& high) {
  if (hull.grouping.nodes.empty() && isFinite(axes.x) && isFinite(axes.y) && isFinite(axes.z)) {
    Heights h;
    measure(hull, axes, h);
    low = {leastOf(h.least[0]), leastOf(h.least[1]), leastOf(h.least[2])};
    high = {mostOf(h.most[0]), mostOf(h.most[1]), mostOf(h.most[2])};
    return;
  }
  high = {heightAlong(hull, axes.x), heightAlong(hull, axes.y), heightAlong(hull, axes.z)};
  low = {-heightAlong(hull, -axes.x), -heightAlong(hull, -axes.y), -heightAlong(hull, -axes.z)};
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
