// SPDX-License-Identifier: MIT
//
// A world that no rank ever has the whole of gives the bits of one that one rank has.
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/ranks/distributed_world.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "ranks/stream.hpp"
#include "support/random.hpp"
#include "support/span_source.hpp"
#include "support/thread_ranks.hpp"

namespace abut {
namespace {

using test::ThreadRanks;

constexpr double kStep = 1.0 / 120.0;
constexpr int kBodies = 60;

using IsHere = std::function<bool(int)>;

/// Spheres, boxes and pairs of shapes in a box without a lid; some begin in the same place.
World makeHeap(StepScheme scheme, const IsHere& isHere, double friction = 0.5) {
  World world(scheme == StepScheme::Exact ? WorldOptions{} : WorldOptions::realTime());
  MaterialId material = 0;
  Material rough;
  rough.friction = friction;
  world.materials().add(rough, material).orThrow();
  test::Random random(7);
  ObjectId id = 0;
  BodyDescription floor;
  floor.type = BodyType::Static;
  floor.id = 40;
  floor.position = {0, 0, -0.5};
  world.addBody(floor, BoxShape(Eigen::Vector3d(3, 3, 0.5)), material);
  for (int k = 0; k < kBodies; ++k) {
    BodyDescription body;
    // Ids that say nothing about places.
    body.id = 1 + static_cast<ObjectId>((k * 37) % kBodies) * (k % 5 == 0 ? 1000003u : 1009u) + 41;
    // Every ninth begins where the one before it does, turned the same way.
    const int place = k % 9 == 8 ? k - 1 : k;
    test::Random there(static_cast<std::uint64_t>(100 + place));
    const Vec3 off = there.vector(0.02);
    body.position = {0.33 * (place % 5) - 0.7 + off.x, 0.33 * (place / 5 % 5) - 0.7 + off.y,
                     0.2 + 0.3 * (place / 25) + off.z};
    body.linearVelocity = {0.5 * off.x, -30.0 * off.y, 0.0};
    std::vector<BodyShape> shapes(k % 9 == 8 ? 2 : 1);
    for (BodyShape& shape : shapes) shape.material = material;
    shapes[0].shape = k % 3 == 0 ? std::shared_ptr<const Shape>(std::make_shared<SphereShape>(0.15))
                                 : std::make_shared<BoxShape>(Eigen::Vector3d(0.12, 0.1, 0.11));
    if (shapes.size() == 2) {
      shapes[1].shape = std::make_shared<SphereShape>(0.08);
      shapes[1].pose.translation = {0.12, 0.0, 0.05};
    }
    if (!isHere(k)) continue;
    world.addBody(body, shapes, id).orThrow();
    if (k % 4 == 0) world.setName(id, "grain " + std::to_string(k)).orThrow();
  }
  return world;
}

IsHere onRank(Communicator& comm) {
  const int rank = comm.getRank(), ranks = comm.getSize();
  return [rank, ranks](int k) { return (k * 7 + k / 5) % ranks == rank; };
}

bool isAnywhere(int) {
  return true;
}

class WorldInParts : public testing::TestWithParam<StepScheme> {};

TEST_P(WorldInParts, GivesTheBitsOfTheWhole) {
  const bool isExact = GetParam() == StepScheme::Exact;
  const int steps = isExact ? 5 : 18;
  World one = makeHeap(GetParam(), isAnywhere);
  std::vector<std::uint64_t> hashes{one.hash()};
  for (int i = 0; i < steps; ++i) {
    one.step(kStep).orThrow();
    hashes.push_back(one.hash());
  }
  const std::vector<std::byte> snapshot = one.snapshot();
  for (const int ranks : isExact ? std::vector{2, 3} : std::vector{1, 2, 3, 4, 7}) {
    ThreadRanks(ranks).run([&](Communicator& comm) {
      World part = makeHeap(GetParam(), onRank(comm));
      DistributedWorld divided(part, makeHeap(GetParam(), isAnywhere), comm);
      EXPECT_EQ(divided.hash(), hashes[0]) << ranks;
      for (int i = 0; i < steps; ++i) {
        part.step(kStep).orThrow();
        if (i % 3 != 2) continue;
        ASSERT_EQ(divided.hash(), hashes[static_cast<std::size_t>(i) + 1]) << ranks << ' ' << i;
      }
      const std::vector<std::byte> bytes = divided.snapshot();
      EXPECT_TRUE(comm.getRank() == 0 ? bytes == snapshot : bytes.empty()) << ranks;
      // It goes on from a snapshot as any divided world does.
      ASSERT_TRUE(divided.restore(snapshot)) << ranks;
      EXPECT_EQ(divided.hash(), hashes.back()) << ranks;
      EXPECT_EQ(divided.snapshot(), comm.getRank() == 0 ? snapshot : std::vector<std::byte>());
    });
  }
}

/// What ranks have of a snapshot, one after the other; all say the same of it.
class Together {
public:
  explicit Together(int ranks) : ranges_(static_cast<std::size_t>(ranks)) {}

  void add(const Communicator& comm, const SnapshotRange& range, std::size_t unit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ranges_[static_cast<std::size_t>(comm.getRank())] = range;
    EXPECT_TRUE(range.bytes.empty() || range.first % unit == 0u);
  }
  [[nodiscard]] std::vector<std::byte> bytes(std::uint64_t hash) const {
    std::vector<std::byte> all;
    for (const SnapshotRange& range : ranges_) {
      EXPECT_EQ(range.hash, hash);
      EXPECT_TRUE(range.bytes.empty() || range.first == all.size());
      all.insert(all.end(), range.bytes.begin(), range.bytes.end());
      EXPECT_LE(all.size(), range.total);
    }
    return all;
  }

private:
  std::mutex mutex_;
  std::vector<SnapshotRange> ranges_;
};

TEST_P(WorldInParts, IsSavedAndGoesOnWithoutBeingWholeAnywhere) {
  const int steps = GetParam() == StepScheme::Exact ? 3 : 10;
  World one = makeHeap(GetParam(), isAnywhere);
  for (int i = 0; i < steps; ++i) one.step(kStep).orThrow();
  const std::vector<std::byte> saved = one.snapshot();
  const std::uint64_t hash = one.hash();
  for (int i = 0; i < 3; ++i) one.step(kStep).orThrow();
  // Units that leave ranks without any, and such that give each many.
  for (const auto& [ranks, unit] : {std::pair(1, 8), {2, 4096}, {3, 8}, {7, 1 << 16}}) {
    Together before(ranks), after(ranks);
    ThreadRanks(ranks).run([&, r = ranks, u = static_cast<std::size_t>(unit)](Communicator& comm) {
      test::SpanSource source(saved);
      World part;
      DistributedWorld divided(part, makeHeap(GetParam(), isAnywhere), source, comm);
      EXPECT_EQ(divided.hash(), hash) << r;
      EXPECT_TRUE(r == 1 || divided.numOwn() < static_cast<std::size_t>(kBodies));
      before.add(comm, divided.snapshotRange(u), u);
      for (int i = 0; i < 3; ++i) part.step(kStep).orThrow();
      EXPECT_EQ(divided.hash(), one.hash()) << r;
      after.add(comm, divided.snapshotRange(u), u);
    });
    EXPECT_EQ(before.bytes(hash), saved) << ranks;
    EXPECT_EQ(after.bytes(one.hash()), one.snapshot()) << ranks;
  }
}

TEST(WorldInPartsOnly, DamagedSnapshotsAreRefusedByAllRanks) {
  World one = makeHeap(StepScheme::RealTime, isAnywhere);
  for (int i = 0; i < 5; ++i) one.step(kStep).orThrow();
  const std::vector<std::byte> saved = one.snapshot();
  test::Random random(11);
  for (int k = 0; k < 40; ++k) {
    std::vector<std::byte> bad = saved;
    const auto at =
        static_cast<std::size_t>(random.between(0.0, static_cast<double>(bad.size() - 1)));
    if (k % 4 == 0) {
      bad.resize(at);
    } else {
      bad[at] ^= std::byte{16};
    }
    ThreadRanks(2).run([&](Communicator& comm) {
      test::SpanSource source(bad);
      World part = makeHeap(StepScheme::RealTime, onRank(comm));
      const std::uint64_t before = part.hash();
      EXPECT_THROW(DistributedWorld(part, makeHeap(StepScheme::RealTime, isAnywhere), source, comm),
                   Error)
          << at;
      EXPECT_EQ(part.hash(), before);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, WorldInParts,
                         testing::Values(StepScheme::RealTime, StepScheme::Exact),
                         [](const auto& scheme) {
                           return scheme.param == StepScheme::Exact ? "Exact" : "RealTime";
                         });

/// What all ranks say alike of parts that cannot be put together.
StatusCode refusalOf(const std::function<World(Communicator&)>& make) {
  std::mutex mutex;
  std::map<StatusCode, int> codes;
  ThreadRanks(3).run([&](Communicator& comm) {
    World part = make(comm);
    const std::uint64_t before = part.hash();
    StatusCode code = StatusCode::Ok;
    try {
      const DistributedWorld divided(part, makeHeap(StepScheme::RealTime, isAnywhere), comm);
    } catch (const Error& error) {
      code = error.getCode();
      EXPECT_EQ(part.hash(), before);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    ++codes[code];
  });
  EXPECT_EQ(codes.size(), 1u);
  return codes.begin()->first;
}

TEST(WorldInPartsOnly, IsRefusedWhereItsPartsDoNotFit) {
  constexpr StepScheme kScheme = StepScheme::RealTime;
  EXPECT_EQ(refusalOf([](Communicator& c) { return makeHeap(kScheme, onRank(c)); }),
            StatusCode::Ok);
  // One body on two ranks.
  EXPECT_EQ(refusalOf([](Communicator& c) {
              const IsHere isHere = onRank(c);
              return makeHeap(kScheme, [&](int k) { return k == 5 || isHere(k); });
            }),
            StatusCode::DuplicateObject);
  // Another material on one of them.
  EXPECT_EQ(refusalOf([](Communicator& c) {
              return makeHeap(kScheme, onRank(c), c.getRank() == 2 ? 0.4 : 0.5);
            }),
            StatusCode::BadData);
  // One has made a step.
  EXPECT_EQ(refusalOf([](Communicator& c) {
              World part = makeHeap(kScheme, onRank(c));
              if (c.getRank() == 1) part.step(kStep).orThrow();
              return part;
            }),
            StatusCode::OutOfRange);
}

TEST(Stream, BringsItemsOfAllRanksInTheOrderOfTheirKeys) {
  constexpr std::size_t kItems = 120;
  test::Random random(3);
  std::map<std::uint64_t, std::pair<int, std::size_t>> all;  // Rank and length by key.
  while (all.size() < kItems) {
    const auto key = static_cast<std::uint64_t>(random.between(0, 1e6));
    // The first third of the keys is on one rank alone.
    const int rank = key < 333333 ? 2 : static_cast<int>(random.between(0, 3.99));
    all[key] = {rank, static_cast<std::size_t>(random.between(0, 60))};
  }
  for (const std::size_t chunks : {std::size_t{1}, std::size_t{2000}, std::size_t{1} << 20}) {
    ThreadRanks(4).run([&](Communicator& comm) {
      std::vector<std::pair<std::uint64_t, std::size_t>> mine;
      for (const auto& [key, what] : all) {
        if (what.first == comm.getRank()) mine.push_back({key, what.second});
      }
      const Stream<std::uint64_t>::Items items{
          mine.size(), [&](std::size_t i) { return mine[i].first; },
          [&](std::size_t i) { return mine[i].first % 10 != 3; },
          [&](std::size_t i, std::vector<std::byte>& bytes) {
            bytes.insert(bytes.end(), mine[i].second, static_cast<std::byte>(mine[i].first & 255));
          }};
      Stream<std::uint64_t> stream(comm, items, chunks);
      std::vector<std::pair<std::size_t, int>> expected, seen;
      for (const auto& [key, what] : all) {
        if (key % 10 != 3) expected.push_back({what.second, static_cast<int>(key & 255)});
      }
      EXPECT_EQ(stream.count(), expected.size());
      stream.run([&](std::span<const std::byte> bytes) {
        seen.push_back({bytes.size(), bytes.empty() ? -1 : static_cast<int>(bytes[0])});
      });
      if (comm.getRank() != 0) {
        EXPECT_TRUE(seen.empty());
        return;
      }
      ASSERT_EQ(seen.size(), expected.size());
      for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].first, expected[i].first);
        if (seen[i].first > 0) {
          EXPECT_EQ(seen[i].second, expected[i].second);
        }
      }
    });
  }
}

}  // namespace
}  // namespace abut
