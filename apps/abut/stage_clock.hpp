// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include <abut/world/world.hpp>

namespace abut::tool {

/// Where the time of a run goes, stage by stage. Steps that take microseconds are measured now and
/// then only, so that measuring does not become what is measured.
class StageClock final : public StepObserver {
public:
  explicit StageClock(World& world) : world_(world) {}
  ~StageClock() override { world_.setObserver(nullptr); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  /// Before each step.
  void beginStep();
  void onStage(StepStage stage) override;
  void onEnd() override;

  /// "forces 61 %, narrow phase 20 %, ..." of `seconds` that the run took; what steps did not take
  /// (recording, the page) is named too, and shares below 1 % are put together. "" if no step was
  /// measured.
  [[nodiscard]] std::string sharesOf(double seconds) const;

private:
  using Clock = std::chrono::steady_clock;

  void book();

  World& world_;
  std::array<double, kNumStepStages> seconds_{};  // Estimates for all steps.
  Clock::time_point since_;
  std::size_t stage_ = kNumStepStages;
  double weight_ = 1.0;  // Steps that the one being measured stands for.
  double measured_time_ = 0.0;
  std::uint64_t steps_ = 0, measured_ = 0;
};

}  // namespace abut::tool
