// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack_wide.hpp"
#include "solver/batch_velocities.hpp"
#include "solver/manifold_batch.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {

/// How the bodies of a batch move over each other at the points' centre, along normal and tangents:
/// kept up to date while impulses change, so that the bodies are moved once.
template <class P, int K>
struct RelativeMotion {
  P away, slip[2], tilt[2], turn;

  ABUT_ALWAYS_INLINE RelativeMotion(const ManifoldBatch<K>& batch, const Velocities<P>& v) {
    const Vec3Pack<P> n = load<P>(batch.normal);
    const Vec3Pack<P> t[2] = {load<P>(batch.tangent[0]), load<P>(batch.tangent[1])};
    const Vec3Pack<P> over = v.over(batch);
    away = dot(n, over);
    for (int k = 0; k < 2; ++k) slip[k] = dot(t[k], over) + load<P>(batch.slideOffset[k]);
    if constexpr (K > 1) {
      const Vec3Pack<P> spin = v.angular1 - v.angular2;
      for (int k = 0; k < 2; ++k) tilt[k] = dot(t[k], spin);
      turn = dot(n, spin);
    }
  }
  /// Normal velocities of the points, less their bounds.
  ABUT_ALWAYS_INLINE void normals(const ManifoldBatch<K>& batch, P (&u)[K]) const {
    for (int i = 0; i < K; ++i) {
      if constexpr (K == 1) {
        u[i] = away - load<P>(batch.bound[i]);
      } else {
        const P lift = load<P>(batch.along0[i]) * tilt[0] + load<P>(batch.along1[i]) * tilt[1];
        u[i] = (away + lift) - load<P>(batch.bound[i]);
      }
    }
  }
};

/// An impulse along the normal and couples about the tangents, of the points of each manifold.
template <class P, int K>
struct Push {
  P sum, tilt[2];

  ABUT_ALWAYS_INLINE Push(const ManifoldBatch<K>& batch, const P (&p)[K]) : sum(p[0]) {
    if constexpr (K > 1) {
      tilt[0] = load<P>(batch.along0[0]) * p[0];
      tilt[1] = load<P>(batch.along1[0]) * p[0];
      for (int i = 1; i < K; ++i) {
        sum += p[i];
        tilt[0] += load<P>(batch.along0[i]) * p[i];
        tilt[1] += load<P>(batch.along1[i]) * p[i];
      }
    }
  }
  /// Moves on what friction sees.
  ABUT_ALWAYS_INLINE void move(const ManifoldBatch<K>& batch, RelativeMotion<P, K>& motion) const {
    for (int k = 0; k < 2; ++k) {
      P by = load<P>(batch.slipOfPush[k]) * sum;
      if constexpr (K > 1) {
        by += load<P>(batch.slipOfTilt[k][0]) * tilt[0] + load<P>(batch.slipOfTilt[k][1]) * tilt[1];
      }
      motion.slip[k] += by;
    }
    if constexpr (K > 1) {
      motion.turn += load<P>(batch.turnOfPush) * sum + (load<P>(batch.turnOfTilt[0]) * tilt[0] +
                                                        load<P>(batch.turnOfTilt[1]) * tilt[1]);
    }
  }
};

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
