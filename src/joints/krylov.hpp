// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "math/block6.hpp"

namespace abut::inline v0_1 {

/// Solves x + K x = b for the x of least residual in the span of b, K b, K K b ... (GMRES), where K
/// is small: so few products that it is not begun again.
class Krylov {
public:
  static constexpr int kMost = 12;

  /// `weights`, by number of each six, make the norm. b on entry, x on return. apply(v, out) makes
  /// out = K v, another vector. Ends where the residual is below this part of b. Returns the number
  /// of products, or -1 where the residual is not even half of b.
  template <class Apply>
  int solve(std::span<const Vec6> weights, double tolerance, std::span<Vec6> x, Apply&& apply) {
    const std::size_t n = x.size();
    weights_ = weights;
    basis_[0].assign(x.begin(), x.end());
    const double size = std::sqrt(product(basis_[0], basis_[0]));
    if (!(size > 0.0)) return 0;
    scale(basis_[0], 1.0 / size);
    right_[0] = size;
    int k = 0;
    bool ends = false;
    while (k < kMost && !ends) {
      std::vector<Vec6>& next = basis_[k + 1];
      apply(basis_[k], next);
      for (std::size_t i = 0; i < n; ++i) next[i] = next[i] + basis_[k][i];
      if (!addColumn(k)) return -1;
      ++k;
      ends = std::fabs(right_[k]) <= tolerance * size;
    }
    if (!(std::fabs(right_[k]) <= kWorst * size)) return -1;
    double y[kMost];
    for (int i = k; i-- > 0;) {
      y[i] = right_[i];
      for (int j = i + 1; j < k; ++j) y[i] -= column_[j][i] * y[j];
      y[i] /= column_[i][i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      Vec6 sum{};
      for (int j = 0; j < k; ++j) sum = sum + basis_[j][i] * y[j];
      x[i] = sum;
    }
    return k;
  }

private:
  static constexpr double kWorst = 0.5;

  [[nodiscard]] double product(const std::vector<Vec6>& a, const std::vector<Vec6>& b) const {
    Vec6 sum{};
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (int p = 0; p < 3; ++p) {
        sum.part[p] = sum.part[p] + (weights_[i].part[p] * a[i].part[p]) * b[i].part[p];
      }
    }
    const Double2 all = (sum.part[0] + sum.part[1]) + sum.part[2];
    return all[0] + all[1];
  }
  static void scale(std::vector<Vec6>& a, double s) {
    for (Vec6& six : a) six = six * s;
  }
  /// Makes the newest vector orthogonal to those before it, and the matrix triangular again. False
  /// if it has no inverse.
  bool addColumn(int k) {
    std::vector<Vec6>& next = basis_[k + 1];
    double(&h)[kMost + 1] = column_[k];
    for (int j = 0; j <= k; ++j) {
      h[j] = product(basis_[j], next);
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = next[i] - basis_[j][i] * h[j];
    }
    h[k + 1] = std::sqrt(product(next, next));
    if (h[k + 1] > 0.0) scale(next, 1.0 / h[k + 1]);
    for (int j = 0; j < k; ++j) turn(j, h[j], h[j + 1]);
    const double length = std::sqrt(h[k] * h[k] + h[k + 1] * h[k + 1]);
    if (!(length > 0.0)) return false;
    cosine_[k] = h[k] / length;
    sine_[k] = h[k + 1] / length;
    turn(k, h[k], h[k + 1]);
    right_[k + 1] = 0.0;
    turn(k, right_[k], right_[k + 1]);
    return true;
  }
  void turn(int k, double& a, double& b) const {
    const double first = cosine_[k] * a + sine_[k] * b;
    b = cosine_[k] * b - sine_[k] * a;
    a = first;
  }

  std::span<const Vec6> weights_;
  std::vector<Vec6> basis_[kMost + 1];
  double column_[kMost][kMost + 1] = {};
  double cosine_[kMost] = {}, sine_[kMost] = {};
  double right_[kMost + 1] = {};
};

}  // namespace abut::inline v0_1
