// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3_pack.hpp"

namespace abut::inline v0_1 {

// Symmetric positive definite matrices of up to four rows, stored by rows of their lower half:
// entry (i, j), j <= i, is at i (i + 1) / 2 + j. T is double or a pack of four.

constexpr int entryOf(int i, int j) {
  return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

/// L D L^T of a matrix: `lower` holds L below the diagonal and 1/D on it.
template <int K, class T>
ABUT_ALWAYS_INLINE void factorise(const T* matrix, T* lower, const T& one) {
  T d[K];
  for (int j = 0; j < K; ++j) {
    T sum = matrix[entryOf(j, j)];
    for (int k = 0; k < j; ++k) {
      sum = sum - lower[entryOf(j, k)] * lower[entryOf(j, k)] * d[k];
    }
    d[j] = sum;
    lower[entryOf(j, j)] = one / sum;
    for (int i = j + 1; i < K; ++i) {
      T entry = matrix[entryOf(i, j)];
      for (int k = 0; k < j; ++k) {
        entry = entry - lower[entryOf(i, k)] * lower[entryOf(j, k)] * d[k];
      }
      lower[entryOf(i, j)] = entry * lower[entryOf(j, j)];
    }
  }
}

/// Solves with the factors; x is the right-hand side on entry and the solution on return.
template <int K, class T>
ABUT_ALWAYS_INLINE void solveWith(const T* lower, T* x) {
  for (int i = 1; i < K; ++i) {
    for (int k = 0; k < i; ++k) x[i] = x[i] - lower[entryOf(i, k)] * x[k];
  }
  for (int i = 0; i < K; ++i) x[i] = x[i] * lower[entryOf(i, i)];
  for (int i = K - 2; i >= 0; --i) {
    for (int k = i + 1; k < K; ++k) x[i] = x[i] - lower[entryOf(k, i)] * x[k];
  }
}

/// The inverse, in the same layout, from the factors: column by column, from its unit on.
template <int K, class T>
ABUT_ALWAYS_INLINE void invertWith(const T* lower, T* inverse, const T& zero, const T& one) {
  for (int j = 0; j < K; ++j) {
    T x[K];
    x[j] = one;
    for (int i = j + 1; i < K; ++i) {
      x[i] = zero;
      for (int k = j; k < i; ++k) x[i] = x[i] - lower[entryOf(i, k)] * x[k];
    }
    for (int i = j; i < K; ++i) x[i] = x[i] * lower[entryOf(i, i)];
    for (int i = K - 2; i >= j; --i) {
      for (int k = i + 1; k < K; ++k) x[i] = x[i] - lower[entryOf(k, i)] * x[k];
    }
    for (int i = j; i < K; ++i) inverse[entryOf(i, j)] = x[i];
  }
}

/// The inverse, in the same layout.
template <int K, class T>
ABUT_ALWAYS_INLINE void invert(const T* matrix, T* inverse, const T& zero, const T& one) {
  T lower[K * (K + 1) / 2];
  factorise<K>(matrix, lower, one);
  invertWith<K>(lower, inverse, zero, one);
}

/// Entry i of the product with a vector.
template <int K, class T>
ABUT_ALWAYS_INLINE T rowTimes(const T* matrix, int i, const T* x) {
  T sum = matrix[entryOf(i, 0)] * x[0];
  for (int j = 1; j < K; ++j) sum = sum + matrix[entryOf(i, j)] * x[j];
  return sum;
}

}  // namespace abut::inline v0_1
