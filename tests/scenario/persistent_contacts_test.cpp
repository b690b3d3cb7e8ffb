// SPDX-License-Identifier: MIT
// Detection and cache together, with motion prescribed by the test.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include <abut/collision/collision_object.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

namespace abut {
namespace {

/// Objects whose pairs are all tested at every step.
struct Bench {
  std::vector<CollisionObject> objects;
  ContactManifoldCache cache;
  CollisionResult result;
  std::vector<ObjectPose> poses;
  CollisionOption option;

  explicit Bench(const ContactManifoldCacheOptions& options = {}) : cache(options) {}

  void add(std::shared_ptr<const Shape> shape, const Eigen::Vector3d& at = {0, 0, 0}) {
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.translation() = at;
    objects.emplace_back(std::move(shape), t, objects.size() + 1);
  }
  void move(std::size_t i, const Pose& pose) {
    ASSERT_TRUE(objects[i].setTransform(toEigen(pose)));
  }
  void refreshPoses() {
    poses.clear();
    for (const CollisionObject& o : objects) poses.push_back({o.getId(), o.getPose()});
  }
  CacheReport step() {
    result.clear();
    for (std::size_t i = 0; i < objects.size(); ++i) {
      for (std::size_t j = i + 1; j < objects.size(); ++j) {
        EXPECT_TRUE(collide(objects[i], objects[j], option, result));
      }
    }
    refreshPoses();
    return cache.update(result.getManifolds(), poses);
  }
};

TEST(PersistentContacts, RollingSphereHasExactlyOneContactAtEveryStep) {
  constexpr double kRadius = 0.5, kStep = 1e-3, kDepth = 1e-5;
  Bench bench;
  bench.add(std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  bench.add(std::make_shared<SphereShape>(kRadius));
  for (int i = 0; i < 10000; ++i) {
    const double x = kStep * i;
    // Rolling without slip about +y: the angle is x / r.
    Pose pose = poseFromRollPitchYaw({x, 0, kRadius - kDepth}, 0, x / kRadius, 0);
    bench.move(1, pose);
    ASSERT_TRUE(bench.step().status);
    ASSERT_EQ(bench.cache.getContacts().size(), 1u) << "step " << i;
    ASSERT_EQ(bench.cache.getManifolds().size(), 1u) << "step " << i;
    EXPECT_NEAR(bench.cache.getContacts()[0].contact.depth, kDepth, 1e-15);
    EXPECT_EQ(bench.cache.getBegunPairs().size(), i == 0 ? 1u : 0u);
  }
}

TEST(PersistentContacts, FastSeparationLeavesNoContactFromTheFirstStepWithAGap) {
  Bench bench;
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 1)));
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 1)), {0, 0, 1.995});
  ASSERT_TRUE(bench.step().status);
  EXPECT_EQ(bench.cache.getContacts().size(), 4u);
  for (int i = 1; i <= 6; ++i) {
    bench.move(1, poseFromRollPitchYaw({0, 0, 2.0 + 0.01 * i}, 0, 0, 0));
    ASSERT_TRUE(bench.step().status);
    EXPECT_EQ(bench.cache.getContacts().size(), 0u) << "step " << i;
  }
  EXPECT_EQ(bench.cache.getManifolds().size(), 0u);  // The time to live is over.
}

TEST(PersistentContacts, TeleportLeavesNoImpulseBehind) {
  Bench bench;
  bench.add(std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)), {0, 0, 0.499});
  ASSERT_TRUE(bench.step().status);
  for (std::size_t i = 0; i < 4; ++i) ASSERT_TRUE(bench.cache.setImpulse(i, 1, {0, 0, 0}, 0.5));
  bench.move(1, poseFromRollPitchYaw({30, 0, 0.499}, 0, 0, 0));
  EXPECT_EQ(bench.cache.forgetObject(2), 1u);
  ASSERT_TRUE(bench.step().status);
  ASSERT_EQ(bench.cache.getContacts().size(), 4u);
  for (const PersistentContact& c : bench.cache.getContacts()) {
    EXPECT_EQ(c.normalImpulse, 0.0);
    EXPECT_EQ(c.age, 0u);
  }
}

TEST(PersistentContacts, SlidingBoxKeepsItsContactIdsAndBeginsOnce) {
  Bench bench;
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(50, 50, 0.5)), {0, 0, -0.5});
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)), {0, 0, 0.4999});
  std::array<std::uint64_t, 4> ids{};
  std::size_t begun = 0;
  for (int i = 0; i < 600; ++i) {
    // 1 m/s at 60 Hz, heading off the axes, slowly turning.
    const double x = i / 60.0;
    bench.move(1, poseFromRollPitchYaw({x, 0.3 * x, 0.4999}, 0, 0, 0.1 * x));
    const CacheReport report = bench.step();
    ASSERT_TRUE(report.status);
    begun += bench.cache.getBegunPairs().size();
    ASSERT_EQ(bench.cache.getContacts().size(), 4u) << "step " << i;
    std::array<std::uint64_t, 4> now{};
    for (std::size_t k = 0; k < 4; ++k) now[k] = bench.cache.getContacts()[k].id;
    std::sort(now.begin(), now.end());
    if (i == 0) ids = now;
    ASSERT_EQ(now, ids) << "step " << i;
    if (i > 0) {
      EXPECT_EQ(report.pointsByFeature, 4u);
    }
  }
  EXPECT_EQ(begun, 1u);
}

TEST(PersistentContacts, TenBoxStackAtRestMatchesItsPointsByFeature) {
  Bench bench;
  bench.add(std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  for (int i = 0; i < 10; ++i) {
    bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)));
  }
  std::size_t matched = 0, all = 0;
  std::uint64_t state = 1;
  const auto jitter = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 11) * 0x1p-53 - 0.5) * 2e-6;
  };
  for (int step = 0; step < 200; ++step) {
    for (int i = 0; i < 10; ++i) {
      // A stack at rest as a solver leaves it: micrometres and microradians of jitter, each box
      // turned against the one below so that corners and edges take part.
      const double x = jitter(), y = jitter(), z = jitter(), roll = jitter(), pitch = jitter();
      const double height = 0.5 + i * (1.0 - 1e-5) - 1e-5;
      bench.move(i + 1, poseFromRollPitchYaw({0.02 * i + x, y, height + z}, roll, pitch, 0.1 * i));
    }
    const CacheReport report = bench.step();
    ASSERT_TRUE(report.status);
    ASSERT_EQ(bench.cache.getContacts().size(), 40u) << "step " << step;
    if (step == 0) continue;
    matched += report.pointsByFeature;
    all += report.contactsEmitted;
  }
  EXPECT_GE(static_cast<double>(matched), 0.95 * static_cast<double>(all))
      << matched << " of " << all;
}

TEST(PersistentContacts, RecycledDepthStaysWithinTheStatedBound) {
  ContactManifoldCacheOptions options;
  options.allowNegativeDepth = true;
  Bench bench(options);
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(5, 5, 0.5)), {0, 0, -0.5});
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)), {0, 0, 0.499});
  bench.option.margin = 0.01;
  ASSERT_TRUE(bench.step().status);
  const double d = options.recycleDistance * 0.9, a = options.recycleAngle * 0.5;
  const Pose moved = poseFromRollPitchYaw({d, 0, 0.499}, a, a, 0);
  const ObjectPair pair{1, 2};
  ASSERT_TRUE(bench.cache.canRecycle(pair, bench.objects[0].getPose(), moved));
  bench.move(1, moved);
  bench.refreshPoses();
  const CacheReport report = bench.cache.update({}, bench.poses, std::span(&pair, 1));
  EXPECT_EQ(report.pairsRecycled, 1u);
  ASSERT_EQ(bench.cache.getContacts().size(), 4u);
  // The truth, point by point: a corner's height below the plane z = 0.
  const double bound = d * 2 * a + 0.71 * 2 * a * a;
  for (const PersistentContact& c : bench.cache.getContacts()) {
    const Eigen::Vector3d corner(c.contact.position.x() > 0 ? 0.5 : -0.5,
                                 c.contact.position.y() > 0 ? 0.5 : -0.5, -0.5);
    const double truth = -(toEigen(moved) * corner).z();
    EXPECT_NEAR(c.contact.depth, truth, bound);
  }
  // Farther than allowed, turned too far, not flat, unknown.
  const Pose& ground = bench.objects[0].getPose();
  EXPECT_FALSE(
      bench.cache.canRecycle(pair, ground, poseFromRollPitchYaw({0.0011, 0, 0.499}, 0, 0, 0)));
  EXPECT_FALSE(
      bench.cache.canRecycle(pair, ground, poseFromRollPitchYaw({0, 0, 0.499}, 0.0011, 0, 0)));
  EXPECT_FALSE(bench.cache.canRecycle({1, 3}, ground, moved));
}

TEST(PersistentContacts, RecyclingIsMeasuredFromDetectionSoMotionCannotCreepThrough) {
  Bench bench;
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(5, 5, 0.5)), {0, 0, -0.5});
  bench.add(std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)), {0, 0, 0.499});
  ASSERT_TRUE(bench.step().status);
  const ObjectPair pair{1, 2};
  int recycled = 0;
  for (int i = 1; i <= 20; ++i) {
    const Pose pose = poseFromRollPitchYaw({1e-4 * i, 0, 0.499}, 0, 0, 0);
    bench.move(1, pose);
    if (!bench.cache.canRecycle(pair, bench.objects[0].getPose(), pose)) break;
    bench.refreshPoses();
    ASSERT_TRUE(bench.cache.update({}, bench.poses, std::span(&pair, 1)).status);
    ++recycled;
  }
  EXPECT_GE(recycled, 9);
  EXPECT_LE(recycled, 10);  // 1 mm in steps of 0.1 mm.
}

}  // namespace
}  // namespace abut
