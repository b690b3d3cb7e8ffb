// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack_wide.hpp"
#include "solver/batch_lanes.hpp"
#include "solver/manifold_batch.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {

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
    const unsigned still1 = batch.still & 0xfu, still2 = batch.still >> 4u;
    scatter(linear1, b, batch.body1, &BatchBody::linearXy, &BatchBody::linearZ, still1);
    scatter(angular1, b, batch.body1, &BatchBody::angularXy, &BatchBody::angularZ, still1);
    scatter(linear2, b, batch.body2, &BatchBody::linearXy, &BatchBody::linearZ, still2);
    scatter(angular2, b, batch.body2, &BatchBody::angularXy, &BatchBody::angularZ, still2);
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
  /// Velocity of 1 over 2 at the centre.
  template <int K>
  [[nodiscard]] ABUT_ALWAYS_INLINE Vec3Pack<P> over(const ManifoldBatch<K>& batch) const {
    return (linear1 - linear2) +
           (cross(angular1, load<P>(batch.arm1)) - cross(angular2, load<P>(batch.arm2)));
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
  /// An impulse through the centre.
  template <int K>
  ABUT_ALWAYS_INLINE void actAtCentre(const ManifoldBatch<K>& batch, const Vec3Pack<P>& impulse) {
    linear1 += scaled(load<P>(batch.inverseMass1), impulse);
    linear2 -= scaled(load<P>(batch.inverseMass2), impulse);
    angular1 += times<P>(batch.inverseInertia1, cross(load<P>(batch.arm1), impulse));
    angular2 -= times<P>(batch.inverseInertia2, cross(load<P>(batch.arm2), impulse));
  }
  /// Normal impulses at the points.
  template <int K>
  ABUT_ALWAYS_INLINE void push(const ManifoldBatch<K>& batch, const P (&p)[K]) {
    P sum = p[0];
    const Vec3Pack<P> n = load<P>(batch.normal);
    if constexpr (K == 1) {
      actAtCentre(batch, n * sum);
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
    const Vec3Pack<P> at = over(batch);
    for (int k = 0; k < 2; ++k) {
      u[k] = dot(load<P>(batch.tangent[k]), at) + load<P>(batch.slideOffset[k]);
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

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
