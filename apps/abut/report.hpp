// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut report`: makes a page of a recording, or of a scene that it runs.
class ReportCommand final : public Command {
public:
  explicit ReportCommand(CLI::App& app);
  int run() override;

private:
  std::string input_;
  std::string output_;
};

}  // namespace abut::tool
