// SPDX-License-Identifier: MIT
#include "solver/anderson.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kRegularisation = 1e-10;  // Of the trace.
constexpr double kGrowthLimit = 4.0;       // Of |f|^2.
constexpr double kWild = 1e4;              // Largest |a|_1 believed.

double weightedDot(std::span<const double> w, std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += w[i] * dot(a[i], b[i]);
  return sum;
}

/// Solves the symmetric positive definite system m a = r of up to three rows by Cholesky's method;
/// false if a pivot is not positive.
bool solveSmall(int n, double (&m)[3][3], double (&r)[3]) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = m[i][j];
      for (int k = 0; k < j; ++k) sum -= m[i][k] * m[j][k];
      if (i == j) {
        if (!(sum > 0.0)) return false;
        m[i][i] = std::sqrt(sum);
      } else {
        m[i][j] = sum / m[j][j];
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) r[i] -= m[i][k] * r[k];
    r[i] /= m[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) r[i] -= m[k][i] * r[k];
    r[i] /= m[i][i];
  }
  return true;
}

}  // namespace

void Anderson::reset(std::size_t size) {
  f_.resize(size);
  g_.resize(size);
  for (int i = 0; i < kMemory; ++i) {
    df_[i].resize(size);
    dg_[i].resize(size);
  }
  newest_ = -1;
  count_ = 0;
  has_previous_ = false;
}

void Anderson::advance(std::span<const double> weights, std::span<const Vec3> g,
                       std::span<Vec3> x) {
  const std::size_t size = g.size();
  if (has_previous_) {
    newest_ = (newest_ + 1) % kMemory;
    if (count_ < kMemory) ++count_;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const Vec3 f = g[i] - x[i];
    if (has_previous_) {
      df_[newest_][i] = f - f_[i];
      dg_[newest_][i] = g[i] - g_[i];
    }
    f_[i] = f;
    g_[i] = g[i];
  }
  const double norm2 = weightedDot(weights, f_, f_);
  if (has_previous_ && norm2 > kGrowthLimit * previous_norm_) count_ = 0;
  previous_norm_ = norm2;
  has_previous_ = true;

  double m[3][3] = {}, a[3] = {};
  double trace = 0.0;
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j <= i; ++j) m[i][j] = weightedDot(weights, df_[i], df_[j]);
    a[i] = weightedDot(weights, df_[i], f_);
    trace += m[i][i];
  }
  for (int i = 0; i < count_; ++i) m[i][i] += kRegularisation * trace;
  bool usable = count_ > 0 && solveSmall(count_, m, a);
  usable = usable && (absOf(a[0]) + absOf(a[1])) + absOf(a[2]) <= kWild;
  if (!usable) count_ = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Vec3 next = g[i];
    for (int k = 0; k < count_; ++k) next -= dg_[k][i] * a[k];
    x[i] = next;
  }
}

}  // namespace abut::inline v0_1
