// SPDX-License-Identifier: MIT
// FAULTS class 15: bytes of a snapshot that were changed by somebody who repaired the checksum.
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "core/fnv.hpp"
#include "faults/mixed_world.hpp"
#include "state/snapshot.hpp"

namespace abut::test {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::size_t kWord = 8;

std::uint64_t wordAt(const Bytes& bytes, std::size_t at) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWord; ++i) {
    word |= static_cast<std::uint64_t>(bytes[at + i]) << (8 * i);
  }
  return word;
}

void setWord(Bytes& bytes, std::size_t at, std::uint64_t word) {
  for (std::size_t i = 0; i < kWord; ++i) {
    bytes[at + i] = static_cast<std::byte>(word >> (8 * i) & 0xff);
  }
}

std::uint64_t bitsOf(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// The same with one word changed and a checksum that holds.
Bytes changed(Bytes bytes, std::size_t at, std::uint64_t word) {
  setWord(bytes, at, word);
  const std::size_t payload = bytes.size() - kSnapshotChecksumBytes;
  Fnv sum;
  for (std::size_t i = 0; i < payload; ++i) sum.addByte(static_cast<std::uint64_t>(bytes[i]));
  setWord(bytes, payload, sum.value);
  return bytes;
}

bool isSound(const World& world) {
  const EnergyAccount& a = world.getLedger();
  bool sound = std::isfinite(world.getTime());
  for (const double entry : {a.kineticBefore, a.kineticAfter, a.potentialBefore, a.potentialAfter,
                             a.drivers, a.forces, a.impact, a.friction, a.correction}) {
    sound = sound && std::isfinite(entry);
  }
  for (const ObjectId id : world.bodies()) {
    const BodyMotion m = world.motion(id);
    sound = sound && m.position.allFinite() && m.linearVelocity.allFinite() &&
            m.angularVelocity.allFinite();
  }
  for (const ObjectId id : world.getJointIds()) {
    const JointState s = world.jointState(id);
    sound = sound && s.force.allFinite() && std::isfinite(s.work.motors + s.work.limits);
  }
  return sound;
}

class RestoredState : public testing::TestWithParam<StepScheme> {
protected:
  RestoredState() {
    if (GetParam() == StepScheme::RealTime) options_ = WorldOptions::realTime();
    options_.sleeping = true;
    options_.sleepAfter = 0.2;
    World world = mixedWorld(options_);
    CouplingDescription coupling;
    coupling.joint1 = kHinge;
    coupling.joint2 = kSecondHinge;
    world.addCoupling(coupling);
    world.setName(kRestBox, "box").orThrow();
    world.excludePair(kRestBox, kFirstFaller).orThrow();
    world
        .setPath(kBelt,
                 std::vector<PathPoint>{{0.0, {3, 0, 0.5}, Quat{}}, {1.0, {4, 0, 0.5}, Quat{}}})
        .orThrow();
    for (int i = 0; i < 40; ++i) world.step(kMixedStep).orThrow();
    EXPECT_TRUE(world.isAsleep(kRestBall));
    bytes_ = world.snapshot();
  }
  WorldOptions options_;
  Bytes bytes_;
  std::vector<std::shared_ptr<const Shape>> shapes_ = mixedShapes();
};
INSTANTIATE_TEST_SUITE_P(Schemes, RestoredState,
                         testing::Values(StepScheme::Exact, StepScheme::RealTime),
                         [](const auto& scheme) {
                           return scheme.param == StepScheme::Exact ? "Exact" : "RealTime";
                         });

/// Every word in turn becomes a NaN, -1, 0, one more than it was, or one with another high bit.
TEST_P(RestoredState, IsRefusedOrIsWhatItSays) {
  std::size_t accepted = 0, refused = 0;
  for (std::size_t at = kSnapshotHeaderBytes; at + kWord + kSnapshotChecksumBytes <= bytes_.size();
       at += kWord) {
    const std::uint64_t was = wordAt(bytes_, at);
    for (const std::uint64_t word : {bitsOf(std::numeric_limits<double>::quiet_NaN()), bitsOf(-1.0),
                                     std::uint64_t{0}, was + 1, was ^ std::uint64_t{1} << 62u}) {
      if (word == was) continue;
      const std::string where = "word at " + std::to_string(at) + " of " +
                                std::to_string(bytes_.size()) + " is " + std::to_string(word);
      const Bytes bytes = changed(bytes_, at, word);
      World world(options_);
      const std::uint64_t before = world.hash();
      const Status status = world.restore(bytes, shapes_);
      if (!status) {
        ++refused;
        EXPECT_TRUE(status.getCode() == StatusCode::BadData ||
                    status.getCode() == StatusCode::UnknownObject)
            << where << ": " << status.getMessage();
        EXPECT_EQ(world.hash(), before) << where;
        continue;
      }
      ++accepted;
      EXPECT_TRUE(world.snapshot() == bytes) << where;
      EXPECT_TRUE(isSound(world)) << where;
      // A state that cannot go on says so.
      const std::uint64_t restored = world.hash();
      const Status step = world.step(kMixedStep);
      if (!step) {
        EXPECT_EQ(world.hash(), restored) << where;
      }
      EXPECT_TRUE(isSound(world)) << where << ", a step later";
      ObjectId id = kNoObject;
      EXPECT_TRUE(world.addBody({.position = {50, 50, 9}}, shapes_[1], 0, id)) << where;
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace abut::test
