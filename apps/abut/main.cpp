// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>

#include "exit_codes.hpp"
#include "query.hpp"
#include "verify.hpp"

namespace {

int runTool(int argc, char** argv) {
  CLI::App app{"Abut: rigid-body contact, from shapes to forces."};
  app.name("abut");
  app.set_version_flag("--version", "abut " ABUT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 sound, 1 usage, 2 bad input, 4 verification failed.\n"
      "Start with:  abut query --shape1 \"box 1 1 1\" --shape2 \"sphere 0.5\" --pose2 \"0 0 0.9\"");
  abut::tool::QueryCommand query(app);
  abut::tool::VerifyCommand verify(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? abut::tool::kExitOk : abut::tool::kExitUsage;
  }
  if (app.got_subcommand("verify")) return verify.run();
  return query.run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return runTool(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "abut: %s\n", error.what());
    return abut::tool::kExitBadInput;
  }
}
