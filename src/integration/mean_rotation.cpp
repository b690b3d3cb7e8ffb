// SPDX-License-Identifier: MIT
#include "integration/mean_rotation.hpp"

namespace abut::inline v0_1 {
namespace {

/// A contraction by one half reaches rounding within this many rounds.
constexpr int kMaxRounds = 60;
/// Changes below this share of the velocity are the rounding of the products that make it.
constexpr double kRounding = 4e-16;

}  // namespace

MeanRotation rotateByMean(const LocalInertia& inertia, double h, const Quat& orientation,
                          const Vec3& angularVelocity, const Vec3& momentum) {
  const Mat3 start = toMatrix(orientation);
  const Vec3 own = transposeTimes(start, angularVelocity);
  MeanRotation r;
  r.mean = angularVelocity;
  double last = 0.0;
  for (int round = 0; round < kMaxRounds; ++round) {
    r.orientation = normalized(quatFromRotationVector(r.mean * h) * orientation);
    const Mat3 end = toMatrix(r.orientation);
    const Vec3 ownEnd = inertia.inverse * transposeTimes(end, momentum);
    const Vec3 mean = start * ((own + ownEnd) * 0.5);
    const double change = norm(mean - r.mean);
    r.velocity = end * ownEnd;
    r.mean = mean;
    r.settled = change <= kRounding * norm(mean);
    // At rounding the change goes on at random; then it is small and no longer falls.
    if (r.settled) break;
    constexpr double kNearRounding = 1e-14;
    if (round > 0 && change <= kNearRounding * norm(mean) && !(change < last)) {
      r.settled = true;
      break;
    }
    last = change;
  }
  return r;
}

}  // namespace abut::inline v0_1
