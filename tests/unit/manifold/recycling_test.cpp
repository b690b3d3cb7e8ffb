// SPDX-License-Identifier: MIT
#include <vector>

#include <gtest/gtest.h>

#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>

#include "math/pose.hpp"

namespace abut {
namespace {

/// Three cubes on each other, overlapping by 1 um, ids 1 to 3, all turned by a rotation.
std::vector<ObjectPose> tower(const Pose& turn) {
  std::vector<ObjectPose> poses;
  for (int i = 0; i < 3; ++i) {
    Pose pose;
    pose.translation = {0.1 * i, 0.0, (1.0 - 1e-6) * i};
    poses.push_back({static_cast<ObjectId>(i + 1), compose(turn, pose)});
  }
  return poses;
}

TEST(Recycling, ContactsOfPairsThatTurnTogetherTurnWithThem) {
  const BoxShape cube({0.5, 0.5, 0.5});
  ContactManifoldCache cache;
  const auto detect = [&](const std::vector<ObjectPose>& poses, CollisionResult& result) {
    for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
      collide({&cube, poses[i].pose, poses[i].id}, {&cube, poses[i + 1].pose, poses[i + 1].id}, {},
              result)
          .orThrow();
    }
  };
  CollisionResult first, fresh;
  const std::vector<ObjectPose> upright = tower(Pose{});
  detect(upright, first);
  ASSERT_TRUE(cache.update(first.getManifolds(), upright).status);
  ASSERT_TRUE(cache.setImpulse(0, 2.0, {0.3, 0.1, 0.0}, 0.5));
  const std::vector<ObjectPose> turned = tower(poseFromRollPitchYaw({1, 2, 3}, 0.4, -0.7, 1.1));
  const ObjectPair pairs[] = {{1, 2}, {2, 3}};
  std::size_t cursor = 0;
  for (const ObjectPair& pair : pairs) {
    const Pose &pose1 = turned[pair.first - 1].pose, &pose2 = turned[pair.second - 1].pose;
    EXPECT_TRUE(cache.canRecycle(pair, pose1, pose2));
    EXPECT_TRUE(cache.canRecycle(pair, pose1, pose2, cursor));
  }
  EXPECT_FALSE(cache.canRecycle({2, 4}, turned[1].pose, turned[2].pose, cursor));
  const CacheReport report = cache.update({}, turned, pairs);
  ASSERT_TRUE(report.status);
  EXPECT_EQ(report.pairsRecycled, 2u);
  detect(turned, fresh);
  ASSERT_EQ(fresh.numManifolds(), 2u);
  ASSERT_EQ(cache.getContacts().size(), 8u);
  for (const PersistentContact& c : cache.getContacts()) {
    const ContactManifold& now = fresh.getManifolds()[c.pair.first - 1];
    EXPECT_LE((c.contact.normal - now.getContacts()[0].normal).norm(), 1e-12);
    EXPECT_NEAR(c.contact.depth, 1e-6, 1e-12);
    EXPECT_LE(std::fabs(c.tangentImpulse.dot(c.contact.normal)), 1e-12);
  }
}

}  // namespace
}  // namespace abut
