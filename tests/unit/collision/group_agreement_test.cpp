// SPDX-License-Identifier: MIT
// One set of objects, one answer: whatever the broad phase, the order of insertion, the history.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "unit/collision/group_support.hpp"

namespace abut {
namespace {

using test::bitsOf;
using test::Generator;

constexpr int kNumScenes = 1000;

CollisionGroup groupOf(const std::vector<CollisionObject>& objects, bool brute) {
  CollisionGroup group = brute ? test::bruteForceGroup() : CollisionGroup();
  for (const CollisionObject& object : objects) group.add(object).orThrow();
  return group;
}

std::vector<std::uint64_t> contactsOf(CollisionGroup& group, double margin) {
  CollisionResult result;
  CollisionOption option;
  option.margin = margin;
  group.collide(option, result).orThrow();
  return bitsOf(result);
}

TEST(GroupAgreement, TreeBruteForceAndInsertionOrderGiveTheSameContactsInAThousandScenes) {
  int scenesWithContacts = 0;
  for (int scene = 0; scene < kNumScenes; ++scene) {
    SCOPED_TRACE("seed " + std::to_string(scene));
    Generator random(static_cast<std::uint64_t>(scene));
    const double margin = scene % 3 == 0 ? 0.2 : 0.0;
    std::vector<CollisionObject> objects =
        test::randomObjects(random, 2 + static_cast<std::size_t>(random.below(30)));
    CollisionGroup tree = groupOf(objects, false);
    const std::vector<std::uint64_t> expected = contactsOf(tree, margin);
    if (expected.size() > 1) ++scenesWithContacts;
    CollisionGroup brute = groupOf(objects, true);
    ASSERT_EQ(contactsOf(brute, margin), expected);
    test::shuffle(random, objects);
    CollisionGroup shuffled = groupOf(objects, false);
    ASSERT_EQ(contactsOf(shuffled, margin), expected);
    GroupDistance a, b, c;
    ASSERT_TRUE(tree.distance(a));
    ASSERT_TRUE(brute.distance(b));
    ASSERT_TRUE(shuffled.distance(c));
    for (const GroupDistance* other : {&b, &c}) {
      ASSERT_EQ(a.object1, other->object1);
      ASSERT_EQ(a.object2, other->object2);
      ASSERT_EQ(a.result.distance, other->result.distance);
    }
  }
  EXPECT_GT(scenesWithContacts, kNumScenes / 2);
}

TEST(GroupAgreement, ContactsAndDistanceAreThoseOfAllPairsOneByOne) {
  for (int scene = 0; scene < 100; ++scene) {
    SCOPED_TRACE("seed " + std::to_string(5000 + scene));
    Generator random(5000 + static_cast<std::uint64_t>(scene));
    const std::vector<CollisionObject> objects =
        test::randomObjects(random, scene % 2 == 0 ? 20 : 3);
    CollisionGroup group = groupOf(objects, false);
    CollisionOption option;
    option.margin = scene % 3 == 0 ? 0.3 : 0.0;
    CollisionResult expected;
    double closest = 1e300;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      for (std::size_t j = i + 1; j < objects.size(); ++j) {
        if (test::isUnbounded(objects[i], objects[j])) continue;
        ASSERT_TRUE(collide(objects[i], objects[j], option, expected));
        closest = std::min(closest, distance(objects[i], objects[j]).distance);
      }
    }
    ASSERT_EQ(contactsOf(group, option.margin), bitsOf(expected));
    GroupDistance found;
    ASSERT_TRUE(group.distance(found));
    ASSERT_EQ(found.found ? found.result.distance : 1e300, closest);
  }
}

TEST(GroupAgreement, HistoryLeavesNoTrace) {
  Generator random(77);
  std::vector<CollisionObject> objects = test::randomObjects(random, 40);
  CollisionGroup lived = groupOf(objects, false);
  CollisionResult scratch;
  for (int step = 0; step < 50; ++step) {
    const std::vector<CollisionObject> news = test::randomObjects(random, 40);
    const std::size_t i = static_cast<std::size_t>(random.below(40));
    ASSERT_TRUE(lived.setTransform(objects[i].getId(), news[i].getTransform()));
    ASSERT_TRUE(objects[i].setTransform(news[i].getTransform()));
    const std::size_t j = static_cast<std::size_t>(random.below(40));
    ASSERT_TRUE(lived.remove(objects[j].getId()));
    if (step % 2 == 0) {
      ASSERT_TRUE(lived.collide(CollisionOption::fullContacts(), scratch));
    }
    objects[j] = news[j];
    ASSERT_TRUE(lived.add(objects[j]));
    CollisionGroup born = groupOf(objects, false);
    ASSERT_EQ(contactsOf(lived, 0.0), contactsOf(born, 0.0)) << "step " << step;
  }
}

}  // namespace
}  // namespace abut
