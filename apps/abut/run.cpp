// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/recording/recording_file.hpp"
#include "io/recording/recording_parts.hpp"
#include "io/run/checkpoint.hpp"
#include "io/run/simulation.hpp"
#include "io/run/variable_run.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "report_page.hpp"
#include "report_template.hpp"
#include "stage_clock.hpp"
#include "summary.hpp"
#include "threads.hpp"

namespace abut::tool {
namespace {

void endSinks(const std::vector<std::unique_ptr<io::FrameSink>>& sinks) {
  for (const auto& sink : sinks) {
    if (Interrupt::isWanted()) {
      sink->onInterrupt();
    } else {
      sink->onEnd();
    }
  }
}

}  // namespace

RunCommand::RunCommand(CLI::App& app) {
  app_ = app.add_subcommand("run", "Run a scene and say where the energy went");
  app_->add_option("scene", scene_, "Scene file (JSON), see docs/scene.md")
      ->required()
      ->type_name("SCENE");
  app_->add_option("--record", record_, "Write a recording: poses, contacts with forces, ledger")
      ->type_name("FILE");
  app_->add_option("--steps", steps_,
                   "Steps to make (frames, with a variable step); without it the scene's duration")
      ->check(wholeNumber(0, kMaxSteps));
  app_->add_option("--report", report_, "Also write the run as a page to look at (one HTML file)")
      ->type_name("FILE");
  app_->add_option("--checkpoint", checkpoint_,
                   "Save the state to go on from, at the end and every --checkpoint-every steps")
      ->type_name("FILE");
  app_->add_option("--checkpoint-every", checkpoint_every_, "Steps between checkpoints")
      ->check(wholeNumber(1, kMaxSteps))
      ->capture_default_str();
  app_->add_option("--resume", resume_, "Go on from a checkpoint of this scene; --steps counts all")
      ->type_name("FILE");
  app_->add_flag("--traffic", traffic_, "Say what ranks sent to each other in a step");
  addThreadsOption(*app_, threads_);
  app_->footer(std::string("Examples:\n"
                           "  abut run scenes/capsule_spin.json\n"
                           "  abut run scenes/capsule_spin.json --steps 100 --record capsule.abut\n"
                           "  abut run scenes/capsule_spin.json --report capsule.html\n"
                           "  abut run scenes/pi_collisions.json\n\n"
                           "On several ranks, with the same bits (docs/distributed.md):\n"
                           "  mpirun -n 4 abut run scenes/standard_b_spheres.json\n\n"
                           "The summary's last line says where the time went, stage by stage.\n") +
               kExitCodesHelp);
}

int RunCommand::run() {
  const bool shows = !(record_.empty() && report_.empty());
  io::DividedScene divided = Ranks::load(scene_);
  io::Scene& scene = divided.scene;
  const std::unique_ptr<TaskRunner> tasks = makeTasks(*app_, threads_, scene.threads);
  scene.options.tasks = tasks.get();
  if (scene.variable && !(checkpoint_.empty() && resume_.empty())) {
    fmt::print(
        stderr,
        "abut: a run with a variable step has no checkpoints; leave --checkpoint and --resume "
        "out, or give the scene a fixed step\n");
    return kExitUsage;
  }
  checkPaths(scene);
  const std::unique_ptr<io::SceneRun> run = Ranks::start(divided);
  auto* const fixed = dynamic_cast<io::Simulation*>(run.get());
  if (!resume_.empty() && Ranks::numRanks() == 1) io::loadCheckpoint(*fixed, resume_);
  Ranks::divide(*run, shows, resume_);
  const std::uint64_t steps = app_->count("--steps") > 0 ? steps_ : scene.numSteps;
  if (steps < run->getStep()) {
    fmt::print(stderr,
               "abut: --resume {}: the checkpoint is at step {}, beyond the {} steps to make; give "
               "more --steps\n",
               io::printable(resume_, 200), run->getStep(), steps);
    return kExitUsage;
  }
  RunStatistics statistics;
  statistics.firstStep = run->getStep();
  const Interrupt interrupt;
  const double seconds =
      fixed != nullptr ? makeSteps(*fixed, steps, statistics) : makeFrames(*run, steps, statistics);
  if (fixed != nullptr) {
    printSummary(*fixed, statistics, seconds);
  } else {
    printVariableSummary(dynamic_cast<io::VariableRun&>(*run), statistics, seconds);
  }
  if (!statistics.shares.empty())
    printLine("time", fmt::format("{}: {}", readableTime(seconds), statistics.shares));
  if (traffic_) printLine("ranks", statistics.traffic);
  if (!record_.empty()) printLine("recording", io::printable(record_, 200));
  if (!report_.empty()) printLine("report", io::printable(report_, 200));
  if (!checkpoint_.empty()) printLine("checkpoint", io::printable(checkpoint_, 200));
  if (Interrupt::isWanted()) {
    fmt::print(stderr, "abut: interrupted after {} of {} steps; what there is was kept\n",
               run->getStep(), steps);
    return Interrupt::exitCode();
  }
  if (run->getFault().empty()) return kExitOk;
  fmt::print(stderr, "abut: {}, exit code {}\n", run->getFault(), kExitUnsound);
  return kExitUnsound;
}

void RunCommand::checkPaths(const io::Scene& scene) const {
  io::OutputPaths paths;
  paths.addScene(scene_, scene.files);
  // A checkpoint may replace the one that the run goes on from.
  for (const auto& [option, path] :
       {std::pair("--record", &record_), {"--report", &report_}, {"--checkpoint", &checkpoint_}}) {
    if (app_->count(option) > 0) paths.addOutput(option, *path);
  }
  if (const std::string reason = pageMissingBecause(); !report_.empty() && !reason.empty())
    throw io::InputError(io::concat("--report ", io::printable(report_, 200), ": ", reason));
}

std::vector<std::unique_ptr<io::FrameSink>> RunCommand::openSinks(const io::SceneRun& run) const {
  const io::Scene& scene = run.getScene();
  std::vector<std::unique_ptr<io::FrameSink>> sinks;
  if (!record_.empty()) {
    sinks.push_back(std::make_unique<io::RecordingWriter>(
        record_, io::SceneSource{scene_, scene.text, scene.files}));
  }
  if (!report_.empty()) sinks.push_back(std::make_unique<ReportSink>(report_));
  for (const auto& sink : sinks) sink->onHeader(run.getHeader());
  return sinks;
}

/// What a rank writes of frames; none where none are asked for.
std::unique_ptr<io::PartWriter> RunCommand::openPart(const io::Simulation& simulation) const {
  const std::string& path = record_.empty() ? report_ : record_;
  if (path.empty()) return nullptr;
  auto part = std::make_unique<io::PartWriter>(path, Ranks::rank(), Ranks::numRanks());
  const io::Scene& scene = simulation.getScene();
  if (Ranks::isFirst()) part->begin({scene_, scene.text, scene.files}, simulation.getHeader());
  return part;
}

/// The first rank puts together what all ranks wrote, once they did.
void RunCommand::joinParts(const io::Simulation& simulation) const {
  (void)Ranks::agree(false);
  if (!Ranks::isFirst()) return;
  const std::string& path = record_.empty() ? report_ : record_;
  std::unique_ptr<io::PartReader> parts;
  try {
    parts = std::make_unique<io::PartReader>(path);
  } catch (const io::InputError& error) {
    fmt::print(stderr, "abut: {}; bring the parts of all ranks together and run: abut merge {}\n",
               error.what(), io::printable(path, 200));
    return;
  }
  const auto sinks = openSinks(simulation);
  for (io::Frame frame; parts->next(frame);) {
    for (const auto& sink : sinks) sink->onFrame(frame);
  }
  for (const auto& sink : sinks) {
    if (parts->isComplete()) {
      sink->onEnd();
    } else {
      sink->onInterrupt();
    }
  }
  io::removeParts(path, parts->numRanks());
}

void RunCommand::saveCheckpoint(const io::Simulation& simulation) const {
  io::saveCheckpoint(simulation, checkpoint_);
}

double RunCommand::makeSteps(io::Simulation& simulation, std::uint64_t steps,
                             RunStatistics& statistics) const {
  const bool isDivided = Ranks::numRanks() > 1;
  const auto sinks =
      isDivided ? std::vector<std::unique_ptr<io::FrameSink>>() : openSinks(simulation);
  const std::unique_ptr<io::PartWriter> parts = isDivided ? openPart(simulation) : nullptr;
  const std::uint64_t every = simulation.getScene().record.every;
  io::Frame frame;
  io::FramePart part;
  const auto send = [&] {
    if (parts) {
      simulation.capturePart(part);
      parts->add(part);
    }
    if (sinks.empty()) return;
    simulation.capture(frame);
    for (const auto& sink : sinks) sink->onFrame(frame);
  };
  send();
  StageClock clock(simulation.getWorld());
  const Communicator::Traffic before = Ranks::traffic();
  const std::uint64_t first = simulation.getStep();
  Progress progress(io::printable(simulation.getScene().name), steps);
  // Ranks end together: what one is told is agreed upon after each step.
  bool isWanted = Ranks::agree(Interrupt::isWanted());
  while (simulation.getStep() < steps && !isWanted) {
    clock.beginStep();
    if (!simulation.step()) break;
    statistics.add(simulation.getWorld().getReport());
    isWanted = Ranks::agree(Interrupt::isWanted());
    const bool last = simulation.getStep() == steps || isWanted;
    if (simulation.getStep() % every == 0 || last) send();
    if (!checkpoint_.empty() && simulation.getStep() % checkpoint_every_ == 0)
      saveCheckpoint(simulation);
    progress.update(simulation.getStep());
  }
  const double seconds = progress.seconds();
  if (traffic_) {
    statistics.traffic = Ranks::describeTraffic(before, simulation.getStep() - first,
                                                simulation.numOwn(), simulation.numGhosts());
    const double made =
        static_cast<double>(std::max<std::uint64_t>(simulation.getStep() - first, 1));
    statistics.traffic +=
        fmt::format(", {:.1f} sweeps", static_cast<double>(statistics.sweeps) / made);
  }
  if (!checkpoint_.empty()) saveCheckpoint(simulation);
  progress.finish();
  endSinks(sinks);
  if (parts) {
    if (!isWanted) parts->end();
    joinParts(simulation);
  }
  statistics.shares = clock.sharesOf(seconds);
  return seconds;
}

double RunCommand::makeFrames(io::SceneRun& run, std::uint64_t frames,
                              RunStatistics& statistics) const {
  const auto sinks = openSinks(run);
  io::Frame frame;
  const auto send = [&] {
    run.capture(frame);
    statistics.add(frame);
    for (const auto& sink : sinks) sink->onFrame(frame);
  };
  send();
  Progress progress(io::printable(run.getScene().name), frames, "frames");
  while (run.getStep() < frames && !Interrupt::isWanted() && run.advance()) {
    send();
    progress.update(run.getStep());
  }
  const double seconds = progress.seconds();
  progress.finish();
  endSinks(sinks);
  return seconds;
}

}  // namespace abut::tool
