// SPDX-License-Identifier: MIT
#include "narrow_phase/curved/arc_minimum.hpp"

#include "math/wide_vec3.hpp"

namespace abut::inline v0_1::curved {

RimCircle::RimCircle(const Vec3& axis, double sine, double cosine, const Vec3& a)
    : g(axis), s(sine), c(cosine), kappa(dot(axis, a)), r(0.0), w0(0.0), w1(0.0), w2(0.0) {
  // Projected twice: where the axes are nearly parallel the first result still leans along g.
  Vec3 across = perpendicularPart(a, g);
  sigma = norm(across);
  if (sigma > 1e-12) {
    across = perpendicularPart(across / sigma, g);
    e1 = across / norm(across);
  } else {
    e1 = anyPerpendicular(g);
  }
  e2 = cross(g, e1);
}

void RimCircle::setRim(double radius, const Vec3& w) {
  r = radius;
  w0 = s * dot(w, g);
  w1 = c * dot(w, e1);
  w2 = c * dot(w, e2);
}

double RimCircle::eval(double x, double y, double& f1, double& f2) const {
  const double ck = c * kappa;
  const double bigX = s * sigma - ck * x, bigY = c * y;
  const double e = maxOf(std::sqrt(bigX * bigX + bigY * bigY), 1e-150);
  const double inverse = 1.0 / e;
  const double slope = (bigY * c * x + bigX * ck * y) * inverse;
  const double curve =
      ((c * c * x * x - bigY * bigY) + (ck * ck * y * y + bigX * ck * x)) - slope * slope;
  f1 = r * slope + (w2 * x - w1 * y);
  f2 = r * (curve * inverse) - (w1 * x + w2 * y);
  return r * e + w0 + (w1 * x + w2 * y);
}

namespace {

ABUT_ALWAYS_INLINE Angle searchBracket(const RimCircle& circle, Angle lo, Angle hi, Angle start) {
  const double scale = circle.r + absOf(circle.w1) + absOf(circle.w2);
  Angle at = start;
  bool wasShort = false;
  for (int i = 0; i < 80; ++i) {
    double f1, f2;
    const double f = circle.eval(at.x, at.y, f1, f2);
    if (absOf(f1) <= 1e-16 * scale) break;
    (f1 < 0.0 ? lo : hi) = at;
    // The tangent of the step's angle: a rotation without trigonometry.
    const double t = -f1 / f2;
    Angle next;
    bool inside = false;
    if (f2 > 0.0 && absOf(t) < 1.0) {
      const double n = 1.0 / std::sqrt(1.0 + t * t);
      next = {(at.x - t * at.y) * n, (at.y + t * at.x) * n};
      inside = lo.x * next.y - lo.y * next.x > 0.0 && next.x * hi.y - next.y * hi.x > 0.0;
      // Once the step is short beside the distance from the rim's axis, the error squares: after
      // two such steps it is below rounding.
      const double away = (f - circle.w0) - (circle.w1 * at.x + circle.w2 * at.y);
      const bool isShort = absOf(t) * circle.r < 1e-8 * away;
      if (isShort && wasShort) return inside ? next : at;
      wasShort = isShort;
    }
    if (!inside) {
      const double mx = lo.x + hi.x, my = lo.y + hi.y;
      const double n = 1.0 / std::sqrt(mx * mx + my * my);
      next = {mx * n, my * n};
      const double gap = absOf(lo.x * hi.y - lo.y * hi.x);
      if (gap < 2e-16) return next;
    }
    at = next;
  }
  return at;
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE_WHOLE Angle searchBracketWide(const RimCircle& circle, Angle lo, Angle hi, Angle start) {
  return searchBracket(circle, lo, hi, start);
}
#endif

}  // namespace

Angle minimumInBracket(const RimCircle& circle, Angle lo, Angle hi, Angle start) {
#if ABUT_HAS_WIDE
  if (kHasWide) return searchBracketWide(circle, lo, hi, start);
#endif
  return searchBracket(circle, lo, hi, start);
}

}  // namespace abut::inline v0_1::curved
