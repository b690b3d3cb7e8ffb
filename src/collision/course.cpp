// SPDX-License-Identifier: MIT
#include "collision/course.hpp"

#include <abut/math/convert.hpp>

#include "math/rotation_vector.hpp"

namespace abut::inline v0_1 {
namespace {

/// A cast turns shapes about their own origin. Where that is not the centre of mass the motion is
/// cut into pieces of at most this angle [rad], whose chords stay within 1 % of the lever.
constexpr double kPieceAngle = 0.25;
constexpr int kMaxPieces = 64;

}  // namespace

Course Course::after(double f) const {
  return {center + way * f, way * (1.0 - f), turn * (1.0 - f), at(f)};
}

Pose Course::at(double f) const {
  const Mat3 r = turn == Vec3{} ? Mat3{} : toMatrix(quatFromRotationVector(turn * f));
  return {r * start.rotation, (center + way * f) + r * (start.translation - center)};
}

Status castCourses(const Shape& shape1, const Course& c1, const Shape& shape2, const Course& c2,
                   CastResult& hit) {
  const auto lever = [](const Course& c) { return norm(c.start.translation - c.center); };
  double angle = 0.0;
  if (lever(c1) > 0.0) angle = maxOf(angle, norm(c1.turn));
  if (lever(c2) > 0.0) angle = maxOf(angle, norm(c2.turn));
  const double wanted = angle / kPieceAngle;
  const int pieces = wanted >= kMaxPieces ? kMaxPieces : 1 + static_cast<int>(wanted);
  const double length = 1.0 / pieces;
  for (int k = 0; k < pieces; ++k) {
    const double begin = length * k;
    const Pose p1 = c1.at(begin), p2 = c2.at(begin);
    const Motion m1{toEigen(c1.at(begin + length).translation - p1.translation),
                    toEigen(c1.turn * length)};
    const Motion m2{toEigen(c2.at(begin + length).translation - p2.translation),
                    toEigen(c2.turn * length)};
    Status status = timeOfImpact({&shape1, p1, 1}, m1, {&shape2, p2, 2}, m2, hit);
    if (!status) return status;
    hit.fraction = begin + hit.fraction * length;
    if (hit.hit || hit.status == QueryStatus::IterationLimit) return {};
  }
  return {};
}

}  // namespace abut::inline v0_1
