// SPDX-License-Identifier: MIT
#include "dynamics/crushing.hpp"

#include "dynamics/body_table.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kShareOfWidth = 0.1, kTimesSlop = 2.0;

bool isWithin(const BodyFacts& body, double depth) {
  if (body.type != BodyType::Dynamic) return true;
  const Aabb box = body.shape->computeLocalAabb();
  const Eigen::Vector3d half = box.halfExtents();
  return depth <= 2.0 * kShareOfWidth * minOf(minOf(half.x(), half.y()), half.z());
}

}  // namespace

bool isCrushed(const BodyFacts& body1, const BodyFacts& body2, double depth, double slop) {
  if (!(depth > kTimesSlop * slop)) return false;
  return !isWithin(body1, depth) || !isWithin(body2, depth);
}

}  // namespace abut::inline v0_1
