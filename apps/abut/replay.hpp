// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut replay`: what a recording holds, and whether this machine gets the same.
class ReplayCommand final : public Command {
public:
  explicit ReplayCommand(CLI::App& app);
  int run() override;

private:
  std::string recording_;
  std::string against_;
  bool verify_ = false;
  bool bisect_ = false;
};

}  // namespace abut::tool
