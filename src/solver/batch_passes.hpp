// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack_wide.hpp"
#include "solver/batch_velocities.hpp"
#include "solver/manifold_batch.hpp"
#include "solver/small_symmetric.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {

// What is done with a batch once a step, before and after the sweeps, for both kinds of packs; see
// manifold_kernel.hpp.

/// 1/x where x is positive, else 0.
template <class P>
ABUT_ALWAYS_INLINE P inverseOrZero(const P& x) {
  const P zero = PackTraits<P>::splat(0.0), one = PackTraits<P>::splat(1.0);
  return select(zero < x, one / select(zero < x, x, one), zero);
}

/// The response of the points' normal velocities to their impulses, and its inverse. `keepShares`
/// is the pull towards what the impulses were, in parts of each point's own response.
template <class P, int K>
ABUT_ALWAYS_INLINE void prepareNormalsOf(ManifoldBatch<K>& batch, double keepShares) {
  // Of a push through the centre and of couples about the tangents, to each other.
  const Vec3Pack<P> normal = load<P>(batch.normal);
  const Vec3Pack<P> tangent0 = load<P>(batch.tangent[0]), tangent1 = load<P>(batch.tangent[1]);
  const Vec3Pack<P> axes1[3] = {cross(load<P>(batch.arm1), normal), tangent0, tangent1};
  const Vec3Pack<P> axes2[3] = {cross(load<P>(batch.arm2), normal), tangent0, tangent1};
  P response[6];
  for (int i = 0; i < 3; ++i) {
    const Vec3Pack<P> turn1 = times<P>(batch.inverseInertia1, axes1[i]);
    const Vec3Pack<P> turn2 = times<P>(batch.inverseInertia2, axes2[i]);
    for (int j = i; j < 3; ++j) {
      response[entryOf(i, j)] = dot(axes1[j], turn1) + dot(axes2[j], turn2);
    }
  }
  response[0] += dot(normal, scaled(load<P>(batch.inverseMass1), normal) +
                                 scaled(load<P>(batch.inverseMass2), normal));
  const P zero = PackTraits<P>::splat(0.0), one = PackTraits<P>::splat(1.0);
  constexpr int kEntries = ManifoldBatch<K>::kEntries;
  P matrix[kEntries], inverse[kEntries];
  for (int i = 0; i < K; ++i) {
    const P of[3] = {one, load<P>(batch.along0[i]), load<P>(batch.along1[i])};
    const P row0 = rowTimes<3>(response, 0, of), row1 = rowTimes<3>(response, 1, of),
            row2 = rowTimes<3>(response, 2, of);
    for (int j = 0; j <= i; ++j) {
      matrix[entryOf(i, j)] =
          (row0 + row1 * load<P>(batch.along0[j])) + row2 * load<P>(batch.along1[j]);
    }
    P& own = matrix[entryOf(i, i)];
    // A contact between bodies that cannot give way carries nothing.
    own = select(zero < own, own + own * PackTraits<P>::splat(keepShares), one);
  }
  invert<K>(matrix, inverse, zero, one);
  for (int i = 0; i < kEntries; ++i) {
    PackTraits<P>::store(batch.matrix[i], matrix[i]);
    PackTraits<P>::store(batch.inverse[i], inverse[i]);
  }
  batch.partly = 0;
}

/// What a push and couples do to slip and turn, which is what friction does to those. Given are the
/// turns of both bodies, and the velocity of one over the other, by unit forces along the tangents.
template <class P, int K>
ABUT_ALWAYS_INLINE void prepareCouplingOf(ManifoldBatch<K>& batch, const Vec3Pack<P> (&turn1)[2],
                                          const Vec3Pack<P> (&turn2)[2],
                                          const Vec3Pack<P> (&linear)[2]) {
  const Vec3Pack<P> normal = load<P>(batch.normal);
  const Vec3Pack<P> lever1 = cross(load<P>(batch.arm1), normal);
  const Vec3Pack<P> lever2 = cross(load<P>(batch.arm2), normal);
  for (int k = 0; k < 2; ++k) {
    PackTraits<P>::store(batch.slipOfPush[k],
                         dot(normal, linear[k]) + (dot(lever1, turn1[k]) + dot(lever2, turn2[k])));
  }
  if constexpr (K > 1) {
    const Vec3Pack<P> tangent[2] = {load<P>(batch.tangent[0]), load<P>(batch.tangent[1])};
    for (int k = 0; k < 2; ++k) {
      const Vec3Pack<P> turn = turn1[k] + turn2[k];
      PackTraits<P>::store(batch.slipOfTilt[k][0], dot(tangent[0], turn));
      PackTraits<P>::store(batch.slipOfTilt[k][1], dot(tangent[1], turn));
      PackTraits<P>::store(batch.slipOfTwist[k], dot(normal, turn));
    }
    const Vec3Pack<P> by1 = times<P>(batch.inverseInertia1, normal);
    const Vec3Pack<P> by2 = times<P>(batch.inverseInertia2, normal);
    PackTraits<P>::store(batch.turnOfPush, dot(lever1, by1) + dot(lever2, by2));
    PackTraits<P>::store(batch.turnOfTilt[0], dot(tangent[0], by1 + by2));
    PackTraits<P>::store(batch.turnOfTilt[1], dot(tangent[1], by1 + by2));
  }
}

/// The response to friction, and the impulses that are carried on.
template <class P, int K>
ABUT_ALWAYS_INLINE void prepareFrictionOf(ManifoldBatch<K>& batch, const Vec3x4& offset,
                                          const Vec3x4& carried) {
  const Vec3Pack<P> tangent[2] = {load<P>(batch.tangent[0]), load<P>(batch.tangent[1])};
  const Vec3Pack<P> arm1 = load<P>(batch.arm1), arm2 = load<P>(batch.arm2);
  Vec3Pack<P> lever1[2], lever2[2], turn1[2], turn2[2], linear[2];
  for (int k = 0; k < 2; ++k) {
    lever1[k] = cross(arm1, tangent[k]);
    lever2[k] = cross(arm2, tangent[k]);
    turn1[k] = times<P>(batch.inverseInertia1, lever1[k]);
    turn2[k] = times<P>(batch.inverseInertia2, lever2[k]);
    linear[k] = scaled(load<P>(batch.inverseMass1), tangent[k]) +
                scaled(load<P>(batch.inverseMass2), tangent[k]);
    PackTraits<P>::store(batch.slideOffset[k], dot(tangent[k], load<P>(offset)));
    PackTraits<P>::store(batch.slide[k], dot(tangent[k], load<P>(carried)));
  }
  prepareCouplingOf(batch, turn1, turn2, linear);
  P s[3];
  for (int i = 0; i < 3; ++i) {
    const int a = i / 2, b = (i + 1) / 2;  // (0, 0), (0, 1), (1, 1).
    s[i] = dot(tangent[a], linear[b]) + (dot(lever1[a], turn1[b]) + dot(lever2[a], turn2[b]));
  }
  const P det = inverseOrZero(s[0] * s[2] - s[1] * s[1]);
  PackTraits<P>::store(batch.stick11, s[2] * det);
  PackTraits<P>::store(batch.stick12, -(s[1] * det));
  PackTraits<P>::store(batch.stick22, s[0] * det);
  const P middle = PackTraits<P>::splat(0.5);
  const P half = (s[0] + s[2]) * middle, gap = (s[0] - s[2]) * middle;
  PackTraits<P>::store(batch.proximal, inverseOrZero(half + sqrtOf(gap * gap + s[1] * s[1])));
  const Vec3Pack<P> normal = load<P>(batch.normal);
  PackTraits<P>::store(batch.twistMass,
                       inverseOrZero(dot(normal, times<P>(batch.inverseInertia1, normal) +
                                                     times<P>(batch.inverseInertia2, normal))));
}

template <class P, int K>
ABUT_ALWAYS_INLINE void warmStartBatch(const ManifoldBatch<K>& batch, BatchBody* bodies) {
  Velocities<P> v(batch, bodies);
  P impulse[K];
  for (int i = 0; i < K; ++i) impulse[i] = load<P>(batch.impulse[i]);
  const P slide[2] = {load<P>(batch.slide[0]), load<P>(batch.slide[1])};
  v.push(batch, impulse);
  v.rub(batch, slide, load<P>(batch.twist));
  v.store(batch, bodies);
}

/// Notes how far the normal velocities of some rows are from what their impulses call for.
template <class P>
ABUT_ALWAYS_INLINE void noteMiss(const P& most, const std::uint32_t (&row)[4], int lanes,
                                 NormalMiss& miss) {
  if (!anyOf(PackTraits<P>::splat(miss.most) < most)) return;
  Pack4d of;
  PackTraits<P>::store(of, most);
  for (int lane = 0; lane < lanes; ++lane) {
    if (!(of[lane] > miss.most)) continue;
    miss.most = of[lane];
    miss.row = row[lane];
  }
}

/// How far a normal velocity, less its bound, is from what its impulse calls for.
template <class P>
ABUT_ALWAYS_INLINE P missOf(const P& u, const P& impulse, const P& zero) {
  return select(zero < impulse, absOf(u), maxOf(zero, -u));
}

template <class P, int K>
ABUT_ALWAYS_INLINE bool beginProjectionOf(ManifoldBatch<K>& batch, const BatchBody* bodies,
                                          double dt, double share, NormalMiss& miss) {
  const Velocities<P> v(batch, bodies);
  P u[K];
  v.normals(batch, u);
  const P zero = PackTraits<P>::splat(0.0), time = PackTraits<P>::splat(dt),
          part = PackTraits<P>::splat(share);
  const P slop = load<P>(batch.slop), offset = load<P>(batch.normalOffset);
  P least = load<P>(miss.least), most = zero;
  auto deep = zero < zero;
  for (int i = 0; i < K; ++i) {
    least = minOf(least, u[i]);
    most = maxOf(most, missOf(u[i], load<P>(batch.impulse[i]), zero));
    const P end = load<P>(batch.separation[i]) + ((u[i] + load<P>(batch.bound[i])) + offset) * time;
    const P beyond = -end - slop;
    deep = deep | (zero < beyond);
    PackTraits<P>::store(batch.bound[i], select(zero < beyond, beyond * part, minOf(zero, -end)));
    PackTraits<P>::store(batch.impulse[i], zero);
  }
  PackTraits<P>::store(miss.least, least);
  noteMiss(most, batch.row, batch.lanes, miss);
  return anyOf(deep);
}

/// Impulses times the present relative velocities.
template <class P, int K>
ABUT_ALWAYS_INLINE void workOf(const ManifoldBatch<K>& batch, const BatchBody* bodies,
                               Pack4d& work) {
  const Velocities<P> v(batch, bodies);
  P u[K], slip[2];
  v.normals(batch, u);
  v.slips(batch, slip);
  P sum = load<P>(batch.slide[0]) * slip[0] + load<P>(batch.slide[1]) * slip[1];
  for (int i = 0; i < K; ++i) {
    sum += load<P>(batch.impulse[i]) *
           ((u[i] + load<P>(batch.bound[i])) + load<P>(batch.normalOffset));
  }
  if constexpr (K > 1) {
    sum += load<P>(batch.twist) * dot(load<P>(batch.normal), v.angular1 - v.angular2);
  }
  PackTraits<P>::store(work, sum);
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
