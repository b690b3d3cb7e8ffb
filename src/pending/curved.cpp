// SPDX-License-Identifier: MIT
// Stand-in until the real definitions land; delete this file then.
#include <stdexcept>

#include "narrow_phase/convex_gap.hpp"
#include "shapes/support_features.hpp"

namespace abut {
void curvedGap(const ConvexCore&, const Pose&, const ConvexCore&, const Pose&, PairGap&) {
  throw std::logic_error("pending");
}
void supportFeatureCylinder(double, double, const Vec3&, double, SupportFeature&) {
  throw std::logic_error("pending");
}
void supportFeatureCone(double, double, const Vec3&, double, SupportFeature&) {
  throw std::logic_error("pending");
}
}  // namespace abut
