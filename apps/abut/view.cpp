// SPDX-License-Identifier: MIT
#include "view.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/live/view_answers.hpp"
#include "io/scene/scene.hpp"
#include "options.hpp"
#include "report_template.hpp"
#include "view_session.hpp"

namespace abut::tool {
namespace {

/// Waits for Ctrl+C or a request to end; both are kept from ending the program at once.
class StopSignal {
public:
  StopSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    // One that is ignored (nohup) stays so.
    struct sigaction hangUp = {};
    if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
      sigaddset(&set_, SIGHUP);
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
  app_->add_option("--record", record_,
                   "Write a recording with every change that was made; a restart begins it anew")
      ->type_name("FILE");
  app_->add_flag("--paused", paused_, "Wait at the beginning until somebody presses play");
  app_->footer(
      std::string("The page is served to this machine only. Pages opened by the printed address, "
                  "which holds a\n"
                  "secret, can pause, make single steps, restart, pull bodies and change gravity "
                  "and friction.\n"
                  "abut replay --verify makes such a run again from its recording, to the bit.\n\n"
                  "Examples:\n"
                  "  abut view scenes/domino_run.json\n"
                  "  abut view scenes/capsule_spin.json --speed 0.1 --port 8080\n"
                  "  abut view scenes/arch.json --paused --record play.abut\n\n") +
      kExitCodesHelp);
}

int ViewCommand::run() {
  if (const std::string reason = pageMissingBecause(); !reason.empty()) {
    fmt::print(stderr, "abut: view: {}\n", reason);
    return kExitBadInput;
  }
  const io::Scene scene = io::loadScene(scene_, io::readRobotFile);
  if (app_->count("--record") > 0) {
    io::OutputPaths paths;
    paths.addScene(scene_, scene.files);
    paths.addOutput("--record", record_);
  }
  const StopSignal stop;
  io::LiveRun live;
  io::ViewControl control(speed_, paused_);
  ViewSession session(scene, scene_, record_, control, live);
  const io::LocalServer server(port_, [&](const io::HttpRequest& request) {
    return io::answerView(live, control, request);
  });
  fmt::print("  {:<12}  http://127.0.0.1:{}/?token={}  (open it in a browser; Ctrl+C ends)\n",
             io::printable(scene.name), server.getPort(), control.getToken());
  std::fflush(stdout);
  session.run([&] { return stop.isWanted(0.0); },
              [&] {
                const io::SceneRun& run = session.getRun();
                if (!run.getFault().empty())
                  fmt::print(stderr, "abut: {}, exit code {}\n", run.getFault(), kExitUnsound);
                fmt::print("  over          t = {:g} s; the page stays until Ctrl+C\n",
                           run.getTime());
                std::fflush(stdout);
              });
  if (!record_.empty()) fmt::print("  recording     {}\n", io::printable(record_, 200));
  return session.isOver() && !session.getRun().getFault().empty() ? kExitUnsound : kExitOk;
}

}  // namespace abut::tool
