// SPDX-License-Identifier: MIT
// Symptom: a rough box on the ground between two plates that close on it was pressed with a million
// times the force that would stop the plates' momentum in it (exact scheme; the press was
// reported). Cause: with friction of 1 and more any squeeze of plates and ground balances, so
// iterations went on to ever larger ones. Mechanism: in a press, impulses beyond a hundred times
// the momentum that there is give way to those without friction.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

class RoughBoxSqueezed : public test::BothSchemes {};

TEST_P(RoughBoxSqueezed, HasBoundedForces) {
  for (const double friction : {0.3, 1.0, 3.0}) {
    for (const double mass : {0.1, 40.0}) {
      for (const double turn : {0.0, 0.05}) {
        World world(options());
        Material m;
        m.friction = friction;
        const MaterialId id = world.materials().add(m);
        BodyDescription ground;
        ground.type = BodyType::Static;
        world.addBody(ground, PlaneShape(Eigen::Vector3d::UnitZ()), id);
        BodyDescription d;
        d.mass = mass;
        d.position = {0, 0, 0.2};
        d.orientation = Quat{std::cos(turn / 2), 0, 0, std::sin(turn / 2)};
        const ObjectId box = world.addBody(d, BoxShape({0.2, 0.2, 0.2}), id);
        const double speed = 0.1;
        for (const double side : {-1.0, 1.0}) {
          BodyDescription plate;
          plate.type = BodyType::Kinematic;
          plate.position = {side * 0.315, 0, 0.3};
          plate.linearVelocity = {-side * speed, 0, 0};
          world.addBody(plate, BoxShape({0.1, 1, 0.5}), id);
        }
        double most = 0.0;
        int presses = 0;
        for (int i = 0; i < 40; ++i) {
          world.step(1.0 / 60).orThrow();
          for (const WorldContact& c : world.getContacts()) most = std::max(most, c.normalForce);
          if (world.getReport().presses == 0) continue;
          ++presses;
          EXPECT_FALSE(world.getReport().converged);
        }
        EXPECT_GT(presses, 20);
        EXPECT_LT(most, 500 * mass * (2 * 9.81 + speed * 60)) << friction << ' ' << turn;
        BodyMotion at;
        world.getMotion(box, at).orThrow();
        EXPECT_LT(at.linearVelocity.norm(), 2 * speed);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, RoughBoxSqueezed, test::bothSchemes(), test::schemeName);

}  // namespace
}  // namespace abut
