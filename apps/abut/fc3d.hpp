// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace abut::tool {

/// Solves contact problems that files hold.
class Fc3dCommand final : public Command {
public:
  explicit Fc3dCommand(CLI::App& app);
  int run() override;

private:
  std::vector<std::string> files_;
  double tolerance_ = 0.0;
  bool peer_ = false;
};

}  // namespace abut::tool
