// SPDX-License-Identifier: MIT
#include <type_traits>

#include <abut/core/status.hpp>
#include <abut/state/option_list.hpp>
#include <abut/state/world_options.hpp>

#include "state/persistent_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// Throws Error unless the value is in the option's range.
template <typename T>
void check(const OptionInfo& info, const T& value) {
  if constexpr (std::is_same_v<T, Eigen::Vector3d>) {
    for (int i = 0; i < 3; ++i) check(info, value[i]);
  } else {
    const char* unit = info.unit.empty() ? "1" : info.unit.data();
    requireInRange(info.name.data(), static_cast<double>(value), info.min, info.max, unit);
  }
}

}  // namespace

WorldOptions WorldOptions::realTime() {
  WorldOptions options;
  options.scheme = StepScheme::RealTime;
  options.correctionSlop = 1e-3;
  options.solver.tolerance = 1e-4;
  options.solver.maxSweeps = 60;
  options.sleepSpeed = 0.3;  // Above what unsolved rests of a heap jitter with.
  return options;
}

void requireInRange(const WorldOptions& options) {
  forEachOption(options, [](const OptionInfo& info, const auto& value) { check(info, value); });
}

}  // namespace abut::inline v0_1
