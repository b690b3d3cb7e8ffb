// SPDX-License-Identifier: MIT
// Symptom: a ball between two jaws that close at a small angle, with more friction than it takes to
// jam it, was pressed with 6e14 N. Cause: Coulomb's law has no answer there: friction holds the
// ball back by more than the wedge pushes it out, so impulses grow until iterations end; it is no
// press, since without friction the ball could leave. Mechanism: an answer beyond every lever that
// did not converge is replaced by that without friction, and the report says so.
#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

TEST(WedgeJammedByFriction, ForcesStayBoundedAndTheReportSaysSo) {
  for (const double angle : {0.15, 0.3, 0.45}) {
    WorldOptions options;
    options.gravity = {0, 0, 0};
    World world(options);
    Material m;
    m.friction = 0.3;  // The angle of friction is .29; the wedge's half angle at most .225.
    const MaterialId id = world.materials().add(m);
    const Eigen::Vector3d across(std::cos(angle), std::sin(angle), 0);
    BodyDescription jaw;
    jaw.type = BodyType::Kinematic;
    jaw.position = {-0.31, 0, 0};
    jaw.linearVelocity = {0.1, 0, 0};
    world.addBody(jaw, std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 1, 1)), id);
    jaw.position = across * 0.31;
    jaw.linearVelocity = across * -0.1;
    jaw.orientation = Quat{std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    world.addBody(jaw, std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 1, 1)), id);
    BodyDescription ball;
    ball.mass = 2.0;
    const ObjectId pressed = world.addBody(ball, std::make_shared<SphereShape>(0.2), id);
    double most = 0.0;
    bool said = false;
    for (int i = 0; i < 30; ++i) {
      world.step(1.0 / 60.0).orThrow();
      for (const WorldContact& c : world.getContacts()) most = std::max(most, c.normalForce);
      said = said || !world.getReport().converged;
      const EnergyAccount& a = world.getStepLedger();
      EXPECT_LE(std::fabs(a.residual()), 1e-12 * a.largestEntry());
    }
    EXPECT_TRUE(said) << angle;
    EXPECT_LT(most, 1e8) << angle;
    BodyMotion at;
    world.getMotion(pressed, at).orThrow();
    EXPECT_LT(at.linearVelocity.norm(), 3.0) << angle;
  }
}

}  // namespace
}  // namespace abut
