// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack_wide.hpp"
#include "solver/batch_velocities.hpp"
#include "solver/manifold_batch.hpp"
#include "solver/normal_block.hpp"
#include "solver/relative_motion.hpp"
#include "solver/slot_sweep.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {

// What a sweep does with a batch, written once for both kinds of packs. All of
// it is inlined into the functions that are compiled for a kind of machine.

/// Normal impulses of each manifold, together, in the lanes that are asked for.
/// The points that push are mostly those of the last sweep: their inverse is
/// kept, and only where it gives a contradiction is the set looked for anew.
template <class P, int K>
ABUT_ALWAYS_INLINE void solveNormals(ManifoldBatch<K>& batch, unsigned without,
                                     const P (&impulse)[K], const P (&u)[K], P (&next)[K]) {
  using Mask = typename PackTraits<P>::Mask;
  constexpr int kEntries = ManifoldBatch<K>::kEntries;
  const P zero = PackTraits<P>::splat(0.0);
  if constexpr (K == 1) {
    next[0] = maxOf(zero, impulse[0] - load<P>(batch.inverse[0]) * u[0]);
  } else {
    P inverse[kEntries];
    for (int i = 0; i < kEntries; ++i) inverse[i] = load<P>(batch.inverse[i]);
    Mask wrong = PackTraits<P>::splat(1.0) < zero;
    for (int i = 0; i < K; ++i) {
      next[i] = impulse[i] - rowTimes<K>(inverse, i, u);
      wrong = wrong | (next[i] < zero);
    }
    if (batch.partly != 0) {
      // Where some point does not push the whole impulse follows from the
      // others, not its change.
      const Mask partly = lanesOf(batch.partly, static_cast<const P*>(nullptr));
      P matrix[kEntries], q[K];
      for (int i = 0; i < kEntries; ++i) matrix[i] = load<P>(batch.matrix[i]);
      for (int i = 0; i < K; ++i) q[i] = u[i] - rowTimes<K>(matrix, i, impulse);
      for (int i = 0; i < K; ++i) {
        next[i] = select(partly, zero - rowTimes<K>(inverse, i, q), next[i]);
      }
      wrong = ~partly & wrong;
      for (int i = 0; i < K; ++i) {
        // Where a point does not push its row of the inverse is zero.
        const Mask rests = ~(zero < inverse[entryOf(i, i)]);
        const Mask opens = rests & (rowTimes<K>(matrix, i, next) + q[i] < zero);
        wrong = wrong | (partly & ((next[i] < zero) | opens));
      }
    }
    if (anyOf(wrong)) {
      if (without != 0) wrong = wrong & ~lanesOf(without, static_cast<const P*>(nullptr));
      if (anyOf(wrong)) solveNormalBlock<K>(batch, u, impulse, wrong, next);
    }
  }
}

/// Writes to the lanes that are visited; kSome: there are others.
template <class P, bool kSome>
struct Visited {
  typename PackTraits<P>::Mask without;

  explicit ABUT_ALWAYS_INLINE Visited(unsigned bits)
      : without(lanesOf(bits, static_cast<const P*>(nullptr))) {}
  ABUT_ALWAYS_INLINE void store(Pack4d& to, const P& value) const {
    PackTraits<P>::store(to, kSome ? select(without, load<P>(to), value) : value);
  }
  /// The value there, zero elsewhere.
  [[nodiscard]] ABUT_ALWAYS_INLINE P orZero(const P& value) const {
    return kSome ? select(without, PackTraits<P>::splat(0.0), value) : value;
  }
  ABUT_ALWAYS_INLINE void keep(Vec3Pack<P>& now, const Vec3Pack<P>& was) const {
    now = {select(without, was.x, now.x), select(without, was.y, now.y),
           select(without, was.z, now.z)};
  }
};

/// Carries impulses on, see Momentum.
template <class P, bool kSome, bool kLags>
struct Carrier {
  const Visited<P, kSome>& visited;
  double beta;

  /// Where an impulse starts in this sweep, `shift` from where it was.
  ABUT_ALWAYS_INLINE P start(const Pack4d& value, Pack4d& direction, const Pack4d& change,
                             P& shift) const {
    shift = load<P>(direction) * PackTraits<P>::splat(beta);
    if constexpr (kLags) visited.store(direction, shift + load<P>(change));
    return load<P>(value) + shift;
  }
  /// Notes what the sweep made of it.
  ABUT_ALWAYS_INLINE void end(const P& shift, const P& now, Pack4d& direction,
                              Pack4d& change) const {
    if constexpr (kLags) {
      visited.store(change, now);
    } else {
      visited.store(direction, shift + now);
    }
  }
};

/// Friction about the normal of each manifold: how its couple changes.
template <class P, int K, bool kSome, bool kLags>
ABUT_ALWAYS_INLINE P holdTurn(ManifoldBatch<K>& batch, const Carrier<P, kSome, kLags>& carrier,
                              const P& turn, const P& most) {
  P shift;
  const P twist = carrier.start(batch.twist, batch.twistDirection, batch.twistChange, shift);
  const P held = maxOf(-most, minOf(twist - load<P>(batch.twistMass) * turn, most));
  const P change = held - twist;
  carrier.end(shift, change, batch.twistDirection, batch.twistChange);
  carrier.visited.store(batch.twist, held);
  return change;
}

/// Friction along the tangents of each manifold, no more than `limit`.
template <class P, int K>
ABUT_ALWAYS_INLINE void holdSlip(const ManifoldBatch<K>& batch, const P (&slide)[2],
                                 const P (&slip)[2], const P& limit, P (&next)[2]) {
  const P zero = PackTraits<P>::splat(0.0), one = PackTraits<P>::splat(1.0);
  const P a = slip[0], b = slip[1];
  const P s11 = load<P>(batch.stick11), s12 = load<P>(batch.stick12), s22 = load<P>(batch.stick22);
  next[0] = slide[0] - (s11 * a + s12 * b);
  next[1] = slide[1] - (s12 * a + s22 * b);
  const auto slips = limit * limit < next[0] * next[0] + next[1] * next[1];
  if (!anyOf(slips)) return;
  const P proximal = load<P>(batch.proximal);
  const P near0 = slide[0] - proximal * a, near1 = slide[1] - proximal * b;
  const P length = sqrtOf(near0 * near0 + near1 * near1);
  const P scale = select(limit < length, limit / select(zero < length, length, one), one);
  next[0] = select(slips, near0 * scale, next[0]);
  next[1] = select(slips, near1 * scale, next[1]);
}

/// One batch. Returns the bits of the lanes in which some point has pushed. kSome: those of the
/// bits `without` are not visited.
template <class P, int K, bool kSome, bool kLags>
ABUT_ALWAYS_INLINE unsigned sweepBatch(ManifoldBatch<K>& batch, BatchBody* bodies, double beta,
                                       unsigned without, const SweepTerms& terms) {
  const P zero = PackTraits<P>::splat(0.0);
  const Visited<P, kSome> visited(without);
  const Carrier<P, kSome, kLags> carrier{visited, beta};
  P impulse[K], slide[2], shift[K], slideShift[2];
  for (int i = 0; i < K; ++i) {
    impulse[i] = carrier.start(batch.impulse[i], batch.direction[i], batch.change[i], shift[i]);
  }
  for (int k = 0; k < 2; ++k) {
    slide[k] =
        carrier.start(batch.slide[k], batch.slideDirection[k], batch.slideChange[k], slideShift[k]);
  }
  Velocities<P> v(batch, bodies);
  const Velocities<P> was = v;
  RelativeMotion<P, K> motion(batch, v);
  P u[K], next[K], change[K];
  motion.normals(batch, u);
  solveNormals<P, K>(batch, kSome ? without : 0, impulse, u, next);
  P press = zero, grip = zero, moves = zero;
  P changes = zero, sizes = zero;
  for (int i = 0; i < K; ++i) {
    change[i] = next[i] - impulse[i];
    carrier.end(shift[i], change[i], batch.direction[i], batch.change[i]);
    visited.store(batch.impulse[i], next[i]);
    press += next[i];
    moves += absOf(change[i]) + absOf(kLags ? load<P>(batch.direction[i]) : shift[i]);
    if constexpr (K > 1) grip += load<P>(batch.radius[i]) * next[i];
    changes += change[i] * change[i];
    sizes += next[i] * next[i];
  }
  const Push<P, K> push(batch, change);
  push.move(batch, motion);
  const P friction = load<P>(batch.friction);
  P twist = zero;
  if constexpr (K > 1) {
    twist = holdTurn(batch, carrier, motion.turn, friction * grip);
    for (int k = 0; k < 2; ++k) motion.slip[k] += load<P>(batch.slipOfTwist[k]) * twist;
  }
  P held[2];
  holdSlip(batch, slide, motion.slip, friction * press, held);
  const P slideChange[2] = {held[0] - slide[0], held[1] - slide[1]};
  for (int k = 0; k < 2; ++k) {
    visited.store(batch.slide[k], held[k]);
    carrier.end(slideShift[k], slideChange[k], batch.slideDirection[k], batch.slideChange[k]);
  }
  changes += slideChange[0] * slideChange[0] + slideChange[1] * slideChange[1];
  storeTerms(terms, visited.orZero(changes),
             visited.orZero(sizes + (held[0] * held[0] + held[1] * held[1])));
  const Vec3Pack<P> n = load<P>(batch.normal);
  const Vec3Pack<P> t0 = load<P>(batch.tangent[0]), t1 = load<P>(batch.tangent[1]);
  const Vec3Pack<P> force = n * push.sum + (t0 * slideChange[0] + t1 * slideChange[1]);
  if constexpr (K > 1) {
    v.act(batch, force, n * twist + (t0 * push.tilt[0] + t1 * push.tilt[1]));
  } else {
    v.actAtCentre(batch, force);
  }
  if constexpr (kSome) {
    visited.keep(v.linear1, was.linear1);
    visited.keep(v.angular1, was.angular1);
    visited.keep(v.linear2, was.linear2);
    visited.keep(v.angular2, was.angular2);
  }
  v.store(batch, bodies);
  return bitsOf(zero < press + moves);
}

/// Solves the normals of each manifold once, on displacements. Where nothing pushes yet and no
/// point comes nearer than it may, nothing will.
template <class P, int K>
ABUT_ALWAYS_INLINE void projectBatch(ManifoldBatch<K>& batch, BatchBody* bodies) {
  Velocities<P> v(batch, bodies);
  const P zero = PackTraits<P>::splat(0.0);
  P impulse[K], u[K], next[K], change[K];
  v.normals(batch, u);
  auto busy = zero < zero;
  for (int i = 0; i < K; ++i) {
    impulse[i] = load<P>(batch.impulse[i]);
    busy = busy | (zero < impulse[i]) | (u[i] < zero);
  }
  if (!anyOf(busy)) return;
  solveNormals<P, K>(batch, 0xfu & ~bitsOf(busy), impulse, u, next);
  for (int i = 0; i < K; ++i) {
    next[i] = select(busy, next[i], zero);
    change[i] = next[i] - impulse[i];
    PackTraits<P>::store(batch.change[i], change[i]);
    PackTraits<P>::store(batch.impulse[i], next[i]);
  }
  v.push(batch, change);
  v.store(batch, bodies);
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
