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

using Pair = double __attribute__((vector_size(16)));

/// C -= A B for R rows and V vectors of columns: C is R x (V lanes), A is R x depth, B is depth x
/// (V lanes). All rows are `stride` apart.
template <class Vector, int R, int V>
ABUT_ALWAYS_INLINE void subtractTile(double* c, const double* a, const double* b, std::size_t depth,
                                     std::size_t stride) {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(double);
  Vector sum[R][V] = {};
  for (std::size_t k = 0; k < depth; ++k) {
    Vector right[V];
    for (int v = 0; v < V; ++v) {
      __builtin_memcpy(&right[v], b + k * stride + static_cast<std::size_t>(v) * kLanes,
                       sizeof(Vector));
    }
    for (int i = 0; i < R; ++i) {
      const double left = a[static_cast<std::size_t>(i) * stride + k];
      for (int v = 0; v < V; ++v) sum[i][v] = sum[i][v] + left * right[v];
    }
  }
  for (int i = 0; i < R; ++i) {
    for (int v = 0; v < V; ++v) {
      double* to = c + static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(v) * kLanes;
      Vector x;
      __builtin_memcpy(&x, to, sizeof x);
      x = x - sum[i][v];
      __builtin_memcpy(to, &x, sizeof x);
    }
  }
}

/// C -= A B for any number of rows; columns are taken eight at a time, into the padding.
template <class Vector, int R>
ABUT_ALWAYS_INLINE void subtractProduct(double* c, const double* a, const double* b,
                                        std::size_t rows, std::size_t depth, std::size_t columns,
                                        std::size_t stride) {
  constexpr int kVectors = 2;
  constexpr std::size_t kWidth = kVectors * sizeof(Vector) / sizeof(double);
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

void subtractNarrow(double* c, const double* a, const double* b, std::size_t rows,
                    std::size_t depth, std::size_t columns, std::size_t stride) {
  subtractProduct<Pair, 3>(c, a, b, rows, depth, columns, stride);
}

#if ABUT_HAS_WIDE
ABUT_WIDE void subtractWide(double* c, const double* a, const double* b, std::size_t rows,
                            std::size_t depth, std::size_t columns, std::size_t stride) {
  subtractProduct<Double4, 6>(c, a, b, rows, depth, columns, stride);
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif

void subtract(double* c, const double* a, const double* b, std::size_t rows, std::size_t depth,
              std::size_t columns, std::size_t stride) {
#if ABUT_HAS_WIDE
  if (kHasAvx2) return subtractWide(c, a, b, rows, depth, columns, stride);
#endif
  subtractNarrow(c, a, b, rows, depth, columns, stride);
}

/// Brings the largest entry of a column to the diagonal, the first among equals.
void choosePivot(double* matrix, std::size_t column, std::size_t numPivots, std::size_t size,
                 std::size_t stride, std::span<std::uint32_t> rowAt) {
  std::size_t best = column;
  double largest = absOf(matrix[column * stride + column]);
  for (std::size_t i = column + 1; i < numPivots; ++i) {
    const double x = absOf(matrix[i * stride + column]);
    if (!(x > largest)) continue;
    largest = x;
    best = i;
  }
  if (best == column) return;
  std::swap_ranges(matrix + best * stride, matrix + best * stride + size, matrix + column * stride);
  std::swap(rowAt[best], rowAt[column]);
}

/// What a row misses after the elimination of one unknown, up to the end of the panel.
ABUT_ALWAYS_INLINE void eliminateOne(double* row, const double* pivotRow, std::size_t column,
                                     std::size_t last, double inverse) {
  const double factor = row[column] * inverse;
  row[column] = factor;
  if (factor == 0.0) return;
  for (std::size_t k = column + 1; k < last; ++k) row[k] -= factor * pivotRow[k];
}

}  // namespace

bool eliminate(double* matrix, std::size_t size, std::size_t numPivots, std::size_t stride,
               std::span<std::uint32_t> rowAt, Crew& crew) {
  for (std::size_t i = 0; i < numPivots; ++i) rowAt[i] = static_cast<std::uint32_t>(i);
  for (std::size_t first = 0; first < numPivots; first += kPanel) {
    const std::size_t last = std::min(first + kPanel, numPivots);
    double inverse[kPanel];
    for (std::size_t j = first; j < last; ++j) {
      choosePivot(matrix, j, numPivots, size, stride, rowAt);
      const double* pivotRow = matrix + j * stride;
      if (!isFinite(pivotRow[j]) || pivotRow[j] == 0.0) return false;
      inverse[j - first] = 1.0 / pivotRow[j];
      for (std::size_t i = j + 1; i < numPivots; ++i) {
        eliminateOne(matrix + i * stride, pivotRow, j, last, inverse[j - first]);
      }
    }
    if (last == size) break;
    const std::size_t rest = size - last;
    const bool shares = rest * rest >= kWorthSharing;
    const auto columns = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + 1; i < last; ++i) {
        double* row = matrix + i * stride;
        for (std::size_t j = first; j < i; ++j) {
          const double factor = row[j];
          const double* above = matrix + j * stride;
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

double interleavedDot(const double* a, const double* b, std::size_t count) {
  double part[4] = {0.0, 0.0, 0.0, 0.0};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    for (std::size_t i = 0; i < 4; ++i) part[i] += a[k + i] * b[k + i];
  }
  for (; k < count; ++k) part[0] += a[k] * b[k];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
