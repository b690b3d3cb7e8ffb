// SPDX-License-Identifier: MIT
#include "export.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/export/export.hpp"

namespace abut::tool {
namespace {

bool endsWith(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

ExportCommand::ExportCommand(CLI::App& app) {
  app_ = app.add_subcommand("export", "Write a recording for other programs: glTF, CSV, NumPy");
  app_->add_option("recording", recording_, "File written by abut run --record")
      ->required()
      ->type_name("FILE");
  app_->add_option("output", output_, "File to write; its ending says what: .glb, .csv or .npz")
      ->required()
      ->type_name("FILE");
  app_->add_option("--table", table_, "For .csv: bodies, contacts, energy, events or drivers")
      ->check(CLI::IsMember({"bodies", "contacts", "energy", "events", "drivers"}))
      ->capture_default_str();
  app_->footer(
      "Examples: an animation for Blender and browsers, a table, arrays for numpy.load()\n"
      "  abut export capsule.abut capsule.glb\n"
      "  abut export capsule.abut contacts.csv --table contacts\n"
      "  abut export capsule.abut capsule.npz\n\n"
      "docs/recording.md says what the columns and arrays hold.");
}

int ExportCommand::run() {
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
                                                      : io::CsvTable::Drivers;
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
