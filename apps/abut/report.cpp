// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/run/simulation.hpp"
#include "report_page.hpp"

namespace abut::tool {
namespace {

/// Runs a scene into a sink; what made it unsound, or "".
std::string runInto(const std::string& path, io::FrameSink& sink) {
  const io::Scene scene = io::loadScene(path);
  io::Simulation simulation(scene);
  io::Frame frame;
  sink.onHeader(simulation.getHeader());
  simulation.capture(frame);
  sink.onFrame(frame);
  while (simulation.getStep() < scene.numSteps) {
    if (!simulation.step()) break;
    if (simulation.getStep() % scene.record.every != 0 && simulation.getStep() != scene.numSteps)
      continue;
    simulation.capture(frame);
    sink.onFrame(frame);
  }
  sink.onEnd();
  return simulation.getFault();
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
  app_->add_option("scene", input_, "Scene file (JSON); it is run")->required()->type_name("SCENE");
  app_->add_option("-o,--output", output_, "Page to write; without it NAME.html in this folder")
      ->type_name("FILE");
  app_->footer(std::string("Examples:\n"
                           "  abut report scenes/arch.json\n"
                           "  abut report scenes/arch.json -o arch.html\n\n") +
               kExitCodesHelp);
}

int ReportCommand::run() {
  const std::string output = output_.empty() ? pageNameOf(input_) : output_;
  ReportSink sink(output);
  const std::string fault = runInto(input_, sink);
  fmt::print("  report        {}\n", output);
  if (fault.empty()) return kExitOk;
  fmt::print(stderr, "abut: {}, exit code {}\n", fault, kExitUnsound);
  return kExitUnsound;
}

}  // namespace abut::tool
