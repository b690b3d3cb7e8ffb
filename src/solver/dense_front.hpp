// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/crew.hpp"

namespace abut::inline v0_1 {

/// Single precision, for factors whose answers are refined: half the memory, twice the numbers in a
/// register.
using Rough = float;  // deny-ok: what it rounds is corrected by residuals in double precision

// Dense parts of a sparse factorisation, in double or in single precision. Every entry is computed
// by the same operations in the same order whatever registers the machine has: C - (a_0 b_0 + a_1
// b_1 + ...), summed from the left.

/// Doubles from one row of a front to the next: room for whole vectors beyond the last column.
[[nodiscard]] constexpr std::size_t frontStride(std::size_t columns) {
  constexpr std::size_t kLanes = 16;
  return (columns + 2 * kLanes - 1) / kLanes * kLanes;
}

/// Eliminates the first `numPivots` unknowns of a square matrix of `size` rows, stored by rows
/// `stride` apart with zeros beyond the last column: on return its first columns hold L below the
/// diagonal (whose diagonal is 1), its first rows U, and the rest what is left to eliminate. Rows
/// are exchanged among the first numPivots only; rowAt[i] is the one that came to place i. False if
/// a pivot is zero or not finite. Large matrices are shared out in a crew; no bit depends on it.
template <class Real>
bool eliminate(Real* matrix, std::size_t size, std::size_t numPivots, std::size_t stride,
               std::span<std::uint32_t> rowAt, Crew& crew);

extern template bool eliminate<double>(double*, std::size_t, std::size_t, std::size_t,
                                       std::span<std::uint32_t>, Crew&);
extern template bool eliminate<Rough>(Rough*, std::size_t, std::size_t, std::size_t,
                                      std::span<std::uint32_t>, Crew&);

/// Sum of a[k] b[k], in four interleaved parts.
[[nodiscard]] double interleavedDot(const double* a, const double* b, std::size_t count);
/// The same in eight.
[[nodiscard]] Rough interleavedDot(const Rough* a, const Rough* b, std::size_t count);

}  // namespace abut::inline v0_1
