// SPDX-License-Identifier: MIT
#include "hash.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/text.hpp"
#include "io/run/scene_run.hpp"
#include "options.hpp"
#include "ranks.hpp"
#include "threads.hpp"

namespace abut::tool {

HashCommand::HashCommand(CLI::App& app) {
  app_ = app.add_subcommand("hash", "Run a scene and print the hash of its state");
  app_->add_option("scene", scene_, "Scene file (JSON)")->required()->type_name("SCENE");
  app_->add_option("--steps", steps_, "Steps to make; without it the scene's duration")
      ->check(wholeNumber(0, kMaxSteps));
  addThreadsOption(*app_, threads_);
  app_->footer(
      "The last line is the hash alone, 16 hexadecimal digits. It covers every number that the\n"
      "future depends on, and is the same on every machine and compiler, for any order of the\n"
      "bodies in the file. With a variable step it covers time, places, velocities and lasting\n"
      "contacts, and --steps counts frames; compliant scenes have none, since the integrator\n"
      "(CVODE) gives other bits on other machines.\n\n"
      "Example: compare two machines\n"
      "  abut hash scenes/capsule_spin.json --steps 1000");
}

int HashCommand::run() {
  io::DividedScene divided = Ranks::load(scene_);
  io::Scene& scene = divided.scene;
  const std::unique_ptr<TaskRunner> tasks = makeTasks(*app_, threads_, scene.threads);
  scene.options.tasks = tasks.get();
  if (scene.variable && scene.variable->contacts == io::VariableStep::Contacts::Compliant) {
    throw io::InputError(io::concat(
        io::printable(scene_, 200),
        ": compliant contacts are integrated by CVODE, whose bits differ between machines, so a "
        "hash would compare nothing; abut run prints this machine's, and \"variable\": "
        "\"impacts\" or a fixed step has one for all"));
  }
  const std::unique_ptr<io::SceneRun> run = Ranks::start(divided);
  Ranks::divide(*run, false, "");
  const std::uint64_t steps = app_->count("--steps") > 0 ? steps_ : scene.numSteps;
  for (std::uint64_t i = 0; i < steps; ++i) {
    if (!run->advance()) {
      fmt::print(stderr, "abut: {}, exit code {}\n", run->getFault(), kExitUnsound);
      return kExitUnsound;
    }
  }
  fmt::print("{}\n", io::toHex(run->hash()));
  return kExitOk;
}

}  // namespace abut::tool
