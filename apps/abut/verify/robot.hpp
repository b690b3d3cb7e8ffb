// SPDX-License-Identifier: MIT
#pragma once

#include "scenario.hpp"

namespace abut::tool {

/// SimBenchmark's tests of energy, momentum and standing on a robot file, its root free; the last
/// one if it has the twelve joints of that benchmark's quadruped. Throws InputError for a file that
/// is no robot.
Rows robotRows(const std::string& path);

}  // namespace abut::tool
