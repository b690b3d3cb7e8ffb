// SPDX-License-Identifier: MIT
#include "core/stage_room.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include <abut/math/types.hpp>

#include "core/seldom.hpp"
#include "support/allocations.hpp"

namespace abut {
namespace {

TEST(StageRoom, WhatWasTakenStaysWhereItIsUntilTheNextStage) {
  StageRoom room;
  room.beginStep();
  for (const std::size_t count : {10u, 1000u}) {  // Beside a block, then within it.
    room.beginStage();
    const std::span<std::uint64_t> first = room.take<std::uint64_t>(count);
    for (std::size_t i = 0; i < count; ++i) first[i] = i;
    const std::span<double> second = room.take<double>(3 * count);
    for (double& x : second) x = -1.0;
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(first[i], i);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % 64, 0u);
  }
}

TEST(StageRoom, StagesHaveTheSameMemoryAndTakeNoneInASteadyStep) {
  StageRoom room;
  const auto step = [&room] {
    room.beginStep();
    room.beginStage();
    (void)room.take<double>(1000);
    room.beginStage();
    (void)room.take<double>(600);
    (void)room.take<double>(500);
  };
  const std::size_t before = test::countHeldBytes();
  step();
  step();
  const std::size_t allocations = test::countAllocations();
  for (int i = 0; i < 5; ++i) step();
  EXPECT_EQ(test::countAllocations(), allocations);
  // The second stage needs the more of the two: 8800 B, padded to 64, and a sixteenth.
  EXPECT_LE(test::countHeldBytes() - before, 9600u);
}

TEST(StageRoom, WhatAStepDidNotNeedGoes) {
  StageRoom room;
  const std::size_t before = test::countHeldBytes();
  for (const std::size_t count : {1000000u, 1000000u, 1000u, 1000u}) {
    room.beginStep();
    room.beginStage();
    (void)room.take<double>(count);
  }
  EXPECT_LT(test::countHeldBytes() - before, 100000u);
  room.reset();
  EXPECT_EQ(test::countHeldBytes(), before);
}

TEST(StageRoom, ListsGrowInItAndWithoutOne) {
  StageRoom room;
  for (StageRoom* const where : {&room, static_cast<StageRoom*>(nullptr)}) {
    if (where != nullptr) where->beginStage();
    RoomList<std::uint32_t> list, other;
    list.start(where, 2);
    other.take(where, 4);
    for (std::uint32_t& x : other) x = 7;
    for (std::uint32_t i = 0; i < 1000; ++i) list.append(3 * i);
    ASSERT_EQ(list.size(), 1000u);
    for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(list[i], 3 * i);
    for (const std::uint32_t x : other) ASSERT_EQ(x, 7u);
    RoomList<std::uint32_t> copy(list);
    EXPECT_TRUE(copy.empty());
    std::swap(list, other);
    EXPECT_EQ(list.size(), 4u);
    EXPECT_EQ(other[999], 2997u);
  }
}

TEST(Seldom, KeepsEveryBitAndHasNoRoomForWhatIsNew) {
  const std::size_t before = test::countAllocations();
  Seldom<Pose> pose;
  pose.set(Pose{});
  EXPECT_EQ(test::countAllocations(), before);
  EXPECT_EQ(pose.find(), nullptr);
  EXPECT_EQ(*pose, Pose{});
  Pose minus;
  minus.translation.x = -0.0;  // Equal to none, but with other bits.
  pose.set(minus);
  ASSERT_NE(pose.find(), nullptr);
  EXPECT_TRUE(std::signbit(pose->translation.x));
  const Seldom<Pose> copy(pose);
  pose.set(Pose{});
  EXPECT_EQ(pose.find(), nullptr);
  EXPECT_TRUE(std::signbit(copy->translation.x));
}

}  // namespace
}  // namespace abut
