// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut export`: a recording for other programs.
class ExportCommand final : public Command {
public:
  explicit ExportCommand(CLI::App& app);
  int run() override;

private:
  std::string recording_;
  std::string output_;
  std::string table_ = "bodies";
};

}  // namespace abut::tool
