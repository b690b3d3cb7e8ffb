// SPDX-License-Identifier: MIT
#include "narrow_phase/cast/moving_pair.hpp"

#include "narrow_phase/cast/safe_step.hpp"
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/dispatch/pair_table.hpp"

namespace abut::inline v0_1 {
namespace {

/// Distance queries for one pair of parts. Grazing approaches halve their distance in each, so this
/// is far beyond what any but a body turning within a hair's breadth of another needs.
constexpr std::uint32_t kMaxIterations = 4000;
Pose turned(const Mat3& rotation, const Pose& local) {
  return {rotation * local.rotation, rotation * local.translation};
}

void corePlaneGap(const MovingPart& part, const Placement& place, const MovingPart& plane,
                  PairGap& gap) {
  const Vec3 n = place.rotation2 * plane.planeNormal;
  const Vec3 lowest =
      apply(place.part1, support(part.core, -transposeTimes(place.part1.rotation, n)));
  gap = {};
  gap.normal = n;
  gap.gap = (dot(n, lowest - place.origin2) - part.core.radius) - plane.planeOffset;
  gap.p1 = lowest - n * part.core.radius;
  gap.p2 = gap.p1 - n * gap.gap;
  gap.feature2 = {Feature::Kind::Face, 0};
  gap.status = statusOfGap(gap.gap, boundingRadius(part.core));
}

/// Gap of two whole shapes by the functions of the pair, which know one order of types only.
void shapeGap(const Shape& shape1, const Pose& pose1, const Shape& shape2, const Pose& pose2,
              PairGap& gap) {
  const ShapeType type1 = shape1.getType(), type2 = shape2.getType();
  if (type1 <= type2) {
    pairFunctions(type1, type2)
        .distance({shape1,
                   shape2,
                   {pose1.rotation, pose1.translation},
                   {pose2.rotation, pose2.translation},
                   0.0,
                   true},
                  gap);
    return;
  }
  PairGap other;
  pairFunctions(type2, type1)
      .distance(
          {shape2, shape1, {pose2.rotation, {}}, {pose1.rotation, -pose2.translation}, 0.0, true},
          other);
  gap = exchanged(other, pose2.translation);
}

void gapAt(const MovingPart& a, const MovingPart& b, const Placement& place, PairGap& gap) {
  gap = {};
  const Vec3 shift = place.part1.translation;
  const Pose pose1{place.part1.rotation, {}};
  const Pose pose2{place.part2.rotation, (place.origin2 + place.part2.translation) - shift};
  if (b.isPlane && (a.shape == nullptr || b.shape == nullptr)) {
    corePlaneGap(a, place, b, gap);
  } else {
    if (a.shape != nullptr && b.shape != nullptr) {
      shapeGap(*a.shape, pose1, *b.shape, pose2, gap);
    } else {
      convexGap(a.core, pose1, b.core, pose2, gap);
    }
    gap.p1 += shift;
    gap.p2 += shift;
  }
  gap.subShape1 = a.subShape;
  gap.subShape2 = b.subShape;
}

Turning turningOf(const MovingPart& part, const Mat3& rotation, const Vec3& angular) {
  // A body of revolution that spins about its own axis does not move; the axis is known to a few
  // roundings.
  constexpr double kParallel = 1e-15;
  using Kind = ConvexCore::Kind;
  if (part.isPlane) return {angular, 0.0};
  // The rounding ball does not turn: only the core counts.
  ConvexCore sharp = part.core;
  sharp.radius = 0.0;
  const double radius = boundingRadius(sharp) + norm(part.local.translation);
  if (!(radius > 0.0)) return {};
  const Kind kind = part.core.kind;
  const bool isRound = kind == Kind::Cylinder || kind == Kind::Cone || kind == Kind::Segment;
  if (isRound && part.local.translation == Vec3{}) {
    const Vec3 axis = rotation * part.local.rotation.z;
    if (norm(cross(angular, axis)) <= kParallel * norm(angular)) return {{}, radius};
  }
  return {angular, radius};
}

Placement placementAt(const PartCast& cast, double t) {
  const MovingPair& pair = cast.pair;
  const MovingPart &a = cast.part1, &b = cast.part2;
  Placement place;
  place.rotation1 = rotationAt(pair.rotation1, pair.angular1, t);
  place.rotation2 = rotationAt(pair.rotation2, pair.angular2, t);
  place.origin2 = pair.offset - pair.approach * t;
  place.part1 = turned(place.rotation1, a.local);
  place.part2 = turned(place.rotation2, b.local);
  return place;
}

/// Narrows [begin, end] to when the balls around the objects' origins meet; false if never.
bool narrowByBalls(const MovingPair& pair, double reach, double& begin, double& end) {
  // |offset - t approach| <= reach, with room for rounding.
  const double radius = reach * (1.0 + 1e-9) + 1e-14 * norm(pair.offset);
  const double a = squaredNorm(pair.approach), b = dot(pair.offset, pair.approach);
  const double c = squaredNorm(pair.offset) - radius * radius;
  if (!(a > 0.0)) return c <= 0.0;
  // Of the line's closest point, computed without cancellation.
  const double middle = b / a;
  const Vec3 closest = pair.offset - pair.approach * middle;
  const double inside = radius * radius - squaredNorm(closest);
  if (inside < 0.0) return false;
  const double half = std::sqrt(inside / a);
  begin = maxOf(begin, middle - half);
  end = minOf(end, middle + half);
  return begin <= end;
}

bool isContact(const PairGap& gap) {
  return gap.gap <= 0.0 || gap.status == QueryStatus::Touching;
}

/// Change of the gap per unit of the fraction, at the witness points.
double gapRate(const PartCast& cast, const Vec3& origin2, const PairGap& gap) {
  const Vec3 v = (cast.pair.approach + cross(cast.turning1.angular, gap.p1)) -
                 cross(cast.turning2.angular, gap.p2 - origin2);
  return dot(gap.normal, v);
}

/// Moves a contact at impact.fraction, apart at `safe`, to the first touch between them.
void refine(const PartCast& cast, double reach, double safe, double end, Impact& impact) {
  // A distance is known no better than this, times the size.
  constexpr double kRounding = 1e-15;
  if (absOf(impact.gap.gap) <= kRounding * reach) return;
  // Newton's step from a touching gap lands on the zero to rounding: once is enough.
  constexpr int kMaxBisections = 120;
  double contact = impact.fraction;
  bool bracketed = impact.gap.status == QueryStatus::Penetrating;
  PairGap gap;
  for (int i = 0; i < (bracketed ? kMaxBisections : 1); ++i) {
    const Vec3 origin2 = cast.pair.offset - cast.pair.approach * contact;
    const double rate = gapRate(cast, origin2, impact.gap);
    double t = rate < 0.0 ? contact - impact.gap.gap / rate : safe;
    if (bracketed && !(t > safe && t < contact && i % 3 != 2)) t = 0.5 * (safe + contact);
    t = clampTo(t, safe, end);
    if (t == contact || t == safe) break;
    gapAt(cast.part1, cast.part2, placementAt(cast, t), gap);
    ++impact.iterations;
    if (!isContact(gap)) {
      if (!bracketed) break;
      safe = t;
      continue;
    }
    if (!bracketed && absOf(gap.gap) > absOf(impact.gap.gap)) break;
    contact = t;
    impact.gap = gap;
    bracketed = bracketed && gap.status == QueryStatus::Penetrating;
    if (!bracketed) break;
  }
  impact.fraction = contact;
}

}  // namespace

Mat3 rotationAt(const Mat3& start, const Vec3& angular, double t) {
  if (t == 0.0 || angular == Vec3{}) return start;
  return polarStep(toMatrix(quatFromRotationVector(angular * t)) * start);
}

PairGap exchanged(const PairGap& gap, const Vec3& shift) {
  PairGap result = gap;
  result.normal = -gap.normal;
  result.p1 = gap.p2 + shift;
  result.p2 = gap.p1 + shift;
  result.feature1 = gap.feature2;
  result.feature2 = gap.feature1;
  result.subShape1 = gap.subShape2;
  result.subShape2 = gap.subShape1;
  return result;
}

void castParts(const MovingPair& pair, const MovingPart& part1, const MovingPart& part2,
               double begin, double end, Impact& impact) {
  const PartCast cast{pair, part1, part2, turningOf(part1, pair.rotation1, pair.angular1),
                      turningOf(part2, pair.rotation2, pair.angular2)};
  const double reach =
      (cast.turning1.radius + part1.core.radius) + (cast.turning2.radius + part2.core.radius);
  impact.hit = impact.undecided = false;
  impact.fraction = end;
  const double last = end;
  if (!part2.isPlane && !narrowByBalls(pair, reach, begin, end)) return;
  double t = begin, safe = begin;
  int hint = 0;
  for (std::uint32_t i = 0; i < kMaxIterations; ++i) {
    const Placement place = placementAt(cast, t);
    gapAt(part1, part2, place, impact.gap);
    ++impact.iterations;
    if (isContact(impact.gap)) {
      impact.hit = true;
      impact.fraction = t;
      if (t > begin) refine(cast, reach, safe, end, impact);
      return;
    }
    impact.fraction = safe = t;
    if (t >= end) break;
    const SafeStep step = safeStep(cast, place, impact.gap, end - t, kTouchTolerance * reach, hint);
    if (step.clear) break;
    const double next = step.length >= end - t ? end : t + step.length;
    if (next == t) {
      // The zero lies within the spacing of the fractions.
      impact.hit = true;
      return;
    }
    if (i + 1 == kMaxIterations) {
      impact.undecided = true;
      impact.fraction = next;
      return;
    }
    t = next;
  }
  impact.fraction = last;
}

}  // namespace abut::inline v0_1
