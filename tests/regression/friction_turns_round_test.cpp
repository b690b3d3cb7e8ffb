// SPDX-License-Identifier: MIT
// Symptom: in the exact scheme a body that slid uphill and came to rest within a step had more
// energy than before. Cause: Coulomb's law holds at the end of the step, where friction pushes
// uphill to keep the body at rest; its work is that on the mean of both velocities, and the mean
// went uphill too. Mechanism now: an island that would gain energy goes less far (limitGains()).
#include <cmath>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60.0, kG = 9.81;

TEST(FrictionTurnsRound, BodyThatStopsUphillRisesByItsEnergyAtMost) {
  const double angle = 0.3;  // Below the angle of friction, atan 0.5.
  for (const double share : {0.1, 0.5, 0.9}) {
    World world;
    BodyDescription d;
    d.type = BodyType::Static;
    world.addBody(
        d, std::make_shared<PlaneShape>(Eigen::Vector3d(-std::sin(angle), 0, std::cos(angle))));
    d = {};
    d.mass = 1.0;
    const double c = std::cos(angle), s = std::sin(angle);
    d.position = {-0.5 * s, 0, 0.5 * c};
    d.orientation = {std::cos(0.5 * angle), 0, -std::sin(0.5 * angle), 0};
    // Less than what gravity takes from it in a step.
    const double v = share * kG * s * kStep;
    d.linearVelocity = {v * c, 0, v * s};
    const ObjectId id = world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(.5, .5, .5)));
    for (int i = 0; i < 10; ++i) {
      world.step(kStep).orThrow();
      const EnergyAccount& books = world.getStepLedger();
      EXPECT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry());
      const double gain = (books.kineticAfter + books.potentialAfter) -
                          (books.kineticBefore + books.potentialBefore) - books.correction;
      EXPECT_LE(gain, 1e-12 * books.largestEntry()) << share << " step " << i;
    }
    BodyMotion m;
    world.getMotion(id, m).orThrow();
    // m g h <= m v^2 / 2; and it stays there.
    EXPECT_LE(m.centerOfMass.z() - 0.5 * c, v * v / (2 * kG) * (1 + 1e-6) + 1e-9);
    EXPECT_GE(m.centerOfMass.z() - 0.5 * c, -1e-9);
    EXPECT_LE(m.linearVelocity.norm(), 1e-9);
  }
}

}  // namespace
}  // namespace abut
