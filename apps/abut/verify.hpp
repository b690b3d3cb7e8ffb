// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace abut::tool {

/// `abut verify`: scenarios with known answers, as a table.
class VerifyCommand final : public Command {
public:
  explicit VerifyCommand(CLI::App& app);

  /// kExitOk if every row holds, else kExitVerification. Throws UsageError for a name that no
  /// scenario has.
  int run() override;

private:
  std::vector<std::string> only_;
  std::string robot_;
  bool list_ = false;
};

}  // namespace abut::tool
