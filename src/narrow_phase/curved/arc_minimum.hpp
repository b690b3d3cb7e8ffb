// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/curved/round.hpp"

namespace abut::inline v0_1::curved {

/// The support function of a rim, plus a linear function, along a circle of directions
///   m = s g + c (x e1 + y e2),  (x, y) = (cos phi, sin phi),
/// where g is the circle's axis and the rim's axis is a = kappa g + sigma e1. Then
///   |m x a|^2 = X^2 + Y^2,  X = s sigma - c kappa x,  Y = c y,
///   f(phi) = r |m x a| + w0 + w1 x + w2 y.
/// Great circles (s = 0): rim against a straight edge or a cylinder's side. Small circles: rim
/// against a cone's side.
struct RimCircle {
  Vec3 g, e1, e2;
  double s, c, kappa, sigma;
  double r;
  double w0, w1, w2;

  /// For a rim of radius r, unit axis a, with D's remaining support m . w on the circle.
  RimCircle(const Vec3& axis, double sine, double cosine, const Vec3& a);
  void setRim(double radius, const Vec3& w);

  [[nodiscard]] Vec3 direction(double x, double y) const { return g * s + (e1 * x + e2 * y) * c; }
  /// First and second derivative by phi; returns f.
  double eval(double x, double y, double& f1, double& f2) const;
};

/// Unit vector in the plane of (e1, e2).
struct Angle {
  double x, y;
};

/// Newton's method from a start near the minimum, kept inside (lo, hi), where f' < 0 at lo and
/// f' > 0 at hi.
Angle minimumInBracket(const RimCircle& circle, Angle lo, Angle hi, Angle start);

/// Where |m x a| has the value of a side's normals, m . a = sine: x of both points on the circle,
/// or a number outside [-1, 1].
inline double kinkOf(const RimCircle& circle, double sine) {
  const double slope = circle.c * circle.sigma;
  if (!(slope > 1e-14)) return 2.0;
  return (sine - circle.s * circle.kappa) / slope;
}

/// The ends of the pieces of an arc, counter-clockwise.
struct ArcEnds {
  Angle at[10];
  int count = 0;

  /// The arc between two directions less than a half turn apart, whichever way round.
  void start(Angle from, Angle to) {
    const bool left = from.x * to.y - from.y * to.x >= 0.0;
    at[0] = left ? from : to;
    at[1] = left ? to : from;
    count = 2;
  }
  /// Adds an end if it lies inside the arc.
  bool insert(Angle k) {
    const Angle first = at[0], last = at[count - 1];
    if (first.x * k.y - first.y * k.x <= 0.0 || k.x * last.y - k.y * last.x <= 0.0) return false;
    int place = count++;
    at[place] = at[place - 1];
    for (--place; at[place - 1].x * k.y - at[place - 1].y * k.x < 0.0; --place) {
      at[place] = at[place - 1];
    }
    at[place] = k;
    return true;
  }
};

/// Hands over the places where f or its slope may change abruptly: the normals of the rim body's
/// side, and, where the circle passes close by the rim's axis, the nearest place and one on each
/// side of it, between which |m x a| bends.
template <class Insert>
void insertKinks(const RimCircle& circle, double sinSide, const Insert& insert) {
  const double kink = kinkOf(circle, sinSide);
  if (absOf(kink) < 1.0) {
    const double height = std::sqrt(1.0 - kink * kink);
    insert(Angle{kink, height});
    insert(Angle{kink, -height});
  }
  for (double x : {1.0, -1.0}) {
    const double sharp = absOf(circle.s * circle.sigma - circle.c * circle.kappa * x);
    if (sharp > 0.3 * circle.c) continue;
    insert(Angle{x, 0.0});
    const double y = std::sqrt(sharp / circle.c);
    if (!(y > 1e-12)) continue;
    const double n = 1.0 / std::sqrt(1.0 + y * y);
    insert(Angle{x * n, y * n});
    insert(Angle{x * n, -y * n});
  }
}

/// All local minima of f inside the arc from `from` counter-clockwise to `to` (less than a half
/// turn) that can lie below best.h, each handed to best with its true value. The ends are not
/// considered.
template <class TrueValue>
void minimiseOnArc(const RimCircle& circle, Angle from, Angle to, double tolerance, Best& best,
                   const TrueValue& trueValue) {
  struct End {
    Angle at;
    double f, f1;
  };
  struct Piece {
    End lo, hi;
    int level;
  };
  // Along the circle f'' >= -bound: the rim's part is convex in the plane of the circle.
  const double bound =
      circle.r * circle.c + std::sqrt(circle.w1 * circle.w1 + circle.w2 * circle.w2);
  const auto endAt = [&](Angle at) {
    End end{at, 0.0, 0.0};
    double f2;
    end.f = circle.eval(at.x, at.y, end.f1, f2);
    return end;
  };
  constexpr int kMaxLevel = 8;
  Piece stack[kMaxLevel + 2];
  int size = 0;
  stack[size++] = {endAt(from), endAt(to), 0};
  // A minimum may lie on an end to rounding.
  for (const End& end : {stack[0].lo, stack[0].hi}) {
    if (absOf(end.f1) > 1e-15 * bound || end.f >= best.h - tolerance) continue;
    const Vec3 m = circle.direction(end.at.x, end.at.y);
    best.consider(m, trueValue(m));
  }
  while (size > 0) {
    const Piece piece = stack[--size];
    const End &lo = piece.lo, &hi = piece.hi;
    const double dx = hi.at.x - lo.at.x, dy = hi.at.y - lo.at.y;
    // An arc is at most 1.21 times its chord up to a third of a turn, pi / 2 beyond.
    const bool wide = lo.at.x * hi.at.x + lo.at.y * hi.at.y < -0.5;
    const double width = (wide ? 1.5708 : 1.21) * std::sqrt(dx * dx + dy * dy);
    const double slope0 = lo.f1 - 0.5 * bound * width, slope1 = hi.f1 + 0.5 * bound * width;
    double lower = minOf(lo.f, hi.f);
    if (slope0 < 0.0 && slope1 > 0.0) {
      const double t = clampTo((hi.f - lo.f - slope1 * width) / (slope0 - slope1), 0.0, width);
      lower = lo.f + slope0 * t;
    }
    if (lower >= best.h - tolerance) continue;
    const bool bracketed = hi.f1 > 0.0 && 0.0 > lo.f1;
    double mx = wide ? -lo.at.y : lo.at.x + hi.at.x, my = wide ? lo.at.x : lo.at.y + hi.at.y;
    const double scale = 1.0 / std::sqrt(mx * mx + my * my);
    mx *= scale;
    my *= scale;
    if (bracketed && width < 0.9) {
      const Angle at = minimumInBracket(circle, lo.at, hi.at, {mx, my});
      const Vec3 m = circle.direction(at.x, at.y);
      best.consider(m, trueValue(m));
      continue;
    }
    if (piece.level == kMaxLevel) continue;
    const End middle = endAt({mx, my});
    stack[size++] = {lo, middle, piece.level + 1};
    stack[size++] = {middle, hi, piece.level + 1};
  }
}

}  // namespace abut::inline v0_1::curved
