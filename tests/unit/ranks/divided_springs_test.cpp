// SPDX-License-Identifier: MIT
//
// Contacts that give way, over ranks: what springs may give back is one number of the whole world.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <abut/ranks/distributed_world.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/random.hpp"
#include "support/thread_ranks.hpp"

namespace abut {
namespace {

using test::ThreadRanks;

constexpr double kStep = 1.0 / 240.0;

/// Piles of two and balls that fall onto them, of rubber on a floor of rubber and of stone.
World makeRubber() {
  World world{WorldOptions{}};
  Material rubber, stone;
  rubber.stiffness = 4e4;
  rubber.dissipation = 2e-3;
  rubber.friction = 0.6;
  stone.restitution = 0.5;
  MaterialId soft = 0, hard = 0;
  world.materials().add(rubber, soft).orThrow();
  world.materials().add(stone, hard).orThrow();
  BodyDescription floor;
  floor.type = BodyType::Static;
  world.addBody(floor, PlaneShape(Eigen::Vector3d(0, 0, 1), 0.0), soft);
  test::Random random(5);
  for (int t = 0; t < 7; ++t) {
    for (int k = 0; k < 2; ++k) {
      BodyDescription body;
      body.id = static_cast<ObjectId>(100 + (2 * t + k) * 3 % 14);
      body.position = {0.6 * t, 0.01 * k, 0.1 + 0.2 * k};
      world.addBody(body, BoxShape(Eigen::Vector3d(0.1, 0.1, 0.1)), t % 3 == 2 ? hard : soft);
    }
    BodyDescription ball;
    ball.id = static_cast<ObjectId>(10 + (t * 3) % 7);
    ball.position = {0.6 * t + random.between(-0.05, 0.05), 0.0, 0.55 + random.between(0, 0.1)};
    ball.linearVelocity = {random.between(-2, 2), 0.0, -1.0};
    world.addBody(ball, SphereShape(0.08), soft);
  }
  return world;
}

TEST(DividedSprings, HaveTheSameBits) {
  constexpr int kSteps = 60;
  World one = makeRubber();
  std::vector<std::uint64_t> hashes;
  std::vector<EnergyAccount> ledgers;
  double held = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    one.step(kStep).orThrow();
    hashes.push_back(one.hash());
    ledgers.push_back(one.getStepLedger());
    held = std::max(held, one.getStepLedger().elasticAfter);
  }
  ASSERT_GT(held, 0.0);
  for (const int ranks : {2, 3, 5}) {
    ThreadRanks(ranks).run([&](Communicator& comm) {
      World part = makeRubber();
      DistributedWorld divided(part, comm);
      for (int i = 0; i < kSteps; ++i) {
        part.step(kStep).orThrow();
        const auto at = static_cast<std::size_t>(i);
        ASSERT_EQ(divided.hash(), hashes[at]) << ranks << " ranks, step " << i;
        const EnergyAccount &got = part.getStepLedger(), &expected = ledgers[at];
        ASSERT_EQ(got.elasticBefore, expected.elasticBefore) << i;
        ASSERT_EQ(got.elasticAfter, expected.elasticAfter) << i;
        ASSERT_EQ(got.dampers, expected.dampers) << i;
        ASSERT_EQ(got.integrator, expected.integrator) << i;
      }
    });
  }
}

}  // namespace
}  // namespace abut
