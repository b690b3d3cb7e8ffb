// SPDX-License-Identifier: MIT
#include "support/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <abut/narrow_phase/cast.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "support/judge.hpp"

namespace abut::test {
namespace {

constexpr double kTolerance = 1e-12;
/// First contact of turning bodies is iterated, not solved.
constexpr double kTurningTolerance = 1e-9;

std::vector<Eigen::Isometry3d> frames() {
  std::vector<Eigen::Isometry3d> result(1, Eigen::Isometry3d::Identity());
  Generator random(31);
  for (int i = 0; i < 2; ++i) {
    Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
    frame.linear() = random.rotation();
    frame.translation() = 3.0 * random.direction();
    result.push_back(frame);
  }
  return result;
}

std::string at(const Stack& s, const std::string& what) {
  std::ostringstream text;
  text << what << " at gap " << s.gap;
  return text.str();
}

/// Signed distance that the oracle gives.
double truthOf(const Stack& s) {
  if (!s.isTipOnTip || s.gap >= 0.0) return s.gap;
  return bruteForceDistance(s.upper, s.lower, kTolerance).distance;
}

/// Normal, witness points and their relation, for a claim of distance() or a contact.
void judgeClaim(Cell& cell, const Stack& s, const Claim& claim) {
  cell.bound(std::abs(claim.normal.norm() - 1.0), kTolerance, at(s, "length of the normal"));
  // Two tips that touch have many normals in common.
  if (!s.isTipOnTip || s.gap > 0.0) {
    // The square root of the gap's error: a normal is one order less sharp than a depth.
    cell.demand((claim.normal - s.up).norm() <= 1e-6, at(s, "direction of the normal"));
  }
  cell.bound((claim.point1 - claim.point2 - claim.distance * claim.normal).norm() / s.size,
             kTolerance, at(s, "p1 - p2 = distance * normal"));
  cell.bound(s.upper.outsideBy(claim.point1) / s.size, kTolerance, at(s, "point 1 off object 1"));
  cell.bound(s.lower.outsideBy(claim.point2) / s.size, kTolerance, at(s, "point 2 off object 2"));
}

void distanceOfStack(Cell& cell, const Stack& s) {
  DistanceResult result, mirrored;
  const PlacedShape a = s.upper.placed(1), b = s.lower.placed(2);
  distance(a, b, result).orThrow();
  distance(b, a, mirrored).orThrow();
  cell.demand(isMirrored(result, mirrored), at(s, "distance(b, a) is not the mirror image"));
  const double truth = truthOf(s);
  cell.bound(std::abs(result.distance - truth) / s.size, kTolerance, at(s, "distance"));
  judgeClaim(cell, s, claimOf(result));
  const QueryStatus expected = s.gap == 0.0  ? QueryStatus::Touching
                               : s.gap > 0.0 ? QueryStatus::Separated
                                             : QueryStatus::Penetrating;
  cell.demand(result.status == expected, at(s, "status"));
  const bool havePlanes = s.upper.assembly->isPlane() && s.lower.assembly->isPlane();
  if (!havePlanes && s.gap > 0.0) {
    const BruteForce brute = bruteForceDistance(s.upper, s.lower, kTolerance);
    if (!brute.isProven) return;
    cell.bound(std::abs(result.distance - brute.distance) / s.size, 2.0 * kTolerance,
               at(s, "distance against all pairs of parts"));
  }
}

void judgeContacts(Cell& cell, const Stack& s, const CollisionResult& result, double margin) {
  const double depth = -truthOf(s);
  cell.bound(std::abs(result.penetrationDepth() - depth) / s.size, kTolerance,
             at(s, "greatest depth"));
  for (const ContactManifold& manifold : result.getManifolds()) {
    cell.demand(manifold.numContacts() >= 1, at(s, "manifold without points"));
    for (const ContactPoint& c : manifold.getContacts()) {
      cell.demand(c.depth >= -margin - kTolerance * s.size, at(s, "depth beyond the margin"));
      judgeClaim(cell, s, {-c.depth, c.normal, c.point1(), c.point2()});
    }
  }
  const std::size_t count = result.numContacts();
  const bool isPlanes = s.upper.assembly->isPlane() && s.lower.assembly->isPlane();
  if (s.isFaceOnFace && !isPlanes) {
    cell.demand(count >= 3, at(s, "fewer than three contacts between faces"));
  } else {
    cell.demand(count >= 1, at(s, "no contact"));
  }
  const bool isConvex = s.upper.assembly->shape->isConvex() && s.lower.assembly->shape->isConvex();
  if (isConvex) {
    cell.demand(result.numManifolds() == 1, at(s, "more than one manifold"));
    const bool isTipsOverlap = s.isTipOnTip && s.gap < 0.0;
    if (!isTipsOverlap) {
      cell.demand(count == (s.isFaceOnFace ? 4u : 1u), at(s, "number of contacts"));
    }
  }
}

void collideStack(Cell& cell, const Stack& s) {
  const PlacedShape a = s.upper.placed(1), b = s.lower.placed(2);
  CollisionOption option = CollisionOption::fullContacts();
  CollisionResult result, mirrored;
  collide(a, b, option, result).orThrow();
  collide(b, a, option, mirrored).orThrow();
  cell.demand(isMirrored(result, mirrored), at(s, "collide(b, a) is not the mirror image"));
  cell.demand(result.isCollision() == (s.gap <= 0.0), at(s, "yes or no"));
  CollisionResult binary;
  collide(a, b, CollisionOption::binaryCheck(), binary).orThrow();
  cell.demand(binary.isCollision() == result.isCollision(), at(s, "binary check"));
  if (s.gap <= 0.0) judgeContacts(cell, s, result, 0.0);
  option.margin = std::max(0.0, s.gap) + 1e-3;
  result.clear();
  collide(a, b, option, result).orThrow();
  cell.demand(result.isCollision(), at(s, "no contact within the margin"));
  if (result.isCollision()) judgeContacts(cell, s, result, option.margin);
}

bool isMirroredCast(const CastResult& a, const CastResult& b) {
  return a.hit == b.hit && a.fraction == b.fraction && a.normal == -b.normal &&
         a.point == b.point && a.subShape1 == b.subShape2 && a.subShape2 == b.subShape1 &&
         a.status == b.status;
}

/// `travel` is how far the objects approach each other over the whole motion.
void judgeHit(Cell& cell, const Stack& s, const CastResult& result, double travel, double tolerance,
              const std::string& name) {
  cell.demand(result.hit, at(s, name + ": no hit"));
  if (!result.hit) return;
  cell.bound(std::abs(result.fraction * travel - s.gap) / s.size, tolerance,
             at(s, name + ": fraction"));
  const bool isUnique = !s.isTipOnTip;
  cell.demand(!isUnique || (result.normal - s.up).norm() <= 1e-5, at(s, name + ": normal"));
}

void castStack(Cell& cell, const Stack& s) {
  const PlacedShape a = s.upper.placed(1), b = s.lower.placed(2);
  const Vector none(0.0, 0.0, 0.0);
  CastResult result, mirrored;
  // Down by four gaps: the first quarter of the way is free.
  const Vector down = -4.0 * s.gap * s.up;
  shapeCast(a, down, b, none, result).orThrow();
  shapeCast(b, none, a, down, mirrored).orThrow();
  cell.demand(isMirroredCast(result, mirrored), at(s, "shapeCast(b, a) is not the mirror image"));
  judgeHit(cell, s, result, 4.0 * s.gap, kTolerance, "cast");
  // Both move; the gap closes at five gaps a unit.
  shapeCast(a, down, b, s.gap * s.up, result).orThrow();
  judgeHit(cell, s, result, 5.0 * s.gap, kTolerance, "cast of both");
  // Up: never.
  shapeCast(a, -down, b, none, result).orThrow();
  cell.demand(!result.hit && result.fraction == 1.0, at(s, "cast away hits"));
  // Not far enough.
  shapeCast(a, 0.2 * down, b, none, result).orThrow();
  cell.demand(!result.hit, at(s, "short cast hits"));
  if (s.upper.assembly->isPlane()) return;
  // A turn about the line through both tips leaves the gap as it is.
  const Motion spinning{down, 2.0 * s.up};
  timeOfImpact(a, spinning, b, {}, result).orThrow();
  timeOfImpact(b, {}, a, spinning, mirrored).orThrow();
  cell.demand(isMirroredCast(result, mirrored), at(s, "timeOfImpact(b, a) is not the mirror"));
  judgeHit(cell, s, result, 4.0 * s.gap, kTurningTolerance, "time of impact");
}

void castFromOverlap(Cell& cell, const Stack& s) {
  CastResult result;
  shapeCast(s.upper.placed(1), -s.up, s.lower.placed(2), {0.0, 0.0, 0.0}, result).orThrow();
  cell.demand(result.hit && result.fraction == 0.0, at(s, "cast from an overlap"));
  cell.demand(result.status == QueryStatus::Penetrating, at(s, "status of a cast from an overlap"));
}

template <typename Trial>
Cell cover(const Assembly& upper, const Assembly& lower, std::initializer_list<double> gaps,
           Trial trial) {
  Cell cell;
  for (const Eigen::Isometry3d& frame : frames()) {
    for (const double gap : gaps) {
      const Stack stack = makeStack(upper, lower, gap, frame);
      try {
        trial(cell, stack);
      } catch (const std::exception& e) {
        cell.demand(false, at(stack, std::string("exception: ") + e.what()));
      }
    }
  }
  return cell;
}

}  // namespace

void Cell::demand(bool holds, const std::string& what) {
  if (holds || message.find(what) != std::string::npos) return;
  message += (message.empty() ? "" : "; ") + what;
}

void Cell::bound(double value, double tolerance, const std::string& what) {
  if (value > error) error = value;
  if (value <= tolerance) return;
  std::ostringstream text;
  text << what << " is off by " << value;
  demand(false, text.str());
}

Stack makeStack(const Assembly& upper, const Assembly& lower, double gap,
                const Eigen::Isometry3d& frame) {
  Stack s;
  s.gap = gap;
  s.up = frame.linear().col(2);
  s.upper.assembly = &upper;
  s.lower.assembly = &lower;
  s.lower.rotation = frame.linear();
  s.lower.position = frame.translation();
  // Surfaces that are solid below hang from above after a half turn about x.
  const bool isOneSided =
      upper.type() == ShapeType::Plane || upper.type() == ShapeType::HeightField;
  const Matrix turned =
      isOneSided ? Matrix(Vector(1.0, -1.0, -1.0).asDiagonal()) : Matrix::Identity();
  const Matrix yaw = Eigen::AngleAxisd(0.3, Vector::UnitZ()).toRotationMatrix();
  s.upper.rotation = frame.linear() * yaw * turned;
  // A flat side may be met anywhere: not where edges of its parts meet, and no edges flush.
  const bool isFlat = upper.isBottomFlat || lower.isTopFlat;
  const Vector aside = isFlat ? Vector(0.11, 0.07, 0.0) : Vector(0.0, 0.0, 0.0);
  s.upper.position = frame * Vector(aside + (lower.top - upper.bottom + gap) * Vector::UnitZ());
  s.isTipOnTip = upper.isBottomSharp && lower.isTopSharp;
  s.isFaceOnFace = upper.isBottomFlat && lower.isTopFlat;
  s.size = s.upper.extent() + s.lower.extent() + std::abs(gap) + 1.0;
  return s;
}

Cell coverDistance(const Assembly& upper, const Assembly& lower) {
  return cover(upper, lower, {0.7, 1e-3, 1e-8, 0.0, -1e-8, -0.01}, distanceOfStack);
}

Cell coverCollide(const Assembly& upper, const Assembly& lower) {
  return cover(upper, lower, {0.7, 1e-3, 0.0, -1e-8, -0.01}, collideStack);
}

Cell coverCast(const Assembly& upper, const Assembly& lower) {
  Cell cell = cover(upper, lower, {0.7, 1e-3}, castStack);
  const Cell overlap = cover(upper, lower, {-0.01}, castFromOverlap);
  cell.demand(overlap.isOk(), overlap.message);
  return cell;
}

}  // namespace abut::test
