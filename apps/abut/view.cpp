// SPDX-License-Identifier: MIT
#include "view.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/text.hpp"
#include "io/run/scene_run.hpp"
#include "options.hpp"
#include "report_template.hpp"
#include "view_live.hpp"
#include "view_server.hpp"

namespace abut::tool {
namespace {

using Clock = std::chrono::steady_clock;

/// Frames sent for each second of the scene, unless it records fewer.
constexpr double kFrameRate = 60.0;

/// Waits for Ctrl+C or a request to end; both are kept from ending the program at once.
class StopSignal {
public:
  StopSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }

  /// True if the user wants to stop; waits up to `seconds` for that.
  [[nodiscard]] bool isWanted(double seconds) const {
    const double wait = std::clamp(seconds, 0.0, 3600.0);
    timespec time{};
    time.tv_sec = static_cast<time_t>(wait);
    time.tv_nsec = static_cast<long>((wait - std::floor(wait)) * 1e9);
    return sigtimedwait(&set_, nullptr, &time) > 0;
  }

private:
  sigset_t set_{};
};

HttpAnswer answerTo(LiveRun& live, const std::string& path, const std::string& query) {
  const auto text = [](std::string s) { return std::make_shared<const std::string>(std::move(s)); };
  if (path == "/") {
    static const auto page = text(pageTemplate());
    return {200, "text/html; charset=utf-8", page};
  }
  if (path == "/header") return {200, "application/octet-stream", text(live.headerBytes())};
  if (path == "/frames") {
    constexpr std::string_view kFrom = "from=";
    const std::string number = query.rfind(kFrom, 0) == 0 ? query.substr(kFrom.size()) : "";
    if (number.empty() || number.size() > 18 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      return {400, "text/plain", text("ask for /frames?from=N with a whole number N\n")};
    return {200, "application/octet-stream", live.framesBytes(std::stoull(number))};
  }
  return {404, "text/plain", text("there are /, /header and /frames?from=N\n")};
}

/// Makes steps in step with the clock; true if the user ended it.
bool simulate(io::SceneRun& run, double speed, const StopSignal& stop, LiveRun& live) {
  const io::Scene& scene = run.getScene();
  const auto perFrame =
      static_cast<std::uint64_t>(std::max(1.0, std::round(1.0 / (kFrameRate * scene.step))));
  const std::uint64_t every = std::max<std::uint64_t>(scene.record.every, perFrame);
  const Clock::time_point begin = Clock::now();
  io::Frame frame;
  while (run.getStep() < scene.numSteps) {
    if (!run.advance()) break;
    if (run.getStep() % every != 0 && run.getStep() != scene.numSteps) continue;
    run.capture(frame);
    live.onFrame(frame);
    const double due = speed > 0.0 ? run.getTime() / speed : 0.0;
    const std::chrono::duration<double> gone = Clock::now() - begin;
    if (stop.isWanted(due - gone.count())) return true;
  }
  return false;
}

}  // namespace

ViewCommand::ViewCommand(CLI::App& app) {
  app_ = app.add_subcommand("view", "Run a scene and watch it in a browser while it runs");
  app_->add_option("scene", scene_, "Scene file (JSON), see docs/scene.md")
      ->required()
      ->type_name("SCENE");
  app_->add_option("--port", port_, "Port on 127.0.0.1; 0 (default) takes a free one")
      ->check(wholeNumber(0, 65535));
  app_->add_option("--speed", speed_, "Seconds of the scene in a second; 0: as fast as possible")
      ->check(CLI::Range(0.0, 1e6));
  app_->footer(std::string("The page is served to this machine only and can only be read.\n"
                           "Examples:\n"
                           "  abut view scenes/domino_run.json\n"
                           "  abut view scenes/capsule_spin.json --speed 0.1 --port 8080\n\n") +
               kExitCodesHelp);
}

int ViewCommand::run() {
  if (const std::string reason = pageMissingBecause(); !reason.empty()) {
    fmt::print(stderr, "abut: view: {}\n", reason);
    return kExitBadInput;
  }
  const io::Scene scene = io::loadScene(scene_, io::readRobotFile);
  const std::unique_ptr<io::SceneRun> run = io::startRun(scene);
  const StopSignal stop;
  LiveRun live;
  live.onHeader(run->getHeader());
  io::Frame frame;
  run->capture(frame);
  live.onFrame(frame);
  const LocalServer server(port_, [&live](const std::string& path, const std::string& query) {
    return answerTo(live, path, query);
  });
  fmt::print("  {:<12}  http://127.0.0.1:{}/  (open it in a browser; Ctrl+C ends)\n",
             io::printable(scene.name), server.getPort());
  std::fflush(stdout);
  if (simulate(*run, speed_, stop, live)) return kExitOk;
  live.onEnd();
  const std::string& fault = run->getFault();
  if (!fault.empty()) fmt::print(stderr, "abut: {}, exit code {}\n", fault, kExitUnsound);
  fmt::print("  over          t = {:g} s; the page stays until Ctrl+C\n", run->getTime());
  std::fflush(stdout);
  while (!stop.isWanted(3600.0)) {
  }
  return fault.empty() ? kExitOk : kExitUnsound;
}

}  // namespace abut::tool
