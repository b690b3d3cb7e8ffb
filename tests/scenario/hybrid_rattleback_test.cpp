// SPDX-License-Identifier: MIT
// A rattleback (celt) spins willingly one way only: spun the other way it begins to rattle, stops,
// and turns back.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/cvode_driver.hpp>
#include <abut/shapes/point_cloud_shape.hpp>

#include "support/hybrid_scene.hpp"

namespace abut {
namespace {

/// Spin after 2 s of a body that begins at 5 rad/s (or -5) with a small pitch. Its belly has radii
/// of curvature 0.4 m and 0.05 m: balls of 0.05 m, 0.15 mm apart on an arc; the arc is turned by
/// `skew` [rad] from the axis of least inertia. The centre of mass is 0.02 m above the ground.
double spinAfterTwoSeconds(double spin, double skew) {
  constexpr double kLong = 0.4, kShort = 0.05, kHeight = 0.02, kHalf = 0.06;
  constexpr int kPoints = 400;
  std::vector<Eigen::Vector3d> points;
  for (int i = -kPoints; i <= kPoints; ++i) {
    const double angle = kHalf / kLong * i / kPoints;
    const double x = (kLong - kShort) * std::sin(angle);
    points.emplace_back(x * std::cos(skew), x * std::sin(skew),
                        (kLong - kHeight) - (kLong - kShort) * std::cos(angle));
  }
  World world(test::gravityAlongZ(-9.81));
  const MaterialId id = test::addMaterial(world, 0.5, 0.3, 3e9);
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
  BodyDescription d = test::movingBody({0, 0, kHeight - 2e-6});
  d.mass = 1.0;
  d.inertia = {2e-4, 2.1e-3, 2.15e-3};
  d.angularVelocity = {0, 0.1, spin};
  world.addBody(d, std::make_shared<PointCloudShape>(points, kShort), id);
  CompliantOptions options;
  options.slowestImpact = 0.02;
  CompliantSystem system(world, options);
  CvodeOptions cvode;
  cvode.relativeTolerance = cvode.absoluteTolerance = 1e-5;
  CvodeDriver driver(system, cvode);
  driver.advance(2.0).orThrow();
  return driver.getState()[12];
}

TEST(HybridRattleback, ReversesItsSpinOneWayAndKeepsItTheOther) {
  const double skew = 10.0 * M_PI / 180.0;
  EXPECT_LT(spinAfterTwoSeconds(5.0, skew), -2.5);   // Turned back with two thirds of the spin.
  EXPECT_LT(spinAfterTwoSeconds(-5.0, skew), -3.5);  // Only slowed by friction in the patch.
  EXPECT_GT(spinAfterTwoSeconds(-5.0, -skew), 2.5);  // Its mirror image.
}

}  // namespace
}  // namespace abut
