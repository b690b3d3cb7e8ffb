// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"

namespace abut::tool {

/// `abut query`: contacts and signed distance of two shapes given on the command line.
class QueryCommand final : public Command {
public:
  explicit QueryCommand(CLI::App& app);
  int run() override;

private:
  std::string shape1_;
  std::string shape2_;
  std::string pose1_ = "0 0 0";
  std::string pose2_ = "0 0 0";
  double margin_ = 0.0;
  bool json_ = false;
};

}  // namespace abut::tool
