// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60.0, kG = 9.81;

std::shared_ptr<const Shape> ground() {
  return std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1));
}
std::shared_ptr<const Shape> cube() {
  return std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
}

/// A heap of cubes over a plane, ids 2, 3, ...; `order` is the order of insertion.
World heap(const std::vector<int>& order, bool withFarBodies = false) {
  World world(WorldOptions::realTime());
  if (withFarBodies) {
    for (ObjectId id = 100; id < 110; ++id) {
      BodyDescription d;
      d.id = id;
      d.position = {1000.0 + 1.01 * static_cast<double>(id), 0, 0.4};
      world.addBody(d, cube());
    }
  }
  for (const int i : order) {
    BodyDescription d;
    d.id = static_cast<ObjectId>(i) + 1;
    if (i == 0) {
      d.type = BodyType::Static;
      world.addBody(d, ground());
      continue;
    }
    d.position = {0.31 * (i % 3), 0.17 * (i % 5), 0.6 + 1.05 * i};
    world.addBody(d, cube());
  }
  return world;
}

BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  return motion;
}

TEST(RealTime, OrderOfInsertionChangesNoBit) {
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) order.push_back(i);
  World forward = heap(order);
  std::reverse(order.begin(), order.end());
  World backward = heap(order);
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(forward.step(kStep));
    ASSERT_TRUE(backward.step(kStep));
    ASSERT_EQ(forward.hash(), backward.hash()) << "step " << i;
  }
}

TEST(RealTime, BodiesFarAwayChangeNoBit) {
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) order.push_back(i);
  World alone = heap(order), shared = heap(order, true);
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(alone.step(kStep));
    ASSERT_TRUE(shared.step(kStep));
  }
  for (ObjectId id = 2; id <= 20; ++id) {
    const BodyMotion a = motionOf(alone, id), b = motionOf(shared, id);
    EXPECT_EQ(a.centerOfMass, b.centerOfMass);
    EXPECT_EQ(a.linearVelocity, b.linearVelocity);
    EXPECT_EQ(a.angularVelocity, b.angularVelocity);
  }
}

TEST(RealTime, SnapshotGoesOnBitForBit) {
  std::vector<int> order;
  for (int i = 0; i < 12; ++i) order.push_back(i);
  World first = heap(order), second = heap(order);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(first.step(kStep));
  ASSERT_TRUE(second.restore(first.snapshot()));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(first.step(kStep));
    ASSERT_TRUE(second.step(kStep));
    ASSERT_EQ(first.hash(), second.hash()) << "step " << i;
  }
}

TEST(RealTime, FreeFlightIsExact) {
  World world(WorldOptions::realTime());
  BodyDescription d;
  d.position = {0, 0, 10};
  d.linearVelocity = {1, 0, 2};
  const ObjectId id = world.addBody(d, cube());
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(kStep));
  // z = 10 + 2 t - g t^2 / 2 at t = 1.
  EXPECT_NEAR(motionOf(world, id).centerOfMass.z(), 12.0 - 0.5 * kG, 1e-13);
}

TEST(RealTime, FrictionStopsASlideAndHoldsIt) {
  World world(WorldOptions::realTime());
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, ground());
  BodyDescription d;
  d.position = {0, 0, 0.5};
  d.linearVelocity = {3, 0, 0};
  const ObjectId id = world.addBody(d, cube());
  for (int i = 0; i < 120; ++i) ASSERT_TRUE(world.step(kStep));
  const BodyMotion m = motionOf(world, id);
  // v^2 / (2 mu g) = 0.9174 m; moving by the new velocity takes v dt / 2 off.
  EXPECT_NEAR(m.centerOfMass.x(), 9.0 / (2 * 0.5 * kG), 3 * kStep);
  EXPECT_LE(m.linearVelocity.norm(), 1e-5);
  EXPECT_LE(std::fabs(m.centerOfMass.y()), 1e-9);
}

TEST(RealTime, SeveralManifoldsOfAPairAreSolvedApart) {
  // A table of two boxes on a plane touches it in two manifolds; together they carry the weight.
  World world(WorldOptions::realTime());
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, ground());
  BodyDescription d;
  d.position = {0, 0, 0.5};
  Pose left, right;
  left.translation.x = -2.0;
  right.translation.x = 2.0;
  ObjectId id = kNoObject;
  ASSERT_TRUE(world.addBody(d, {{cube(), left, 0}, {cube(), right, 0}}, id));
  for (int i = 0; i < 120; ++i) ASSERT_TRUE(world.step(kStep));
  double force = 0.0;
  for (const WorldContact& c : world.getContacts()) force += c.normalForce;
  EXPECT_NEAR(force, 2000 * kG, 1e-3 * 2000 * kG);
  EXPECT_NEAR(motionOf(world, id).centerOfMass.z(), 0.5, 1e-3);
}

TEST(RealTime, AFastSphereStopsAtAThinPlate) {
  World world(WorldOptions::realTime());
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 0.0005)));
  BodyDescription d;
  d.position = {0.1, 0.2, 50};
  d.linearVelocity = {0, 0, -1e4};
  const ObjectId id = world.addBody(d, std::make_shared<SphereShape>(0.01));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(world.step(kStep));
    ASSERT_GE(motionOf(world, id).centerOfMass.z(), 0.0) << "step " << i;
  }
}

// Flat contacts of pairs that hardly moved are not detected anew. Their depth is wrong by at most
// d a + r a^2 / 2 for d = 1 mm, a = 1 mrad and levers r up to 1 m: 1.5 um.
TEST(RealTime, ContactsThatAreNotDetectedAnewHaveTheDepthsThatDetectionFinds) {
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) order.push_back(i);
  World world = heap(order);
  const auto shapeOf = [](ObjectId id) { return id == 1 ? ground() : cube(); };
  std::size_t compared = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Pose> poses(1);
    for (ObjectId id = 1; id <= 20; ++id) poses.push_back(motionOf(world, id).pose);
    ASSERT_TRUE(world.step(kStep));
    std::vector<double> deepest(std::size_t{21} * 21, -1.0);
    for (const WorldContact& c : world.getContacts()) {
      double& depth = deepest[c.object1 * 21 + c.object2];
      depth = std::max(depth, c.depth);
    }
    if (i % 10 != 0) continue;
    for (ObjectId a = 1; a <= 20; ++a) {
      for (ObjectId b = a + 1; b <= 20; ++b) {
        const double depth = deepest[a * 21 + b];
        if (depth <= 0.0) continue;  // Across a gap the manifold's normal is not the shortest way.
        const auto shape1 = shapeOf(a), shape2 = shapeOf(b);
        DistanceResult now;
        ASSERT_TRUE(distance({shape1.get(), poses[a], a}, {shape2.get(), poses[b], b}, now));
        EXPECT_NEAR(depth, -now.distance, 2e-6) << "step " << i << ", " << a << " on " << b;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 200u);
}

TEST(RealTime, ABounceReturnsItsShareWithinAStep) {
  World world(WorldOptions::realTime());
  Material bouncy;
  bouncy.restitution = 0.5;
  MaterialId material = 0;
  ASSERT_TRUE(world.materials().add(bouncy, material));
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, ground(), material);
  BodyDescription d;
  d.position = {0, 0, 5.5};
  const ObjectId id = world.addBody(d, std::make_shared<SphereShape>(0.5), material);
  double top = 0.0;
  bool bounced = false;
  for (int i = 0; i < 150; ++i) {
    ASSERT_TRUE(world.step(kStep));
    const BodyMotion m = motionOf(world, id);
    bounced = bounced || m.linearVelocity.z() > 0.0;
    if (bounced) top = std::max(top, m.centerOfMass.z() - 0.5);
  }
  // A quarter of the height; the turn is made up to a step's way, sqrt(2 g h) dt, above the ground.
  EXPECT_LE(top, 0.25 * 5.0 + std::sqrt(2 * kG * 5.0) * kStep);
  EXPECT_GE(top, 0.8 * 0.25 * 5.0);
}

/// A cube on the ground is held by it, whether that contact was detected in this step or before.
TEST(RealTime, AHitOnABodyAtRestDoesNotDependOnHowLongItRested) {
  Eigen::Vector3d answers[2];
  for (const int steps : {0, 60}) {
    WorldOptions options = WorldOptions::realTime();
    options.solver.tolerance = 1e-12;
    options.solver.maxSweeps = 2000;
    World world(options);
    BodyDescription fixed;
    fixed.type = BodyType::Static;
    fixed.position = {0, 0, -0.5};
    world.addBody(fixed, std::make_shared<BoxShape>(Eigen::Vector3d(20, 20, 0.5)));
    BodyDescription d;
    d.position = {0, 0, 0.25};
    d.mass = 10;
    const ObjectId id =
        world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.25, 0.25, 0.25)));
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(world.step(kStep));
    BodyDescription bullet;
    bullet.position = {3.5, 0.02, 0.3};
    bullet.linearVelocity = {-300, 0, 0};  // 5 m a step.
    bullet.mass = 0.1;
    bullet.gravityScale = 0.0;
    world.addBody(bullet, std::make_shared<SphereShape>(0.02));
    ASSERT_TRUE(world.step(kStep));
    answers[steps == 0 ? 0 : 1] = motionOf(world, id).linearVelocity;
  }
  EXPECT_LT(answers[0].x(), -0.1);
  EXPECT_LE((answers[0] - answers[1]).norm(), 1e-6);
}

}  // namespace
}  // namespace abut
