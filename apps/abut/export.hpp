// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut export`: a recording, or the contact problem of a scene's step, for other programs.
class ExportCommand final : public Command {
public:
  explicit ExportCommand(CLI::App& app);
  int run() override;

private:
  int writeProblem();

  std::string recording_;
  std::string output_;
  std::string table_ = "bodies";
  std::string problem_ = "force";
  std::uint64_t step_ = 1;
  bool fclib_ = false;
};

}  // namespace abut::tool
