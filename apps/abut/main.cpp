// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "check.hpp"
#include "completion.hpp"
#include "exit_codes.hpp"
#include "export.hpp"
#include "hash.hpp"
#include "io/core/text.hpp"
#include "query.hpp"
#include "replay.hpp"
#include "report.hpp"
#include "run.hpp"
#include "verify.hpp"
#include "view.hpp"

namespace {

using namespace abut::tool;

std::vector<std::unique_ptr<Command>> addCommands(CLI::App& app) {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<RunCommand>(app));
  commands.push_back(std::make_unique<ReportCommand>(app));
  commands.push_back(std::make_unique<ViewCommand>(app));
  commands.push_back(std::make_unique<CheckCommand>(app));
  commands.push_back(std::make_unique<HashCommand>(app));
  commands.push_back(std::make_unique<ReplayCommand>(app));
  commands.push_back(std::make_unique<ExportCommand>(app));
  commands.push_back(std::make_unique<QueryCommand>(app));
  commands.push_back(std::make_unique<VerifyCommand>(app));
  commands.push_back(std::make_unique<CompletionCommand>(app));
  return commands;
}

/// What to say about a first word that is no verb, or nothing.
std::string unknownVerb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> verbs;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(sub->get_name());
  const std::vector<std::string_view> views(verbs.begin(), verbs.end());
  const std::string_view word = argv[1];
  if (std::find(views.begin(), views.end(), word) != views.end()) return "";
  const std::string_view best = abut::io::nearest(word, views);
  return abut::io::concat("abut: unknown verb ", abut::io::quoted(word),
                          best.empty() ? "" : abut::io::concat("; did you mean ", best, "?"),
                          " (there are: ", abut::io::join(views), "; abut --help says more)");
}

int runTool(int argc, char** argv) {
  CLI::App app{
      "Abut computes rigid-body contact, from shapes to forces. A scene file says which bodies\n"
      "there are; abut runs it, tells where the energy went, and shows the contacts.\n"};
  app.name("abut");
  app.set_version_flag("--version", "abut " ABUT_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  app.footer(
      std::string(
          "Start with one of these; abut VERB --help says more, with examples:\n"
          "  abut check scenes/capsule_spin.json\n"
          "  abut run scenes/capsule_spin.json\n"
          "  abut query --shape1 \"box 1 1 1\" --shape2 \"sphere 0.5\" --pose2 \"0 0 0.9\"\n\n") +
      kExitCodesHelp);
  const std::vector<std::unique_ptr<Command>> commands = addCommands(app);
  if (const std::string complaint = unknownVerb(app, argc, argv); !complaint.empty()) {
    std::fprintf(stderr, "%s\n", complaint.c_str());
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  for (const std::unique_ptr<Command>& command : commands)
    if (command->getApp()->parsed()) return command->run();
  return kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return runTool(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "abut: out of memory; use fewer bodies or a smaller mesh\n");
  } catch (const abut::io::InputError& error) {
    // Begins with the file's name: editors and terminals make file:line:column a link.
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "abut: %s\n", error.what());
  }
  return kExitBadInput;
}
