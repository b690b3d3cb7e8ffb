// SPDX-License-Identifier: MIT
#include "solver/dense_front.hpp"

#include <algorithm>

#include "math/pack_wide.hpp"
#include "math/vec3.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {
namespace {

/// Unknowns eliminated together; the rest of the matrix is then changed once for all of them.
constexpr std::size_t kPanel = 12;
/// Rows and columns that one part of a shared elimination takes, and entries left from which on it
/// is shared: some tens of microseconds.
constexpr std::size_t kRowGrain = 48, kColumnGrain = 128, kWorthSharing = 20000;

/// Vectors of the two widths.
template <class Real>
struct Vectors;
template <>
struct Vectors<double> {
  using Narrow = double __attribute__((vector_size(16)));
  using Wide = double __attribute__((vector_size(32)));
};
template <>
struct Vectors<Rough> {
  using Narrow = Rough __attribute__((vector_size(16)));
  using Wide = Rough __attribute__((vector_size(32)));
};

/// C -= A B for R rows and V vectors of columns: C is R x (V lanes), A is R x depth, B is depth x
/// (V lanes). All rows are `stride` apart.
template <class Vector, int R, int V, class Real>
ABUT_ALWAYS_INLINE void subtractTile(Real* c, const Real* a, const Real* b, std::size_t depth,
                                     std::size_t stride) {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(Real);
  Vector sum[R][V] = {};
  for (std::size_t k = 0; k < depth; ++k) {
    Vector right[V];
    for (int v = 0; v < V; ++v) {
      __builtin_memcpy(&right[v], b + k * stride + static_cast<std::size_t>(v) * kLanes,
                       sizeof(Vector));
    }
    for (int i = 0; i < R; ++i) {
      const Real left = a[static_cast<std::size_t>(i) * stride + k];
      for (int v = 0; v < V; ++v) sum[i][v] = sum[i][v] + left * right[v];
    }
  }
  for (int i = 0; i < R; ++i) {
    for (int v = 0; v < V; ++v) {
      Real* to = c + static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(v) * kLanes;
      Vector x;
      __builtin_memcpy(&x, to, sizeof x);
      x = x - sum[i][v];
      __builtin_memcpy(to, &x, sizeof x);
    }
  }
}

/// C -= A B for any number of rows; columns are taken two vectors at a time, into the padding.
template <class Vector, int R, class Real>
ABUT_ALWAYS_INLINE void subtractProduct(Real* c, const Real* a, const Real* b, std::size_t rows,
                                        std::size_t depth, std::size_t columns,
                                        std::size_t stride) {
  constexpr int kVectors = 2;
  constexpr std::size_t kWidth = kVectors * sizeof(Vector) / sizeof(Real);
  for (std::size_t j = 0; j < columns; j += kWidth) {
    std::size_t i = 0;
    for (; i + R <= rows; i += R) {
      subtractTile<Vector, R, kVectors>(c + i * stride + j, a + i * stride, b + j, depth, stride);
    }
    for (; i < rows; ++i) {
      subtractTile<Vector, 1, kVectors>(c + i * stride + j, a + i * stride, b + j, depth, stride);
    }
  }
}

template <class Real>
void subtractNarrow(Real* c, const Real* a, const Real* b, std::size_t rows, std::size_t depth,
                    std::size_t columns, std::size_t stride) {
  subtractProduct<typename Vectors<Real>::Narrow, 3>(c, a, b, rows, depth, columns, stride);
}

#if ABUT_HAS_WIDE
template <class Real>
ABUT_WIDE void subtractWide(Real* c, const Real* a, const Real* b, std::size_t rows,
                            std::size_t depth, std::size_t columns, std::size_t stride) {
  subtractProduct<typename Vectors<Real>::Wide, 6>(c, a, b, rows, depth, columns, stride);
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif

template <class Real>
void subtract(Real* c, const Real* a, const Real* b, std::size_t rows, std::size_t depth,
              std::size_t columns, std::size_t stride) {
#if ABUT_HAS_WIDE
  if (kHasAvx2) return subtractWide(c, a, b, rows, depth, columns, stride);
#endif
  subtractNarrow(c, a, b, rows, depth, columns, stride);
}

template <class Real>
ABUT_ALWAYS_INLINE Real sizeOf(Real x) {
  return x < Real{0} ? -x : x;
}

/// Brings the largest entry of a column to the diagonal, the first among equals.
template <class Real>
void choosePivot(Real* matrix, std::size_t column, std::size_t numPivots, std::size_t size,
                 std::size_t stride, std::span<std::uint32_t> rowAt) {
  std::size_t best = column;
  Real largest = sizeOf(matrix[column * stride + column]);
  for (std::size_t i = column + 1; i < numPivots; ++i) {
    const Real x = sizeOf(matrix[i * stride + column]);
    if (!(x > largest)) continue;
    largest = x;
    best = i;
  }
  if (best == column) return;
  std::swap_ranges(matrix + best * stride, matrix + best * stride + size, matrix + column * stride);
  std::swap(rowAt[best], rowAt[column]);
}

/// What a row misses after the elimination of one unknown, up to the end of the panel.
template <class Real>
ABUT_ALWAYS_INLINE void eliminateOne(Real* row, const Real* pivotRow, std::size_t column,
                                     std::size_t last, Real inverse) {
  const Real factor = row[column] * inverse;
  row[column] = factor;
  if (factor == Real{0}) return;
  for (std::size_t k = column + 1; k < last; ++k) row[k] -= factor * pivotRow[k];
}

}  // namespace

template <class Real>
bool eliminate(Real* matrix, std::size_t size, std::size_t numPivots, std::size_t stride,
               std::span<std::uint32_t> rowAt, Crew& crew) {
  for (std::size_t i = 0; i < numPivots; ++i) rowAt[i] = static_cast<std::uint32_t>(i);
  for (std::size_t first = 0; first < numPivots; first += kPanel) {
    const std::size_t last = std::min(first + kPanel, numPivots);
    Real inverse[kPanel];
    for (std::size_t j = first; j < last; ++j) {
      choosePivot(matrix, j, numPivots, size, stride, rowAt);
      const Real* pivotRow = matrix + j * stride;
      if (!isFinite(static_cast<double>(pivotRow[j])) || pivotRow[j] == Real{0}) return false;
      inverse[j - first] = Real{1} / pivotRow[j];
      for (std::size_t i = j + 1; i < numPivots; ++i) {
        eliminateOne(matrix + i * stride, pivotRow, j, last, inverse[j - first]);
      }
    }
    if (last == size) break;
    const std::size_t rest = size - last;
    const bool shares = rest * rest >= kWorthSharing;
    const auto columns = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + 1; i < last; ++i) {
        Real* row = matrix + i * stride;
        for (std::size_t j = first; j < i; ++j) {
          const Real factor = row[j];
          const Real* above = matrix + j * stride;
          for (std::size_t k = last + begin; k < last + end; ++k) row[k] -= factor * above[k];
        }
      }
    };
    const auto rows = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = std::max(last + begin, numPivots); i < last + end; ++i) {
        for (std::size_t j = first; j < last; ++j) {
          eliminateOne(matrix + i * stride, matrix + j * stride, j, last, inverse[j - first]);
        }
      }
      subtract(matrix + (last + begin) * stride + last, matrix + (last + begin) * stride + first,
               matrix + first * stride + last, end - begin, last - first, rest, stride);
    };
    if (shares) {
      shareChunks(crew, rest, kColumnGrain, columns);
      shareChunks(crew, rest, kRowGrain, rows);
    } else {
      columns(0, rest);
      rows(0, rest);
    }
  }
  return true;
}

template bool eliminate<double>(double*, std::size_t, std::size_t, std::size_t,
                                std::span<std::uint32_t>, Crew&);
template bool eliminate<Rough>(Rough*, std::size_t, std::size_t, std::size_t,
                               std::span<std::uint32_t>, Crew&);

double interleavedDot(const double* a, const double* b, std::size_t count) {
  double part[4] = {0.0, 0.0, 0.0, 0.0};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    for (std::size_t i = 0; i < 4; ++i) part[i] += a[k + i] * b[k + i];
  }
  for (; k < count; ++k) part[0] += a[k] * b[k];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

Rough interleavedDot(const Rough* a, const Rough* b, std::size_t count) {
  Rough part[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) {
    for (std::size_t i = 0; i < 8; ++i) part[i] += a[k + i] * b[k + i];
  }
  for (; k < count; ++k) part[0] += a[k] * b[k];
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
