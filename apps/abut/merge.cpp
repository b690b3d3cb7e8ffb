// SPDX-License-Identifier: MIT
#include "merge.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/recording/recording_parts.hpp"

namespace abut::tool {

MergeCommand::MergeCommand(CLI::App& app) {
  app_ = app.add_subcommand("merge", "Make a recording of the parts that ranks wrote");
  app_->add_option("recording", recording_, "FILE, of which FILE.part0, FILE.part1 ... are there")
      ->required()
      ->type_name("FILE");
  app_->footer(
      std::string(
          "A run on several ranks does this itself when it ends. Where a rank died, or ranks "
          "on other\nmachines wrote to disks of their own, bring the parts together first:\n"
          "  abut merge run.abut\n\n") +
      kExitCodesHelp);
}

int MergeCommand::run() {
  io::PartReader parts(recording_);
  io::OutputPaths paths;
  for (int r = 0; r < parts.numRanks(); ++r) paths.addInput(io::nameOfPart(recording_, r));
  paths.addOutput("merge", recording_);
  io::RecordingWriter recording(recording_, parts.getSource());
  recording.onHeader(parts.getHeader());
  std::uint64_t frames = 0;
  for (io::Frame frame; parts.next(frame); ++frames) recording.onFrame(frame);
  if (parts.isComplete()) {
    recording.onEnd();
  } else {
    recording.onInterrupt();
  }
  fmt::print("{} frames of {} ranks{}: {}\n", frames, parts.numRanks(),
             parts.isComplete() ? "" : ", of a run that was interrupted",
             io::printable(recording_, 200));
  return kExitOk;
}

}  // namespace abut::tool
