// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "unit/collision/group_support.hpp"

namespace abut {
namespace {

CollisionObject objectWithId(ObjectId id) {
  return CollisionObject(test::ball(), test::at(0, 0, 0), id);
}

TEST(DefaultCollisionFilter, NeedsEachCategoryInTheOthersMask) {
  CollisionObject a = objectWithId(1), b = objectWithId(2);
  const DefaultCollisionFilter filter;
  EXPECT_FALSE(filter.ignoresCollision(a, b));
  a.setCategory(2);
  b.setMask(1);
  EXPECT_TRUE(filter.ignoresCollision(a, b));
  EXPECT_TRUE(filter.ignoresCollision(b, a));
  b.setMask(2);
  EXPECT_FALSE(filter.ignoresCollision(a, b));
  a.setMask(0);
  EXPECT_TRUE(filter.ignoresCollision(a, b));
}

TEST(DefaultCollisionFilter, IgnoredPairsAreUnordered) {
  const CollisionObject a = objectWithId(1), b = objectWithId(2), c = objectWithId(3);
  DefaultCollisionFilter filter;
  ASSERT_TRUE(filter.ignorePair(2, 1));
  ASSERT_TRUE(filter.ignorePair(1, 2));
  EXPECT_EQ(filter.numIgnoredPairs(), 1u);
  EXPECT_TRUE(filter.ignoresCollision(a, b));
  EXPECT_TRUE(filter.ignoresCollision(b, a));
  EXPECT_FALSE(filter.ignoresCollision(a, c));
  ASSERT_TRUE(filter.restorePair(1, 2));
  EXPECT_FALSE(filter.ignoresCollision(a, b));
}

TEST(DefaultCollisionFilter, RefusesBadPairs) {
  DefaultCollisionFilter filter;
  EXPECT_EQ(filter.ignorePair(1, 1).getCode(), StatusCode::SelfPair);
  EXPECT_EQ(filter.ignorePair(1, kNoObject).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(filter.restorePair(1, 2).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(filter.numIgnoredPairs(), 0u);
}

}  // namespace
}  // namespace abut
