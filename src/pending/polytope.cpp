// SPDX-License-Identifier: MIT
// Stand-in until the real definitions land; delete this file then.
#include <stdexcept>

#include "narrow_phase/convex_gap.hpp"
#include "shapes/hull_data.hpp"
#include "shapes/support_features.hpp"

namespace abut {
void polytopeGap(const ConvexCore&, const Pose&, const ConvexCore&, const Pose&, PairGap&) {
  throw std::logic_error("pending");
}
void convexManifold(const ConvexCore&, const Pose&, const ConvexCore&, const Pose&, const PairGap&,
                    double, PairManifold&) {
  throw std::logic_error("pending");
}
std::uint32_t supportVertex(const HullData&, const Vec3&) {
  throw std::logic_error("pending");
}
void supportFeatureHull(const HullData&, const Vec3&, double, SupportFeature&) {
  throw std::logic_error("pending");
}
void supportFeatureTriangle(const Vec3 (&)[3], const Vec3&, double, SupportFeature&) {
  throw std::logic_error("pending");
}
}  // namespace abut
