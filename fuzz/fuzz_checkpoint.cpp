// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "io/core/text.hpp"
#include "io/run/checkpoint.hpp"

using namespace abut;

namespace {

const io::Scene& scene() {
  static const io::Scene kScene = io::parseScene(
      R"({"step": 0.01, "duration": 1, "bodies": [
        {"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
        {"name": "ball", "position": [0, 0, 0.5], "shapes": [{"sphere": {"radius": 0.5}}]}]})",
      "s", io::MemoryAssets(std::map<std::string, std::string>{}));
  return kScene;
}

}  // namespace

/// Any bytes as a checkpoint, or as the world's snapshot inside one: restored, or refused without a
/// change.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static io::Simulation simulation(scene());
  static const std::vector<std::byte> start = simulation.getWorld().snapshot();
  static const std::uint64_t hash = simulation.getWorld().hash();
  if (size == 0) return 0;
  bool restored = true;
  if (data[0] % 2 == 0) {
    try {
      io::restoreCheckpoint(simulation, {reinterpret_cast<const char*>(data) + 1, size - 1}, "c");
    } catch (const io::InputError&) {
      restored = false;
    }
  } else {
    restored = static_cast<bool>(
        simulation.restore({reinterpret_cast<const std::byte*>(data) + 1, size - 1}, 0));
  }
  if (!restored && simulation.getWorld().hash() != hash) __builtin_trap();
  if (restored) {
    (void)simulation.step();
    if (!simulation.restore(start, 0)) __builtin_trap();
  }
  return 0;
}
