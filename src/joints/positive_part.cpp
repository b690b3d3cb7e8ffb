// SPDX-License-Identifier: MIT
#include "joints/positive_part.hpp"

#include <cmath>

namespace abut::inline v0_1 {

Mat3 positivePart(const Mat3& m) {
  if (m == Mat3{{}, {}, {}}) return m;
  // Off-diagonal entries of a 3 x 3 matrix are below rounding after six cyclic sweeps, and mostly
  // after three or four.
  constexpr int kSweeps = 6;
  constexpr double kNothing = 1e-32;
  double a[3][3] = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
  double v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const double off = (a[0][1] * a[0][1] + a[0][2] * a[0][2]) + a[1][2] * a[1][2];
    const double on = (a[0][0] * a[0][0] + a[1][1] * a[1][1]) + a[2][2] * a[2][2];
    if (off <= kNothing * on) break;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0.0) continue;
        const double half = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
        const double root = std::sqrt(1.0 + half * half);
        const double t = half >= 0.0 ? 1.0 / (half + root) : -1.0 / (root - half);
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double akp = a[k][p], akq = a[k][q];
          a[k][p] = c * akp - s * akq;
          a[k][q] = s * akp + c * akq;
        }
        for (int k = 0; k < 3; ++k) {
          const double apk = a[p][k], aqk = a[q][k];
          a[p][k] = c * apk - s * aqk;
          a[q][k] = s * apk + c * aqk;
          const double vkp = v[k][p], vkq = v[k][q];
          v[k][p] = c * vkp - s * vkq;
          v[k][q] = s * vkp + c * vkq;
        }
      }
    }
  }
  Mat3 sum{{}, {}, {}};
  for (int i = 0; i < 3; ++i) {
    const double value = a[i][i];
    if (!(value > 0.0)) continue;
    const Vec3 e{v[0][i], v[1][i], v[2][i]};
    sum = sum + Mat3{e * (e.x * value), e * (e.y * value), e * (e.z * value)};
  }
  return sum;
}

}  // namespace abut::inline v0_1
