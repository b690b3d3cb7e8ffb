// SPDX-License-Identifier: MIT
// Stages alone: what they give does not depend on who does the work.
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

#include "support/thread_tasks.hpp"

namespace abut {
namespace {

std::vector<std::unique_ptr<TaskRunner>> makeRunners() {
  std::vector<std::unique_ptr<TaskRunner>> runners;
  runners.push_back(std::make_unique<ShuffledTasks>(5));
  for (const int threads : {2, 3, 8}) {
    runners.push_back(std::make_unique<test::ThreadTasks>(threads));
  }
#if ABUT_HAS_TBB
  for (const int threads : {2, 3, 8}) runners.push_back(std::make_unique<TbbTasks>(threads));
#endif
  return runners;
}

/// A number from 0 to 1, by a linear congruential generator.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11u) * 0x1p-53;
  }

private:
  std::uint64_t state_;
};

TEST(Stages, pairsOfBoxesAreTheSame) {
  for (const int count : {3, 70, 5000}) {
    Random random(static_cast<std::uint64_t>(count));
    BvhBroadPhase phase;
    const double room = 1.2 * std::cbrt(count);
    for (int i = 0; i < count; ++i) {
      // Some are large, a few very large: trees of several classes.
      const double size = i % 97 == 0 ? 20.0 : i % 13 == 0 ? 3.0 : 0.6;
      Eigen::Vector3d at;
      for (int k = 0; k < 3; ++k) at[k] = room * random.next();
      phase.add(3 * static_cast<ObjectId>(i) + 1, {at, at + Eigen::Vector3d(size, size, size)})
          .orThrow();
    }
    std::vector<ObjectPair> expected, found;
    phase.computePotentialPairs(expected);
    for (const std::unique_ptr<TaskRunner>& runner : makeRunners()) {
      phase.computePotentialPairs(found, runner.get());
      EXPECT_EQ(found, expected) << count << " boxes, " << runner->numThreads() << " threads";
    }
  }
}

/// Manifolds of a step: some pairs come and go, some have two, some points are rejected.
void makeManifolds(int step, std::vector<ContactManifold>& raw, std::vector<ObjectPair>& recycled) {
  raw.clear();
  recycled.clear();
  Random random(static_cast<std::uint64_t>(step));
  for (ObjectId i = 1; i < 900; ++i) {
    const double choice = random.next();
    if (choice < 0.1) continue;
    if (choice < 0.2 && step > 0) {
      recycled.push_back({i, i + 1});
      continue;
    }
    for (int k = 0; k < (choice < 0.4 ? 2 : 1); ++k) {
      ContactManifold manifold;
      manifold.setObjects(i, i + 1);
      manifold.setType(ContactType::Face);
      for (int p = 0; p < 1 + static_cast<int>(4 * random.next()); ++p) {
        ContactPoint point;
        point.position = {random.next(), random.next(), static_cast<double>(i)};
        point.normal = k == 0 ? Eigen::Vector3d(0, 0, 1) : Eigen::Vector3d(1, 0, 0);
        point.depth = choice > 0.95 ? -1.0 : 0.01 * random.next();
        manifold.addContact(point);
      }
      raw.push_back(manifold);
    }
  }
}

TEST(Stages, contactsOfTheCacheAreTheSame) {
  std::vector<ObjectPose> poses;
  for (ObjectId i = 1; i <= 900; ++i) poses.push_back({i, Pose{}});
  std::vector<ContactManifold> raw;
  std::vector<ObjectPair> recycled;
  for (const std::unique_ptr<TaskRunner>& runner : makeRunners()) {
    ContactManifoldCache plain, shared;
    for (int step = 0; step < 6; ++step) {
      makeManifolds(step, raw, recycled);
      const CacheReport a = plain.update(raw, poses, recycled);
      const CacheReport b = shared.update(raw, poses, recycled, runner.get());
      ASSERT_TRUE(a.status);
      ASSERT_TRUE(b.status);
      EXPECT_EQ(a.pairsAdded, b.pairsAdded);
      EXPECT_EQ(a.pairsUnseen, b.pairsUnseen);
      EXPECT_EQ(a.pointsRejected, b.pointsRejected);
      EXPECT_GT(a.pointsRejected, 0u);
      ASSERT_EQ(plain.getManifolds().size(), shared.getManifolds().size());
      ASSERT_EQ(plain.getContacts().size(), shared.getContacts().size());
      for (std::size_t i = 0; i < plain.getContacts().size(); ++i) {
        const PersistentContact &p = plain.getContacts()[i], &q = shared.getContacts()[i];
        ASSERT_EQ(p.pair, q.pair);
        ASSERT_EQ(p.id, q.id);
        ASSERT_EQ(p.age, q.age);
        ASSERT_EQ(p.manifold, q.manifold);
        ASSERT_EQ(p.point, q.point);
        ASSERT_EQ(p.contact.position, q.contact.position);
        ASSERT_EQ(p.contact.depth, q.contact.depth);
      }
    }
  }
}

}  // namespace
}  // namespace abut
