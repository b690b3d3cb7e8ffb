// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
}

namespace abut::tool {

/// A verb of the tool. The constructor of each adds its subcommand and options to the app.
class Command {
public:
  virtual ~Command() = default;
  /// Returns an exit code. Exceptions end in one line and kExitBadInput.
  virtual int run() = 0;
  [[nodiscard]] const CLI::App* getApp() const { return app_; }

protected:
  CLI::App* app_ = nullptr;  ///< The subcommand.
};

}  // namespace abut::tool
