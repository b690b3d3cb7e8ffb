// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "check.hpp"
#include "completion.hpp"
#include "convert.hpp"
#include "exit_codes.hpp"
#include "export.hpp"
#include "fc3d.hpp"
#include "hash.hpp"
#include "io/core/text.hpp"
#include "merge.hpp"
#include "options.hpp"
#include "query.hpp"
#include "ranks.hpp"
#include "replay.hpp"
#include "report.hpp"
#include "run.hpp"
#include "sweep.hpp"
#include "verify.hpp"
#include "view.hpp"

namespace {

using namespace abut::tool;

std::vector<std::unique_ptr<Command>> addCommands(CLI::App& app) {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<RunCommand>(app));
  commands.push_back(std::make_unique<ReportCommand>(app));
  commands.push_back(std::make_unique<ViewCommand>(app));
  commands.push_back(std::make_unique<SweepCommand>(app));
  commands.push_back(std::make_unique<CheckCommand>(app));
  commands.push_back(std::make_unique<HashCommand>(app));
  commands.push_back(std::make_unique<ReplayCommand>(app));
  commands.push_back(std::make_unique<MergeCommand>(app));
  commands.push_back(std::make_unique<ExportCommand>(app));
  commands.push_back(std::make_unique<ConvertCommand>(app));
  commands.push_back(std::make_unique<QueryCommand>(app));
  commands.push_back(std::make_unique<Fc3dCommand>(app));
  commands.push_back(std::make_unique<VerifyCommand>(app));
  commands.push_back(std::make_unique<CompletionCommand>(app));
  return commands;
}

/// What to say about a first word that is missing or no verb, or nothing.
std::string unknownVerb(const CLI::App& app, int argc, char** argv) {
  if (argc >= 2 && argv[1][0] == '-') return "";
  std::vector<std::string> verbs;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(sub->get_name());
  const std::vector<std::string_view> views(verbs.begin(), verbs.end());
  if (argc < 2) {
    return abut::io::concat("abut: a verb is missing (there are: ", abut::io::join(views),
                            "); try: abut run scenes/arch.json --report arch.html\n",
                            "abut --help says more");
  }
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
  app.failure_message([](const CLI::App* whole, const CLI::Error& error) {
    const std::vector<CLI::App*> verbs =
        whole->get_parent() == nullptr ? whole->get_subcommands() : std::vector<CLI::App*>{};
    const std::string who = verbs.empty() ? "abut" : "abut " + verbs.front()->get_name();
    return abut::io::concat(who, ": ", std::string(error.what()), " (", who,
                            " --help says more)\n");
  });
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
  } catch (const CLI::ExtrasError& error) {
    const std::string complaint = unknownArguments(app);
    if (complaint.empty()) return app.exit(error), kExitUsage;
    std::fprintf(stderr, "%s\n", complaint.c_str());
    return kExitUsage;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  for (const std::unique_ptr<Command>& command : commands) {
    if (!command->getApp()->parsed()) continue;
    Ranks::requireVerb(command->getApp()->get_name());
    return command->run();
  }
  return kExitUsage;
}

/// Standard streams that the caller closed are opened on nothing, lest a file of ours take their
/// numbers and what is printed go into it. Printing to such an output fails, as it should.
void keepStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    const int opened = ::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR);
    if (opened >= 0 && opened != stream) ::close(opened);
  }
  std::signal(SIGPIPE, SIG_IGN);  // A reader that went away is an error like any other.
}

/// The tool's exit code, unless what it printed did not arrive.
int afterPrinting(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "abut: standard output cannot be written: %s\n", std::strerror(errno));
  return code == kExitOk ? kExitBadInput : code;
}

}  // namespace

int main(int argc, char** argv) {
  keepStandardStreams();
  const Ranks ranks;
  try {
    return afterPrinting(runTool(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "abut: out of memory; use fewer bodies or a smaller mesh\n");
    Ranks::giveUp("out of memory");
  } catch (const UsageError& error) {
    std::fprintf(stderr, "abut %s\n", error.what());
    Ranks::giveUp(error.what());
    return kExitUsage;
  } catch (const abut::io::InputError& error) {
    // Begins with the file's name: editors and terminals make file:line:column a link.
    std::fprintf(stderr, "%s\n", error.what());
    Ranks::giveUp(error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "abut: %s\n", error.what());
    Ranks::giveUp(error.what());
  }
  return kExitBadInput;
}
