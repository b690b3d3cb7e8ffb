// SPDX-License-Identifier: MIT
// Symptom: in real time a plate driven down on a rough body that rests on the ground pressed it
// with 300 times the force of a press after nine steps, growing with each, and no press was
// reported. Cause: once the body had turned by a thousandth of a radian it could, without friction,
// have left the wedge between plate and ground at a thousand times the plate's speed: so it was no
// press. Mechanism: an escape so much faster than the driven bodies, from walls that lean by far
// less than the angle of friction, is none.
#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

/// Rests on its lower triangle; its centre of mass is not above the middle of the upper one.
std::shared_ptr<const Shape> frustum() {
  return std::make_shared<ConvexShape>(std::vector<Eigen::Vector3d>{{.3, 0, -.15},
                                                                    {-.3, .2, -.15},
                                                                    {-.3, -.2, -.15},
                                                                    {.2, 0, .15},
                                                                    {-.2, .1, .15},
                                                                    {-.2, -.1, .15}});
}

class JammedUnderAPlate : public testing::TestWithParam<StepScheme> {};

TEST_P(JammedUnderAPlate, IsAPressWithBoundedForces) {
  for (const double friction : {0.1, 0.7}) {
    for (const double mass : {0.01, 1e5}) {
      World world(GetParam() == StepScheme::RealTime ? WorldOptions::realTime() : WorldOptions{});
      Material m;
      m.friction = friction;
      const MaterialId id = world.materials().add(m);
      BodyDescription d;
      d.type = BodyType::Static;
      world.addBody(d, PlaneShape(Eigen::Vector3d::UnitZ()), id);
      d.type = BodyType::Dynamic;
      d.position = {0, 0, 0.15};
      d.mass = mass;
      const ObjectId pressed = world.addBody(d, frustum(), id);
      const double speed = 0.05;
      BodyDescription plate;
      plate.type = BodyType::Kinematic;
      plate.position = {0, 0, 0.4 + 2.3 * speed / 60};
      plate.linearVelocity = {0, 0, -speed};
      world.addBody(plate, BoxShape({1, 1, 0.1}), id);
      double most = 0.0;
      for (int i = 0; i < 40; ++i) {
        world.step(1.0 / 60).orThrow();
        for (const WorldContact& c : world.getContacts()) most = std::max(most, c.normalForce);
        if (i < 4) continue;
        EXPECT_FALSE(world.getReport().converged) << i;
        EXPECT_EQ(world.getReport().presses, 1u) << i << ' ' << friction << ' ' << mass;
      }
      EXPECT_LT(most, 10 * mass * (2 * 9.81 + speed * 60)) << friction;
      BodyMotion at;
      world.getMotion(pressed, at).orThrow();
      EXPECT_LT(at.linearVelocity.norm(), 3 * speed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, JammedUnderAPlate,
                         testing::Values(StepScheme::Exact, StepScheme::RealTime),
                         [](const auto& of) {
                           return of.param == StepScheme::Exact ? "Exact" : "RealTime";
                         });

}  // namespace
}  // namespace abut
