// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "io/run/simulation.hpp"

namespace abut::tool {

/// What a run gathers on the way for its summary.
struct RunStatistics {
  double worstResidual = 0.0;  ///< Greatest solver error of a step.
  double deepest = 0.0;        ///< [m]
  std::uint64_t notConverged = 0;
  std::size_t mostContacts = 0;

  void add(const World& world);
};

/// Prints the summary of a run to standard output.
void printSummary(const io::Simulation& simulation, const RunStatistics& statistics,
                  double seconds);

/// One more line of the summary: "  report        capsule.html".
void printLine(const std::string& label, const std::string& text);

}  // namespace abut::tool
