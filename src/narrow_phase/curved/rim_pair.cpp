// SPDX-License-Identifier: MIT
#include "narrow_phase/curved/rim_pair.hpp"

namespace abut::inline v0_1::curved {

RimPair::RimPair(const Round& bodyB, const Round& bodyA, double sideB, double sideA)
    : b(bodyB),
      a(bodyA),
      signB(sideB),
      signA(sideA),
      w((bodyB.c + bodyB.a * (sideB * bodyB.hz)) + (bodyA.c + bodyA.a * (sideA * bodyA.hz))),
      e1_(anyPerpendicular(bodyB.a)),
      e2_(cross(bodyB.a, e1_)),
      square0_(squaredNorm(w) + b.r * b.r),
      w1_(2.0 * b.r * dot(w, e1_)),
      w2_(2.0 * b.r * dot(w, e2_)),
      swing_(std::sqrt(w1_ * w1_ + w2_ * w2_)),
      wa_(dot(w, bodyA.a)),
      ta_(b.r * dot(e1_, bodyA.a)),
      tb_(b.r * dot(e2_, bodyA.a)),
      lift_(std::sqrt(ta_ * ta_ + tb_ * tb_)) {}

Vec3 RimPair::across(Angle at) const {
  return perpendicularPart(w + radial(at) * b.r, a.a);
}

RimEnd RimPair::endAt(Angle at) const {
  const Vec3 u = radial(at), q = w + u * b.r, side = perpendicularPart(q, a.a);
  const double rho = norm(side);
  const Vec3 d = rho > 0.0 ? q - side * (a.r / rho) : q;
  return {at, squaredNorm(d), 2.0 * b.r * dot(d, cross(b.a, u))};
}

double RimPair::roughSquareAt(Angle at) const {
  const double square = square0_ + (w1_ * at.x + w2_ * at.y), t = wa_ + (ta_ * at.x + tb_ * at.y);
  const double rho = std::sqrt(maxOf(square - t * t, 0.0));
  return (square + a.r * a.r) - 2.0 * a.r * rho;
}

void RimPair::bendAround(Angle at, double half, double& least, double& most) const {
  // With W = w1 x + w2 y and G = rho^2: f'' = -W - 2 r_a rho'', rho'' = (G''/2 - rho'^2) / rho,
  // rho' = G' / (2 rho), G' = W' - 2 t t', G'' = -W - 2 t'^2 + 2 t (t - wa). W, t and t' change by
  // no more than their amplitudes allow, rho by no more than r_b, and rho'' >= -r_b everywhere,
  // because the part of q across a's axis runs on an ellipse with half axes of at most r_b.
  const double level = w1_ * at.x + w2_ * at.y, turn = w2_ * at.x - w1_ * at.y;
  const double rise = ta_ * at.x + tb_ * at.y, climb = tb_ * at.x - ta_ * at.y;
  const double t = wa_ + rise;
  const double rho = norm(across(at)), low = rho - b.r * half, high = rho + b.r * half;
  const double drift = swing_ * half, shift = lift_ * half;
  most = -level + drift + 2.0 * a.r * b.r;
  least = -1e300;
  if (!(low > 0.0)) return;
  const double second = -level - 2.0 * climb * climb + 2.0 * t * rise;
  const double spread = drift + 2.0 * shift * (2.0 * absOf(climb) + shift) +
                        2.0 * shift * (absOf(t) + absOf(rise) + shift);
  const double upper = 0.5 * (second + spread), lower = 0.5 * (second - spread);
  const double slope = (0.5 * absOf(turn - 2.0 * t * climb) + half * maxOf(upper, -lower)) / low;
  const double bentDown = lower - slope * slope;
  most = minOf(most, -level + drift - 2.0 * a.r * bentDown / (bentDown < 0.0 ? low : high));
  least = -level - drift - 2.0 * a.r * upper / (upper > 0.0 ? low : high);
}

}  // namespace abut::inline v0_1::curved
