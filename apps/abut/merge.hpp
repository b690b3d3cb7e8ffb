// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut merge`: a recording from the parts that ranks wrote.
class MergeCommand final : public Command {
public:
  explicit MergeCommand(CLI::App& app);
  int run() override;

private:
  std::string recording_;
};

}  // namespace abut::tool
