// SPDX-License-Identifier: MIT
#include "narrow_phase/cast/safe_step.hpp"

namespace abut::inline v0_1 {
namespace {

/// Supports are evaluated this often for one step; stopping early is safe, only shorter.
constexpr int kMaxCuts = 8;
/// A step that leaves this part of the gap unused is as good as the exact zero.
constexpr double kAccuracy = 1e-3;

Vec3 supportPoint(const MovingPart& part, const Pose& place, const Vec3& direction) {
  return apply(place, support(part.core, transposeTimes(place.rotation, direction)));
}

/// L(s) for one w.
class LowerBound {
public:
  LowerBound(const PartCast& cast, const Placement& place, const PairGap& gap, const Vec3& w,
             double remaining)
      : cast_(cast), place_(place), gap_(gap.gap), n_(gap.normal) {
    const Vec3 &w1 = cast.turning1.angular, &w2 = cast.turning2.angular;
    const Vec3& v = cast.pair.approach;
    const double radius1 = cast.turning1.radius, radius2 = cast.turning2.radius;
    rate_ = dot(n_, v);
    turn1_ = cross(n_, w1 - w);
    if (!cast.part2.isPlane) turn2_ = cross(n_, w2 - w);
    if (w == Vec3{}) {
      const double speed1 = norm(turn1_) * radius1, speed2 = norm(turn2_) * radius2;
      curvature_ = norm(w1) * speed1 + norm(w2) * speed2;
      slowest_ = rate_ - (speed1 + speed2);
    } else {
      const double farthest = maxOf(norm(place.origin2), norm(place.origin2 - v * remaining));
      rate_ -= dot(cross(w, n_), place.origin2);
      curvature_ = squaredNorm(w) * farthest + 2.0 * (norm(w) * norm(v)) +
                   (squaredNorm(w1 - w) + norm(cross(w1, w))) * radius1;
      if (!cast.part2.isPlane) {
        curvature_ += (squaredNorm(w2 - w) + norm(cross(w2, w))) * radius2;
      }
    }
    turns_ = turn1_ != Vec3{} || turn2_ != Vec3{};
    first_ = {gap_, rate_, 0.0, 0.0};
    if (!turns_) return;
    first_ = parabolaAt(0.0);
    start1_ = first_.support1;
    start2_ = first_.support2;
    first_.value = gap_;
  }

  /// `smooth` tells that the step is as long as the gap's present rate allows, to a factor of two.
  SafeStep step(double remaining, double tolerance, bool& smooth) const {
    double s = minOf(remaining, zeroOf(first_));
    smooth = curvature_ * s * s <= gap_;
    double low = 0.0, lowValue = gap_;
    for (int cut = 0; cut < kMaxCuts; ++cut) {
      const Parabola upper = turns_ ? parabolaAt(s) : first_;
      const double value = valueAt(upper, s);
      if (value > 0.0 && s >= remaining) return {remaining, value > tolerance};
      if (value >= -kAccuracy * gap_ && cut == 0 && turns_) {
        // The supports did not change: s is the zero but for rounding.
        low = s * (gap_ / (gap_ - minOf(value, 0.0)));
        break;
      }
      if (!turns_) return {s, false};
      // A chord of a concave function lies below it, a tangent parabola above.
      smooth = false;
      low = low + (s - low) * (lowValue / (lowValue - minOf(value, 0.0)));
      lowValue = valueAt(parabolaAt(low), low);
      if (!(lowValue > kAccuracy * gap_)) break;
      s = minOf(s, zeroOf(upper));
      if (!(s > low)) break;
    }
    // No point is faster than `slowest_`, which is the better bound far apart.
    if (slowest_ < 0.0) low = maxOf(low, minOf(remaining, gap_ / -slowest_));
    return {low, false};
  }

private:
  /// A parabola that lies above L and touches it: value + slope s - curvature s^2/2.
  struct Parabola {
    double value, slope;
    double support1, support2;  ///< Of its support points along n.
  };

  [[nodiscard]] Parabola parabolaAt(double s) const {
    const Vec3 p = supportPoint(cast_.part1, place_.part1, -(n_ + turn1_ * s));
    Parabola result{gap_, rate_, dot(n_, p), 0.0};
    result.value += result.support1 - start1_;
    result.slope += dot(turn1_, p);
    if (cast_.part2.isPlane) return result;
    const Vec3 q = supportPoint(cast_.part2, place_.part2, n_ + turn2_ * s);
    result.support2 = dot(n_, q);
    result.value -= result.support2 - start2_;
    result.slope -= dot(turn2_, q);
    return result;
  }

  [[nodiscard]] double valueAt(const Parabola& parabola, double s) const {
    return (parabola.value + parabola.slope * s) - 0.5 * curvature_ * s * s;
  }

  /// The positive zero, without cancellation; huge if there is none.
  [[nodiscard]] double zeroOf(const Parabola& parabola) const {
    constexpr double kNever = 1e300;
    const double value = maxOf(parabola.value, 0.0), slope = parabola.slope;
    const double root = std::sqrt(slope * slope + 2.0 * (curvature_ * value));
    if (slope < 0.0) return 2.0 * value / (root - slope);
    return curvature_ > 0.0 ? (root + slope) / curvature_ : kNever;
  }

  const PartCast& cast_;
  const Placement& place_;
  double gap_;
  Vec3 n_;
  double rate_ = 0.0;
  Vec3 turn1_, turn2_;
  double curvature_ = 0.0;
  double slowest_ = 0.0;                ///< Lower bound on the gap's rate, where one is known.
  double start1_ = 0.0, start2_ = 0.0;  ///< Supports along n itself.
  Parabola first_{};
  bool turns_ = false;
};

/// The longest difference of support points when the direction is tilted a little: an edge, if the
/// direction is at right angles to one.
Vec3 edgeAlong(const MovingPart& part, const Pose& place, const Vec3& direction) {
  constexpr double kTilt = 1e-5;
  const Vec3 tangent1 = anyPerpendicular(direction), tangent2 = cross(direction, tangent1);
  Vec3 longest;
  for (const Vec3& tangent : {tangent1, tangent2}) {
    const Vec3 edge = supportPoint(part, place, direction + tangent * kTilt) -
                      supportPoint(part, place, direction - tangent * kTilt);
    if (squaredNorm(edge) > squaredNorm(longest)) longest = edge;
  }
  return longest;
}

/// The w that keeps n at right angles to an edge of each part: n' = w x n with
/// n'.e1 = -n.(w1 x e1), n'.e2 = -n.(w2 x e2). Zero if there are no two edges.
Vec3 followEdges(const PartCast& cast, const Placement& place, const Vec3& n) {
  const Vec3 e1 = edgeAlong(cast.part1, place.part1, -n);
  const Vec3 e2 = edgeAlong(cast.part2, place.part2, n);
  const double a = squaredNorm(e1), b = dot(e1, e2), c = squaredNorm(e2);
  const double det = a * c - b * b;
  // Edges closer to parallel than a milliradian would make n turn arbitrarily fast.
  constexpr double kParallel = 1e-6;
  if (!(det > kParallel * (a * c))) return {};
  const double b1 = -dot(n, cross(cast.turning1.angular, e1));
  const double b2 = -dot(n, cross(cast.turning2.angular, e2));
  const Vec3 change = (e1 * (b1 * c - b2 * b) + e2 * (b2 * a - b1 * b)) / det;
  return cross(n, change);
}

}  // namespace

SafeStep safeStep(const PartCast& cast, const Placement& place, const PairGap& gap,
                  double remaining, double tolerance, int& hint) {
  const Vec3 &w1 = cast.turning1.angular, &w2 = cast.turning2.angular;
  bool smooth = false;
  if (cast.part2.isPlane || (w1 == Vec3{} && w2 == Vec3{})) {
    return LowerBound(cast, place, gap, w2, remaining).step(remaining, tolerance, smooth);
  }
  constexpr int kNumChoices = 4;
  SafeStep best;
  const int first = hint;
  for (int k = 0; k < kNumChoices; ++k) {
    const int choice = (first + k) % kNumChoices;
    Vec3 w;
    if (choice == 1) w = w1;
    if (choice == 2) w = w2;
    if (choice == 3) w = followEdges(cast, place, gap.normal);
    if (choice != 0 && w == Vec3{}) continue;
    const SafeStep step =
        LowerBound(cast, place, gap, w, remaining).step(remaining, tolerance, smooth);
    if (step.length > best.length) {
      best = step;
      hint = choice;
    }
    if (step.clear || smooth) break;
  }
  return best;
}

}  // namespace abut::inline v0_1
