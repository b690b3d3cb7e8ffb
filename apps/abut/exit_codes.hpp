// SPDX-License-Identifier: MIT
#pragma once

namespace abut::tool {

inline constexpr int kExitOk = 0;        ///< Sound.
inline constexpr int kExitUsage = 1;     ///< The command line was wrong.
inline constexpr int kExitBadInput = 2;  ///< A shape, pose or file was wrong.
inline constexpr int kExitUnsound = 3;   ///< A run that does not hold what the scene demands.
/// A scenario fell short of its bar, or a replay differs.
inline constexpr int kExitVerification = 4;

inline constexpr const char* kExitCodesHelp =
    "Exit codes: 0 sound, 1 usage, 2 bad scene or file, 3 unsound run (a step did not converge, "
    "energy is unaccounted for, or a number is not finite), 4 verification failed.";

}  // namespace abut::tool
