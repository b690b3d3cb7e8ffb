// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

class EvenRest : public test::BothSchemes {
protected:
  /// Normal forces after two seconds on the ground.
  static std::vector<double> rest(const BodyDescription& body,
                                  const std::vector<BodyShape>& shapes) {
    World world(options());
    world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}));
    ObjectId id = kNoObject;
    world.addBody(body, shapes, id).orThrow();
    for (int i = 0; i < 480; ++i) world.step(1.0 / 240).orThrow();
    std::vector<double> forces;
    for (const WorldContact& c : world.getContacts()) forces.push_back(c.normalForce);
    return forces;
  }
};
INSTANTIATE_TEST_SUITE_P(Schemes, EvenRest, test::bothSchemes(), test::schemeName);

TEST_P(EvenRest, FlatFacesAndLegsShareTheLoad) {
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(1, 0.5, 0.25));
  const auto can = std::make_shared<CylinderShape>(0.5, 1.0);
  const auto leg = std::make_shared<BoxShape>(Eigen::Vector3d(.05, .05, .4));
  const auto top = std::make_shared<BoxShape>(Eigen::Vector3d(.8, .5, .03));
  std::vector<BodyShape> table;
  for (int i = 0; i < 4; ++i) {
    Pose p;
    p.translation = {(i & 1) != 0 ? .7 : -.7, (i & 2) != 0 ? .4 : -.4, .4};
    table.push_back({leg, p});
  }
  Pose above;
  above.translation = {0, 0, .83};
  table.push_back({top, above});
  const std::vector<std::vector<BodyShape>> bodies = {{{box, Pose{}}}, {{can, Pose{}}}, table};
  for (const double height : {1.0, 1.75}) {
    for (const std::vector<BodyShape>& shapes : bodies) {
      const std::vector<double> forces = rest({.position = {0.1, 0.2, height}}, shapes);
      ASSERT_EQ(forces.size(), 4u);
      const double mean = (forces[0] + forces[1] + forces[2] + forces[3]) / 4;
      for (const double f : forces) EXPECT_NEAR(f, mean, 1e-7 * mean);
    }
  }
}

// The centre of mass c off the middle of corners at +-a: as on equal springs the load falls off
// linearly over the face, m g / 4 (1 +- c / a) at the corners.
TEST_P(EvenRest, AnOffCentreLoadFallsOffLinearly) {
  BodyDescription body;
  body.position = {0, 0, 0.5};
  body.mass = 4;
  body.inertia = {1, 1, 1};
  body.centerOfMass = {0.125, 0, 0};
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
  std::vector<double> forces = rest(body, {{box, Pose{}}});
  ASSERT_EQ(forces.size(), 4u);
  std::sort(forces.begin(), forces.end());
  const double tolerance = isExact() ? 1e-9 : 1e-3;
  EXPECT_NEAR(forces[0], 9.81 * 0.75, tolerance);
  EXPECT_NEAR(forces[1], 9.81 * 0.75, tolerance);
  EXPECT_NEAR(forces[2], 9.81 * 1.25, tolerance);
  EXPECT_NEAR(forces[3], 9.81 * 1.25, tolerance);
}

// In the exact scheme the forces of a rest do not depend on how it was come to.
TEST(EvenShares, ARestAfterASlideIsLikeAnyOther) {
  World world;
  world.addBody({.type = BodyType::Static}, BoxShape({5, 5, 1}));
  BodyDescription body;
  body.position = {0.3, -0.2, 1.5};
  body.linearVelocity = {0.4, 0.1, 0};
  world.addBody(body, BoxShape({0.5, 0.5, 0.5}));
  for (int i = 0; i < 240; ++i) world.step(1.0 / 240).orThrow();
  ASSERT_EQ(world.getContacts().size(), 4u);
  for (const WorldContact& c : world.getContacts()) {
    EXPECT_NEAR(c.normalForce, 9810.0 / 4, 1e-7);
    EXPECT_NEAR(c.frictionForce.norm(), 0.0, 1e-7);
  }
}

// A slab on posts: bodies that nothing moves share it evenly too, dropped or put there, whichever
// has the smaller id.
TEST(EvenShares, PostsCarryTheSameEach) {
  for (const int count : {4, 6}) {
    for (const double height : {0.1, 0.15}) {
      for (const bool slabFirst : {false, true}) {
        World world;
        for (int k = 0; k < count; ++k) {
          const double a = 2 * M_PI * (k + 0.5) / count;
          world.addBody({.type = BodyType::Static,
                         .position = {std::cos(a), std::sin(a), -0.2},
                         .id = static_cast<ObjectId>(k) + 10},
                        BoxShape({0.1, 0.1, 0.2}));
        }
        world.addBody({.position = {0, 0, height}, .mass = 100, .id = slabFirst ? 1u : 50u},
                      BoxShape({1.5, 1.5, 0.1}));
        for (int i = 0; i < 120; ++i) world.step(1.0 / 60).orThrow();
        std::map<ObjectId, double> forces;
        for (const WorldContact& c : world.getContacts()) {
          forces[slabFirst ? c.object2 : c.object1] += c.normalForce;
        }
        ASSERT_EQ(forces.size(), static_cast<std::size_t>(count));
        for (const auto& [post, force] : forces) EXPECT_NEAR(force, 981.0 / count, 1e-6) << post;
      }
    }
  }
}

}  // namespace
}  // namespace abut
