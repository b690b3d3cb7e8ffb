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

}  // namespace
}  // namespace abut
