// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "io/run/simulation.hpp"
#include "io/run/variable_run.hpp"

namespace abut::tool {

/// What a run gathers on the way for its summary.
struct RunStatistics {
  double worstResidual = 0.0;  ///< Greatest solver error of a step.
  double tolerance = 0.0;      ///< Greatest error that a step was allowed.
  double deepest = 0.0;        ///< [m]
  std::uint64_t notConverged = 0;
  std::size_t mostContacts = 0;
  std::array<std::uint64_t, io::kNumEventKinds> events{};  ///< By kind; with a variable step.
  EnergyAccount energy;                                    ///< Likewise.
  std::size_t contacts = 0;                                ///< Of the last frame, likewise.
  std::uint64_t firstStep = 0;  ///< Steps made before, where a run goes on from a checkpoint.
  std::string shares;           ///< Where the time went; "" if that was not measured.
  std::uint64_t sweeps = 0;     ///< Of all islands.
  std::string traffic;          ///< What ranks sent; "" if nobody asked.

  void add(const StepReport& report);
  void add(const io::Frame& frame);
};

/// Prints the summary of a run to standard output.
void printSummary(const io::Simulation& simulation, const RunStatistics& statistics,
                  double seconds);
void printVariableSummary(const io::VariableRun& run, const RunStatistics& statistics,
                          double seconds);

/// "1 body", "2 bodies".
[[nodiscard]] std::string counted(std::uint64_t count, const char* one, const char* many);

/// One more line of the summary: "  report        capsule.html".
void printLine(const std::string& label, const std::string& text);

}  // namespace abut::tool
