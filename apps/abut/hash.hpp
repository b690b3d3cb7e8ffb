// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut hash`: the hash of a scene's state after some steps, alone on the last line.
class HashCommand final : public Command {
public:
  explicit HashCommand(CLI::App& app);
  int run() override;

private:
  std::string scene_;
  std::uint64_t steps_ = 0;
  int threads_ = 1;
};

}  // namespace abut::tool
