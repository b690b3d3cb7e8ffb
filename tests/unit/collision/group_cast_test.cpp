// SPDX-License-Identifier: MIT
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "unit/collision/group_support.hpp"

namespace abut {
namespace {

using test::at;
using test::ball;
using test::Generator;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

CollisionObject ballAt(double x, ObjectId id = kNoObject) {
  return CollisionObject(ball(), at(x, 0, 0), id);
}

Ray rayAlongX(double fromX, double length, double maxFraction = 1.0) {
  Ray ray;
  ray.origin = Eigen::Vector3d(fromX, 0, 0);
  ray.direction = Eigen::Vector3d(length, 0, 0);
  ray.maxFraction = maxFraction;
  return ray;
}

CollisionGroup rowOfBalls() {
  CollisionGroup group;
  for (ObjectId id : {3, 1, 2}) group.add(ballAt(4.0 * static_cast<double>(id), id)).orThrow();
  return group;
}

TEST(GroupRaycast, FindsTheFirstHitAndAllHitsInOrder) {
  CollisionGroup group = rowOfBalls();  // Balls of radius 1/2 at x = 4, 8, 12.
  bool found = false;
  GroupRayHit hit;
  ASSERT_TRUE(group.raycast(rayAlongX(16, -1, kInfinity), found, hit));
  ASSERT_TRUE(found);
  EXPECT_EQ(hit.object, 3u);
  EXPECT_EQ(hit.hit.fraction, 3.5);
  EXPECT_EQ(hit.hit.normal, Eigen::Vector3d(1, 0, 0));
  std::vector<GroupRayHit> hits;
  ASSERT_TRUE(group.raycastAll(rayAlongX(0, 10), hits));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].object, 1u);
  EXPECT_DOUBLE_EQ(hits[0].hit.fraction, 0.35);
  EXPECT_EQ(hits[1].object, 2u);
  EXPECT_DOUBLE_EQ(hits[1].hit.fraction, 0.75);
}

TEST(GroupRaycast, MissLeavesTheHitAloneAndMaskSelects) {
  CollisionGroup group = rowOfBalls();
  bool found = true;
  GroupRayHit hit;
  hit.object = 77;
  ASSERT_TRUE(group.raycast(rayAlongX(0, -1, kInfinity), found, hit));
  EXPECT_FALSE(found);
  EXPECT_EQ(hit.object, 77u);
  ASSERT_TRUE(group.setCategory(1, 4, 0xffffffffu));
  ASSERT_TRUE(group.raycast(rayAlongX(0, 1, kInfinity), found, hit, ~4u));
  EXPECT_TRUE(found);
  EXPECT_EQ(hit.object, 2u);
}

TEST(GroupRaycast, EqualFractionsGoToTheSmallestId) {
  CollisionGroup group;
  for (ObjectId id : {9, 4, 6}) ASSERT_TRUE(group.add(ballAt(0, id)));
  bool found = false;
  GroupRayHit hit;
  ASSERT_TRUE(group.raycast(rayAlongX(-5, 10), found, hit));
  EXPECT_EQ(hit.object, 4u);
}

TEST(GroupRaycast, BadRaysAreRefused) {
  CollisionGroup group = rowOfBalls();
  bool found = true;
  GroupRayHit hit;
  std::vector<GroupRayHit> hits(1);
  EXPECT_EQ(group.raycast(rayAlongX(0, 0), found, hit).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(group.raycast(rayAlongX(kNan, 1), found, hit).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(group.raycastAll(rayAlongX(0, 1, -1.0), hits).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(hits.size(), 1u);
  EXPECT_TRUE(found);
}

TEST(GroupRaycast, HitsAreThoseOfEveryObjectOneByOne) {
  Generator random(11);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::vector<CollisionObject> objects = test::randomObjects(random, 25);
    CollisionGroup group;
    for (const CollisionObject& object : objects) ASSERT_TRUE(group.add(object));
    Ray ray;
    ray.origin = 4.0 * random.direction();
    ray.direction = random.direction() - 0.5 * ray.origin;
    ray.maxFraction = 3.0;
    std::size_t expected = 0;
    double closest = kInfinity;
    for (const CollisionObject& object : objects) {
      bool found = false;
      RayHit hit;
      ASSERT_TRUE(raycast(object.placed(), ray, found, hit));
      expected += found;
      if (found && hit.fraction < closest) closest = hit.fraction;
    }
    std::vector<GroupRayHit> hits;
    ASSERT_TRUE(group.raycastAll(ray, hits));
    ASSERT_EQ(hits.size(), expected);
    bool found = false;
    GroupRayHit hit;
    ASSERT_TRUE(group.raycast(ray, found, hit));
    ASSERT_EQ(found, expected != 0);
    if (!found) continue;
    ASSERT_EQ(hit.hit.fraction, closest);
    ASSERT_EQ(hit.object, hits[0].object);
  }
}

TEST(GroupCast, FindsTheFirstMemberOnTheWay) {
  CollisionGroup group = rowOfBalls();
  CastResult result;
  ASSERT_TRUE(group.shapeCast(ballAt(0), {10, 0, 0}, result));
  ASSERT_TRUE(result.hit);
  EXPECT_EQ(result.object2, 1u);
  EXPECT_NEAR(result.fraction, 0.3, 1e-15);  // Centres one metre apart at x = 3.
  ASSERT_TRUE(group.shapeCast(ballAt(0), {2.9, 0, 0}, result));
  EXPECT_FALSE(result.hit);
  EXPECT_EQ(result.fraction, 1.0);
  // A member passes over itself.
  ASSERT_TRUE(group.shapeCast(*group.find(1), {10, 0, 0}, result));
  EXPECT_EQ(result.object2, 2u);
}

TEST(GroupCast, TurningObjectsAreFoundWithinTheirRadius) {
  // A rod along z of half length 2 turns about y by 90 degrees: its end sweeps to x = 2.
  CollisionGroup group;
  ASSERT_TRUE(group.add(ballAt(1.5, 1)));
  const CollisionObject rod(std::make_shared<CapsuleShape>(0.1, 3.8), at(0, 0, 0));
  CastResult result;
  ASSERT_TRUE(group.timeOfImpact(rod, Motion{}, result));
  EXPECT_FALSE(result.hit);
  Motion turn;
  turn.angular = Eigen::Vector3d(0, 1.5707963267948966, 0);
  ASSERT_TRUE(group.timeOfImpact(rod, turn, result));
  ASSERT_TRUE(result.hit);
  // Ball and rod touch when the axis is 0.6 from the centre: sin(90 deg (1 - t)) = 0.6 / 1.5.
  EXPECT_NEAR(result.fraction, 1.0 - 0.41151684606748806 / 1.5707963267948966, 1e-10);
}

TEST(GroupCast, BadMotionsAreRefused) {
  CollisionGroup group = rowOfBalls();
  CastResult result;
  result.fraction = 0.25;
  EXPECT_EQ(group.shapeCast(ballAt(0), {kNan, 0, 0}, result).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(group.shapeCast(ballAt(0), {1e13, 0, 0}, result).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(result.fraction, 0.25);
}

TEST(GroupCast, FirstHitIsThatOfEveryObjectOneByOne) {
  Generator random(13);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    std::vector<CollisionObject> objects = test::randomObjects(random, 20);
    CollisionGroup group;
    CollisionObject mover = test::randomObjects(random, 1)[0];
    mover.setId(kNoObject);
    Motion motion;
    motion.linear = 5.0 * random.direction();
    if (round % 2 == 1) motion.angular = 2.0 * random.direction();
    double first = kInfinity;
    for (const CollisionObject& object : objects) {
      if (test::isUnbounded(mover, object)) continue;
      ASSERT_TRUE(group.add(object));
      CastResult cast;
      if (round % 2 == 1) {
        ASSERT_TRUE(timeOfImpact(mover.placed(), motion, object.placed(), Motion{}, cast));
      } else {
        ASSERT_TRUE(shapeCast(mover.placed(), motion.linear, object.placed(), {0, 0, 0}, cast));
      }
      if (cast.hit && cast.fraction < first) first = cast.fraction;
    }
    CastResult result;
    ASSERT_TRUE(group.timeOfImpact(mover, motion, result));
    ASSERT_EQ(result.hit, first < kInfinity);
    if (result.hit) {
      ASSERT_EQ(result.fraction, first);
    }
  }
}

}  // namespace
}  // namespace abut
