// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include <abut/shapes/height_field_shape.hpp>

#include "unit/collision/group_support.hpp"

namespace abut {
namespace {

using test::at;
using test::ball;
using test::bitsOf;

CollisionObject ballAt(double x, ObjectId id = kNoObject) {
  return CollisionObject(ball(), at(x, 0, 0), id);
}

std::vector<ObjectPair> pairsOf(const CollisionResult& result) {
  std::vector<ObjectPair> pairs;
  for (const ContactManifold& manifold : result.getManifolds()) {
    pairs.push_back({manifold.getObject1(), manifold.getObject2()});
  }
  return pairs;
}

TEST(CollisionGroup, AssignsIdsInOrderAndPassesOverThoseInUse) {
  CollisionGroup group;
  ObjectId id = 99;
  ASSERT_TRUE(group.add(ballAt(0), id));
  EXPECT_EQ(id, 1u);
  ASSERT_TRUE(group.add(ballAt(0, 2), id));
  EXPECT_EQ(id, 2u);
  ASSERT_TRUE(group.add(ballAt(0), id));
  EXPECT_EQ(id, 3u);
  ASSERT_TRUE(group.remove(3));
  ASSERT_TRUE(group.add(ballAt(0), id));
  EXPECT_EQ(id, 4u);  // Ids are not assigned twice.
  EXPECT_EQ(group.size(), 3u);
  EXPECT_EQ(group.find(4)->getId(), 4u);
  EXPECT_EQ(group.find(3), nullptr);
  std::vector<ObjectId> ids;
  group.getIds(ids);
  EXPECT_EQ(ids, (std::vector<ObjectId>{1, 2, 4}));
}

TEST(CollisionGroup, PairsAreSortedByIdAndNormalsPointFromSecondToFirst) {
  CollisionGroup group;
  ASSERT_TRUE(group.add(ballAt(0.9, 5)));
  ASSERT_TRUE(group.add(ballAt(1.8, 2)));
  ASSERT_TRUE(group.add(ballAt(0.0, 9)));
  CollisionResult result;
  GroupReport report;
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result, &report));
  EXPECT_EQ(pairsOf(result), (std::vector<ObjectPair>{{2, 5}, {5, 9}}));
  EXPECT_EQ(result.getContact(0).normal.x(), 1.0);  // Object 2 lies to the right of object 5.
  EXPECT_NEAR(result.getContact(0).depth, 0.1, 1e-15);
  EXPECT_EQ(report.pairsFound, 2u);
  EXPECT_EQ(report.pairsTested, 2u);
}

TEST(CollisionGroup, TouchingWithinToleranceIsFound) {
  // A gap of 1e-13 is below 1e-12 of the size, so the pair touches; the bare boxes do not overlap.
  CollisionGroup group;
  ASSERT_TRUE(group.add(ballAt(0, 1)));
  ASSERT_TRUE(group.add(ballAt(1.0 + 1e-13, 2)));
  CollisionResult direct, result;
  ASSERT_TRUE(collide(*group.find(1), *group.find(2), CollisionOption::fullContacts(), direct));
  ASSERT_EQ(direct.numContacts(), 1u);
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result));
  EXPECT_EQ(bitsOf(result), bitsOf(direct));
}

TEST(CollisionGroup, BodiesWhollyBelowAHeightFieldAreFound) {
  // Balls of radius 0.5 under a flat field at z = 0: one just below, one far below, one beside.
  const std::vector<double> heights(9, 0.0);
  CollisionGroup group;
  ASSERT_TRUE(group.add(CollisionObject(std::make_shared<HeightFieldShape>(3, 3, 4.0, 4.0, heights),
                                        at(0, 0, 0), 1)));
  ASSERT_TRUE(group.add(CollisionObject(ball(), at(0.3, 0.2, -0.75), 2)));
  ASSERT_TRUE(group.add(CollisionObject(ball(), at(-1.3, 0.2, -3.0), 3)));
  ASSERT_TRUE(group.add(CollisionObject(ball(), at(9.0, 0.2, -3.0), 4)));
  CollisionResult result;
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result));
  ASSERT_EQ(pairsOf(result), (std::vector<ObjectPair>{{1, 2}, {1, 3}}));
  EXPECT_NEAR(result.getManifold(0).penetrationDepth(), 1.25, 1e-12);
  EXPECT_NEAR(result.getManifold(1).penetrationDepth(), 3.5, 1e-12);
  EXPECT_NEAR(result.getManifold(1).getSharedNormal().z(), -1.0, 1e-12);  // The ball is pushed up.
}

TEST(CollisionGroup, MarginFindsGapsAndLeavesNoTrace) {
  CollisionGroup group;
  ASSERT_TRUE(group.add(ballAt(0, 1)));
  ASSERT_TRUE(group.add(ballAt(1.25, 2)));
  CollisionOption option;
  CollisionResult result;
  ASSERT_TRUE(group.collide(option, result));
  EXPECT_EQ(result.numContacts(), 0u);
  option.margin = 0.25;  // Exactly the gap: 1.25 - 2 * 0.5.
  ASSERT_TRUE(group.collide(option, result));
  ASSERT_EQ(result.numContacts(), 1u);
  EXPECT_EQ(result.getContact(0).depth, -0.25);
  result.clear();
  option.margin = 0.0;
  GroupReport report;
  ASSERT_TRUE(group.collide(option, result, &report));
  EXPECT_EQ(report.pairsFound, 0u);
}

TEST(CollisionGroup, BinaryCheckStopsAtTheFirstCollision) {
  CollisionGroup group;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(group.add(ballAt(0.01 * i)));
  CollisionResult result;
  GroupReport report;
  ASSERT_TRUE(group.collide(CollisionOption::binaryCheck(), result, &report));
  EXPECT_TRUE(result.isCollision());
  EXPECT_EQ(result.numContacts(), 0u);
  EXPECT_EQ(report.pairsTested, 1u);
  // Boxes overlap, balls do not.
  CollisionGroup apart;
  ASSERT_TRUE(apart.add(CollisionObject(ball(), at(0, 0, 0))));
  ASSERT_TRUE(apart.add(CollisionObject(ball(), at(0.9, 0.9, 0))));
  CollisionResult fresh;
  ASSERT_TRUE(apart.collide(CollisionOption::binaryCheck(), fresh, &report));
  EXPECT_FALSE(fresh.isCollision());
  EXPECT_EQ(report.pairsTested, 1u);
}

TEST(CollisionGroup, PairsOfPlanesAreLeftOutAndCounted) {
  CollisionGroup group;
  ASSERT_TRUE(group.add(CollisionObject(test::floorPlane())));
  const auto wall = std::make_shared<PlaneShape>(Eigen::Vector3d(1, 0, 0));
  ASSERT_TRUE(group.add(CollisionObject(wall, at(-3, 0, 0))));
  CollisionResult result;
  GroupReport report;
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result, &report));
  EXPECT_EQ(report.planePairs, 1u);
  EXPECT_EQ(report.pairsTested, 0u);
  const ObjectPair pair{1, 2};
  ASSERT_TRUE(group.collidePairs({&pair, 1}, CollisionOption::fullContacts(), result, &report));
  EXPECT_EQ(report.planePairs, 1u);
  GroupDistance distance;
  ASSERT_TRUE(group.distance(distance, &report));
  EXPECT_FALSE(distance.found);
}

TEST(CollisionGroup, FilterLeavesPairsOut) {
  CollisionGroup group;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(group.add(ballAt(0.1 * i)));
  const auto filter = std::make_shared<DefaultCollisionFilter>();
  ASSERT_TRUE(filter->ignorePair(3, 1));
  group.setFilter(filter);
  CollisionResult result;
  GroupReport report;
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result, &report));
  EXPECT_EQ(pairsOf(result), (std::vector<ObjectPair>{{1, 2}, {2, 3}}));
  EXPECT_EQ(report.pairsIgnored, 1u);
  ASSERT_TRUE(group.setCategory(2, 1, 0));
  result.clear();
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result, &report));
  EXPECT_EQ(result.numContacts(), 0u);
  group.setFilter(nullptr);
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result, &report));
  EXPECT_EQ(pairsOf(result), (std::vector<ObjectPair>{{1, 3}}));
}

TEST(CollisionGroup, BatchIsCanonicalSortedAndCountsRepetitionsOnce) {
  CollisionGroup group;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(group.add(ballAt(0.1 * i)));
  const std::vector<ObjectPair> pairs{{4, 2}, {1, 2}, {2, 4}, {2, 1}};
  CollisionResult result, expected;
  ASSERT_TRUE(group.collidePairs(pairs, CollisionOption::fullContacts(), result));
  const std::vector<ObjectPair> sorted{{1, 2}, {2, 4}};
  ASSERT_TRUE(group.collidePairs(sorted, CollisionOption::fullContacts(), expected));
  EXPECT_EQ(pairsOf(result), sorted);
  EXPECT_EQ(bitsOf(result), bitsOf(expected));
}

TEST(CollisionGroup, ObjectAgainstGroupPassesOverItself) {
  CollisionGroup group;
  ASSERT_TRUE(group.add(ballAt(0.0, 1)));
  ASSERT_TRUE(group.add(ballAt(0.9, 2)));
  CollisionResult result;
  ASSERT_TRUE(group.collide(*group.find(2), CollisionOption::fullContacts(), result));
  EXPECT_EQ(pairsOf(result), (std::vector<ObjectPair>{{2, 1}}));
  result.clear();
  ASSERT_TRUE(group.collide(ballAt(0.5), CollisionOption::fullContacts(), result));
  EXPECT_EQ(pairsOf(result), (std::vector<ObjectPair>{{kNoObject, 1}, {kNoObject, 2}}));
}

TEST(CollisionGroup, GroupAgainstGroupPairsAcrossOnly) {
  CollisionGroup left, right;
  for (double x : {0.0, 0.2}) ASSERT_TRUE(left.add(ballAt(x)));
  for (double x : {0.9, 1.3}) ASSERT_TRUE(right.add(ballAt(x)));
  CollisionResult result;
  ASSERT_TRUE(left.collide(right, CollisionOption::fullContacts(), result));
  EXPECT_EQ(pairsOf(result), (std::vector<ObjectPair>{{1, 1}, {2, 1}}));
  EXPECT_EQ(left.collide(left, CollisionOption::fullContacts(), result).getCode(),
            StatusCode::SelfPair);
  GroupDistance distance;
  ASSERT_TRUE(left.distance(right, distance));
  EXPECT_EQ(distance.object1, 2u);
  EXPECT_EQ(distance.object2, 1u);
  EXPECT_NEAR(distance.result.distance, 0.9 - 0.2 - 1.0, 1e-15);
  EXPECT_EQ(left.distance(left, distance).getCode(), StatusCode::SelfPair);
}

TEST(CollisionGroup, DistanceIsThatOfTheClosestOrTheDeepestPair) {
  CollisionGroup group;
  GroupDistance distance;
  ASSERT_TRUE(group.distance(distance));
  EXPECT_FALSE(distance.found);
  ASSERT_TRUE(group.add(ballAt(0, 1)));
  ASSERT_TRUE(group.distance(distance));
  EXPECT_FALSE(distance.found);
  ASSERT_TRUE(group.add(ballAt(1000, 2)));
  ASSERT_TRUE(group.add(ballAt(3, 3)));
  ASSERT_TRUE(group.distance(distance));
  EXPECT_EQ(distance.object1, 1u);
  EXPECT_EQ(distance.object2, 3u);
  EXPECT_EQ(distance.result.distance, 2.0);
  // Equal distances: the smallest ids.
  ASSERT_TRUE(group.add(ballAt(6, 4)));
  ASSERT_TRUE(group.distance(distance));
  EXPECT_EQ(distance.object1, 1u);
  EXPECT_EQ(distance.object2, 3u);
  ASSERT_TRUE(group.add(ballAt(1000.25, 5)));
  ASSERT_TRUE(group.add(ballAt(6.5, 6)));
  ASSERT_TRUE(group.distance(distance));
  EXPECT_EQ(distance.object1, 2u);
  EXPECT_EQ(distance.object2, 5u);
  EXPECT_EQ(distance.result.distance, -0.75);
  ASSERT_TRUE(group.distance(ballAt(-50), distance));
  EXPECT_EQ(distance.object2, 1u);
  EXPECT_EQ(distance.result.distance, 49.0);
}

TEST(CollisionGroup, BadCallsAreRefusedAndChangeNothing) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CollisionGroup group;
  ASSERT_TRUE(group.add(ballAt(0, 1)));
  ASSERT_TRUE(group.add(ballAt(0.5, 2)));
  CollisionResult before;
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), before));
  ObjectId id = 77;
  EXPECT_EQ(group.add(ballAt(0, 1), id).getCode(), StatusCode::DuplicateObject);
  EXPECT_EQ(id, 77u);
  EXPECT_EQ(group.remove(3).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(group.setTransform(3, at(0, 0, 0)).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(group.setTransform(1, at(kNan, 0, 0)).getCode(), StatusCode::NonFinite);
  Eigen::Isometry3d scaled = at(0, 0, 0);
  scaled.linear() *= 2.0;
  EXPECT_EQ(group.setTransform(1, scaled).getCode(), StatusCode::NotARotation);
  EXPECT_EQ(group.setCategory(3, 1, 1).getCode(), StatusCode::UnknownObject);
  const std::vector<ObjectPair> self{{1, 2}, {2, 2}}, stranger{{1, 2}, {1, 3}};
  CollisionResult result;
  EXPECT_EQ(group.collidePairs(self, {}, result).getCode(), StatusCode::SelfPair);
  EXPECT_EQ(group.collidePairs(stranger, {}, result).getCode(), StatusCode::UnknownObject);
  CollisionOption bad;
  bad.margin = -1.0;
  EXPECT_EQ(group.collide(bad, result).getCode(), StatusCode::OutOfRange);
  bad.margin = kNan;
  EXPECT_EQ(group.collide(ballAt(0), bad, result).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(result.numManifolds(), 0u);
  EXPECT_EQ(group.size(), 2u);
  ASSERT_TRUE(group.collide(CollisionOption::fullContacts(), result));
  EXPECT_EQ(bitsOf(result), bitsOf(before));
  auto used = std::make_unique<BruteForceBroadPhase>();
  ASSERT_TRUE(used->add(1, Aabb()));
  EXPECT_THROW(CollisionGroup{std::move(used)}, Error);
}

}  // namespace
}  // namespace abut
