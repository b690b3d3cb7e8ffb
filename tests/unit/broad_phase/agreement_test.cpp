// SPDX-License-Identifier: MIT
// The tree finds exactly what brute force finds, in every kind of scene, whatever happened before.
#include <algorithm>

#include <gtest/gtest.h>

#include "unit/broad_phase/support.hpp"

namespace abut {
namespace {

using test::kInfinity;
using test::kNumScenes;
using test::Random;
using test::Scene;

struct Objects {
  std::vector<ObjectId> ids;
  std::vector<Aabb> boxes;
};

Objects randomObjects(Scene scene, Random& random, std::size_t count) {
  Objects objects;
  for (std::size_t i = 0; i < count; ++i) {
    objects.ids.push_back(test::spreadId(i));
    objects.boxes.push_back(test::randomBox(scene, random, count));
  }
  for (std::size_t i = count; i > 1; --i) {
    std::swap(objects.ids[i - 1], objects.ids[random.below(i)]);
  }
  return objects;
}

void addAll(const Objects& objects, BroadPhase& broadPhase) {
  for (std::size_t i = 0; i < objects.ids.size(); ++i) {
    ASSERT_TRUE(broadPhase.add(objects.ids[i], objects.boxes[i]));
  }
}

std::vector<ObjectPair> pairsOf(BroadPhase& broadPhase) {
  std::vector<ObjectPair> pairs;
  broadPhase.computePotentialPairs(pairs);
  return pairs;
}

class EveryScene : public testing::TestWithParam<int> {
protected:
  [[nodiscard]] Scene scene() const { return static_cast<Scene>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(BroadPhase, EveryScene, testing::Range(0, kNumScenes));

TEST_P(EveryScene, TreeAndBruteForceGiveTheSamePairs) {
  Random random(100 + GetParam());
  for (std::size_t count : {1, 2, 7, 8, 9, 63, 64, 65, 100, 250, 513, 700}) {
    const Objects objects = randomObjects(scene(), random, count);
    BruteForceBroadPhase brute;
    BvhBroadPhase tree;
    addAll(objects, brute);
    addAll(objects, tree);
    ASSERT_EQ(pairsOf(tree), pairsOf(brute)) << count << " objects, seed " << 100 + GetParam();
  }
}

TEST_P(EveryScene, PairsDoNotDependOnTheOrderOfInsertion) {
  Random random(200 + GetParam());
  Objects objects = randomObjects(scene(), random, 300);
  BvhBroadPhase first;
  addAll(objects, first);
  const std::vector<ObjectPair> expected = pairsOf(first);
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = objects.ids.size(); i > 1; --i) {
      const std::size_t j = random.below(i);
      std::swap(objects.ids[i - 1], objects.ids[j]);
      std::swap(objects.boxes[i - 1], objects.boxes[j]);
    }
    BvhBroadPhase other;
    addAll(objects, other);
    ASSERT_EQ(pairsOf(other), expected);
  }
}

TEST_P(EveryScene, HistoryLeavesNoTrace) {
  Random random(300 + GetParam());
  BvhBroadPhase lived;
  BruteForceBroadPhase livedBrute;
  std::vector<std::pair<ObjectId, Aabb>> present;
  for (int step = 0; step < 60; ++step) {
    for (int change = 0; change < 12; ++change) {
      const Aabb box = test::randomBox(scene(), random, 100);
      const std::uint64_t dice = random.below(4);
      if (dice <= 1) {
        const ObjectId id = 1 + random.below(1u << 20);
        if (lived.contains(id)) continue;
        ASSERT_TRUE(lived.add(id, box));
        ASSERT_TRUE(livedBrute.add(id, box));
        present.push_back({id, box});
      } else if (!present.empty()) {
        const std::size_t i = random.below(present.size());
        if (dice == 2) {
          ASSERT_TRUE(lived.update(present[i].first, box));
          ASSERT_TRUE(livedBrute.update(present[i].first, box));
          present[i].second = box;
        } else {
          ASSERT_TRUE(lived.remove(present[i].first));
          ASSERT_TRUE(livedBrute.remove(present[i].first));
          present.erase(present.begin() + static_cast<std::ptrdiff_t>(i));
        }
      }
    }
    if (step % 3 == 1) continue;  // Changes pile up between calls, too.
    BvhBroadPhase born;
    for (const auto& [id, box] : present) ASSERT_TRUE(born.add(id, box));
    const std::vector<ObjectPair> expected = pairsOf(born);
    ASSERT_EQ(pairsOf(lived), expected) << "step " << step;
    ASSERT_EQ(pairsOf(livedBrute), expected) << "step " << step;
  }
}

TEST_P(EveryScene, QueriesAgreeWithBruteForceBeforeAndAfterPrepare) {
  Random random(400 + GetParam());
  const std::size_t count = 400;
  const Objects objects = randomObjects(scene(), random, count);
  BruteForceBroadPhase brute;
  BvhBroadPhase tree;
  addAll(objects, brute);
  addAll(objects, tree);
  std::vector<ObjectId> expected, found;
  std::vector<RayCandidate> expectedHits, hits;
  for (int round = 0; round < 200; ++round) {
    if (round == 40) tree.prepare();
    const Aabb box = test::randomBox(scene(), random, count);
    ASSERT_TRUE(brute.overlap(box, expected));
    ASSERT_TRUE(tree.overlap(box, found));
    ASSERT_EQ(found, expected);

    Eigen::Vector3d direction = random.vector(10.0);
    if (round % 4 == 1) direction.y() = 0.0;
    if (round % 8 == 3) direction = Eigen::Vector3d(0, 0, -1);
    ASSERT_TRUE(brute.sweep(box, direction, expected));
    ASSERT_TRUE(tree.sweep(box, direction, found));
    ASSERT_EQ(found, expected);

    const Aabb& target = objects.boxes[random.below(count)];
    Eigen::Vector3d origin = random.vector(10.0);
    if (round % 2 == 0 && target.min_.allFinite()) origin = target.min_;
    const double reach = round % 5 == 0 ? kInfinity : random.between(0.0, 3.0);
    ASSERT_TRUE(brute.raycast(origin, direction, reach, expectedHits));
    ASSERT_TRUE(tree.raycast(origin, direction, reach, hits));
    ASSERT_EQ(hits.size(), expectedHits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
      ASSERT_EQ(hits[i].id, expectedHits[i].id);
      ASSERT_EQ(hits[i].entry, expectedHits[i].entry);
    }
  }
}

}  // namespace
}  // namespace abut
