// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut view`: runs a scene and shows it while it runs, in a browser on this machine.
class ViewCommand final : public Command {
public:
  explicit ViewCommand(CLI::App& app);
  int run() override;

private:
  std::string scene_;
  std::uint16_t port_ = 0;
  std::string record_;
  double speed_ = 1.0;
  bool paused_ = false;
};

}  // namespace abut::tool
