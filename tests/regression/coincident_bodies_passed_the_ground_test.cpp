// SPDX-License-Identifier: MIT
// Symptom: a hundred bodies created in one place were thrown metres apart in a step, and some of
// them through the ground; in real time two of a hundred spheres stayed below it, in the exact
// scheme most. Cause: each contact asks for a share of its overlap, so a chain of a hundred asks
// for a hundred shares of its last body; few sweeps do not tell which of them the ground holds
// against; and all pairs in one place were given the same normal. Mechanism: displacements are
// bounded by the sizes of the bodies, an island's by one share; what lies deep is not pushed into
// what does not move; pairs in one place part in directions of their own.
#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

struct Crowd {
  StepScheme scheme = StepScheme::RealTime;
  bool round = true;
  int count = 100;
  double height = 0.2;
  ObjectId firstId = 10;
  bool groundFirst = true;
};

void expectParted(const Crowd& crowd) {
  World world(crowd.scheme == StepScheme::RealTime ? WorldOptions::realTime() : WorldOptions{});
  BodyDescription ground;
  ground.type = BodyType::Static;
  ground.id = crowd.groundFirst ? 1 : crowd.firstId + 1000;
  world.addBody(ground, PlaneShape(Eigen::Vector3d::UnitZ(), 0.0));
  const double half = 0.1;
  std::vector<ObjectId> ids;
  for (int i = 0; i < crowd.count; ++i) {
    BodyDescription d;
    d.position = {0, 0, crowd.height};
    d.id = crowd.firstId + static_cast<ObjectId>(i);
    ids.push_back(crowd.round ? world.addBody(d, SphereShape(half))
                              : world.addBody(d, BoxShape({half, half, half})));
  }
  const double dt = 1.0 / 60.0;
  std::vector<Eigen::Vector3d> last(ids.size(), Eigen::Vector3d(0, 0, crowd.height));
  double lowest = 1.0, jump = 0.0;
  for (int step = 0; step < 240; ++step) {
    ASSERT_TRUE(world.step(dt));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      BodyMotion m;
      ASSERT_TRUE(world.getMotion(ids[i], m));
      lowest = std::min(lowest, m.centerOfMass.z());
      // What velocities do not explain is the correction's.
      const double way = (m.centerOfMass - last[i]).norm() - m.linearVelocity.norm() * dt;
      jump = std::max(jump, way);
      last[i] = m.centerOfMass;
    }
  }
  EXPECT_GT(lowest, 0.0);
  EXPECT_LT(jump, half);
  EXPECT_LT(world.getReport().greatestDepth, 0.1 * half);
}

TEST(CoincidentBodiesPassedTheGround, NotSpheresInRealTime) {
  for (const double height : {0.1, 0.2, 0.35}) {
    expectParted({StepScheme::RealTime, true, 100, height, 10, true});
    expectParted({StepScheme::RealTime, true, 100, height, 77, false});
  }
}

TEST(CoincidentBodiesPassedTheGround, NotBoxesInRealTime) {
  expectParted({StepScheme::RealTime, false, 60, 0.2, 10, true});
  expectParted({StepScheme::RealTime, false, 60, 0.15, 99, false});
}

/// All displacements of an island are shortened by one factor, so that none is pushed into what it
/// was to leave.
TEST(CoincidentBodiesPassedTheGround, NotSpheresExactly) {
  expectParted({StepScheme::Exact, true, 20, 0.2, 10, true});
  expectParted({StepScheme::Exact, true, 14, 0.1, 77, false});
  expectParted({StepScheme::Exact, true, 60, 0.3, 500, true});
}

}  // namespace
}  // namespace abut
