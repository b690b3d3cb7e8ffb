// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/clip.hpp"

#include "core/assert.hpp"
#include "math/wide_vec3.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr int kMax = FlatFeature::kMaxVertices;

struct Clipper {
  const FlatFeature& f1;
  const FlatFeature& f2;
  double tolerance;
  ClipRegion& region;

  void add(double x, double y, Feature feature1, Feature feature2) {
    for (int i = 0; i < region.count; ++i) {
      const double dx = region.points[i].x - x, dy = region.points[i].y - y;
      if (dx * dx + dy * dy <= tolerance * tolerance) return;
    }
    ABUT_CHECK(region.count < ClipRegion::kMaxPoints);
    region.points[region.count++] = {x, y, feature1, feature2};
  }
};

int numEdges(const FlatFeature& f) {
  return f.count == 2 ? 1 : f.count;
}

/// Distances of a's corners from the lines through b's edges, positive on the inner side.
void sidesOf(const FlatFeature& a, const FlatFeature& b, double (*side)[kMax]) {
  for (int j = 0; j < numEdges(b); ++j) {
    const int k = j + 1 == b.count ? 0 : j + 1;
    const double ex = b.x[k] - b.x[j], ey = b.y[k] - b.y[j];
    const double length = std::sqrt(ex * ex + ey * ey);
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    for (int i = 0; i < a.count; ++i) {
      side[j][i] = (ex * (a.y[i] - b.y[j]) - ey * (a.x[i] - b.x[j])) * inverse;
    }
  }
}

/// The point of a disc's plane above (x, y), seen from the disc's centre: squared distance less the
/// squared radius; negative inside.
double discSide(const FlatFeature& disc, double x, double y) {
  const double dx = x - disc.discX, dy = y - disc.discY;
  const double dz = disc.slopeX * dx + disc.slopeY * dy;
  return ((dx * dx + dy * dy) + dz * dz) - disc.discRadius * disc.discRadius;
}

bool isInside(const FlatFeature& b, double x, double y, double tolerance, int i,
              double (*side)[kMax]) {
  if (b.isDisc) return discSide(b, x, y) <= 2.0 * tolerance * b.discRadius;
  if (b.count < 3) return false;
  for (int j = 0; j < b.count; ++j) {
    if (!(side[j][i] >= -tolerance)) return false;
  }
  return true;
}

/// Crossings of a straight edge of `line` with the rim of `disc`: (1 - t) a + t b for two t.
template <typename Add>
void crossRim(const FlatFeature& disc, const FlatFeature& line, int i, Add add) {
  const int k = i + 1 == line.count ? 0 : i + 1;
  const double ex = line.x[k] - line.x[i], ey = line.y[k] - line.y[i];
  const double ez = disc.slopeX * ex + disc.slopeY * ey;
  const double dx = line.x[i] - disc.discX, dy = line.y[i] - disc.discY;
  const double dz = disc.slopeX * dx + disc.slopeY * dy;
  const double a = (ex * ex + ey * ey) + ez * ez, b = (ex * dx + ey * dy) + ez * dz;
  const double c = discSide(disc, line.x[i], line.y[i]);
  const double discriminant = b * b - a * c;
  if (!(a > 0.0) || !(discriminant > 0.0)) return;
  const double root = std::sqrt(discriminant);
  // The root whose numerator does not cancel first; the other follows from the product c / a.
  const double q = b < 0.0 ? root - b : -(b + root);
  const double t1 = q / a, t2 = q != 0.0 ? c / q : 0.0;
  const double low = t1 < t2 ? t1 : t2, high = t1 < t2 ? t2 : t1;
  if (low > 0.0 && low < 1.0) add(line.x[i] + low * ex, line.y[i] + low * ey);
  if (high > 0.0 && high < 1.0) add(line.x[i] + high * ex, line.y[i] + high * ey);
}

/// True if the point above (x, y) lies on both rims but for rounding.
bool isOnRims(const FlatFeature& a, const FlatFeature& b, double x, double y) {
  // A distance d from a rim of radius r is 2 r d in discSide().
  constexpr double kOnRim = 1e-13;
  const double allowed = 2.0 * kOnRim * (a.discRadius + b.discRadius);
  return absOf(discSide(a, x, y)) <= allowed * a.discRadius &&
         absOf(discSide(b, x, y)) <= allowed * b.discRadius;
}

/// Moves a point near a crossing of two rims onto it. A rim tilted against the normal is an ellipse
/// across it: from the crossing of circles Newton's steps double the digits, and a tilt within the
/// angle of facing features leaves four to begin with. Rims that graze need more steps. Returns
/// false if there is no crossing: ellipses may miss each other where circles would cross.
bool ontoRims(const FlatFeature& a, const FlatFeature& b, double& x, double& y) {
  constexpr int kSteps = 3, kMaxSteps = 16;
  constexpr double kGrazing = 1e-3;
  for (int i = 0; i < kMaxSteps; ++i) {
    const double fa = discSide(a, x, y), fb = discSide(b, x, y);
    const double ax = x - a.discX, ay = y - a.discY, az = a.slopeX * ax + a.slopeY * ay;
    const double bx = x - b.discX, by = y - b.discY, bz = b.slopeX * bx + b.slopeY * by;
    const double gax = 2.0 * (ax + az * a.slopeX), gay = 2.0 * (ay + az * a.slopeY);
    const double gbx = 2.0 * (bx + bz * b.slopeX), gby = 2.0 * (by + bz * b.slopeY);
    const double determinant = gax * gby - gay * gbx;
    const bool grazing = !(absOf(determinant) > kGrazing * (a.discRadius * b.discRadius));
    // Where rims graze, a step from a point that is good already would be longer than it is exact.
    if ((grazing || i >= kSteps) && isOnRims(a, b, x, y)) return true;
    if (determinant == 0.0) return false;
    x -= (fa * gby - fb * gay) / determinant;
    y -= (fb * gax - fa * gbx) / determinant;
  }
  return isOnRims(a, b, x, y);
}

/// Crossings of two rims.
template <typename Add>
void crossRims(const FlatFeature& a, const FlatFeature& b, Add add) {
  const double dx = b.discX - a.discX, dy = b.discY - a.discY;
  const double d2 = dx * dx + dy * dy;
  if (!(d2 > 0.0)) return;
  const double along =
      0.5 * (1.0 + (a.discRadius - b.discRadius) * (a.discRadius + b.discRadius) / d2);
  const double h2 = a.discRadius * a.discRadius / d2 - along * along;
  if (!(h2 > 0.0)) return;
  const double h = std::sqrt(h2);
  for (const double side : {-h, h}) {
    double x = a.discX + (along * dx + side * dy), y = a.discY + (along * dy - side * dx);
    if (ontoRims(a, b, x, y)) add(x, y);
  }
}

void crossEdges(Clipper& clip, double (*side1)[kMax], double (*side2)[kMax]) {
  const FlatFeature &f1 = clip.f1, &f2 = clip.f2;
  const double eps = clip.tolerance;
  const auto opposed = [eps](double s, double t) {
    return (s > eps && t < -eps) || (s < -eps && t > eps);
  };
  for (int i = 0; i < numEdges(f1); ++i) {
    const int in = i + 1 == f1.count ? 0 : i + 1;
    for (int j = 0; j < numEdges(f2); ++j) {
      const int jn = j + 1 == f2.count ? 0 : j + 1;
      const double s = side1[j][i], t = side1[j][in];
      if (!opposed(s, t) || !opposed(side2[i][j], side2[i][jn])) continue;
      const double w = s / (s - t);
      clip.add(f1.x[i] + w * (f1.x[in] - f1.x[i]), f1.y[i] + w * (f1.y[in] - f1.y[i]),
               {Feature::Kind::Edge, f1.edgeIds[i]}, {Feature::Kind::Edge, f2.edgeIds[j]});
    }
  }
}

void crossBoundaries(Clipper& clip, double (*side1)[kMax], double (*side2)[kMax]) {
  const FlatFeature &f1 = clip.f1, &f2 = clip.f2;
  const Feature rim1{Feature::Kind::Edge, f1.isDisc ? f1.edgeIds[0] : 0};
  const Feature rim2{Feature::Kind::Edge, f2.isDisc ? f2.edgeIds[0] : 0};
  if (f1.isDisc && f2.isDisc) {
    crossRims(f1, f2, [&](double x, double y) { clip.add(x, y, rim1, rim2); });
  } else if (f1.isDisc) {
    for (int j = 0; j < numEdges(f2); ++j) {
      const Feature edge{Feature::Kind::Edge, f2.edgeIds[j]};
      crossRim(f1, f2, j, [&](double x, double y) { clip.add(x, y, rim1, edge); });
    }
  } else if (f2.isDisc) {
    for (int i = 0; i < numEdges(f1); ++i) {
      const Feature edge{Feature::Kind::Edge, f1.edgeIds[i]};
      crossRim(f2, f1, i, [&](double x, double y) { clip.add(x, y, edge, rim2); });
    }
  } else {
    crossEdges(clip, side1, side2);
  }
}

}  // namespace

double FlatFeature::surfaceAt(double px, double py, double side, double across) const {
  const double core = heightAt(px, py);
  if (radius == 0.0) return core;
  const double chord = std::sqrt(maxOf(0.0, radius * radius - across * across));
  if (count != 2) return core + side * chord;
  // A cylinder about the edge, whose surface along the normal is chord / cos away and belongs to
  // the place chord tan along the edge; beyond its ends the balls around them.
  const double ex = x[1] - x[0], ey = y[1] - y[0], ez = z[1] - z[0];
  const double flat = std::sqrt(ex * ex + ey * ey),
               length = std::sqrt((ex * ex + ey * ey) + ez * ez);
  if (!(flat > 0.0)) return core + side * chord;
  const double along = ((px - x[0]) * ex + (py - y[0]) * ey) / flat;
  const double foot = along + side * chord * (ez / length);
  if (foot >= 0.0 && foot <= flat) return core + side * chord * (length / flat);
  const int end = foot < 0.0 ? 0 : 1;
  const double past = end == 0 ? along : along - flat;
  return z[end] + side * std::sqrt(maxOf(0.0, chord * chord - past * past));
}

double FlatFeature::lineSurfaceAt(double px, double py, double side) const {
  const double ex = x[1] - x[0], ey = y[1] - y[0], ez = z[1] - z[0];
  const double flat = std::sqrt(ex * ex + ey * ey);
  const double across = ((py - y[0]) * ex - (px - x[0]) * ey) / flat;
  if (!isRound) return surfaceAt(px, py, side, across);
  // Cut along the normal and across the line, the side is an ellipse with the half axes tube / cos
  // and tube, cos = flat / length: it falls by (tube - sqrt(tube^2 - across^2)) / cos.
  const double length = std::sqrt((ex * ex + ey * ey) + ez * ez);
  const double chord = std::sqrt(maxOf(0.0, (tube - across) * (tube + across)));
  const double fall = across * across / (tube + chord) * (length / flat);
  return heightAt(px, py) - side * fall;
}

namespace {

ABUT_ALWAYS_INLINE void clip(const FlatFeature& f1, const FlatFeature& f2, double tolerance,
                             ClipRegion& result) {
  result.count = 0;
  if (f1.count < 2 || f2.count < 2) return;
  Clipper clip{f1, f2, tolerance, result};
  double side1[kMax][kMax], side2[kMax][kMax];  // [edge][corner]
  if (!f2.isDisc) sidesOf(f1, f2, side1);
  if (!f1.isDisc) sidesOf(f2, f1, side2);
  for (int i = 0; i < f1.count; ++i) {
    if (!isInside(f2, f1.x[i], f1.y[i], tolerance, i, side1)) continue;
    clip.add(f1.x[i], f1.y[i], {Feature::Kind::Vertex, f1.vertexIds[i]}, f2.feature);
  }
  for (int j = 0; j < f2.count; ++j) {
    if (!isInside(f1, f2.x[j], f2.y[j], tolerance, j, side2)) continue;
    clip.add(f2.x[j], f2.y[j], f1.feature, {Feature::Kind::Vertex, f2.vertexIds[j]});
  }
  crossBoundaries(clip, side1, side2);
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE_WHOLE void clipWide(const FlatFeature& f1, const FlatFeature& f2, double tolerance,
                              ClipRegion& result) {
  clip(f1, f2, tolerance, result);
}
#endif

}  // namespace

void clipFeatures(const FlatFeature& f1, const FlatFeature& f2, double tolerance,
                  ClipRegion& result) {
#if ABUT_HAS_WIDE
  if (kHasWide) return clipWide(f1, f2, tolerance, result);
#endif
  clip(f1, f2, tolerance, result);
}

}  // namespace abut::inline v0_1
