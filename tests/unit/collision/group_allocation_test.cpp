// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "unit/collision/group_support.hpp"

namespace abut {
namespace {

TEST(GroupAllocation, RepeatedQueriesAllocateNothing) {
  test::Generator random(3);
  const std::vector<CollisionObject> objects = test::randomObjects(random, 60);
  CollisionGroup group, other;
  for (const CollisionObject& object : objects) {
    ASSERT_TRUE(group.add(object));
    ASSERT_TRUE(other.add(object));
  }
  std::vector<Eigen::Isometry3d> moved;
  for (const CollisionObject& object : objects) {
    moved.push_back(test::at(0.3, 0, 0) * object.getTransform());
  }
  const std::vector<ObjectPair> pairs{{3, 10}, {17, 10}};
  CollisionResult result;
  GroupDistance distance;
  GroupRayHit hit;
  CastResult cast;
  std::vector<GroupRayHit> hits;
  Ray ray;
  const auto step = [&](bool back) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
      ASSERT_TRUE(
          group.setTransform(objects[i].getId(), back ? objects[i].getTransform() : moved[i]));
    }
    result.clear();
    bool found = false;
    ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result));
    ASSERT_TRUE(group.collide(other, CollisionOption::fullContacts(), result));
    ASSERT_TRUE(group.collide(objects[0], CollisionOption::binaryCheck(), result));
    ASSERT_TRUE(group.collidePairs(pairs, CollisionOption::fullContacts(), result));
    ASSERT_TRUE(group.distance(distance));
    ASSERT_TRUE(group.raycast(ray, found, hit));
    ASSERT_TRUE(group.raycastAll(ray, hits));
    ASSERT_TRUE(group.shapeCast(objects[1], {2, 1, 0}, cast));
    ASSERT_TRUE(group.timeOfImpact(objects[2], {{2, 1, 0}, {0, 1, 0}}, cast));
  };
  step(false);
  step(true);
  const std::size_t before = test::countAllocations();
  for (int i = 0; i < 6; ++i) step(i % 2 == 1);
  EXPECT_EQ(test::countAllocations(), before);
}

}  // namespace
}  // namespace abut
