// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack_wide.hpp"
#include "solver/batch_lanes.hpp"
#include "solver/manifold_batch.hpp"
#include "solver/normal_block.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut {

// What a sweep does with a batch, written once for both kinds of packs. All of it is inlined into
// the functions that are compiled for a kind of machine.

/// Velocities of the bodies of a batch.
template <class P>
struct Velocities {
  Vec3Pack<P> linear1, angular1, linear2, angular2;

  template <int K>
  ABUT_ALWAYS_INLINE Velocities(const ManifoldBatch<K>& batch, const BatchBody* b)
      : linear1(gather(b, batch.body1, &BatchBody::linearXy, &BatchBody::linearZ,
                       static_cast<const P*>(nullptr))),
        angular1(gather(b, batch.body1, &BatchBody::angularXy, &BatchBody::angularZ,
                        static_cast<const P*>(nullptr))),
        linear2(gather(b, batch.body2, &BatchBody::linearXy, &BatchBody::linearZ,
                       static_cast<const P*>(nullptr))),
        angular2(gather(b, batch.body2, &BatchBody::angularXy, &BatchBody::angularZ,
                        static_cast<const P*>(nullptr))) {}

  template <int K>
  ABUT_ALWAYS_INLINE void store(const ManifoldBatch<K>& batch, BatchBody* b) const {
    scatter(linear1, b, batch.body1, &BatchBody::linearXy, &BatchBody::linearZ);
    scatter(angular1, b, batch.body1, &BatchBody::angularXy, &BatchBody::angularZ);
    scatter(linear2, b, batch.body2, &BatchBody::linearXy, &BatchBody::linearZ);
    scatter(angular2, b, batch.body2, &BatchBody::angularXy, &BatchBody::angularZ);
  }

  /// Normal velocities of the points, less their bounds.
  template <int K>
  ABUT_ALWAYS_INLINE void normals(const ManifoldBatch<K>& batch, P (&u)[K]) const {
    const Vec3Pack<P> n = load<P>(batch.normal);
    const Vec3Pack<P> lever1 = cross(load<P>(batch.arm1), n),
                      lever2 = cross(load<P>(batch.arm2), n);
    const P base = dot(n, linear1 - linear2) + (dot(lever1, angular1) - dot(lever2, angular2));
    if constexpr (K == 1) {
      u[0] = base - load<P>(batch.bound[0]);
    } else {
      const Vec3Pack<P> turn = angular1 - angular2;
      const P turn0 = dot(load<P>(batch.tangent[0]), turn);
      const P turn1 = dot(load<P>(batch.tangent[1]), turn);
      for (int i = 0; i < K; ++i) {
        const P tilt = load<P>(batch.along0[i]) * turn0 + load<P>(batch.along1[i]) * turn1;
        u[i] = (base + tilt) - load<P>(batch.bound[i]);
      }
    }
  }
  /// An impulse through the centre and a couple, on both bodies.
  template <int K>
  ABUT_ALWAYS_INLINE void act(const ManifoldBatch<K>& batch, const Vec3Pack<P>& impulse,
                              const Vec3Pack<P>& couple) {
    linear1 += scaled(load<P>(batch.inverseMass1), impulse);
    linear2 -= scaled(load<P>(batch.inverseMass2), impulse);
    angular1 += times<P>(batch.inverseInertia1, cross(load<P>(batch.arm1), impulse) + couple);
    angular2 -= times<P>(batch.inverseInertia2, cross(load<P>(batch.arm2), impulse) + couple);
  }
  /// Normal impulses at the points.
  template <int K>
  ABUT_ALWAYS_INLINE void push(const ManifoldBatch<K>& batch, const P (&p)[K]) {
    P sum = p[0];
    const Vec3Pack<P> n = load<P>(batch.normal);
    if constexpr (K == 1) {
      const Vec3Pack<P> impulse = n * sum;
      linear1 += scaled(load<P>(batch.inverseMass1), impulse);
      linear2 -= scaled(load<P>(batch.inverseMass2), impulse);
      angular1 += times<P>(batch.inverseInertia1, cross(load<P>(batch.arm1), impulse));
      angular2 -= times<P>(batch.inverseInertia2, cross(load<P>(batch.arm2), impulse));
    } else {
      P tilt0 = load<P>(batch.along0[0]) * p[0], tilt1 = load<P>(batch.along1[0]) * p[0];
      for (int i = 1; i < K; ++i) {
        sum += p[i];
        tilt0 += load<P>(batch.along0[i]) * p[i];
        tilt1 += load<P>(batch.along1[i]) * p[i];
      }
      act(batch, n * sum, load<P>(batch.tangent[0]) * tilt0 + load<P>(batch.tangent[1]) * tilt1);
    }
  }
  /// Velocity of 1 over 2 at the centre along a tangent.
  template <int K>
  ABUT_ALWAYS_INLINE void slips(const ManifoldBatch<K>& batch, P (&u)[2]) const {
    const Vec3Pack<P> over = (linear1 - linear2) + (cross(angular1, load<P>(batch.arm1)) -
                                                    cross(angular2, load<P>(batch.arm2)));
    for (int k = 0; k < 2; ++k) {
      u[k] = dot(load<P>(batch.tangent[k]), over) + load<P>(batch.slideOffset[k]);
    }
  }
  /// Friction at the centre, and a couple about the normal.
  template <int K>
  ABUT_ALWAYS_INLINE void rub(const ManifoldBatch<K>& batch, const P (&slide)[2], const P& twist) {
    const Vec3Pack<P> impulse =
        load<P>(batch.tangent[0]) * slide[0] + load<P>(batch.tangent[1]) * slide[1];
    act(batch, impulse, load<P>(batch.normal) * twist);
  }
};

/// Normal impulses of each manifold, together. The points that push are mostly those of the last
/// sweep: their inverse is kept, and only where it gives a contradiction is the set looked for
/// anew.
template <class P, int K>
ABUT_ALWAYS_INLINE void solveNormals(ManifoldBatch<K>& batch, const P (&impulse)[K],
                                     const P (&u)[K], P (&next)[K]) {
  using Mask = typename PackTraits<P>::Mask;
  constexpr int kEntries = ManifoldBatch<K>::kEntries;
  const P zero = PackTraits<P>::splat(0.0);
  if constexpr (K == 1) {
    next[0] = maxOf(zero, impulse[0] - load<P>(batch.inverse[0]) * u[0]);
  } else {
    P inverse[kEntries];
    for (int i = 0; i < kEntries; ++i) inverse[i] = load<P>(batch.inverse[i]);
    Mask wrong = PackTraits<P>::splat(1.0) < zero;
    if (batch.allPush) {
      for (int i = 0; i < K; ++i) {
        next[i] = impulse[i] - rowTimes<K>(inverse, i, u);
        wrong = wrong | (next[i] < zero);
      }
    } else {
      P matrix[kEntries], q[K];
      for (int i = 0; i < kEntries; ++i) matrix[i] = load<P>(batch.matrix[i]);
      for (int i = 0; i < K; ++i) q[i] = u[i] - rowTimes<K>(matrix, i, impulse);
      for (int i = 0; i < K; ++i) {
        next[i] = zero - rowTimes<K>(inverse, i, q);
        wrong = wrong | (next[i] < zero);
      }
      for (int i = 0; i < K; ++i) {
        // Where a point does not push its row of the inverse is zero.
        const Mask rests = ~(zero < inverse[entryOf(i, i)]);
        wrong = wrong | (rests & (rowTimes<K>(matrix, i, next) + q[i] < zero));
      }
    }
    if (anyOf(wrong)) batch.allPush = solveNormalBlock<K>(batch, u, impulse, wrong, next);
  }
}

/// Where an impulse starts in this sweep, carried on along its direction; the direction takes up
/// the last change.
template <class P>
ABUT_ALWAYS_INLINE P carryOn(const P& along, const Pack4d& value, Pack4d& direction,
                             const Pack4d& change) {
  const P way = load<P>(direction);
  PackTraits<P>::store(direction, way * along + load<P>(change));
  return load<P>(value) + way * along;
}

/// Carries impulses on along the last direction by beta, then solves each manifold once. False if
/// nothing has ever pushed here.
template <class P, int K>
ABUT_ALWAYS_INLINE bool sweepBatch(ManifoldBatch<K>& batch, BatchBody* bodies, double beta,
                                   SweepSums& sums) {
  const P zero = PackTraits<P>::splat(0.0), one = PackTraits<P>::splat(1.0);
  const P along = PackTraits<P>::splat(beta);
  P impulse[K], slide[2];
  for (int i = 0; i < K; ++i) {
    impulse[i] = carryOn(along, batch.impulse[i], batch.direction[i], batch.change[i]);
  }
  for (int k = 0; k < 2; ++k) {
    slide[k] = carryOn(along, batch.slide[k], batch.slideDirection[k], batch.slideChange[k]);
  }
  Velocities<P> v(batch, bodies);
  P u[K], next[K], change[K];
  v.normals(batch, u);
  solveNormals<P, K>(batch, impulse, u, next);
  P press = zero, grip = zero, moves = zero;
  P changes = load<P>(sums.change), sizes = load<P>(sums.size);
  for (int i = 0; i < K; ++i) {
    change[i] = next[i] - impulse[i];
    PackTraits<P>::store(batch.change[i], change[i]);
    PackTraits<P>::store(batch.impulse[i], next[i]);
    press += next[i];
    moves += absOf(change[i]) + absOf(load<P>(batch.direction[i]));
    if constexpr (K > 1) grip += load<P>(batch.radius[i]) * next[i];
    changes += change[i] * change[i];
    sizes += next[i] * next[i];
  }
  v.push(batch, change);
  const P friction = load<P>(batch.friction), limit = friction * press;
  if constexpr (K > 1) {
    const P twist = carryOn(along, batch.twist, batch.twistDirection, batch.twistChange);
    const P turn = dot(load<P>(batch.normal), v.angular1 - v.angular2);
    const P most = friction * grip;
    const P held = maxOf(-most, minOf(twist - load<P>(batch.twistMass) * turn, most));
    const P twistChange = held - twist;
    PackTraits<P>::store(batch.twistChange, twistChange);
    PackTraits<P>::store(batch.twist, held);
    const Vec3Pack<P> couple = load<P>(batch.normal) * twistChange;
    v.angular1 += times<P>(batch.inverseInertia1, couple);
    v.angular2 -= times<P>(batch.inverseInertia2, couple);
  }
  P slip[2];
  v.slips(batch, slip);
  const P a = slip[0], b = slip[1];
  const P s11 = load<P>(batch.stick11), s12 = load<P>(batch.stick12), s22 = load<P>(batch.stick22);
  const P stick0 = slide[0] - (s11 * a + s12 * b), stick1 = slide[1] - (s12 * a + s22 * b);
  const P proximal = load<P>(batch.proximal);
  const P near0 = slide[0] - proximal * a, near1 = slide[1] - proximal * b;
  const auto slips = limit * limit < stick0 * stick0 + stick1 * stick1;
  P next0 = stick0, next1 = stick1;
  if (anyOf(slips)) {
    const P length = sqrtOf(near0 * near0 + near1 * near1);
    const P scale = select(limit < length, limit / select(zero < length, length, one), one);
    next0 = select(slips, near0 * scale, stick0);
    next1 = select(slips, near1 * scale, stick1);
  }
  const P slideChange[2] = {next0 - slide[0], next1 - slide[1]};
  PackTraits<P>::store(batch.slide[0], next0);
  PackTraits<P>::store(batch.slide[1], next1);
  PackTraits<P>::store(batch.slideChange[0], slideChange[0]);
  PackTraits<P>::store(batch.slideChange[1], slideChange[1]);
  changes += slideChange[0] * slideChange[0] + slideChange[1] * slideChange[1];
  PackTraits<P>::store(sums.change, changes);
  PackTraits<P>::store(sums.size, sizes + (next0 * next0 + next1 * next1));
  v.rub(batch, slideChange, zero);
  v.store(batch, bodies);
  return anyOf(zero < press + moves);
}

/// Solves the normals of each manifold once, on displacements.
template <class P, int K>
ABUT_ALWAYS_INLINE void projectBatch(ManifoldBatch<K>& batch, BatchBody* bodies) {
  Velocities<P> v(batch, bodies);
  P impulse[K], u[K], next[K], change[K];
  for (int i = 0; i < K; ++i) impulse[i] = load<P>(batch.impulse[i]);
  v.normals(batch, u);
  solveNormals<P, K>(batch, impulse, u, next);
  for (int i = 0; i < K; ++i) {
    change[i] = next[i] - impulse[i];
    PackTraits<P>::store(batch.change[i], change[i]);
    PackTraits<P>::store(batch.impulse[i], next[i]);
  }
  v.push(batch, change);
  v.store(batch, bodies);
}

}  // namespace abut

#pragma GCC diagnostic pop
