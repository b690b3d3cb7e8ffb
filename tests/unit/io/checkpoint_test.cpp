// SPDX-License-Identifier: MIT
#include "io/run/checkpoint.hpp"

#include <gtest/gtest.h>

#include "io/core/text.hpp"
#include "support/generator.hpp"

namespace abut::io {
namespace {

Scene makeScene(const std::string& friction) {
  return parseScene(
      R"({"step": 0.01, "duration": 1, "materials": {"m": {"friction": )" + friction + R"(}},
        "bodies": [
        {"name": "table", "type": "kinematic", "position": [0, 0, -0.5],
         "motion": {"oscillation": {"amplitude": [0.05, 0, 0], "frequency": 2}},
         "shapes": [{"box": {"size": [9, 9, 1]}, "material": "m"}]},
        {"name": "crate", "position": [0, 0, 0.55], "rollPitchYawDegrees": [3, 5, 0],
         "repeat": {"count": 3, "step": [0.1, 0, 1.2]}, "shapes": [{"box": {"size": [1, 1, 1]}}]}]})",
      "scene.json", MemoryAssets(std::map<std::string, std::string>{}));
}

TEST(Checkpoint, GoesOnToTheBit) {
  const Scene scene = makeScene("0.4");
  Simulation straight(scene);
  std::string saved;
  std::vector<std::uint64_t> hashes;
  for (int i = 1; i <= 90; ++i) {
    ASSERT_TRUE(straight.step());
    if (i == 40) saved = encodeCheckpoint(straight);
    hashes.push_back(straight.getWorld().hash());
  }
  Simulation resumed(scene);
  restoreCheckpoint(resumed, saved, "c");
  EXPECT_EQ(resumed.getStep(), 40u);
  for (std::size_t i = 40; i < 90; ++i) {
    ASSERT_TRUE(resumed.step());
    ASSERT_EQ(resumed.getWorld().hash(), hashes[i]) << "step " << i + 1;
  }
}

TEST(Checkpoint, DamagedOrForeignOnesAreRefusedAndChangeNothing) {
  const Scene scene = makeScene("0.4"), other = makeScene("0.5");
  Simulation simulation(scene), foreign(other);
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(simulation.step());
  const std::string saved = encodeCheckpoint(simulation);
  EXPECT_THROW(restoreCheckpoint(foreign, saved, "c"), InputError);
  const std::uint64_t before = foreign.getWorld().hash();
  constexpr std::uint64_t kSeed = 7;
  test::Generator random(kSeed);
  Simulation target(scene);
  const std::uint64_t start = target.getWorld().hash();
  for (int i = 0; i < 500; ++i) {
    std::string bad = saved;
    const std::size_t at = random.bits() % bad.size();
    if (random.below(4) == 0) {
      bad.resize(at);
    } else {
      bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
    }
    std::string said;
    try {
      restoreCheckpoint(target, bad, "c");
    } catch (const InputError& error) {
      said = error.what();
    }
    // Every refusal says where.
    ASSERT_EQ(said.rfind("checkpoint c: byte ", 0), 0u) << "seed " << kSeed << ", " << i << said;
    ASSERT_EQ(target.getWorld().hash(), start);
    ASSERT_EQ(target.getStep(), 0u);
  }
  EXPECT_EQ(foreign.getWorld().hash(), before);
}

}  // namespace
}  // namespace abut::io
