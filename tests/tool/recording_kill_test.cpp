// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "io/core/text.hpp"
#include "io/recording/recording_file.hpp"
#include "support/generator.hpp"
#include "tool/process.hpp"

namespace abut::test {
namespace {

const std::string kScene =
    R"({"step": 0.004, "duration": 0.8, "bodies": [
      {"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
      {"name": "crate", "position": [0, 0, 0.55], "repeat": {"count": 4, "step": [0, 0, 1.1]},
       "shapes": [{"box": {"size": [1, 1, 1]}}]}]})";

struct Frames {
  std::vector<std::string> encoded;
  std::vector<std::uint64_t> hashes;
  bool complete = false;
};

Frames readFrames(const std::string& path) {
  Frames out;
  io::RecordingReader reader(path);
  io::Frame frame;
  while (reader.next(frame)) {
    out.encoded.push_back(io::encode(frame));
    out.hashes.push_back(frame.hash);
  }
  out.complete = reader.isComplete();
  return out;
}

TEST(RunAndKill, EveryCompletedFrameIsThere) {
  const TemporaryFolder folder;
  folder.write("scene.json", kScene);
  const Outcome whole = runTool(folder.get(), {"run", "scene.json", "--record", "whole.abut"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  const Frames all = readFrames(folder.file("whole.abut"));
  ASSERT_EQ(all.encoded.size(), 201u);  // 0.8 s / 4 ms, and the beginning.
  ASSERT_TRUE(all.complete);
  const std::string bytes = folder.read("whole.abut");

  constexpr std::uint64_t kSeed = 50;
  Generator random(kSeed);
  double most = 1.1e6 * whole.seconds;
  int partial = 0;
  for (int i = 0; i < 50; ++i) {
    runAndKill(folder.get(), {"run", "scene.json", "--record", "killed.abut"},
               static_cast<unsigned>(random.range(0.0, most)));
    const std::string killed = folder.read("killed.abut");
    // Written in order, nothing rewritten: what is there is how the whole file begins.
    ASSERT_EQ(killed, bytes.substr(0, killed.size())) << "seed " << kSeed << ", kill " << i;
    try {
      const Frames some = readFrames(folder.file("killed.abut"));
      ASSERT_LE(some.encoded.size(), all.encoded.size());
      for (std::size_t k = 0; k < some.encoded.size(); ++k)
        ASSERT_EQ(some.encoded[k], all.encoded[k]);
      if (!some.encoded.empty() && !some.complete) ++partial;
      // The whole run may have been slow by chance: most kills are to come before the end.
      if (some.complete) most *= 0.8;
    } catch (const io::InputError&) {
      // Only a file that was killed before its first frame does not open.
      ASSERT_LT(killed.size(), 4000u) << "seed " << kSeed << ", kill " << i;
    }
    std::remove(folder.file("killed.abut").c_str());
  }
  EXPECT_GT(partial, 5);
}

TEST(Replay, VerifiesAndFindsTheFirstDifference) {
  const TemporaryFolder folder;
  folder.write("scene.json", kScene);
  ASSERT_EQ(runTool(folder.get(), {"run", "scene.json", "--record", "a.abut"}).code, 0);
  const Outcome good = runTool(folder.get(), {"replay", "a.abut", "--verify"});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out, "replay: 201 frames up to step 200 are the same, bit for bit\n");

  // The same run with one number changed by one ulp in step 77.
  io::RecordingReader reader(folder.file("a.abut"));
  io::RecordingWriter writer(folder.file("b.abut"), reader.getSource());
  writer.onHeader(reader.getHeader());
  std::size_t body = 0;
  while (reader.getHeader().bodies[body].name != "crate[2]") ++body;
  io::Frame frame;
  while (reader.next(frame)) {
    if (frame.step == 77) {
      double& w = frame.bodies[body].angularVelocity.y;
      w = std::nextafter(w, 1.0);
    }
    writer.onFrame(frame);
  }
  writer.onEnd();
  const Outcome bad = runTool(folder.get(), {"replay", "b.abut", "--bisect"});
  EXPECT_EQ(bad.code, 4);
  EXPECT_EQ(bad.out.substr(0, 95),
            "replay: first difference at step 77, stage solver, body crate[2], angularVelocity.y, "
            "1 ulp (pai");
  const Outcome two =
      runTool(folder.get(), {"replay", "a.abut", "--bisect", "--against", "b.abut"});
  EXPECT_EQ(two.code, 4);
  EXPECT_EQ(two.out, bad.out);
}

}  // namespace
}  // namespace abut::test
