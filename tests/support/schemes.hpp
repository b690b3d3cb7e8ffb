// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <abut/world/world.hpp>

namespace abut::test {

/// A suite of facts that hold whichever way a step is made. Instantiate it by
/// INSTANTIATE_TEST_SUITE_P(Schemes, Suite, bothSchemes(), schemeName).
class BothSchemes : public testing::TestWithParam<StepScheme> {
protected:
  [[nodiscard]] static bool isExact() { return GetParam() == StepScheme::Exact; }
  [[nodiscard]] static WorldOptions options() {
    return isExact() ? WorldOptions{} : WorldOptions::realTime();
  }
  [[nodiscard]] static WorldOptions weightless() {
    WorldOptions without = options();
    without.gravity = {0, 0, 0};
    return without;
  }
};

inline auto bothSchemes() {
  return testing::Values(StepScheme::Exact, StepScheme::RealTime);
}

inline std::string schemeName(const testing::TestParamInfo<StepScheme>& info) {
  return info.param == StepScheme::Exact ? "Exact" : "RealTime";
}

}  // namespace abut::test
