// SPDX-License-Identifier: MIT
#include "integration/pair_way.hpp"

#include <abut/dynamics/body.hpp>
#include <abut/math/convert.hpp>

#include "collision/guard_geometry.hpp"

namespace abut::inline v0_1 {
namespace {

/// Overlap that bodies may reach on their way, as a share of the width. Contacts push them out on
/// the side they came from as long as it is less than the half widths of both together.
constexpr double kMostOverlap = 0.1;
/// Contacts within so many half widths are looked for along a way.
constexpr double kReach = 2.0;
/// Looks along a way before it counts as not free any further.
constexpr int kMaxLooks = 400;
/// Bodies that overlap by less than this share of what is allowed count as apart; a step along the
/// way is longer by the same share, so that it ends.
constexpr double kTouch = 1e-3;
/// A hit before this part of a way is a touch at its beginning.
constexpr double kAtStart = 1e-9;
/// Halvings of the part of a way in which bodies touch again: to 1e-12 of it.
constexpr int kMaxHalvings = 40;
/// What is thinner than this share of the other's half width, as a face of a mesh, counts as so
/// thick: else nothing could slide on it.
constexpr double kThinnest = 0.1;
/// Beyond the step.
constexpr double kNever = 2.0;

struct Sight {
  double separation = 0.0;  ///< Negative if they overlap.
  double further = 0.0;     ///< How much of the piece may follow before they overlap too much.
  double beyond = 0.0;      ///< The greatest depth that is more than its parts may have.
  bool isTooDeep = false;   ///< More than they may, or had at the beginning.
};

/// The half width that counts, of those that can be stopped: a share of it is what two may overlap
/// by.
double widthThatCounts(const PairWay& way, double width1, double width2) {
  double width = kMaxBodyCoordinate;
  if (way.stops1) width = minOf(width1, maxOf(width2, kThinnest * width1));
  if (way.stops2) width = minOf(width, minOf(width2, maxOf(width1, kThinnest * width2)));
  return width;
}

bool isStill(const WayPiece& p) {
  const bool turns = p.course1.turn != Vec3{} || p.course2.turn != Vec3{};
  return !turns && p.course1.way == p.course2.way;
}

/// Goes along the way of a pair.
class Walk {
public:
  Walk(const PairWay& way, CollisionResult& scratch)
      : way_(way),
        scratch_(scratch),
        width_(widthThatCounts(way, way.width1, way.width2)),
        most_(kMostOverlap * width_),
        reach_(kReach * width_),
        touch_(kTouch * most_) {}

  Status run(double& time) {
    time = kNever;
    for (std::size_t k = 0; k < way_.pieces.size(); ++k) {
      const WayPiece& piece = way_.pieces[k];
      if (isStill(piece)) continue;
      double f = 0.0;
      Status status;
      if (!touched_) {
        status = meet(k, f);
        if (!status || f > 1.0) {
          if (!status) return status;
          continue;
        }
        if (!touched_) {
          time = timeIn(piece, f);
          return {};
        }
      }
      bool blocked = false;
      status = march(piece, f, blocked);
      if (!status) return status;
      if (!blocked) continue;
      time = timeIn(piece, f);
      return apart_ > first_ ? findTouch(apart_, time, time) : status;
    }
    return {};
  }

private:
  static double timeIn(const WayPiece& p, double f) { return p.begin + (p.end - p.begin) * f; }

  /// Where bodies that did not touch before do so in a piece; above 1: nowhere. Whether they may
  /// says `touched_`.
  Status meet(std::size_t k, double& f) {
    const WayPiece& piece = way_.pieces[k];
    CastResult cast;
    Status status = castCourses(*way_.shape1, piece.course1, *way_.shape2, piece.course2, cast);
    f = kNever;
    if (!status || (!cast.hit && cast.status != QueryStatus::IterationLimit)) return status;
    f = cast.fraction;
    // What touches already, or was made a contact, may slide or roll on.
    const bool atStart = k == 0 && f < kAtStart;
    if (cast.status == QueryStatus::Touching && !atStart && !way_.mayTouch) return {};
    touched_ = true;
    Sight sight;
    status = look(piece, f, sight);
    // What overlaps by more may not overlap by more still, but go on where it does not.
    already_ = (1.0 + 2.0 * kTouch) * sight.beyond;
    first_ = apart_ = timeIn(piece, f);
    return status;
  }

  /// Goes on in a piece from a fraction until the overlap is more than allowed, or to its end.
  Status march(const WayPiece& piece, double& f, bool& blocked) {
    Sight sight;
    for (;;) {
      blocked = ++looks_ > kMaxLooks;
      if (blocked) return {};
      const Status status = look(piece, f, sight);
      if (!status) return status;
      if (sight.separation >= -touch_) apart_ = timeIn(piece, f);
      const bool atEnd = f >= 1.0;
      blocked = sight.isTooDeep;
      if (blocked || atEnd) return {};
      f += sight.further + kTouch * (sight.further + 1.0 / kMaxLooks);
      f = minOf(f, 1.0);
    }
  }

  /// Narrows the time of a touch between two, apart at the first, to where they are still apart.
  Status findTouch(double low, double high, double& time) {
    Sight sight;
    for (int i = 0; i < kMaxHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      std::size_t k = 0;
      while (k + 1 < way_.pieces.size() && way_.pieces[k].end < middle) ++k;
      const WayPiece& piece = way_.pieces[k];
      const double length = piece.end - piece.begin;
      const Status status = look(piece, clampTo((middle - piece.begin) / length, 0.0, 1.0), sight);
      if (!status) return status;
      (sight.separation >= -touch_ ? low : high) = middle;
    }
    time = low;
    return {};
  }

  /// Least separation at a fraction of a piece, up to the reach, and how far the motion may go on
  /// until it can have fallen to what is allowed. Each normal n is an axis along which two convex
  /// pieces are apart by at least -depth; along it the way shortens that by at most
  ///   max(0, -n.(way1 - way2)) + |turn1 x n| r1 + |turn2 x n| r2
  /// so motion along other directions, as sliding, costs nothing.
  Status look(const WayPiece& piece, double f, Sight& sight) {
    const Course &c1 = piece.course1, &c2 = piece.course2;
    const Vec3 relative = c1.way - c2.way;
    const double most =
        norm(relative) + (rateOf(c1.turn, way_.radius1) + rateOf(c2.turn, way_.radius2));
    // What is farther away than the rest of the way is not reached on it. Meshes list all that is
    // within the margin: what is not needed there costs most.
    const double reach = minOf(reach_, most * (1.0 - f) + touch_);
    scratch_.clear();
    CollisionOption option;
    option.margin = reach;
    const Status status =
        collide({way_.shape1, c1.at(f), 1}, {way_.shape2, c2.at(f), 2}, option, scratch_);
    if (!status) return status;
    sight = {.separation = reach};
    sight.further = most > 0.0 ? (reach + allowed(most_)) / most : kNever;
    for (const ContactManifold& m : scratch_.getManifolds()) {
      const double own = mostOf(m), limit = allowed(own);
      for (const ContactPoint& p : m.getContacts()) {
        const Vec3 n = toVec3(p.normal) * (m.getObject1() == 1 ? 1.0 : -1.0);
        const double rate =
            maxOf(0.0, -dot(n, relative)) +
            (rateOf(cross(c1.turn, n), way_.radius1) + rateOf(cross(c2.turn, n), way_.radius2));
        sight.separation = minOf(sight.separation, -p.depth);
        if (p.depth > own) sight.beyond = maxOf(sight.beyond, p.depth);
        if (p.depth > limit * (f >= 1.0 ? 1.0 : 1.0 - kTouch)) sight.isTooDeep = true;
        if (rate > 0.0) sight.further = minOf(sight.further, maxOf(0.0, limit - p.depth) / rate);
      }
    }
    return {};
  }

  /// What the parts of a contact may overlap by.
  double mostOf(const ContactManifold& m) const {
    const bool inOrder = m.getObject1() == 1;
    const std::uint64_t sub1 = inOrder ? m.getSubShape1() : m.getSubShape2(),
                        sub2 = inOrder ? m.getSubShape2() : m.getSubShape1();
    return kMostOverlap * widthThatCounts(way_, partWidth(*way_.shape1, sub1, way_.width1),
                                          partWidth(*way_.shape2, sub2, way_.width2));
  }
  /// The same, and what they overlapped by at the beginning.
  double allowed(double most) const { return maxOf(most, already_) * (1.0 + way_.slack); }

  /// How fast a point at a radius goes; what does not turn may be without bounds.
  static double rateOf(const Vec3& turn, double radius) {
    return turn == Vec3{} ? 0.0 : norm(turn) * radius;
  }

  const PairWay& way_;
  CollisionResult& scratch_;
  double width_, most_, reach_, touch_;
  double already_ = 0.0;              // Overlap at the beginning, where it is more than they may.
  double first_ = 0.0, apart_ = 0.0;  // When they first touched, and were last apart.
  int looks_ = 0;
  bool touched_ = false;
};

}  // namespace

double guardedWidth(const Shape& shape, double halfWidth) {
  if (shape.getType() == ShapeType::Plane) return kMaxBodyCoordinate;
  return leastPartWidth(shape, halfWidth);
}

Status findFreeTime(const PairWay& way, CollisionResult& scratch, double& time) {
  return Walk(way, scratch).run(time);
}

}  // namespace abut::inline v0_1
