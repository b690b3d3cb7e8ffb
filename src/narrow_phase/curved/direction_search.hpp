// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/curved/curved_parts.hpp"
#include "narrow_phase/curved/gjk_start.hpp"

namespace abut::inline v0_1::curved {

/// The search for the lowest direction m of h(m) of a round body a and another body b, as both
/// solvers make it: GJK where the bodies are apart, proofs of the directions found, and the last
/// resort. Who derives says what b is:
///   Vec3 centerOfB(), DifferencePoint supportOfBoth(m), double value(m),
///   void setOfB(m, tolerance, strict, set),
///   bool triesAt(i): whether iteration i of GJK stops for a try; kLastTry, the last of these,
///   void tryNear(simplex, m, isLast): considers what lies near m,
///   void tryFrom(m): considers what lies near the answer m to a like question,
///   bool holds(p): whether a point is inside b, beyond rounding.
template <class Derived>
class DirectionSearch {
protected:
  DirectionSearch(const Round& a, double size, double cutoff, Minimum& result)
      : a_(a), size_(size), cutoff_(cutoff), result_(result), best_(size) {}

  void consider(const Vec3& m) { best_.consider(m, self().value(m)); }

  /// What starting near a direction comes to.
  enum class Start { Failed, Proved, Overlapping };
  /// Looks near a direction that was the answer when the bodies were placed a little otherwise.
  /// Witness points of bodies apart prove that no direction is lower: that is the answer. A point
  /// inside both proves that the bodies overlap; then the direction is a bound for the search of
  /// all. Where nothing is proved, nothing was done.
  Start startFrom(const Vec3& m) {
    self().tryFrom(m);
    if (absOf(best_.h) >= kTouchingZone * size_ && absOf(best_.h) < size_ && finish()) {
      if (best_.h < 0.0) return Start::Proved;
      const Vec3 middle = (result_.xA + result_.xB) * 0.5;
      if (signedDistanceTo(a_, -middle) < -kInside * size_ && self().holds(middle)) {
        return Start::Overlapping;
      }
    }
    best_ = Best(size_);
    return Start::Failed;
  }

  /// True if the bodies are apart and the answer is proved, or that they are apart by more than the
  /// cutoff.
  bool separated() {
    Simplex simplex;
    const Vec3 middle = self().centerOfB() + a_.c;
    Vec3 m = squaredNorm(middle) > 0.0 ? -normalized(middle) : Vec3{1.0, 0.0, 0.0};
    double length = 1e300;
    for (int i = 0; i < 24; ++i) {
      const DifferencePoint next = self().supportOfBoth(m);
      if (isBeyond(next.p, m, cutoff_, result_)) return true;
      simplex.add(next);
      if (simplex.containsOrigin) return false;
      const double nearest = norm(simplex.v);
      const bool stalled = nearest >= length;
      length = nearest;
      const bool touching = length < kTouchingZone * size_;
      if (length > 1e-14 * size_) m = simplex.v * (-1.0 / length);
      if (!stalled && !touching && !Derived::triesAt(i)) continue;
      self().tryNear(simplex, m, stalled || touching || i == Derived::kLastTry);
      if (best_.h < 0.0 && finish()) return true;
      if (stalled || touching) return false;
    }
    return false;
  }

  /// True if witness points prove one of the lowest directions; the nearest to a proof otherwise.
  bool finish() {
    const auto setOfB = [this](double tolerance, double strict, SupportSet& set) {
      self().setOfB(result_.m, tolerance, strict, set);
    };
    const auto prove = [&](const Vec3& m) {
      result_.m = m;
      result_.h = self().value(m);
      return findWitnesses(a_, setOfB, size_, result_);
    };
    if (prove(best_.m)) return true;
    Minimum least = result_;
    for (int i = 0; i < best_.numOthers; ++i) {
      if (prove(best_.others[i])) return true;
      if (result_.residual < least.residual) least = result_;
    }
    result_ = least;
    return false;
  }

  /// The last resort for the directions found.
  bool search() {
    const auto setOfB = [this](const Vec3& m, double tolerance, double strict, SupportSet& set) {
      self().setOfB(m, tolerance, strict, set);
    };
    const auto prove = [&](const Vec3& m) {
      return searchWitnesses(a_, setOfB, size_, m, self().value(m), result_);
    };
    if (prove(best_.m)) return true;
    for (int i = 0; i < best_.numOthers; ++i) {
      if (prove(best_.others[i])) return true;
    }
    return false;
  }

  const Round& a_;
  double size_, cutoff_;
  Minimum& result_;
  Best best_;

  /// What is within by more, times the size, is so in spite of rounding.
  static constexpr double kInside = 1e-12;

private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace abut::inline v0_1::curved
