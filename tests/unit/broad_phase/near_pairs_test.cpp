// SPDX-License-Identifier: MIT
// Pairs from wider boxes that are kept are those of the boxes as they are, whatever moves, comes
// and goes.
#include "broad_phase/near_pairs.hpp"

#include <gtest/gtest.h>

#include <abut/broad_phase/brute_force_broad_phase.hpp>

#include "unit/broad_phase/support.hpp"

namespace abut {
namespace {

using test::Random;

struct Bodies {
  std::vector<ObjectId> ids;
  std::vector<Aabb> boxes;
  std::vector<std::uint8_t> present;
  std::vector<double> slack;

  void add(ObjectId id, const Aabb& box, double wider) {
    ids.push_back(id);
    boxes.push_back(box);
    present.push_back(1);
    slack.push_back(wider);
  }
  [[nodiscard]] std::vector<ObjectPair> expected() const {
    BruteForceBroadPhase all;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (present[i] != 0) all.add(ids[i], boxes[i]).orThrow();
    }
    std::vector<ObjectPair> pairs;
    all.computePotentialPairs(pairs);
    return pairs;
  }
};

Aabb moved(const Aabb& box, const Eigen::Vector3d& way) {
  return {box.min_ + way, box.max_ + way};
}

Eigen::Vector3d randomVector(Random& random, double size) {
  return {random.between(-size, size), random.between(-size, size), random.between(-size, size)};
}

/// Most bodies tremble, some go, a few jump; some vanish for a while.
void shake(Random& random, double tremor, Bodies& bodies) {
  for (std::size_t i = 0; i < bodies.ids.size(); ++i) {
    double size = tremor;
    if (i % 10 == 0) size = 20.0 * tremor;
    if (random.below(200) == 0) size = 5.0;
    bodies.boxes[i] = moved(bodies.boxes[i], randomVector(random, size));
    if (random.below(2000) == 0) bodies.present[i] ^= 1u;
  }
}

void compareFor(double tremor, double slack, TaskRunner* tasks) {
  Random random(7);
  Bodies bodies;
  for (std::size_t i = 0; i < 300; ++i) {
    const Eigen::Vector3d at = randomVector(random, 3.0), half(0.3, 0.3, 0.3);
    bodies.add(3 + i + i / 7, Aabb(at - half, at + half), slack);
  }
  bodies.add(9000, Aabb({-50, -50, -50}, {50, 50, -2}), slack);
  bodies.add(9001, Aabb::infinite(), slack);
  NearPairs near;
  std::vector<ObjectPair> pairs;
  for (int step = 0; step < 60; ++step) {
    ASSERT_TRUE(near.find({bodies.ids, bodies.boxes, bodies.present, bodies.slack}, tasks, pairs));
    ASSERT_EQ(pairs, bodies.expected()) << "step " << step;
    shake(random, tremor, bodies);
    if (step == 30) bodies.add(9500, Aabb({0, 0, 0}, {1, 1, 1}), slack);
    if (step == 40) near.reset();
  }
}

TEST(NearPairs, AreThoseOfTheBoxesAsTheyAre) {
  ShuffledTasks shuffled(3);
  for (TaskRunner* tasks :
       {static_cast<TaskRunner*>(nullptr), static_cast<TaskRunner*>(&shuffled)}) {
    compareFor(1e-3, 0.1, tasks);   // Wider boxes last long.
    compareFor(1e-3, 0.01, tasks);  // Some bodies leave theirs at once.
    compareFor(0.3, 0.05, tasks);   // All of them do.
    compareFor(0.0, 0.0, tasks);
  }
}

TEST(NearPairs, RefuseABoxThatIsNone) {
  Bodies bodies;
  bodies.add(1, Aabb({0, 0, 0}, {1, 1, 1}), 0.1);
  bodies.add(2, Aabb({0, 0, 0}, {1, 1, 1}), 0.1);
  NearPairs near;
  std::vector<ObjectPair> pairs;
  const auto find = [&] {
    return near.find({bodies.ids, bodies.boxes, bodies.present, bodies.slack}, nullptr, pairs);
  };
  ASSERT_TRUE(find());
  bodies.boxes[1].min_.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(find());
  bodies.boxes[1].min_.x() = 0.0;
  ASSERT_TRUE(find());
  EXPECT_EQ(pairs.size(), 1u);
}

TEST(NearPairs, OfNothingAreNone) {
  NearPairs near;
  std::vector<ObjectPair> pairs{{1, 2}};
  ASSERT_TRUE(near.find({}, nullptr, pairs));
  EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace abut
