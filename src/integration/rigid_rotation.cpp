// SPDX-License-Identifier: MIT
#include "integration/rigid_rotation.hpp"

namespace abut::inline v0_1 {
namespace {

/// Turn per sub-step [rad] at which the sixth-order error, (w h)^7 / 1e5, is below 1e-11.
constexpr double kMaxTurn = 0.125;
/// Turns below this leave no gyroscopic effect that a double can hold.
constexpr double kMinTurn = 1e-9;
/// The fixed point contracts by about w h per iteration, so this many reach rounding.
constexpr int kMaxIterations = 40;
constexpr int kMaxSubsteps = 10000;
constexpr double kRounding = 1e-16;

struct GaussTableau {
  double a[3][3], b[3];
};

/// Butcher's coefficients of the three-stage Gauss method, s = sqrt(15).
GaussTableau gaussTableau() {
  const double s = std::sqrt(15.0);
  return {{{5.0 / 36.0, 2.0 / 9.0 - s / 15.0, 5.0 / 36.0 - s / 30.0},
           {5.0 / 36.0 + s / 24.0, 2.0 / 9.0, 5.0 / 36.0 - s / 24.0},
           {5.0 / 36.0 + s / 30.0, 2.0 / 9.0 + s / 15.0, 5.0 / 36.0}},
          {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0}};
}

/// Rotation vector, body frame, from the angular velocities at the Gauss nodes: the sixth-order
/// Magnus expansion of Blanes, Casas, Oteo and Ros for R' = R [w].
Vec3 magnus(const Vec3 (&w)[3], double h) {
  const double root15 = std::sqrt(15.0);
  // For the transpose, which obeys Y' = -[w] Y.
  const Vec3 a1 = w[1] * -h;
  const Vec3 a2 = (w[2] - w[0]) * (-h * root15 / 3.0);
  const Vec3 a3 = ((w[2] - w[1] * 2.0) + w[0]) * (-h * 10.0 / 3.0);
  const Vec3 c1 = cross(a1, a2);
  const Vec3 c2 = cross(a1, a3 * 2.0 + c1) * (-1.0 / 60.0);
  const Vec3 omega =
      (a1 + a3 * (1.0 / 12.0)) + cross((c1 - a1 * 20.0) - a3, a2 + c2) * (1.0 / 240.0);
  return -omega;
}

void subStep(const LocalInertia& inertia, const GaussTableau& g, double h, Quat& q,
             Vec3& momentum) {
  const auto rate = [&](const Vec3& p) { return cross(p, inertia.inverse * p); };
  Vec3 k[3] = {rate(momentum), rate(momentum), rate(momentum)};
  const double scale = norm(momentum);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    double change = 0.0;
    Vec3 next[3];
    for (int i = 0; i < 3; ++i) {
      const Vec3 p = momentum + ((k[0] * g.a[i][0] + k[1] * g.a[i][1]) + k[2] * g.a[i][2]) * h;
      next[i] = rate(p);
      change = maxOf(change, norm(next[i] - k[i]) * h);
    }
    for (int i = 0; i < 3; ++i) k[i] = next[i];
    if (change <= kRounding * scale) break;
  }
  Vec3 w[3];
  for (int i = 0; i < 3; ++i) {
    const Vec3 p = momentum + ((k[0] * g.a[i][0] + k[1] * g.a[i][1]) + k[2] * g.a[i][2]) * h;
    w[i] = inertia.inverse * p;
  }
  momentum += ((k[0] * g.b[0] + k[1] * g.b[1]) + k[2] * g.b[2]) * h;
  q = normalized(q * quatFromRotationVector(magnus(w, h)));
}

bool isIsotropic(const Mat3& m) {
  return m.x.x == m.y.y && m.y.y == m.z.z && m.x.y == 0.0 && m.x.z == 0.0 && m.y.z == 0.0;
}

}  // namespace

void rotateFreely(const LocalInertia& inertia, double h, Quat& q, Vec3& w) {
  const double turn = norm(w) * absOf(h);
  if (turn == 0.0) return;
  if (turn < kMinTurn || isIsotropic(inertia.tensor)) {
    q = normalized(quatFromRotationVector(w * h) * q);
    return;
  }
  const Mat3 start = toMatrix(q);
  Vec3 p = inertia.tensor * transposeTimes(start, w);
  const Vec3 momentum = start * p;
  const double wanted = turn / kMaxTurn;
  const int count = wanted >= kMaxSubsteps ? kMaxSubsteps : 1 + static_cast<int>(wanted);
  const GaussTableau tableau = gaussTableau();
  for (int i = 0; i < count; ++i) subStep(inertia, tableau, h / count, q, p);
  // The smallest rotation that takes the momentum back to where it was.
  const Vec3 now = toMatrix(q) * p;
  const Vec3 correction = cross(now, momentum) / squaredNorm(momentum);
  q = normalized(quatFromRotationVector(correction) * q);
  const Mat3 end = toMatrix(q);
  const auto rateOf = [&](const Vec3& l) {
    return end * (inertia.inverse * transposeTimes(end, l));
  };
  w = rateOf(momentum);
  // One refinement: what is left of the matrix products' rounding would add up over the steps.
  w += rateOf(momentum - end * (inertia.tensor * transposeTimes(end, w)));
}

}  // namespace abut::inline v0_1
