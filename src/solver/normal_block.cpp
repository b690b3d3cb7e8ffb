// SPDX-License-Identifier: MIT
#include "solver/normal_block.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {
namespace {

/// Rounds in which all contradictions are turned over at once; most manifolds
/// need one or two.
constexpr int kRounds = 4;

/// One lane by turning over the first contradiction each time (Murty's rule):
/// finite for matrices that are positive definite; the limit is the number of
/// sets.
template <int K>
void solveLane(const double* matrix, const double* q, double* x) {
  constexpr int kEntries = K * (K + 1) / 2;
  bool pushes[K] = {};
  for (int round = 0; round < (1 << K) + 1; ++round) {
    double part[kEntries], lower[kEntries];
    for (int i = 0; i < K; ++i) {
      for (int j = 0; j <= i; ++j) {
        const bool both = pushes[i] && pushes[j];
        part[entryOf(i, j)] = both ? matrix[entryOf(i, j)] : (i == j ? 1.0 : 0.0);
      }
      x[i] = pushes[i] ? -q[i] : 0.0;
    }
    factorise<K>(part, lower, 1.0);
    solveWith<K>(lower, x);
    int wrong = -1;
    for (int i = 0; i < K && wrong < 0; ++i) {
      if (pushes[i] ? x[i] < 0.0 : rowTimes<K>(matrix, i, x) + q[i] < 0.0) wrong = i;
    }
    if (wrong < 0) return;
    pushes[wrong] = !pushes[wrong];
  }
  for (int i = 0; i < K; ++i) x[i] = x[i] > 0.0 ? x[i] : 0.0;
}

/// The matrix of the points that push, with ones on the diagonal for those that
/// do not.
template <int K, class P, class Mask>
ABUT_ALWAYS_INLINE void restrict(const P* matrix, const Mask* pushes, P* part) {
  const P zero = PackTraits<P>::splat(0.0), one = PackTraits<P>::splat(1.0);
  for (int i = 0; i < K; ++i) {
    for (int j = 0; j < i; ++j) {
      part[entryOf(i, j)] = select(pushes[i] & pushes[j], matrix[entryOf(i, j)], zero);
    }
    part[entryOf(i, i)] = select(pushes[i], matrix[entryOf(i, i)], one);
  }
}

/// The lanes of `open` one by one; sets what pushes in them.
template <class P, int K>
ABUT_ALWAYS_INLINE void solveLanes(const Pack4d* stored, const P (&q)[K],
                                   const typename PackTraits<P>::Mask& open, P (&x)[K]) {
  constexpr int kEntries = K * (K + 1) / 2;
  double rights[K][4], answers[K][4];
  for (int i = 0; i < K; ++i) {
    __builtin_memcpy(rights[i], &q[i], sizeof rights[i]);
    __builtin_memcpy(answers[i], &x[i], sizeof answers[i]);
  }
  for (int lane = 0; lane < 4; ++lane) {
    if (!holds(open, lane)) continue;
    double m[kEntries], right[K], answer[K];
    for (int i = 0; i < kEntries; ++i) m[i] = stored[i][lane];
    for (int i = 0; i < K; ++i) right[i] = rights[i][lane];
    solveLane<K>(m, right, answer);
    for (int i = 0; i < K; ++i) answers[i][lane] = answer[i];
  }
  for (int i = 0; i < K; ++i) __builtin_memcpy(&x[i], answers[i], sizeof answers[i]);
}

template <class P, int K>
ABUT_ALWAYS_INLINE void solveBlock(ManifoldBatch<K>& batch, const P (&u)[K], const P (&p)[K],
                                   const typename PackTraits<P>::Mask& wanted, P (&x)[K]) {
  using Mask = typename PackTraits<P>::Mask;
  constexpr int kEntries = K * (K + 1) / 2;
  const P zero = PackTraits<P>::splat(0.0), one = PackTraits<P>::splat(1.0);
  P matrix[kEntries], q[K], trial[K], part[kEntries], lower[kEntries];
  Mask pushes[K];
  for (int i = 0; i < kEntries; ++i) matrix[i] = load<P>(batch.matrix[i]);
  for (int i = 0; i < K; ++i) {
    q[i] = u[i] - rowTimes<K>(matrix, i, p);
    pushes[i] = zero < x[i];
  }
  Mask open = wanted;
  for (int round = 0; round < kRounds && anyOf(open); ++round) {
    restrict<K>(matrix, pushes, part);
    for (int i = 0; i < K; ++i) trial[i] = select(pushes[i], -q[i], zero);
    factorise<K>(part, lower, one);
    solveWith<K>(lower, trial);
    Mask wrong[K], any = one < zero;
    for (int i = 0; i < K; ++i) {
      const P answer = rowTimes<K>(matrix, i, trial) + q[i];
      wrong[i] = open & ((pushes[i] & (trial[i] < zero)) | (~pushes[i] & (answer < zero)));
      any = any | wrong[i];
    }
    const Mask done = open & ~any;
    for (int i = 0; i < K; ++i) {
      x[i] = select(done, trial[i], x[i]);
      pushes[i] = pushes[i] ^ wrong[i];
    }
    open = open & any;
  }
  // Where no lane is open the last round turned nothing over: its factors are those of the sets.
  if (anyOf(open)) {
    solveLanes<P, K>(batch.matrix, q, open, x);
    for (int i = 0; i < K; ++i) {
      pushes[i] = (open & (zero < x[i])) | (~open & pushes[i]);
    }
    restrict<K>(matrix, pushes, part);
    factorise<K>(part, lower, one);
  }
  P inverse[kEntries];
  invertWith<K>(lower, inverse, zero, one);
  Mask all = pushes[0];
  for (int i = 0; i < K; ++i) {
    for (int j = 0; j <= i; ++j) {
      Pack4d& entry = batch.inverse[entryOf(i, j)];
      const P found = select(pushes[i] & pushes[j], inverse[entryOf(i, j)], zero);
      PackTraits<P>::store(entry, select(wanted, found, load<P>(entry)));
    }
    all = all & pushes[i];
  }
  batch.partly = (batch.partly & ~bitsOf(wanted)) | bitsOf(wanted & ~all);
}

}  // namespace

template <int K>
void solveNormalBlock(ManifoldBatch<K>& batch, const Pack4d (&u)[K], const Pack4d (&p)[K],
                      const Mask4& wanted, Pack4d (&x)[K]) {
  solveBlock<Pack4d, K>(batch, u, p, wanted, x);
}
#if ABUT_HAS_WIDE
template <int K>
ABUT_WIDE void solveNormalBlock(ManifoldBatch<K>& batch, const Wide4d (&u)[K], const Wide4d (&p)[K],
                                const WideMask& wanted, Wide4d (&x)[K]) {
  solveBlock<Wide4d, K>(batch, u, p, wanted, x);
}
#endif

#define ABUT_INSTANTIATE(K)                                                                    \
  template void solveNormalBlock<K>(ManifoldBatch<K>&, const Pack4d(&)[K], const Pack4d(&)[K], \
                                    const Mask4&, Pack4d(&)[K])
ABUT_INSTANTIATE(2);
ABUT_INSTANTIATE(3);
ABUT_INSTANTIATE(4);
#undef ABUT_INSTANTIATE
#if ABUT_HAS_WIDE
#define ABUT_INSTANTIATE(K)                                                          \
  template ABUT_WIDE void solveNormalBlock<K>(ManifoldBatch<K>&, const Wide4d(&)[K], \
                                              const Wide4d(&)[K], const WideMask&, Wide4d(&)[K])
ABUT_INSTANTIATE(2);
ABUT_INSTANTIATE(3);
ABUT_INSTANTIATE(4);
#undef ABUT_INSTANTIATE
#endif

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
