// SPDX-License-Identifier: MIT
// Adding and removing in any order costs what it costs in order; large shapes load in linear time.
#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/world/inspect.hpp>

#include "support/schemes.hpp"

namespace abut::test {
namespace {

/// Time of the processor [s]: others that are busy do not count.
double computing() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// 1 to n in an order without any.
std::vector<ObjectId> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<ObjectId> ids(n);
  for (std::size_t i = 0; i < n; ++i) ids[i] = i + 1;
  for (std::size_t i = n; i > 1; --i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    std::swap(ids[i - 1], ids[(seed >> 33u) % i]);
  }
  return ids;
}

BodyDescription placeOf(ObjectId id) {
  BodyDescription d;
  d.id = id;
  d.position = {static_cast<double>(id % 100), static_cast<double>(id / 100 % 100),
                static_cast<double>(id / 10000)};
  return d;
}

TEST(AnyOrder, AHundredThousandBodiesComeAndGoInASecond) {
  constexpr std::size_t kBodies = 100000;
  const auto sphere = std::make_shared<const SphereShape>(0.3);
  for (const bool descending : {false, true}) {
    std::vector<ObjectId> ids = shuffled(kBodies, 1);
    if (descending) std::sort(ids.rbegin(), ids.rend());
    World world;
    const double start = computing();
    for (const ObjectId id : ids) world.addBody(placeOf(id), sphere);
    const double added = computing();
    EXPECT_EQ(world.numBodies(), kBodies);
    const std::uint64_t hash = world.hash();
    const double settled = computing();
    std::reverse(ids.begin(), ids.end());
    for (std::size_t i = 0; i + 1 < kBodies; i += 2) world.removeBody(ids[i]).orThrow();
    const double removed = computing();
    EXPECT_EQ(world.numBodies(), kBodies / 2);
    RecordProperty("added", std::to_string(added - start));
    std::printf("%s: added in %.3f s, in order %.3f s, removed half in %.3f s\n",
                descending ? "descending" : "random", added - start, settled - added,
                removed - settled);
    EXPECT_LT(added - start, 1.0);
    EXPECT_LT(removed - settled, 1.0);
    World inOrder;
    for (ObjectId id = 1; id <= kBodies; ++id) inOrder.addBody(placeOf(id), sphere);
    EXPECT_EQ(inOrder.hash(), hash);
  }
}

class AnyOrderOfCalls : public BothSchemes {};

/// What is asked of a world between coming and going has the answers of one that is in order.
TEST_P(AnyOrderOfCalls, IsNotSeenByAnyCall) {
  const auto sphere = std::make_shared<const SphereShape>(0.3);
  World world(options()), eager(options());
  world.addBody({.type = BodyType::Static, .id = 500}, PlaneShape({0, 0, 1}));
  eager.addBody({.type = BodyType::Static, .id = 500}, PlaneShape({0, 0, 1}));
  const auto describe = [](ObjectId id) {
    BodyDescription d;
    d.id = id;
    d.position = {0.7 * static_cast<double>(id % 4), 0.7 * static_cast<double>(id / 4 % 4),
                  0.35 + 0.65 * static_cast<double>(id / 16)};
    return d;
  };
  std::uint64_t seed = 7;
  const auto pick = [&](std::uint64_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33u) % n;
  };
  for (int round = 0; round < 300; ++round) {
    const ObjectId id = 1 + pick(64);
    const auto both = [&](auto call) {
      const Status a = call(world);
      (void)eager.hash();  // Puts its bodies in order.
      const Status b = call(eager);
      ASSERT_EQ(a.getCode(), b.getCode()) << a.getMessage() << b.getMessage();
    };
    switch (pick(9)) {
      case 0:
      case 1:
      case 2:
        both([&](World& w) {
          ObjectId given = kNoObject;
          return w.addBody(describe(id), {{sphere, Pose{}, 0}}, given);
        });
        break;
      case 3:
      case 4:
        both([&](World& w) { return w.removeBody(id); });
        break;
      case 5:
        both([&](World& w) { return w.setVelocity(id, {0.1, 0, 0}, {0, 0, 0}); });
        break;
      case 6:
        both([&](World& w) { return w.setPose(id, {0, 0, 3}, Quat{}); });
        break;
      case 7: {
        BodyMotion a, b;
        ASSERT_EQ(world.getMotion(id, a).getCode(), eager.getMotion(id, b).getCode());
        EXPECT_EQ(a.centerOfMass, b.centerOfMass);
        EXPECT_EQ(world.numBodies(), eager.numBodies());
        break;
      }
      default:
        both([&](World& w) { return w.step(1.0 / 60); });
    }
    if (round % 10 == 9) {
      ASSERT_EQ(world.hash(), eager.hash()) << "round " << round;
    }
  }
  EXPECT_EQ(world.snapshot(), eager.snapshot());
}

/// A heap of spheres and boxes, added in an order, with ids `first + spread * number`.
World heapOf(const WorldOptions& options, const std::vector<ObjectId>& order, ObjectId spread) {
  World world(options);
  const std::shared_ptr<const Shape> shapes[] = {
      std::make_shared<SphereShape>(0.3),
      std::make_shared<BoxShape>(Eigen::Vector3d(0.3, 0.2, 0.25)),
      std::make_shared<CapsuleShape>(0.15, 0.3)};
  for (const ObjectId number : order) {
    BodyDescription d;
    d.id = 1000 + spread * number;
    d.position = {0.5 * static_cast<double>(number % 3), 0.5 * static_cast<double>(number / 3 % 3),
                  0.5 + 0.6 * static_cast<double>(number / 9)};
    d.angularVelocity = {0.1 * static_cast<double>(number), 0.3, 0};
    world.addBody(d, shapes[number % 3]);
  }
  world.addBody({.type = BodyType::Static, .id = 1}, PlaneShape({0, 0, 1}));
  return world;
}

TEST_P(AnyOrderOfCalls, TwentyOrdersOfInsertionGiveTheSameBits) {
  constexpr std::size_t kBodies = 18;
  std::uint64_t hash = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    World world = heapOf(options(), shuffled(kBodies, seed), 1);
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    if (seed == 0) hash = world.hash();
    EXPECT_EQ(world.hash(), hash) << seed;
  }
}

/// Where the bodies with these ids are and how they move, bit for bit.
std::vector<BodyMotion> motionsOf(const World& world, std::size_t count, ObjectId spread) {
  std::vector<BodyMotion> all;
  for (std::size_t i = 1; i <= count; ++i) all.push_back(world.motion(1000 + spread * i));
  return all;
}

void expectSame(const std::vector<BodyMotion>& a, const std::vector<BodyMotion>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].centerOfMass, b[i].centerOfMass) << i;
    EXPECT_EQ(a[i].linearVelocity, b[i].linearVelocity) << i;
    EXPECT_EQ(a[i].angularVelocity, b[i].angularVelocity) << i;
  }
}

TEST_P(AnyOrderOfCalls, OtherIdsInTheSameOrderGiveTheSameBits) {
  constexpr std::size_t kBodies = 18;
  std::vector<BodyMotion> first;
  for (const ObjectId spread : {ObjectId{1}, ObjectId{7919}, ObjectId{1} << 40}) {
    World world = heapOf(options(), shuffled(kBodies, spread), spread);
    for (int i = 0; i < 24; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    const std::vector<BodyMotion> motions = motionsOf(world, kBodies, spread);
    if (first.empty()) first = motions;
    expectSame(motions, first);
  }
}

/// Nothing but their ids tells them apart; some go later, and a snapshot is gone on from.
TEST_P(AnyOrderOfCalls, BodiesInOnePlaceAreToldApartByTheOrderOfTheirIds) {
  constexpr std::size_t kBodies = 10;
  const auto ball = std::make_shared<SphereShape>(0.3);
  std::vector<BodyMotion> first;
  for (const ObjectId spread : {ObjectId{1}, ObjectId{911}, ObjectId{1} << 33}) {
    World world(options());
    for (const ObjectId number : shuffled(kBodies, spread)) {
      world.addBody({.position = {0, 0, 1}, .id = 1000 + spread * number}, ball);
    }
    world.addBody({.type = BodyType::Static, .id = 1}, PlaneShape({0, 0, 1}));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    world.removeBody(1000 + spread * kBodies).orThrow();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    const std::vector<std::byte> saved = world.snapshot();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    const std::uint64_t hash = world.hash();
    ASSERT_TRUE(world.restore(saved));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    EXPECT_EQ(world.hash(), hash);
    const std::vector<BodyMotion> motions = motionsOf(world, kBodies - 1, spread);
    if (first.empty()) first = motions;
    expectSame(motions, first);
    EXPECT_GT((motions[0].centerOfMass - motions[1].centerOfMass).norm(), 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, AnyOrderOfCalls, bothSchemes(), schemeName);

/// Seconds that a call takes.
template <class Call>
double timed(Call call) {
  const double start = computing();
  call();
  return computing() - start;
}

/// n triangles around one edge.
MeshShape fan(std::uint32_t n) {
  std::vector<Eigen::Vector3d> points{{0, 0, 0}, {0, 0, 1}};
  std::vector<MeshShape::Triangle> triangles;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double a = 6.283 * i / n;
    points.push_back({1.0 - a * a / 40.0, a / 7.0, 0.5});
    triangles.push_back({0, 1, i + 2});
  }
  return {points, triangles};
}

TEST(LargeShapes, FansLoadInLinearTime) {
  const double small = timed([] { (void)fan(10000); });
  const double large = timed([] { (void)fan(80000); });
  std::printf("fans of 10 000 and 80 000 triangles: %.3f s and %.3f s\n", small, large);
  EXPECT_LT(large, 16.0 * small + 0.05);
  EXPECT_LT(large, 1.5);
}

/// A ball at the rim of a large fan, and one on the edge that all its triangles share.
TEST(LargeShapes, FansAreSteppedOn) {
  for (const auto& [triangles, place] :
       {std::pair(50000u, Eigen::Vector3d(0.9, 0.1, 0.5)), {50000u, Eigen::Vector3d(0, 0, 0.5)}}) {
    World world;
    world.addBody({.type = BodyType::Static}, fan(triangles));
    world.addBody({.position = place}, SphereShape(0.05));
    const double seconds = timed([&] {
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    });
    std::printf("three steps on a fan of %u: %.3f s\n", triangles, seconds);
    EXPECT_LT(seconds, 2.0);
  }
}

TEST(LargeShapes, HeightFieldsLoadInLinearTime) {
  const auto field = [](std::size_t n) {
    std::vector<double> heights(n * n);
    for (std::size_t i = 0; i < heights.size(); ++i) {
      heights[i] = 0.01 * static_cast<double>(i * 7919 % 101);
    }
    (void)HeightFieldShape(n, n, 0.1, 0.1, heights);
  };
  const double small = timed([&] { field(250); }), large = timed([&] { field(1000); });
  std::printf("fields of 250 x 250 and 1000 x 1000: %.3f s and %.3f s\n", small, large);
  EXPECT_LT(large, 32.0 * small + 0.05);
}

}  // namespace
}  // namespace abut::test
