// SPDX-License-Identifier: MIT
#include "check.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/text.hpp"
#include "io/run/scene_run.hpp"
#include "io/scene/inspect.hpp"
#include "summary.hpp"

namespace abut::tool {

CheckCommand::CheckCommand(CLI::App& app) {
  app_ =
      app.add_subcommand("check", "Read a scene and say what is wrong or doubtful; runs nothing");
  app_->add_option("scene", scene_, "Scene file (JSON)")->required()->type_name("SCENE");
  app_->footer(
      "The first mistake is reported as file:line:column and path, with exit code 2. Doubts, such "
      "as\n"
      "bodies that overlap at the start, are warnings and leave the exit code 0.\n\n"
      "Example:\n"
      "  abut check scenes/capsule_spin.json\n\n"
      "The keys of a scene are described in docs/scene.md.");
}

int CheckCommand::run() {
  const io::Scene scene = io::loadScene(scene_, io::readRobotFile);
  // What a variable step refuses is found before it runs.
  if (scene.variable) (void)io::startRun(scene);
  const io::SceneFindings f = io::inspectScene(scene);
  fmt::print("  {:<12}  {}: {} dynamic, {} kinematic, {} static; {}\n", io::printable(scene.name),
             counted(scene.bodies.size(), "body", "bodies"), f.numDynamic, f.numKinematic,
             f.numStatic, counted(f.numShapes, "shape", "shapes"));
  if (scene.variable) {
    const bool compliant = scene.variable->contacts == io::VariableStep::Contacts::Compliant;
    fmt::print("  {:<12}  {:.6g} s with a variable step ({}), {} frames {:.6g} s apart\n", "time",
               scene.duration, compliant ? "compliant contacts" : "located impacts", scene.numSteps,
               scene.step);
  } else {
    fmt::print("  {:<12}  {} of {:.6g} s\n", "time", counted(scene.numSteps, "step", "steps"),
               scene.step);
  }
  if (f.numDynamic > 0) {
    fmt::print("  {:<12}  {:.6g} kg ({}) to {:.6g} kg ({})\n", "mass", f.leastMass,
               io::printable(f.lightest), f.greatestMass, io::printable(f.heaviest));
  }
  if (!f.smallest.empty()) {
    fmt::print("  {:<12}  {:.6g} m ({}) to {:.6g} m ({})\n", "size", f.leastSize,
               io::printable(f.smallest), f.greatestSize, io::printable(f.largest));
  }
  fmt::print("  {:<12}  {} at the start, {} overlapping\n", "contacts",
             counted(f.touching, "pair", "pairs"), f.overlaps.size());
  for (const std::string& warning : f.warnings) fmt::print("  {:<12}  {}\n", "warning", warning);
  fmt::print("  {}\n", f.warnings.empty() ? "ok" : "ok, with warnings");
  return kExitOk;
}

}  // namespace abut::tool
