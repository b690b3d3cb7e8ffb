// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace abut::inline v0_1::io {

/// Frames are sent at least this often [s] while steps are made.
inline constexpr double kLongestSilence = 0.05;

/// Steps from frame to frame at 60 frames a second of the clock.
[[nodiscard]] std::uint64_t stepsPerFrame(double speed, double step);

/// Keeps a run in step with the clock. Whoever is late by a quarter of a second does not try to
/// catch up.
class Pace {
public:
  using Clock = std::chrono::steady_clock;

  /// Seconds of the clock until a run that is at `time` [s] may go on, at this speed (seconds of
  /// the run in a second; 0: as fast as possible). 0 if the next step is due.
  [[nodiscard]] double timeLeft(double time, double speed);
  /// The clock stood still for the run.
  void forget() { speed_ = -1.0; }

private:
  Clock::time_point anchor_;  // Where time_ was due.
  double time_ = 0.0, speed_ = -1.0;
};

}  // namespace abut::inline v0_1::io
