// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/option.hpp>
#include <abut/state/world_options.hpp>

namespace abut::inline v0_1 {

/// Calls v(OptionInfo, value) for each option of a world, in the order in which snapshots hold
/// them; but for `limits` and `tasks`, on which no bit depends. `options` may be const. An
/// enumeration's words stand in the order of its values.
template <class Options, class Visitor>
void forEachOption(Options& options, Visitor&& v) {
  constexpr double kMaxLength = 1e6, kMaxTime = 1e6, kMinTime = 1e-12;
  auto& o = options;
  v(OptionInfo{"WorldOptions::scheme", "scheme", "", "", 0.0, kLastScheme, kSchemeWords}, o.scheme);
  v(OptionInfo{"WorldOptions::sleeping", "sleeping", "", ""}, o.sleeping);
  v(OptionInfo{"WorldOptions::substeps", "substeps", "substeps", "", 1.0, kMaxSubsteps},
    o.substeps);
  v(OptionInfo{"WorldOptions::extrapolates", "extrapolates", "", ""}, o.extrapolates);
  v(OptionInfo{"WorldOptions::sleepAfter", "sleepAfter", "a time [s]", "s", kMinTime, kMaxTime},
    o.sleepAfter);
  v(OptionInfo{"WorldOptions::sleepSpeed", "sleepSpeed", "a ratio", ""}, o.sleepSpeed);
  v(OptionInfo{"WorldOptions::gravity", "gravity", "gravity [m/s^2]", "m/s^2", -1e12, 1e12},
    o.gravity);
  v(OptionInfo{"SolverOptions::tolerance", "tolerance", "a relative error", ""},
    o.solver.tolerance);
  v(OptionInfo{"SolverOptions::acceptable", "acceptable", "a relative error", ""},
    o.solver.acceptable);
  v(OptionInfo{"SolverOptions::maxSweeps", "sweeps", "sweeps", "", 1.0, 1e9}, o.solver.maxSweeps);
  v(OptionInfo{"SolverOptions::allowDirect", "direct", "", ""}, o.solver.allowDirect);
  v(OptionInfo{"SolverOptions::model",
               "model",
               "",
               "",
               0.0,
               2.0,
               {"exact", "frictionless", "decoupled"}},
    o.solver.model);
  v(OptionInfo{"WorldOptions::detectionMargin", "detectionMargin", "a length [m]", "m", 0.0,
               kMaxLength},
    o.detectionMargin);
  v(OptionInfo{"WorldOptions::speculative", "speculative", "", ""}, o.speculative);
  v(OptionInfo{"WorldOptions::baumgarte", "baumgarte", "a ratio", ""}, o.baumgarte);
  v(OptionInfo{"WorldOptions::correctionSlop", "correctionSlop", "a length [m]", "m", 0.0,
               kMaxLength},
    o.correctionSlop);
  v(OptionInfo{"WorldOptions::correctionShare", "correctionShare", "a ratio", ""},
    o.correctionShare);
  v(OptionInfo{"WorldOptions::maxStep", "maxStep", "a time [s]", "s", kMinTime, kMaxTime},
    o.maxStep);
}

/// Does not compile when options were added or removed: they belong into forEachOption() too.
inline void optionsAreListed(const WorldOptions& o) {
  [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, limits, tasks] = o;
  [[maybe_unused]] const auto& [p, q, r, s, t] = o.solver;
}

}  // namespace abut::inline v0_1
