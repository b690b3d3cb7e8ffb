// SPDX-License-Identifier: MIT
// FAULTS classes 13 and 26: limits of a world, and the end of ids.
#include <limits>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/broad_phase/bvh_broad_phase.hpp>

#include "support/schemes.hpp"

namespace abut::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Limits : public BothSchemes {};

/// n spheres in one place.
World crowd(const WorldOptions& options, int n) {
  World world(options);
  for (int i = 0; i < n; ++i) world.addBody({.position = {0, 0, 5}}, SphereShape(0.5));
  return world;
}

TEST_P(Limits, AStepBeyondThemIsNotMadeAndHasTheCounts) {
  // 40 bodies in one place are 780 pairs with a contact each.
  for (const auto& [limits, name, count] :
       {std::tuple(WorldLimits{.pairs = 500}, "WorldLimits::pairs is 500", "pairs"),
        {WorldLimits{.contacts = 700}, "WorldLimits::contacts is 700", "780 contacts"}}) {
    WorldOptions limited = options();
    limited.limits = limits;
    World world = crowd(limited, 40);
    const std::vector<std::byte> before = world.snapshot();
    const Status status = world.step(1.0 / 60);
    EXPECT_EQ(status.getCode(), StatusCode::LimitExceeded);
    EXPECT_TRUE(contains(status.getMessage(), name)) << status.getMessage();
    EXPECT_TRUE(contains(status.getMessage(), count)) << status.getMessage();
    EXPECT_EQ(world.snapshot(), before);
    for (int i = 0; i < 35; ++i) world.removeBody(1 + static_cast<ObjectId>(i)).orThrow();
    EXPECT_TRUE(world.step(1.0 / 60));
  }
}

TEST_P(Limits, WhatIsWithinThemIsTheSame) {
  WorldOptions limited = options();
  limited.limits = {.pairs = 28, .contacts = 28};
  World world = crowd(limited, 8), free = crowd(options(), 8);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(world.step(1.0 / 60));
    ASSERT_TRUE(free.step(1.0 / 60));
  }
  EXPECT_EQ(world.hash(), free.hash());
  // They stay with the world when another's state is restored.
  world.restore(crowd(options(), 9).snapshot()).orThrow();
  EXPECT_EQ(world.step(1.0 / 60).getCode(), StatusCode::LimitExceeded);
}

TEST_P(Limits, BytesAreAnEstimateFromAbove) {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
  if (mallinfo2().uordblks == 0) GTEST_SKIP() << "this allocator does not tell what is taken";
  const auto taken = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const auto heap = [](const WorldOptions& o, const std::shared_ptr<const Shape>& shape, int n) {
    World world(o);
    world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}, 0));
    ObjectId id = kNoObject;
    for (int i = 0; i < n; ++i) {
      const Eigen::Vector3d place(i % 4 + 0.1 * (i % 3), i / 4 % 4 + 0.1 * (i % 5), 0.5 + i / 16);
      world.addBody({.position = place}, {{shape, Pose{}, 0}}, id).orThrow();
    }
    return world;
  };
  for (const std::shared_ptr<const Shape>& shape :
       {std::shared_ptr<const Shape>(std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5))),
        std::shared_ptr<const Shape>(std::make_shared<SphereShape>(0.5))}) {
    const std::size_t before = taken();
    World world = heap(options(), shape, 120);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    const std::size_t used = taken() - before;
    // What a step takes does not fit in less, and fits in six times as much.
    WorldOptions limited = options();
    limited.limits.bytes = used;
    World narrow = heap(limited, shape, 120);
    Status status;
    for (int i = 0; i < 3 && status; ++i) status = narrow.step(1.0 / 60);
    EXPECT_EQ(status.getCode(), StatusCode::LimitExceeded) << used;
    EXPECT_TRUE(contains(status.getMessage(), "bytes, WorldLimits::bytes is"))
        << status.getMessage();
    limited.limits.bytes = 6 * used;
    World wide = heap(limited, shape, 120);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(wide.step(1.0 / 60)) << used;
    EXPECT_EQ(wide.hash(), world.hash());
  }
#else
  GTEST_SKIP() << "no allocator that tells what is taken";
#endif
}

TEST_P(Limits, BytesLeaveNoRoomForManyPairs) {
  WorldOptions limited = options();
  limited.limits.bytes = 1'000'000;
  World world = crowd(limited, 100);
  const std::vector<std::byte> before = world.snapshot();
  const Status status = world.step(1.0 / 60);
  EXPECT_EQ(status.getCode(), StatusCode::LimitExceeded);
  EXPECT_TRUE(contains(status.getMessage(), "WorldLimits::bytes is 1000000"))
      << status.getMessage();
  EXPECT_EQ(world.snapshot(), before);
}

TEST(ManyPairs, AreNotEvenListed) {
  // 20 000 boxes in one place would be 2e8 pairs, 5 GB.
  BvhBroadPhase boxes;
  for (ObjectId id = 1; id <= 20000; ++id) {
    boxes.add(id, {{0, 0, 0}, {1, 1, 1}}).orThrow();
  }
  std::vector<ObjectPair> pairs;
  EXPECT_THROW(boxes.computePotentialPairs(pairs, nullptr, 100000), Error);
  EXPECT_LT(pairs.capacity(), 1000000u);
}

TEST(Ids, DoNotWrap) {
  constexpr ObjectId kLast = std::numeric_limits<ObjectId>::max();
  World world;
  ObjectId id = kNoObject;
  const auto sphere = std::make_shared<SphereShape>(0.5);
  EXPECT_EQ(world.addBody({.id = kLast}, {{sphere, Pose{}, 0}}, id).getCode(),
            StatusCode::LimitExceeded);
  EXPECT_EQ(id, kNoObject);
  world.addBody({.position = {3, 0, 0}, .id = kLast - 1}, SphereShape(0.5));
  const Status status = world.addBody({}, {{sphere, Pose{}, 0}}, id);
  EXPECT_EQ(status.getCode(), StatusCode::LimitExceeded);
  EXPECT_TRUE(contains(status.getMessage(), "give one that is free")) << status.getMessage();
  world.addBody({.id = 7}, SphereShape(0.5));
  EXPECT_EQ(world.numBodies(), 2u);
  EXPECT_TRUE(world.step(0.01));
  World other;
  EXPECT_TRUE(other.restore(world.snapshot(), std::vector<std::shared_ptr<const Shape>>{sphere}));
  EXPECT_EQ(other.addBody({}, {{sphere, Pose{}, 0}}, id).getCode(), StatusCode::LimitExceeded);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Limits, bothSchemes(), schemeName);

}  // namespace
}  // namespace abut::test
