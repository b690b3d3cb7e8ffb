// SPDX-License-Identifier: MIT
#pragma once

#include "shapes/convex_core.hpp"

namespace abut::inline v0_1 {

// supportFeature() for each kind of core; see there. One definition per shape's source file.
void supportFeatureBox(const Vec3& half, const Vec3& d, double cosTolerance,
                       SupportFeature& result);
void supportFeatureHull(const HullData& hull, const Vec3& d, double cosTolerance,
                        SupportFeature& result);
void supportFeatureTriangle(const Vec3 (&corners)[3], const Vec3& d, double cosTolerance,
                            SupportFeature& result);
void supportFeatureCylinder(double radius, double halfHeight, const Vec3& d, double cosTolerance,
                            SupportFeature& result);
void supportFeatureCone(double radius, double halfHeight, const Vec3& d, double cosTolerance,
                        SupportFeature& result);

}  // namespace abut::inline v0_1
