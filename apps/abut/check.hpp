// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut check`: reads a scene, and says what is wrong or doubtful.
class CheckCommand final : public Command {
public:
  explicit CheckCommand(CLI::App& app);
  int run() override;

private:
  std::string scene_;
};

}  // namespace abut::tool
