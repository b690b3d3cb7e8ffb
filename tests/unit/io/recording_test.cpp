// SPDX-License-Identifier: MIT
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include <gtest/gtest.h>

#include "io/core/crc32c.hpp"
#include "io/core/files.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/recording/difference.hpp"
#include "io/recording/recording_file.hpp"
#include "io/run/simulation.hpp"
#include "support/generator.hpp"

namespace abut::io {
namespace {

constexpr const char* kScene =
    R"({"step": 0.01, "duration": 1, "bodies": [
      {"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
      {"name": "belt", "type": "kinematic", "position": [0, 0, -0.4], "surfaceVelocity": [1, 0, 0],
       "shapes": [{"box": {"size": [4, 4, 1]}}]},
      {"name": "crate", "position": [0, 0, 0.65], "repeat": {"count": 3, "step": [0, 0, 1.1]},
       "shapes": [{"box": {"size": [1, 1, 1]}}]},
      {"name": "tetra", "position": [3, 0, 1], "shapes": [{"hull": {"points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}]}]})";

/// A file that goes away.
struct TemporaryFile {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("abut_test_" + std::to_string(::getpid()) + ".abut"))
                         .string();
  ~TemporaryFile() { std::remove(path.c_str()); }
};

/// Frames as they were given to the writer, encoded, and the file's bytes.
struct Recorded {
  std::string bytes;
  std::vector<std::string> frames;
  std::vector<std::size_t> ends;  ///< Length of the file after each frame.
};

Recorded record(int steps, const std::function<void(Frame&)>& change = {}) {
  const Scene scene =
      parseScene(kScene, "scene.json", MemoryAssets(std::map<std::string, std::string>{}));
  Simulation simulation(scene);
  const TemporaryFile file;
  Recorded out;
  RecordingWriter writer(file.path, {"scene.json", scene.text, {{"a.stl", "solid"}}});
  writer.onHeader(simulation.getHeader());
  Frame frame;
  for (int i = 0; i <= steps; ++i) {
    if (i > 0) {
      EXPECT_TRUE(simulation.step());
    }
    simulation.capture(frame);
    if (change) change(frame);
    writer.onFrame(frame);
    out.frames.push_back(encode(frame));
    out.ends.push_back(std::filesystem::file_size(file.path));
  }
  writer.onEnd();
  out.bytes = readFile(file.path, std::size_t{1} << 30);
  return out;
}

/// What a reader makes of some bytes: frames, how it ended.
struct Read {
  std::vector<std::string> frames;
  bool complete = false;
  std::string fault;
};

Read readAll(const std::string& bytes) {
  Read out;
  try {
    RecordingReader reader(bytesInMemory(bytes), "r.abut");
    Frame frame;
    while (reader.next(frame)) out.frames.push_back(encode(frame));
    out.complete = reader.isComplete();
  } catch (const InputError& error) {
    out.fault = error.what();
  }
  return out;
}

TEST(Crc32c, HasItsPublishedValues) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4.
  EXPECT_EQ(crc32c("56789", crc32c("1234")), 0xe3069283u);
}

TEST(Recording, ComesBackBitForBit) {
  const Recorded r = record(50);
  const Read read = readAll(r.bytes);
  EXPECT_EQ(read.fault, "");
  EXPECT_TRUE(read.complete);
  EXPECT_EQ(read.frames, r.frames);
  RecordingReader reader(bytesInMemory(r.bytes), "r.abut");
  EXPECT_EQ(reader.getSource().text, kScene);
  EXPECT_EQ(reader.getSource().files.at("a.stl"), "solid");
  const Scene scene =
      parseScene(kScene, "scene.json", MemoryAssets(std::map<std::string, std::string>{}));
  EXPECT_EQ(encode(reader.getHeader()), encode(Simulation(scene).getHeader()));
}

TEST(Recording, CutAnywhereItHoldsEveryCompleteFrame) {
  const Recorded r = record(12);
  for (std::size_t size = 0; size < r.bytes.size(); ++size) {
    const Read read = readAll(r.bytes.substr(0, size));
    std::size_t complete = 0;
    while (complete < r.ends.size() && r.ends[complete] <= size) ++complete;
    ASSERT_FALSE(read.complete) << size;
    ASSERT_EQ(read.frames.size(), complete) << size;
    if (complete > 0) {
      ASSERT_EQ(read.fault, "") << size;
    }
    for (std::size_t i = 0; i < complete; ++i) ASSERT_EQ(read.frames[i], r.frames[i]);
  }
}

/// Changes some bytes: flips, overwrites, removes, doubles, exchanges, cuts.
std::string mutated(const std::string& bytes, test::Generator& random) {
  std::string out = bytes;
  const int changes = 1 + random.below(3);
  for (int i = 0; i < changes && !out.empty(); ++i) {
    const std::size_t at = random.bits() % out.size();
    const std::size_t other = random.bits() % out.size();
    const std::size_t length = 1 + random.bits() % std::min<std::size_t>(64, out.size() - at);
    switch (random.below(7)) {
      case 0:
        out[at] = static_cast<char>(out[at] ^ (1 << random.below(8)));
        break;
      case 1:
        out[at] = static_cast<char>(random.bits());
        break;
      case 2:
        out.erase(at, length);
        break;
      case 3:
        out.insert(at, out.substr(other, length));
        break;
      case 4:
        out.replace(at, length, length, static_cast<char>(random.bits()));
        break;
      case 5:
        std::swap(out[at], out[other]);
        break;
      default:
        out.resize(at);
    }
  }
  return out;
}

TEST(Recording, ChangedContentIsNeverAccepted) {
  const Recorded r = record(12);
  constexpr std::uint64_t kSeed = 20261115;
  test::Generator random(kSeed);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes = mutated(r.bytes, random);
    const Read read = readAll(bytes);
    if (bytes != r.bytes) {
      ASSERT_FALSE(read.complete) << "seed " << kSeed << ", mutant " << i;
    }
    // What is handed out before the damage is what was written.
    ASSERT_LE(read.frames.size(), r.frames.size());
    for (std::size_t k = 0; k < read.frames.size(); ++k)
      ASSERT_EQ(read.frames[k], r.frames[k]) << "seed " << kSeed << ", mutant " << i;
    if (!read.fault.empty()) ++refused;
  }
  EXPECT_GT(refused, 1000);
}

TEST(Recording, BlocksOfAnotherRunAreNotAccepted) {
  const Recorded a = record(5);
  const Recorded b = record(5, [](Frame& f) { f.hash ^= 1; });
  const std::size_t first = a.ends[2], last = a.ends[3];
  std::string mixed = a.bytes;
  mixed.replace(first, last - first, b.bytes.substr(b.ends[2], b.ends[3] - b.ends[2]));
  const Read read = readAll(mixed);
  EXPECT_EQ(read.frames.size(), 3u);
  EXPECT_NE(read.fault, "");
}

TEST(Recording, OtherVersionsAndFilesAreNamed) {
  EXPECT_EQ(readAll("hello").fault, "r.abut: not a recording of abut");
  EXPECT_EQ(readAll("").fault, "r.abut: not a recording of abut");
  EXPECT_THROW(RecordingWriter("/nonexistent/r.abut", {}), InputError);
}

// A frame without contacts still counts them; those that have some are as they always are.
TEST(Recording, ContactsOfEveryThirdFrame) {
  const MemoryAssets none(std::map<std::string, std::string>{});
  std::string text = kScene;
  text.insert(1, R"("record": {"every": 2, "contactsEvery": 3}, )");
  const Scene thinned = parseScene(text, "scene.json", none);
  const Scene whole = parseScene(kScene, "scene.json", none);
  Simulation a(thinned), b(whole);
  Frame few, all;
  int touching = 0;
  for (int step = 1; step <= 60; ++step) {
    ASSERT_TRUE(a.step() && b.step());
    if (step % 2 != 0) continue;
    a.capture(few);
    b.capture(all);
    EXPECT_EQ(few.report.contacts, all.report.contacts);
    if (!all.contacts.empty()) ++touching;
    if (step % 6 == 0) {
      EXPECT_EQ(encode(few), encode(all));
    } else {
      EXPECT_TRUE(few.contacts.empty());
    }
  }
  EXPECT_GT(touching, 10);
}

TEST(Difference, OneUlpInOneFieldIsFoundAndNamed) {
  EXPECT_EQ(ulpsBetween(1.0, std::nextafter(1.0, 2.0)), 1u);
  EXPECT_EQ(ulpsBetween(-0.0, 0.0), 0u);
  EXPECT_EQ(ulpsBetween(-5e-324, 5e-324), 2u);
  const Scene scene =
      parseScene(kScene, "scene.json", MemoryAssets(std::map<std::string, std::string>{}));
  Simulation simulation(scene);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(simulation.step());
  Frame a;
  simulation.capture(a);
  const RunHeader& header = simulation.getHeader();
  EXPECT_FALSE(findDifference(header, a, a).has_value());
  const auto difference = [&](const std::function<void(Frame&)>& change) {
    Frame b = a;
    change(b);
    return findDifference(header, a, b).value().toText();
  };
  std::size_t crate = 0;
  while (header.bodies[crate].name != "crate[1]") ++crate;
  EXPECT_EQ(difference([&](Frame& f) {
              double& w = f.bodies[crate].angularVelocity.y;
              w = std::nextafter(w, 1.0);
            }).substr(0, 88),
            "first difference at step 40, stage solver, body crate[1], angularVelocity.y, 1 ulp "
            "(pair");
  EXPECT_EQ(difference([&](Frame& f) { f.hash = 0; }).substr(0, 77),
            "first difference at step 40, stage manifold, remembered contacts, hash, " +
                toHex(a.hash).substr(0, 5));
  EXPECT_NE(difference([&](Frame& f) { f.contacts[0].depth = 1; }).find("stage narrow_phase"),
            std::string::npos);
  EXPECT_NE(difference([&](Frame& f) { f.bodies[crate].position.x += 1; }).find("integration"),
            std::string::npos);
  EXPECT_NE(difference([&](Frame& f) { f.totalEnergy.impact = 1; }).find("ledger"),
            std::string::npos);
}

TEST(Files, AtomicWritesLeaveTheOldFileOrTheNew) {
  const TemporaryFile file;
  writeFileAtomically(file.path, "old");
  writeFileAtomically(file.path, "new");
  EXPECT_EQ(readFile(file.path, 100), "new");
  EXPECT_THROW(writeFileAtomically("/nonexistent/x", "x"), InputError);
  EXPECT_THROW((void)readFile(file.path, 2), InputError);
  EXPECT_THROW((void)readFile("/dev/zero", 100), InputError);
}

TEST(Files, WhatAKilledProcessOfTheSameNumberLeftIsNoHindrance) {
  const TemporaryFile file;
  // Containers give the same numbers again and again.
  std::vector<std::string> left;
  for (int i = 0; i < 300; ++i) {
    left.push_back(concat(file.path, ".", static_cast<std::uint64_t>(::getpid()), "-",
                          static_cast<std::uint64_t>(i), ".part"));
    std::ofstream(left.back()) << "left";
  }
  OutputPaths paths;
  EXPECT_NO_THROW(paths.addOutput("--report", file.path));
  writeFileAtomically(file.path, "new");
  EXPECT_EQ(readFile(file.path, 100), "new");
  for (const std::string& path : left) std::filesystem::remove(path);
}

}  // namespace
}  // namespace abut::io
