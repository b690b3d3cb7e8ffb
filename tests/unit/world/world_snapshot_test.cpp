// SPDX-License-Identifier: MIT
#include <vector>

#include <gtest/gtest.h>

#include "core/fnv.hpp"
#include "state/snapshot.hpp"
#include "state/visit_state.hpp"
#include "support/schemes.hpp"
#include "support/snapshot_scene.hpp"

namespace abut {
namespace {

using test::kSnapshotStep;
using test::snapshotScene;
using Bytes = std::vector<std::byte>;

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step(kSnapshotStep).orThrow();
}

class Snapshot : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Snapshot, test::bothSchemes(), test::schemeName);

class WorldHash : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, WorldHash, test::bothSchemes(), test::schemeName);

TEST_P(Snapshot, RestoredWorldGoesOnBitForBit) {
  for (const int steps : {0, 1, 20, 90}) {
    World first = snapshotScene(options()), second = snapshotScene(options());
    run(first, steps);
    run(second, 7);  // Anywhere else.
    const Bytes bytes = first.snapshot();
    ASSERT_TRUE(second.restore(bytes));
    EXPECT_EQ(first.hash(), second.hash());
    EXPECT_EQ(second.snapshot(), bytes);
    for (int i = 0; i < 100; ++i) {
      run(first, 1);
      run(second, 1);
      ASSERT_EQ(first.hash(), second.hash()) << "step " << i << " after " << steps;
      ASSERT_EQ(first.getEvents().size(), second.getEvents().size());
    }
    EXPECT_EQ(first.getLedger().impact, second.getLedger().impact);
  }
}

/// A table knows for ever that something resisted or gave way: the state of such worlds is larger,
/// that of what sleeps in them too, which has a table of its own.
TEST_P(Snapshot, ResistanceAndStiffnessThatWereTakenBackAreRemembered) {
  for (const bool gives : {false, true}) {
    if (gives && !isExact()) continue;  // Contacts of the real-time scheme do not give way.
    for (const int before : {0, 20, 400}) {
      for (const bool sleeping : {false, true}) {
        SCOPED_TRACE(testing::Message() << "gives " << gives << ", after " << before
                                        << " steps, sleeping " << sleeping);
        WorldOptions o = options();
        o.sleeping = sleeping;
        World first = snapshotScene(o), second = snapshotScene(o);
        const PairMaterial plain = first.materials().between(0, 0);
        PairMaterial pair = plain;
        (gives ? pair.stiffness : pair.rollingResistance) = gives ? 1e6 : 0.01;
        run(first, before);
        ASSERT_TRUE(first.materials().setPair(0, 0, pair));
        ASSERT_TRUE(first.materials().setPair(0, 0, plain));
        for (int i = 0; i < 2; ++i) {
          const Bytes bytes = first.snapshot();
          ASSERT_TRUE(second.restore(bytes));
          EXPECT_EQ(second.hash(), first.hash());
          EXPECT_EQ(second.snapshot(), bytes);
          run(first, 20);
          run(second, 20);
          EXPECT_EQ(second.hash(), first.hash());
        }
      }
    }
  }
}

/// Couples of contacts are kept in the exact scheme alone: bytes that claim otherwise are refused,
/// though their checksum holds.
TEST(SnapshotBytes, CouplesInARealTimeWorldAreRefused) {
  World world = snapshotScene(WorldOptions::realTime());
  run(world, 20);
  const std::uint64_t hash = world.hash();
  Bytes bytes = world.snapshot();
  constexpr std::size_t kKindsByte = 1;  // Of the first word after the header.
  bytes[kSnapshotHeaderBytes + kKindsByte] |= static_cast<std::byte>(kKeepsCouples >> 8);
  Fnv sum;
  const std::size_t payload = bytes.size() - kSnapshotChecksumBytes;
  for (std::size_t i = 0; i < payload; ++i) sum.addByte(static_cast<std::uint64_t>(bytes[i]));
  for (std::size_t i = 0; i < kSnapshotChecksumBytes; ++i) {
    bytes[payload + i] = static_cast<std::byte>(sum.value >> (8 * i) & 0xff);
  }
  EXPECT_EQ(world.restore(bytes).getCode(), StatusCode::BadData);
  EXPECT_EQ(world.hash(), hash);
}

TEST_P(Snapshot, BodiesRemovedAndAddedSinceAreUndone) {
  World world = snapshotScene(options());
  run(world, 30);
  const Bytes bytes = world.snapshot();
  const std::uint64_t hash = world.hash();
  ASSERT_TRUE(world.removeBody(5));
  BodyDescription d;
  d.position = {0, 0, 9};
  world.addBody(d, std::make_shared<SphereShape>(0.3));
  run(world, 10);
  const auto lost = std::make_shared<CylinderShape>(0.2, 0.5);
  const std::shared_ptr<const Shape> shapes[] = {lost};
  ASSERT_TRUE(world.restore(bytes, shapes));
  EXPECT_EQ(world.hash(), hash);
}

TEST_P(Snapshot, ShapeThatIsNotAtHandIsNamedAndNothingChanges) {
  World world = snapshotScene(options());
  const Bytes bytes = world.snapshot();
  World empty(options());
  const std::uint64_t before = empty.hash();
  const Status status = empty.restore(bytes);
  EXPECT_EQ(status.getCode(), StatusCode::UnknownObject);
  EXPECT_NE(status.getMessage().find("body 1"), std::string::npos);
  EXPECT_EQ(empty.hash(), before);
}

TEST_P(Snapshot, ForeignTruncatedAndDamagedBytesAreRefused) {
  World world = snapshotScene(options());
  run(world, 60);
  const Bytes bytes = world.snapshot();
  const std::uint64_t before = world.hash();
  EXPECT_EQ(world.restore(Bytes{}).getCode(), StatusCode::BadData);
  const Bytes foreign(500, std::byte{0x7f});
  EXPECT_NE(world.restore(foreign).getMessage().find("not a snapshot"), std::string::npos);
  for (std::size_t n = 0; n < bytes.size(); n += 97) {
    EXPECT_EQ(world.restore(std::span(bytes).first(n)).getCode(), StatusCode::BadData) << n;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_EQ(world.restore(longer).getCode(), StatusCode::BadData);
  Bytes newer = bytes;
  newer[8] = std::byte{99};
  EXPECT_NE(world.restore(newer).getMessage().find("version 99"), std::string::npos);
  for (std::size_t i = 0; i < bytes.size(); i += 13) {
    Bytes changed = bytes;
    changed[i] ^= std::byte{static_cast<unsigned char>(1u << (i % 8))};
    EXPECT_EQ(world.restore(changed).getCode(), StatusCode::BadData) << i;
  }
  EXPECT_EQ(world.hash(), before);
}

/// FNV-1a of all but the last eight bytes, put there: a forger knows the checksum too.
void forge(Bytes& bytes) {
  std::uint64_t sum = 14695981039346656037u;
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
    sum = (sum ^ static_cast<std::uint64_t>(bytes[i])) * 1099511628211u;
  }
  for (int i = 0; i < 8; ++i) {
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>((sum >> (8 * i)) & 0xff);
  }
}

TEST_P(Snapshot, ForgedNumbersNeitherCrashNorGoUnnoticed) {
  World world = snapshotScene(options());
  run(world, 60);
  const Bytes bytes = world.snapshot();
  int accepted = 0;
  for (std::size_t at = 24; at + 16 < bytes.size(); at += 8) {
    Bytes changed = bytes;
    for (int i = 0; i < 8; ++i) changed[at + i] = std::byte{0xff};  // NaN, or the largest number.
    forge(changed);
    World victim = snapshotScene(options());
    const std::uint64_t before = victim.hash();
    if (victim.restore(changed)) {
      ++accepted;
    } else {
      ASSERT_EQ(victim.hash(), before) << at;
    }
  }
  // Only numbers that may have any value: ids and sub-shapes, counters, digests of no shape.
  EXPECT_LT(accepted, static_cast<int>(bytes.size() / 8 / 10));
}

TEST_P(WorldHash, CoversWhatBodiesAndMaterialsAre) {
  const auto hashOf = [](const BodyDescription& d, double friction, double radius, double margin) {
    WorldOptions changed = options();
    changed.detectionMargin = margin;
    World world(changed);
    Material m;
    m.friction = friction;
    MaterialId id = 0;
    world.materials().add(m, id).orThrow();
    world.addBody(d, std::make_shared<SphereShape>(radius), id);
    return world.hash();
  };
  BodyDescription d;
  const std::uint64_t plain = hashOf(d, 0.5, 0.3, 0.01);
  EXPECT_EQ(hashOf(d, 0.5, 0.3, 0.01), plain);
  EXPECT_NE(hashOf(d, 0.6, 0.3, 0.01), plain);
  EXPECT_NE(hashOf(d, 0.5, 0.4, 0.01), plain);
  EXPECT_NE(hashOf(d, 0.5, 0.3, 0.02), plain);
  BodyDescription locked;
  locked.locks = kLockX;
  EXPECT_NE(hashOf(locked, 0.5, 0.3, 0.01), plain);
  BodyDescription heavy;
  heavy.mass = 7.0;
  EXPECT_NE(hashOf(heavy, 0.5, 0.3, 0.01), plain);
  BodyDescription belt;
  belt.surfaceVelocity = {1, 0, 0};
  EXPECT_NE(hashOf(belt, 0.5, 0.3, 0.01), plain);
}

}  // namespace
}  // namespace abut
