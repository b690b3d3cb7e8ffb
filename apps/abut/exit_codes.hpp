// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace abut::tool {

inline constexpr int kExitOk = 0;        ///< Sound.
inline constexpr int kExitUsage = 1;     ///< The command line was wrong.
inline constexpr int kExitBadInput = 2;  ///< A shape, pose or file was wrong.
inline constexpr int kExitUnsound = 3;   ///< A run that does not hold what the scene demands.
/// A scenario fell short of its bar, or a replay differs.
inline constexpr int kExitVerification = 4;

inline constexpr const char* kExitCodesHelp =
    "Exit codes: 0 sound, 1 usage, 2 bad scene or file, or an output that cannot be written, 3 "
    "unsound run (a\nstep missed the scene's limits.residual, energy is unaccounted for beyond "
    "limits.energy, or a number is\nnot finite), 4 verification failed, 130 interrupted.";

/// The command line was wrong in a way that only the verb can see; ends in one line and kExitUsage.
class UsageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace abut::tool
