// SPDX-License-Identifier: MIT
#include "view.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/scene/scene.hpp"
#include "options.hpp"
#include "report_template.hpp"
#include "view_control.hpp"
#include "view_live.hpp"
#include "view_server.hpp"
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

/// The number after "name=" in a query, `otherwise` without one; nothing for what is no number.
std::optional<std::uint64_t> numberIn(const std::string& query, const std::string& name,
                                      std::optional<std::uint64_t> otherwise) {
  std::size_t begin = 0;
  while (begin <= query.size()) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string part = query.substr(begin, end - begin);
    begin = end + 1;
    if (part.rfind(name + "=", 0) != 0) continue;
    const std::string number = part.substr(name.size() + 1);
    if (number.empty() || number.size() > 18 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    return std::stoull(number);
  }
  return otherwise;
}

HttpAnswer answerTo(LiveRun& live, ViewControl& control, const HttpRequest& request) {
  const auto text = [](std::string s) { return std::make_shared<const std::string>(std::move(s)); };
  if (request.path == "/control") return control.control(request);
  if (request.isPost) return {405, "text/plain", text("only /control takes a POST\n")};
  if (request.path == "/") {
    static const auto page = text(pageTemplate());
    return {200, "text/html; charset=utf-8", page};
  }
  if (request.path == "/header") {
    return {200, "application/octet-stream", text(live.headerBytes())};
  }
  if (request.path == "/state") return control.state();
  if (request.path == "/frames") {
    const auto from = numberIn(request.query, "from", std::nullopt);
    const auto run = numberIn(request.query, "run", 0);
    if (!from || !run)
      return {400, "text/plain", text("ask for /frames?from=N with a whole number N\n")};
    auto bytes = live.framesBytes(*from, *run);
    if (!bytes) return {409, "text/plain", text("that run is gone: ask /state for the present\n")};
    return {200, "application/octet-stream", std::move(bytes)};
  }
  return {404, "text/plain", text("there are /, /header, /state, /frames?from=N and /control\n")};
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
    paths.addInput(scene_);
    paths.addOutput("--record", record_);
  }
  const StopSignal stop;
  LiveRun live;
  ViewControl control(scene, speed_, paused_);
  ViewSession session(scene, scene_, record_, control, live);
  const LocalServer server(
      port_, [&](const HttpRequest& request) { return answerTo(live, control, request); });
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
