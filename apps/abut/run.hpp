// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut run`: runs a scene and prints where the energy went.
class RunCommand final : public Command {
public:
  explicit RunCommand(CLI::App& app);
  int run() override;

private:
  std::string scene_;
  std::string record_;
  std::string report_;
  std::string checkpoint_;
  std::string resume_;
  std::uint64_t checkpoint_every_ = 1000;
  std::uint64_t steps_ = 0;
};

}  // namespace abut::tool
