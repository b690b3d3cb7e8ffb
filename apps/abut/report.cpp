// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/recording/recording_file.hpp"
#include "io/run/scene_run.hpp"
#include "report_page.hpp"
#include "summary.hpp"

namespace abut::tool {
namespace {

/// Runs a scene into a sink; what made it unsound, or "".
std::string runInto(const io::Scene& scene, io::FrameSink& sink) {
  const std::unique_ptr<io::SceneRun> run = io::startRun(scene);
  io::Frame frame;
  sink.onHeader(run->getHeader());
  run->capture(frame);
  sink.onFrame(frame);
  while (run->getStep() < scene.numSteps && !Interrupt::isWanted()) {
    if (!run->advance()) break;
    const bool last = run->getStep() == scene.numSteps || Interrupt::isWanted();
    if (run->getStep() % scene.record.every != 0 && !last) continue;
    run->capture(frame);
    sink.onFrame(frame);
  }
  sink.onEnd();
  return run->getFault();
}

/// Reads a recording into a sink; what is wrong with it, or "".
std::string readInto(const std::string& path, io::FrameSink& sink) {
  io::RecordingReader reader(path);
  sink.onHeader(reader.getHeader());
  io::Frame frame;
  while (reader.next(frame)) sink.onFrame(frame);
  sink.onEnd();
  if (reader.isComplete()) return "";
  return fmt::format("{}: the recording was interrupted; the page shows its {} complete frames",
                     path, reader.numFramesRead());
}

bool endsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// "folder/name.json" to "name.html".
std::string pageNameOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.find_last_of('.')) + ".html";
}

}  // namespace

ReportCommand::ReportCommand(CLI::App& app) {
  app_ = app.add_subcommand("report", "Make a page to look at: one HTML file, no network");
  app_->add_option("input", input_, "Scene file (.json), which is run, or a recording")
      ->required()
      ->type_name("SCENE|RECORDING");
  app_->add_option("-o,--output", output_, "Page to write; without it NAME.html in this folder")
      ->type_name("FILE");
  app_->footer(std::string("Examples:\n"
                           "  abut report scenes/arch.json\n"
                           "  abut run scenes/arch.json --record arch.abut\n"
                           "  abut report arch.abut -o arch.html\n\n") +
               kExitCodesHelp);
}

int ReportCommand::run() {
  const std::string output = output_.empty() ? pageNameOf(input_) : output_;
  const bool isScene = endsWith(input_, ".json");
  const io::Scene scene = isScene ? io::loadScene(input_, io::readRobotFile) : io::Scene();
  io::OutputPaths paths;
  paths.addScene(input_, scene.files);
  paths.addOutput("--output", app_->count("--output") > 0 ? output_ : output);
  ReportSink sink(output);
  if (!isScene) {
    const std::string warning = readInto(input_, sink);
    printLine("report", io::printable(output, 200));
    if (!warning.empty()) fmt::print(stderr, "abut: {}\n", io::printable(warning, 300));
    return kExitOk;
  }
  const Interrupt interrupt;
  const std::string fault = runInto(scene, sink);
  printLine("report", io::printable(output, 200));
  if (Interrupt::isWanted()) {
    fmt::print(stderr, "abut: interrupted; the page shows the run up to there\n");
    return Interrupt::exitCode();
  }
  if (fault.empty()) return kExitOk;
  fmt::print(stderr, "abut: {}, exit code {}\n", fault, kExitUnsound);
  return kExitUnsound;
}

}  // namespace abut::tool
