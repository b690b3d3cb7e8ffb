// SPDX-License-Identifier: MIT
#include "hash.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/text.hpp"
#include "io/run/simulation.hpp"

namespace abut::tool {

HashCommand::HashCommand(CLI::App& app) {
  app_ = app.add_subcommand("hash", "Run a scene and print the hash of its state");
  app_->add_option("scene", scene_, "Scene file (JSON)")->required()->type_name("SCENE");
  app_->add_option("--steps", steps_, "Steps to make; without it the scene's duration");
  app_->footer(
      "The last line is the hash alone, 16 hexadecimal digits. It covers every number that the\n"
      "future depends on, and is the same on every machine and compiler, for any order of the\n"
      "bodies in the file.\n\n"
      "Example: compare two machines\n"
      "  abut hash scenes/capsule_spin.json --steps 1000");
}

int HashCommand::run() {
  const io::Scene scene = io::loadScene(scene_);
  io::Simulation simulation(scene);
  const std::uint64_t steps = app_->count("--steps") > 0 ? steps_ : scene.numSteps;
  for (std::uint64_t i = 0; i < steps; ++i) {
    if (!simulation.step()) {
      fmt::print(stderr, "abut: {}, exit code {}\n", simulation.getFault(), kExitUnsound);
      return kExitUnsound;
    }
  }
  fmt::print("{}\n", io::toHex(simulation.getWorld().hash()));
  return kExitOk;
}

}  // namespace abut::tool
