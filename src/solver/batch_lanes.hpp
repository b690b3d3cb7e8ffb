// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack_wide.hpp"
#include "solver/manifold_batch.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {

// Velocities of four bodies, from where they lie to lanes and back.

/// The body at a place, see placeOf().
ABUT_ALWAYS_INLINE const BatchBody& bodyAt(const BatchBody* b, std::uint32_t place) {
  return *reinterpret_cast<const BatchBody*>(reinterpret_cast<const char*>(b) +
                                             std::size_t{8} * place);
}
ABUT_ALWAYS_INLINE BatchBody& bodyAt(BatchBody* b, std::uint32_t place) {
  return *reinterpret_cast<BatchBody*>(reinterpret_cast<char*>(b) + std::size_t{8} * place);
}

/// Linear or angular velocities of four bodies.
ABUT_ALWAYS_INLINE Vec3x4 gather(const BatchBody* b, const std::uint32_t (&i)[4],
                                 Double2 BatchBody::*xy, Double2 BatchBody::*z, const Pack4d*) {
  const Double2 a0 = bodyAt(b, i[0]).*xy, a1 = bodyAt(b, i[1]).*xy, a2 = bodyAt(b, i[2]).*xy,
                a3 = bodyAt(b, i[3]).*xy;
  const Double2 z0 = bodyAt(b, i[0]).*z, z1 = bodyAt(b, i[1]).*z, z2 = bodyAt(b, i[2]).*z,
                z3 = bodyAt(b, i[3]).*z;
  return {{__builtin_shufflevector(a0, a1, 0, 2), __builtin_shufflevector(a2, a3, 0, 2)},
          {__builtin_shufflevector(a0, a1, 1, 3), __builtin_shufflevector(a2, a3, 1, 3)},
          {__builtin_shufflevector(z0, z1, 0, 2), __builtin_shufflevector(z2, z3, 0, 2)}};
}

/// Writes them back, but for those of the bits `still`.
ABUT_ALWAYS_INLINE void scatter(const Vec3x4& v, BatchBody* b, const std::uint32_t (&i)[4],
                                Double2 BatchBody::*xy, Double2 BatchBody::*z, unsigned still) {
  const Double2 first[4] = {__builtin_shufflevector(v.x.low, v.y.low, 0, 2),
                            __builtin_shufflevector(v.x.low, v.y.low, 1, 3),
                            __builtin_shufflevector(v.x.high, v.y.high, 0, 2),
                            __builtin_shufflevector(v.x.high, v.y.high, 1, 3)};
  const double last[4] = {v.z.low[0], v.z.low[1], v.z.high[0], v.z.high[1]};
  for (unsigned lane = 0; lane < 4; ++lane) {
    if ((still >> lane & 1u) != 0) continue;
    bodyAt(b, i[lane]).*xy = first[lane];
    bodyAt(b, i[lane]).*z = Double2{last[lane], 0.0};
  }
}

#if ABUT_HAS_WIDE
ABUT_ALWAYS_INLINE Vec3Pack<Wide4d> gather(const BatchBody* b, const std::uint32_t (&i)[4],
                                           Double2 BatchBody::*xy, Double2 BatchBody::*,
                                           const Wide4d*) {
  Double4 a[4];
  // Written out: as loops they go through memory, and take a third of a sweep.
  __builtin_memcpy(&a[0], &(bodyAt(b, i[0]).*xy), sizeof a[0]);
  __builtin_memcpy(&a[1], &(bodyAt(b, i[1]).*xy), sizeof a[1]);
  __builtin_memcpy(&a[2], &(bodyAt(b, i[2]).*xy), sizeof a[2]);
  __builtin_memcpy(&a[3], &(bodyAt(b, i[3]).*xy), sizeof a[3]);
  const Double4 xz01 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
  const Double4 xz23 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
  const Double4 y01 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
  const Double4 y23 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
  return {{__builtin_shufflevector(xz01, xz23, 0, 1, 4, 5)},
          {__builtin_shufflevector(y01, y23, 0, 1, 4, 5)},
          {__builtin_shufflevector(xz01, xz23, 2, 3, 6, 7)}};
}

ABUT_ALWAYS_INLINE void scatter(const Vec3Pack<Wide4d>& v, BatchBody* b,
                                const std::uint32_t (&i)[4], Double2 BatchBody::*xy,
                                Double2 BatchBody::*, unsigned still) {
  const Double4 zero{0.0, 0.0, 0.0, 0.0};
  const Double4 xy02 = __builtin_shufflevector(v.x.v, v.y.v, 0, 4, 2, 6);
  const Double4 xy13 = __builtin_shufflevector(v.x.v, v.y.v, 1, 5, 3, 7);
  const Double4 z02 = __builtin_shufflevector(v.z.v, zero, 0, 4, 2, 6);
  const Double4 z13 = __builtin_shufflevector(v.z.v, zero, 1, 5, 3, 7);
  const Double4 a[4] = {__builtin_shufflevector(xy02, z02, 0, 1, 4, 5),
                        __builtin_shufflevector(xy13, z13, 0, 1, 4, 5),
                        __builtin_shufflevector(xy02, z02, 2, 3, 6, 7),
                        __builtin_shufflevector(xy13, z13, 2, 3, 6, 7)};
  if (still != 0) {
    if ((still & 1u) == 0) __builtin_memcpy(&(bodyAt(b, i[0]).*xy), &a[0], sizeof a[0]);
    if ((still & 2u) == 0) __builtin_memcpy(&(bodyAt(b, i[1]).*xy), &a[1], sizeof a[1]);
    if ((still & 4u) == 0) __builtin_memcpy(&(bodyAt(b, i[2]).*xy), &a[2], sizeof a[2]);
    if ((still & 8u) == 0) __builtin_memcpy(&(bodyAt(b, i[3]).*xy), &a[3], sizeof a[3]);
    return;
  }
  __builtin_memcpy(&(bodyAt(b, i[0]).*xy), &a[0], sizeof a[0]);
  __builtin_memcpy(&(bodyAt(b, i[1]).*xy), &a[1], sizeof a[1]);
  __builtin_memcpy(&(bodyAt(b, i[2]).*xy), &a[2], sizeof a[2]);
  __builtin_memcpy(&(bodyAt(b, i[3]).*xy), &a[3], sizeof a[3]);
}
#endif

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
