// SPDX-License-Identifier: MIT
// Symptom: contacts of a capsule lying nearly flat on a hull's face or edge had witness points up
// to 1e-3 of the size off the surfaces, and depths wrong by as much.
// Cause: the height of the rounded surface was that of an endless cylinder also over the ends of
// the segment, and beside an edge the point stayed on the capsule's line although the edge was not
// there.
// Mechanism: FlatFeature::surfaceAt() is exact for cylinder and end balls; between two edges side
// by side the point divides their distance in the ratio of the radii.
#include <cmath>

#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace abut::test {
namespace {

Matrix turn(double angle, const Vector& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

TEST(CapsuleContacts, AreOnBothSurfacesAtEveryTilt) {
  const Body hull(Specimen::hull(Specimen::box({0.5, 0.5, 0.5}).corners()));
  const Matrix lying = turn(M_PI / 2, Vector::UnitX());
  for (const double tilt : {1e-8, 1e-5, 1e-3, 0.01, 0.017}) {
    for (const Vector& axis : {Vector(1.0, 0.0, 0.0), Vector(1.0, 0.3, 0.2)}) {
      // Over the face, across its border, along the border.
      for (const double x : {0.0, 0.2, 0.499, 0.5, 0.501}) {
        const Body capsule(Specimen::capsule(0.3, 0.8), turn(tilt, axis) * lying, {x, 0.3, 0.79});
        const Verdict verdict = judge(capsule, hull);
        EXPECT_EQ(verdict.message, "") << tilt << ' ' << x;
        EXPECT_GE(verdict.contacts, 1u);
      }
    }
  }
}

TEST(CapsuleContacts, OnAnEdgeAlongsideAreOnBothSurfaces) {
  const Body wedge(Specimen::hull(Specimen::box({0.5, 0.5, 0.5}).corners()),
                   turn(M_PI / 4, Vector::UnitY()));
  const Matrix lying = turn(M_PI / 2, Vector::UnitX());
  for (const double yaw : {0.0, 1e-6, 1e-3, 5e-3}) {
    const Body capsule(Specimen::capsule(0.3, 0.6), turn(yaw, Vector::UnitZ()) * lying,
                       {0.0, 0.1, std::sqrt(0.5) + 0.29});
    EXPECT_EQ(judge(capsule, wedge).message, "") << yaw;
  }
}

}  // namespace
}  // namespace abut::test
