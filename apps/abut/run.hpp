// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "io/run/simulation.hpp"
#include "summary.hpp"

namespace abut::tool {

/// `abut run`: runs a scene and prints where the energy went.
class RunCommand final : public Command {
public:
  explicit RunCommand(CLI::App& app);
  int run() override;

private:
  /// Tries all outputs before anything is written. Throws io::InputError.
  void checkPaths(const io::Scene& scene) const;
  [[nodiscard]] std::vector<std::unique_ptr<io::FrameSink>> openSinks(
      const io::SceneRun& run) const;
  /// Steps of equal length; returns the time taken [s].
  double makeSteps(io::Simulation& simulation, std::uint64_t steps,
                   RunStatistics& statistics) const;
  /// Frames of a run with a variable step, likewise.
  double makeFrames(io::SceneRun& run, std::uint64_t frames, RunStatistics& statistics) const;

  [[nodiscard]] std::unique_ptr<io::PartWriter> openPart(const io::Simulation& simulation) const;
  void joinParts(const io::Simulation& simulation) const;
  void saveCheckpoint(const io::Simulation& simulation) const;

  std::string scene_;
  std::string record_;
  std::string report_;
  std::string checkpoint_;
  std::string resume_;
  std::uint64_t checkpoint_every_ = 1000;
  std::uint64_t steps_ = 0;
  int threads_ = 1;
  bool traffic_ = false;
};

}  // namespace abut::tool
