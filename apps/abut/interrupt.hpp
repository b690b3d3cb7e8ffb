// SPDX-License-Identifier: MIT
#pragma once

namespace abut::tool {

/// While one exists, Ctrl+C and a request to end are remembered instead of ending the program, so
/// that what there is can be kept. A second one ends it at once.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] static bool isWanted();
  /// What a program that the signal had ended would leave: 130 or 143.
  [[nodiscard]] static int exitCode();
};

}  // namespace abut::tool
