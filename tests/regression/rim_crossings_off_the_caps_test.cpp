// SPDX-License-Identifier: MIT
// Symptom: contacts of two cylinders standing cap on cap, tilted by up to a degree, lay up to 1e-4
// of the size outside of the caps.
// Cause: where the two rims cross, both were taken as circles across the normal; a tilted rim is an
// ellipse there.
// Mechanism: Newton's steps on both rims from the crossing of the circles.
#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace abut::test {
namespace {

TEST(RimCrossings, ContactsOfTiltedCapsLieInBothCaps) {
  const Body below(Specimen::cylinder(0.8, 0.5));
  for (const double tilt : {0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.017}) {
    for (const double aside : {0.3, 0.5, 0.9}) {
      Body above(Specimen::cylinder(0.5, 0.5),
                 Eigen::AngleAxisd(tilt, Vector(0.3, 1.0, 0.1).normalized()).toRotationMatrix(),
                 {aside, 0.1, 0.48});
      const Verdict verdict = judge(above, below);
      EXPECT_EQ(verdict.message, "") << "tilt " << tilt << " aside " << aside;
    }
  }
}

}  // namespace
}  // namespace abut::test
