// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "unit/broad_phase/support.hpp"

namespace abut {
namespace {

TEST(BroadPhaseAllocation, SteadyStepAndQueriesAllocateNothing) {
  test::Random random(7);
  constexpr std::size_t kCount = 2000;
  BvhBroadPhase tree;
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < kCount; ++i) {
    boxes.push_back(test::randomBox(test::Scene::FewHuge, random, kCount));
    ASSERT_TRUE(tree.add(i + 1, boxes.back()));
  }
  std::vector<ObjectPair> pairs;
  std::vector<ObjectId> ids;
  std::vector<RayCandidate> hits;
  const auto step = [&](double shift) {
    for (std::size_t i = 0; i < kCount; ++i) {
      Aabb box = boxes[i];
      box.min_.x() += shift;
      box.max_.x() += shift;
      ASSERT_TRUE(tree.update(i + 1, box));
    }
    tree.computePotentialPairs(pairs);
    ASSERT_TRUE(tree.overlap(boxes[0], ids));
    ASSERT_TRUE(tree.sweep(boxes[0], {3, 2, 1}, ids));
    ASSERT_TRUE(tree.raycast({0, 0, 0}, {3, 2, 1}, 10.0, hits));
  };
  step(0.0);
  step(1.0);
  const std::size_t before = test::countAllocations();
  for (int i = 0; i < 10; ++i) step(i % 2 == 0 ? 0.0 : 1.0);
  EXPECT_EQ(test::countAllocations(), before);
}

}  // namespace
}  // namespace abut
