// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace abut::tool {

/// `abut convert`: a robot file as a scene.
class ConvertCommand final : public Command {
public:
  explicit ConvertCommand(CLI::App& app);
  int run() override;

private:
  std::string robot_, output_;
  std::vector<std::string> packages_;
  bool fixed_ = false;
  std::vector<double> position_;
};

}  // namespace abut::tool
