// SPDX-License-Identifier: MIT
#include "verify.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "ranks.hpp"
#include "verify/robot.hpp"
#include "verify/scenario.hpp"

namespace abut::tool {
namespace {

std::vector<VerifyScenario> allScenarios() {
  std::vector<VerifyScenario> all;
  for (const auto& list :
       {frictionScenarios(), freeMotionScenarios(), drivenScenarios(), movingContactScenarios(),
        restScenarios(), impactScenarios(), blowScenarios(), fastBodyScenarios(),
        yieldingScenarios(), towerScenarios(), meshScenarios(), simBenchmarkScenarios(),
        jointScenarios(), jointDriveScenarios(), jointForceScenarios(), quadrupedScenarios()}) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

std::vector<VerifyScenario> chosen(const std::vector<std::string>& only) {
  std::vector<VerifyScenario> all = allScenarios();
  if (only.empty()) return all;
  std::string names;
  for (const VerifyScenario& s : all)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", s.name);
  std::vector<VerifyScenario> some;
  for (const std::string& name : only) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const VerifyScenario& s) { return name == s.name; });
    if (at == all.end()) {
      throw UsageError(
          fmt::format("verify --only {}: no such scenario (there are: {})", name, names));
    }
    some.push_back(*at);
  }
  return some;
}

bool holds(const VerifyRow& row) {
  return row.error <= row.bar;  // False for NaN.
}

std::string textOf(const VerifyRow& row) {
  return fmt::format("  {:<46} {:>14} {:>18.12g} {:>9.2e} {:>8.0e}  {}\n", row.what, row.truth,
                     row.value, row.error, row.bar, holds(row) ? "holds" : "FALLS SHORT");
}

struct Count {
  std::uint64_t held = 0, rows = 0;
};

/// Runs a scenario and says what it gave.
std::string runOne(const VerifyScenario& s, Count& count) {
  const auto start = std::chrono::steady_clock::now();
  const Rows rows = s.run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::string text = fmt::format("{}: {}  ({:.1f} s)\n", s.name, s.text, seconds.count());
  for (const VerifyRow& row : rows) {
    text += textOf(row);
    ++count.rows;
    if (holds(row)) ++count.held;
  }
  return text;
}

}  // namespace

VerifyCommand::VerifyCommand(CLI::App& app) {
  CLI::App* command = app_ =
      app.add_subcommand("verify", "Scenarios with known answers, beside what the world does");
  command->add_option("--only", only_, "Run this scenario alone; may be given several times");
  command
      ->add_option(
          "--robot", robot_,
          "A robot file (URDF or MJCF): tests of energy, momentum and standing on it alone")
      ->type_name("ROBOT");
  command->add_flag("--list", list_, "Print the names of the scenarios");
  command->footer(
      "Exit codes: 0 all hold, 4 one or more fall short.\n"
      "Example: friction on a slope\n  abut verify --only incline");
}

int VerifyCommand::run() {
  if (!robot_.empty()) {
    if (!only_.empty()) throw UsageError("verify: --robot and --only do not go together");
    fmt::print("  {:<46} {:>14} {:>18} {:>9} {:>8}\n", "", "truth", "value", "error", "bar");
    std::size_t kept = 0;
    const Rows rows = robotRows(robot_);
    for (const VerifyRow& row : rows) {
      fmt::print("{}", textOf(row));
      if (holds(row)) ++kept;
    }
    fmt::print("{} of {} hold\n", kept, rows.size());
    return kept == rows.size() ? kExitOk : kExitVerification;
  }
  const std::vector<VerifyScenario> scenarios = chosen(only_);
  if (list_) {
    for (const VerifyScenario& s : scenarios) fmt::print("{:<18} {}\n", s.name, s.text);
    return kExitOk;
  }
  const bool terminal = isatty(STDERR_FILENO) != 0;
  fmt::print("  {:<46} {:>14} {:>18} {:>9} {:>8}\n", "", "truth", "value", "error", "bar");
  // Rank after rank takes every so many-th; what others found is printed at the end.
  const auto ranks = static_cast<std::size_t>(Ranks::numRanks());
  const auto self = static_cast<std::size_t>(Ranks::rank());
  Count count;
  std::vector<std::string> texts;
  for (std::size_t i = self; i < scenarios.size(); i += ranks) {
    const VerifyScenario& s = scenarios[i];
    if (terminal) fmt::print(stderr, "\r[{}/{}] {} ...\x1b[K", i + 1, scenarios.size(), s.name);
    texts.push_back(runOne(s, count));
    if (terminal) fmt::print(stderr, "\r\x1b[K");
    if (ranks > 1) continue;
    fmt::print("{}", texts.back());
    std::fflush(stdout);
  }
  if (ranks > 1) {
    const std::vector<std::vector<std::string>> all = Ranks::gather(texts);
    for (std::size_t i = 0; i < scenarios.size(); ++i) fmt::print("{}", all[i % ranks][i / ranks]);
  }
  const std::uint64_t held = Ranks::total(count.held), rows = Ranks::total(count.rows);
  fmt::print("{} of {} hold\n", held, rows);
  return held == rows ? kExitOk : kExitVerification;
}

}  // namespace abut::tool
