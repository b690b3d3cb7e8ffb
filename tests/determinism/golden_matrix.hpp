// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace golden {

/// Prints the rows of the matrix's scenes, run in a way that must not matter: "order" of insertion
/// by a seed, other "ids" in the same order, bodies "far" away beside them, "threads" of a number,
/// "shuffled" chunks by a seed; "save" prints snapshots from the middle of the runs and "load"
/// reads them and goes on. Returns an exit status.
int runVariant(const std::string& name, int number);

}  // namespace golden
