// SPDX-License-Identifier: MIT
#include "completion.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"

namespace abut::tool {
namespace {

std::string verbsOf(const CLI::App& tool) {
  std::string verbs;
  for (const CLI::App* sub : tool.get_subcommands([](const CLI::App*) { return true; }))
    verbs += (verbs.empty() ? "" : " ") + sub->get_name();
  return verbs;
}

std::string optionsOf(const CLI::App& sub) {
  std::string options;
  for (const CLI::Option* option : sub.get_options())
    for (const std::string& name : option->get_lnames())
      options += (options.empty() ? "--" : " --") + name;
  return options;
}

}  // namespace

CompletionCommand::CompletionCommand(CLI::App& app) : tool_(app) {
  app_ =
      app.add_subcommand("completion", "Print a script that lets the shell complete abut's words");
  app_->add_option("shell", shell_, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  app_->footer(
      "Example: for this shell, then for every shell\n"
      "  source <(abut completion bash)\n"
      "  echo 'source <(abut completion bash)' >> ~/.bashrc\n"
      "For zsh likewise with ~/.zshrc, after compinit.");
}

int CompletionCommand::run() {
  // zsh takes bash's functions once its own emulation of them is loaded.
  if (shell_ == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
  fmt::print("_abut() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} words=\n");
  fmt::print("  if [ \"$COMP_CWORD\" = 1 ]; then\n    words='{} --help --version'\n",
             verbsOf(tool_));
  fmt::print("  elif [[ $word == -* ]]; then\n    case ${{COMP_WORDS[1]}} in\n");
  for (const CLI::App* sub : tool_.get_subcommands([](const CLI::App*) { return true; }))
    fmt::print("      {}) words='{}' ;;\n", sub->get_name(), optionsOf(*sub));
  fmt::print(
      "    esac\n  elif [ \"${{COMP_WORDS[1]}}\" = completion ]; then\n    words='bash zsh'\n"
      "  elif [ \"${{COMP_WORDS[COMP_CWORD-1]}}\" = --only ]; then\n"
      "    words=$(abut verify --list 2>/dev/null | cut -d' ' -f1)\n"
      "  elif [ \"${{COMP_WORDS[COMP_CWORD-1]}}\" = --table ]; then\n"
      "    words='bodies contacts energy events drivers'\n  fi\n");
  fmt::print(
      "  if [ -n \"$words\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  fi\n}}\n"
      "complete -o filenames -F _abut abut\n");
  return kExitOk;
}

}  // namespace abut::tool
