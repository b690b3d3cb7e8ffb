// SPDX-License-Identifier: MIT
#include "export.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/export/export.hpp"
#include "options.hpp"
#include "step_problem.hpp"

namespace abut::tool {
namespace {

bool endsWith(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

ExportCommand::ExportCommand(CLI::App& app) {
  app_ = app.add_subcommand("export",
                            "Write a recording for other programs: glTF, CSV, NumPy; or the "
                            "contact problem of a step");
  app_->add_option("recording", recording_,
                   "File written by abut run --record; with --fclib a scene file (JSON)")
      ->required()
      ->type_name("FILE");
  app_->add_option("output", output_,
                   "File to write; its ending says what: .glb, .csv or .npz; with --fclib .hdf5")
      ->required()
      ->type_name("FILE");
  app_->add_option("--table", table_,
                   "For .csv: bodies, contacts, energy, events, drivers or joints")
      ->check(CLI::IsMember({"bodies", "contacts", "energy", "events", "drivers", "joints"}))
      ->capture_default_str();
  app_->add_flag("--fclib", fclib_, "Write the contact problem of a scene's step, for abut fc3d");
  app_->add_option("--step", step_, "With --fclib: which step, from 1 on")
      ->check(wholeNumber(1, kMaxSteps))
      ->capture_default_str();
  app_->add_option("--problem", problem_, "With --fclib: force, impact or correction")
      ->check(CLI::IsMember({"force", "impact", "correction"}))
      ->capture_default_str();
  app_->footer(
      "Examples: an animation for Blender and browsers, a table, arrays for numpy.load()\n"
      "  abut export capsule.abut capsule.glb\n"
      "  abut export capsule.abut contacts.csv --table contacts\n"
      "  abut export capsule.abut capsule.npz\n"
      "The problem u = W r + q with Coulomb's law that the tenth step of a scene solves\n"
      "  abut export scenes/arch.json arch.hdf5 --fclib --step 10 && abut fc3d arch.hdf5\n\n"
      "docs/recording.md says what the columns and arrays hold.");
}

/// The contact problem of a step; islands one after the other.
int ExportCommand::writeProblem() {
  if (!endsWith(output_, ".hdf5")) {
    fmt::print(stderr, "abut: output {}: with --fclib expected a name that ends in .hdf5\n",
               io::quoted(output_, 200));
    return kExitUsage;
  }
  const io::Scene scene = io::loadScene(recording_, io::readRobotFile);
  io::OutputPaths paths;
  paths.addScene(recording_, scene.files);
  paths.addOutput("output", output_);
  const StepProblemFile found = findStepProblem(scene, step_, problem_);
  const std::size_t contacts = found.problem.friction.size();
  if (contacts == 0) {
    throw io::InputError(io::concat("--fclib: step ", std::to_string(step_), " of ",
                                    io::printable(recording_, 200), " has no ", problem_,
                                    " problem; try another --step or --problem"));
  }
  writeFclib(output_, found.problem, scene.name,
             fmt::format("{} problem of step {} of {} s: {} contacts, {} islands; N s, m/s, "
                         "1/kg, in the order normal, tangent, tangent",
                         problem_, step_, scene.step, contacts, found.islands));
  fmt::print("  {}  {} contact{} in {} island{}, {} blocks of W{}\n", io::printable(output_, 200),
             contacts, contacts == 1 ? "" : "s", found.islands, found.islands == 1 ? "" : "s",
             found.problem.matrix.block.size(),
             found.resistances > 0 ? fmt::format("; resistances of {} left out", found.resistances)
                                   : std::string());
  return kExitOk;
}

int ExportCommand::run() {
  if (fclib_) return writeProblem();
  for (const char* option : {"--step", "--problem"}) {
    if (app_->count(option) == 0) continue;
    fmt::print(stderr, "abut: {} goes with --fclib\n", option);
    return kExitUsage;
  }
  const bool gltf = endsWith(output_, ".glb"), csv = endsWith(output_, ".csv"),
             npz = endsWith(output_, ".npz");
  if (!gltf && !csv && !npz) {
    fmt::print(stderr, "abut: output {}: expected a name that ends in .glb, .csv or .npz\n",
               io::quoted(output_, 200));
    return kExitUsage;
  }
  io::OutputPaths paths;
  paths.addInput(recording_);
  paths.addOutput("output", output_);
  io::RecordingReader reader(recording_);
  std::string content;
  if (gltf) content = io::exportGltf(reader);
  if (npz) content = io::exportNpz(reader);
  if (csv) {
    const io::CsvTable table = table_ == "bodies"     ? io::CsvTable::Bodies
                               : table_ == "contacts" ? io::CsvTable::Contacts
                               : table_ == "energy"   ? io::CsvTable::Energy
                               : table_ == "events"   ? io::CsvTable::Events
                               : table_ == "drivers"  ? io::CsvTable::Drivers
                                                      : io::CsvTable::Joints;
    content = io::exportCsv(reader, table);
  }
  io::writeFileAtomically(output_, content);
  const std::uint64_t frames = reader.numFramesRead();
  fmt::print("  {}  {} frame{}, {} bytes{}\n", io::printable(output_, 200), frames,
             frames == 1 ? "" : "s", content.size(),
             reader.isComplete() ? "" : "; the recorded run was interrupted");
  return kExitOk;
}

}  // namespace abut::tool
