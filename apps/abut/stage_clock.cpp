// SPDX-License-Identifier: MIT
#include "stage_clock.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace abut::tool {
namespace {

/// A look at the clock takes some 30 ns, so steps longer than this are measured all.
constexpr double kLongStep = 50e-6;
constexpr std::uint64_t kFirstSteps = 16, kEvery = 16;

}  // namespace

void StageClock::beginStep() {
  ++steps_;
  const bool all =
      steps_ <= kFirstSteps ||
      measured_time_ > kLongStep * static_cast<double>(std::max<std::uint64_t>(1, measured_));
  const bool wanted = all || steps_ % kEvery == 0;
  weight_ = all ? 1.0 : static_cast<double>(kEvery);
  world_.setObserver(wanted ? this : nullptr);
}

void StageClock::book() {
  const Clock::time_point now = Clock::now();
  if (stage_ < kNumStepStages) {
    const double spent = std::chrono::duration<double>(now - since_).count();
    seconds_[stage_] += weight_ * spent;
    measured_time_ += spent;
  }
  since_ = now;
}

void StageClock::onStage(StepStage stage) {
  book();
  stage_ = static_cast<std::size_t>(stage);
}

void StageClock::onEnd() {
  book();
  stage_ = kNumStepStages;
  ++measured_;
}

std::string StageClock::sharesOf(double seconds) const {
  if (measured_ == 0) return "";
  std::vector<std::pair<double, std::string_view>> shares;
  double sum = 0.0;
  for (std::size_t i = 0; i < kNumStepStages; ++i) {
    shares.emplace_back(seconds_[i], toString(static_cast<StepStage>(i)));
    sum += seconds_[i];
  }
  const double all = std::max(seconds, sum);
  shares.emplace_back(all - sum, "outside steps");
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  double rest = 0.0;
  for (const auto& [time, name] : shares) {
    const double percent = 100.0 * time / all;
    if (percent < 1.0) {
      rest += percent;
      continue;
    }
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name, percent);
  }
  if (rest >= 0.5) text += fmt::format(", rest {:.0f} %", rest);
  return text;
}

}  // namespace abut::tool
