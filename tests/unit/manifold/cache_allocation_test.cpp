// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cache_test_support.hpp"
#include "support/allocations.hpp"

namespace abut {
namespace {

TEST(ContactManifoldCache, SteadyUpdatesDoNotAllocate) {
  std::vector<ContactManifold> raw;
  for (ObjectId i = 1; i < 50; ++i)
    raw.push_back(test::rawManifold(i, i + 1, test::square(1, 0.01)));
  const std::vector<ObjectPose> poses = test::posesAtOrigin(50);
  ContactManifoldCache cache;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(cache.update(raw, poses).status);
  const std::size_t before = test::countAllocations();
  for (int i = 0; i < 5; ++i) {
    const CacheReport report = cache.update(raw, poses);
    ASSERT_EQ(report.pointsByFeature, 49u * 4u);
    for (std::size_t k = 0; k < cache.getContacts().size(); ++k) {
      ASSERT_TRUE(cache.setImpulse(k, 1.0, {0, 0, 0}, 0.5));
    }
  }
  EXPECT_EQ(test::countAllocations(), before);
}

/// Pairs 1-2, 2-3 ... of which each fourth, from `first` on, touches in four points.
std::vector<ContactManifold> mixedPairs(ObjectId count, ObjectId first) {
  std::vector<ContactManifold> raw;
  for (ObjectId i = 1; i <= count; ++i) {
    const bool flat = i % 4 == first;
    raw.push_back(test::rawManifold(
        i, i + 1, flat ? test::square(1, 0.01) : std::vector{test::rawPoint(0, 0, 0.01, 9)}));
  }
  return raw;
}

TEST(ContactManifoldCache, RoomForSeveralPointsGoesToThePairsThatHaveThem) {
  constexpr ObjectId kPairs = 2000;
  const std::vector<ObjectPose> poses = test::posesAtOrigin(kPairs + 1);
  std::vector<std::vector<ContactManifold>> raw;
  for (ObjectId first = 0; first < 4; ++first) raw.push_back(mixedPairs(kPairs, first));
  const std::size_t before = test::countHeldBytes();
  ContactManifoldCache cache;
  std::size_t allocations = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    if (i == 20) allocations = test::countAllocations();
    ASSERT_TRUE(cache.update(raw[i % 4], poses).status);
    ASSERT_EQ(cache.getContacts().size(), kPairs / 4 * 7u);
  }
  EXPECT_EQ(test::countAllocations(), allocations);
  // Manifolds of two updates, and four points for a quarter of them, with a sixteenth to spare;
  // where contacts lie, and pairs. With room for four points in each it was some 5.0 MB.
  const double several = sizeof(ManifoldPoints::Several) * (0.25 + 1.0 / 16.0);
  const double most = 2.0 * kPairs * (1.2 * (sizeof(PersistentManifold) + several) + 60.0);
  EXPECT_LE(static_cast<double>(test::countHeldBytes() - before), most);
}

}  // namespace
}  // namespace abut
