// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack.hpp"

namespace abut::inline v0_1 {

// Blocks of six by six, one for each pair of bodies in a system of their velocities. Six numbers
// are three vectors of two; every sum runs in the order written here, on every machine.

struct Vec6 {
  Double2 part[3];

  [[nodiscard]] double operator[](int i) const { return part[i >> 1][i & 1]; }
};
/// By rows.
struct Mat6 {
  Vec6 row[6];
};

ABUT_ALWAYS_INLINE Vec6 makeVec6(double a, double b, double c, double d, double e, double f) {
  return {{Double2{a, b}, Double2{c, d}, Double2{e, f}}};
}
ABUT_ALWAYS_INLINE Vec6 toVec6(const Vec3& linear, const Vec3& angular) {
  return makeVec6(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z);
}
ABUT_ALWAYS_INLINE Vec3 linearPart(const Vec6& a) {
  return {a.part[0][0], a.part[0][1], a.part[1][0]};
}
ABUT_ALWAYS_INLINE Vec3 angularPart(const Vec6& a) {
  return {a.part[1][1], a.part[2][0], a.part[2][1]};
}

ABUT_ALWAYS_INLINE Vec6 operator+(const Vec6& a, const Vec6& b) {
  return {{a.part[0] + b.part[0], a.part[1] + b.part[1], a.part[2] + b.part[2]}};
}
ABUT_ALWAYS_INLINE Vec6 operator-(const Vec6& a, const Vec6& b) {
  return {{a.part[0] - b.part[0], a.part[1] - b.part[1], a.part[2] - b.part[2]}};
}
ABUT_ALWAYS_INLINE Vec6 operator*(const Vec6& a, double s) {
  return {{a.part[0] * s, a.part[1] * s, a.part[2] * s}};
}
ABUT_ALWAYS_INLINE double dot(const Vec6& a, const Vec6& b) {
  const Double2 sum = (a.part[0] * b.part[0] + a.part[1] * b.part[1]) + a.part[2] * b.part[2];
  return sum[0] + sum[1];
}

inline Mat6 transpose(const Mat6& m) {
  Mat6 t;
  for (int i = 0; i < 6; ++i) {
    t.row[i] =
        makeVec6(m.row[0][i], m.row[1][i], m.row[2][i], m.row[3][i], m.row[4][i], m.row[5][i]);
  }
  return t;
}
inline void negate(Mat6& m) {
  for (Vec6& row : m.row) row = row * -1.0;
}

/// c -= A' B in the lower half of c, for a product that is symmetric.
inline void subtractSymmetricProduct(Mat6& c, const Mat6& a, const Mat6& b) {
  for (int i = 0; i < 6; i += 2) {
    for (int p = 0; p <= i / 2; ++p) {
      Double2 sum0 = c.row[i].part[p], sum1 = c.row[i + 1].part[p];
      for (int k = 0; k < 6; ++k) {
        const Double2 column = a.row[k].part[i / 2], right = b.row[k].part[p];
        sum0 -= right * column[0];
        sum1 -= right * column[1];
      }
      c.row[i].part[p] = sum0;
      c.row[i + 1].part[p] = sum1;
    }
  }
}
/// c -= A' B.
inline void subtractTransposedProduct(Mat6& c, const Mat6& a, const Mat6& b) {
  for (int i = 0; i < 6; ++i) {
    Vec6 sum = c.row[i];
    for (int k = 0; k < 6; ++k) sum = sum - b.row[k] * a.row[k][i];
    c.row[i] = sum;
  }
}
/// c -= A B.
inline void subtractProduct(Mat6& c, const Mat6& a, const Mat6& b) {
  for (int i = 0; i < 6; ++i) {
    Vec6 sum = c.row[i];
    for (int k = 0; k < 6; ++k) sum = sum - b.row[k] * a.row[i][k];
    c.row[i] = sum;
  }
}
/// x + A' y.
ABUT_ALWAYS_INLINE Vec6 plusTransposedProduct(Vec6 x, const Mat6& a, const Vec6& y) {
  for (int k = 0; k < 6; ++k) x = x + a.row[k] * y[k];
  return x;
}
/// x - A' y.
ABUT_ALWAYS_INLINE Vec6 minusTransposedProduct(Vec6 x, const Mat6& a, const Vec6& y) {
  for (int k = 0; k < 6; ++k) x = x - a.row[k] * y[k];
  return x;
}
/// x - A y.
ABUT_ALWAYS_INLINE Vec6 minusProduct(const Vec6& x, const Mat6& a, const Vec6& y) {
  const auto& r = a.row;
  return x - makeVec6(dot(r[0], y), dot(r[1], y), dot(r[2], y), dot(r[3], y), dot(r[4], y),
                      dot(r[5], y));
}

/// Factors L D L' of a symmetric positive definite matrix: L below the diagonal, 1/D on it.
struct Factors6 {
  double entry[6][6];

  /// From the lower half of a matrix. False if it is not positive definite.
  bool set(const Mat6& a) {
    double whole[6][6];  // L D, below the diagonal.
    for (int j = 0; j < 6; ++j) {
      double d = a.row[j][j];
      for (int k = 0; k < j; ++k) {
        entry[j][k] = whole[j][k] * entry[k][k];
        d -= whole[j][k] * entry[j][k];
      }
      if (!(d > 0.0)) return false;
      entry[j][j] = 1.0 / d;
      for (int i = j + 1; i < 6; ++i) {
        double e = a.row[i][j];
        for (int k = 0; k < j; ++k) e -= whole[i][k] * entry[j][k];
        whole[i][j] = e;
      }
    }
    return true;
  }
  /// Solves for six right sides, the rows of x seen as unknowns.
  void solve(Mat6& x) const {
    for (int i = 1; i < 6; ++i) {
      Vec6 sum = x.row[i];
      for (int k = 0; k < i; ++k) sum = sum - x.row[k] * entry[i][k];
      x.row[i] = sum;
    }
    for (int i = 0; i < 6; ++i) x.row[i] = x.row[i] * entry[i][i];
    for (int i = 4; i >= 0; --i) {
      Vec6 sum = x.row[i];
      for (int k = i + 1; k < 6; ++k) sum = sum - x.row[k] * entry[k][i];
      x.row[i] = sum;
    }
  }
  [[nodiscard]] Vec6 solve(const Vec6& right) const {
    double x[6];
    for (int i = 0; i < 6; ++i) {
      x[i] = right[i];
      for (int k = 0; k < i; ++k) x[i] -= entry[i][k] * x[k];
    }
    for (int i = 0; i < 6; ++i) x[i] *= entry[i][i];
    for (int i = 4; i >= 0; --i) {
      for (int k = i + 1; k < 6; ++k) x[i] -= entry[k][i] * x[k];
    }
    return makeVec6(x[0], x[1], x[2], x[3], x[4], x[5]);
  }
};

}  // namespace abut::inline v0_1
