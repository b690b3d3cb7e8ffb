// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut completion bash`: a script that completes verbs, options and file names.
class CompletionCommand final : public Command {
public:
  explicit CompletionCommand(CLI::App& app);
  int run() override;

private:
  const CLI::App& tool_;
  std::string shell_;
};

}  // namespace abut::tool
