// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <abut/hybrid/hybrid_system.hpp>

namespace abut::inline v0_1 {

/// Force at a point of a contact that lasts.
struct HybridContact {
  ObjectPair pair;
  Eigen::Vector3d position{0., 0., 0.};  ///< World [m].
  Eigen::Vector3d normal{0., 0., 0.};    ///< From pair.second to pair.first.
  double depth = 0.0;                    ///< [m]
  double normalForce = 0.0;              ///< On pair.first along the normal [N], >= 0.
  Eigen::Vector3d friction{0., 0., 0.};  ///< On pair.first [N].
};

/// What a variable-step run leaves behind: events as they were located, and samples of the state.
/// What was recorded stays when a run fails.
struct HybridRecord {
  std::vector<HybridEvent> events;  ///< In order of time.
  std::vector<double> times;        ///< Of the samples [s].
  std::vector<double> states;       ///< The samples in a row, numStates() numbers each.

  /// Sample i; empty if there is none.
  [[nodiscard]] std::span<const double> getSample(std::size_t i) const {
    if (i >= times.size()) return {};
    const std::size_t width = states.size() / times.size();            // deny-ok: integers
    return std::span<const double>(states).subspan(i * width, width);  // deny-ok: integers
  }
};

/// What a run cost.
struct HybridStatistics {
  long steps = 0;
  long derivativeEvaluations = 0;
  long rootEvaluations = 0;
  long jacobians = 0;
  long rejectedSteps = 0;
  long events = 0;  ///< Instants at which the integration stopped and began anew.
};

}  // namespace abut::inline v0_1
