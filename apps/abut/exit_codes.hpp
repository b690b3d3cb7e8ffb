// SPDX-License-Identifier: MIT
#pragma once

namespace abut::tool {

inline constexpr int kExitOk = 0;            ///< Sound.
inline constexpr int kExitUsage = 1;         ///< The command line was wrong.
inline constexpr int kExitBadInput = 2;      ///< A shape, pose or file was wrong.
inline constexpr int kExitVerification = 4;  ///< A scenario fell short of its bar.

}  // namespace abut::tool
