// SPDX-License-Identifier: MIT
// One list of fields: what it names is in recordings, differences and tables, to the last bit.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "io/export/export.hpp"
#include "io/recording/block.hpp"
#include "io/recording/difference.hpp"
#include "io/recording/rows.hpp"
#include "support/generator.hpp"

namespace abut::io {
namespace {

/// Words that the fields of a record can hold, at random.
template <typename Record>
void randomize(Record& record, test::Generator& random) {
  std::vector<std::uint64_t> row(rowWidth<Record>());
  for (const Column& c : columnsOf<Record>()) {
    for (std::size_t k = 0; k < c.width; ++k) {
      std::uint64_t word = random.bits();
      if (c.holds == Holds::Flag) word &= 1;
      if (c.holds == Holds::Kind) word %= kNumEventKinds;
      if (c.holds == Holds::Whole || c.holds == Holds::Island) word &= 0x7fffffff;
      row[c.first + k] = word;
    }
  }
  fromRow(row.data(), record);
}

template <typename Record>
void randomize(std::vector<Record>& records, std::size_t count, test::Generator& random) {
  records.resize(count);
  for (Record& r : records) randomize(r, random);
}

Frame randomFrame(test::Generator& random, std::size_t bodies) {
  Frame frame;
  randomize(frame, random);
  randomize(frame.bodies, bodies, random);
  randomize(frame.contacts, static_cast<std::size_t>(random.below(5)), random);
  randomize(frame.events, static_cast<std::size_t>(random.below(3)), random);
  randomize(frame.drivers, static_cast<std::size_t>(random.below(3)), random);
  randomize(frame.joints, static_cast<std::size_t>(random.below(4)), random);
  randomize(frame.stepEnergy, random);
  randomize(frame.totalEnergy, random);
  randomize(frame.report, random);
  return frame;
}

TEST(FrameCodec, BringsBackEveryBitOfEveryField) {
  constexpr std::uint64_t kSeed = 7;
  test::Generator random(kSeed);
  FrameEncoder encoder;
  FrameDecoder decoder(encodeFields());
  Frame before = randomFrame(random, 3), back;
  for (int i = 0; i < 200; ++i) {
    Frame frame = randomFrame(random, 3);
    // Contacts that live on, in another order, with others between them.
    for (std::size_t k = 0; k < before.contacts.size(); k += 2)
      frame.contacts.insert(frame.contacts.begin(), before.contacts[k]);
    decoder.decode(encoder.encode(frame), back);
    ASSERT_EQ(encode(back), encode(frame)) << "seed " << kSeed << ", frame " << i;
    before = frame;
  }
}

TEST(FrameCodec, WhatHardlyChangesTakesLittleRoom) {
  test::Generator random(3);
  Frame frame = randomFrame(random, 200);
  randomize(frame.contacts, 500, random);
  FrameEncoder encoder;
  const std::string first = encoder.encode(frame);
  for (BodyFrame& b : frame.bodies) b.position.x = std::nextafter(b.position.x, 1e300);
  std::swap(frame.contacts.front(), frame.contacts.back());
  const std::string second = encoder.encode(frame);
  const auto packed = [](const std::string& bytes) {
    std::uint32_t crc = 0;
    return BlockPacker().makeBlock(BlockKind::Frame, 0, bytes, crc).size();
  };
  // 200 last bits and two exchanged contacts against 100 kB of noise.
  EXPECT_LT(packed(second), packed(first) / 50);
}

/// A list of columns as encodeFields() makes it, of which the first table has `names`.
std::string fieldsWith(const std::vector<std::string>& names) {
  ByteWriter out;
  out.u64(names.size());
  for (const std::string& name : names) {
    out.text(name);
    out.text("");
    out.u8(1);
  }
  const std::string own = encodeFields();
  ByteWriter frame;  // The first table of the program's own list, to be left out.
  frame.u64(columnsOf<Frame>().size());
  for (const Column& c : columnsOf<Frame>()) {
    frame.text(c.name);
    frame.text(c.unit);
    frame.u8(static_cast<std::uint8_t>(c.width));
  }
  out.raw(std::string_view(own).substr(frame.get().size()));
  return out.get();
}

TEST(FrameCodec, ReadsWhatOtherVersionsKnow) {
  Frame frame;
  frame.step = 3;
  frame.time = 0.5;
  frame.hash = 77;
  // A program that names the fields in another order, one of them unlike this one.
  FrameDecoder decoder(fieldsWith({"hash", "colour", "step"}));
  Frame back;
  decoder.decode(encode(frame), back);  // Words in the order step, time, hash.
  EXPECT_EQ(back.hash, 3u);
  EXPECT_EQ(back.step, 77u);
  EXPECT_EQ(back.time, 0.0);  // Not there: its default.
  EXPECT_THROW(FrameDecoder(""), InputError);
  EXPECT_THROW(FrameDecoder(encodeFields() + "x"), InputError);
  EXPECT_THROW(FrameDecoder(fieldsWith({})), InputError);
}

/// Changes each word of a record in turn and asks where the difference is said to be.
template <typename Record>
void expectNamed(const RunHeader& header, const Frame& frame, Record& (*pick)(Frame&)) {
  for (const Column& c : columnsOf<Record>()) {
    for (std::size_t k = 0; k < c.width; ++k) {
      Frame other = frame;
      Record& record = pick(other);
      std::vector<std::uint64_t> row(rowWidth<Record>());
      toRow(record, row.data());
      std::uint64_t& word = row[c.first + k];
      word = c.holds == Holds::Kind ? (word + 1) % kNumEventKinds : word ^ 1;
      fromRow(row.data(), record);
      const auto difference = findDifference(header, frame, other);
      ASSERT_TRUE(difference) << c.name;
      EXPECT_EQ(difference->field.substr(0, c.name.size()), c.name == "step" ? "numb" : c.name);
    }
  }
}

TEST(Difference, NoFieldIsOverlooked) {
  RunHeader header;
  header.bodies.resize(2);
  header.bodies[0].id = 1;
  header.bodies[1].id = 2;
  test::Generator random(11);
  Frame frame = randomFrame(random, 2);
  randomize(frame.contacts, 2, random);
  randomize(frame.events, 2, random);
  randomize(frame.drivers, 2, random);
  expectNamed<Frame>(header, frame, [](Frame& f) -> Frame& { return f; });
  expectNamed<BodyFrame>(header, frame, [](Frame& f) -> BodyFrame& { return f.bodies[1]; });
  expectNamed<ContactFrame>(header, frame, [](Frame& f) -> ContactFrame& { return f.contacts[1]; });
  expectNamed<EventFrame>(header, frame, [](Frame& f) -> EventFrame& { return f.events[1]; });
  expectNamed<DriverFrame>(header, frame, [](Frame& f) -> DriverFrame& { return f.drivers[1]; });
  expectNamed<EnergyAccount>(header, frame,
                             [](Frame& f) -> EnergyAccount& { return f.stepEnergy; });
  expectNamed<EnergyAccount>(header, frame,
                             [](Frame& f) -> EnergyAccount& { return f.totalEnergy; });
  expectNamed<StepReport>(header, frame, [](Frame& f) -> StepReport& { return f.report; });
}

TEST(Fields, HaveTitlesAndNamesForEveryUse) {
  EXPECT_EQ(titleOf("normalForce"), "normal force");
  EXPECT_EQ(titleOf("body1"), "body 1");
  EXPECT_EQ(snakeOf("resistingCouple"), "resisting_couple");
  const auto has = [](const std::vector<Column>& columns, std::string_view name) {
    for (const Column& c : columns)
      if (c.name == name) return true;
    return false;
  };
  EXPECT_TRUE(has(columnsOf<ContactFrame>(), "resistingCouple"));
  EXPECT_TRUE(has(columnsOf<ContactFrame>(), "friction"));
  EXPECT_TRUE(has(columnsOf<StepReport>(), "asleep"));
  EXPECT_TRUE(has(columnsOf<StepReport>(), "worst1"));
}

}  // namespace
}  // namespace abut::io
