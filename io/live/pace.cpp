// SPDX-License-Identifier: MIT
#include "io/live/pace.hpp"

#include <algorithm>
#include <cmath>

namespace abut::inline v0_1::io {
namespace {

constexpr double kFrameRate = 60.0;
constexpr double kMostDelay = 0.25;  // [s]

}  // namespace

std::uint64_t stepsPerFrame(double speed, double step) {
  const double steps = std::round((speed > 0.0 ? speed : 1.0) / (kFrameRate * step));
  return static_cast<std::uint64_t>(std::clamp(steps, 1.0, 1e9));
}

double Pace::timeLeft(double time, double speed) {
  if (!(speed > 0.0)) return 0.0;
  const Clock::time_point now = Clock::now();
  const auto left = [&] {
    const std::chrono::duration<double> gone = now - anchor_;
    return (time - time_) / speed - gone.count();
  };
  if (speed != speed_ || left() < -kMostDelay) {
    anchor_ = now;
    time_ = time;
    speed_ = speed;
  }
  return std::max(left(), 0.0);
}

}  // namespace abut::inline v0_1::io
