// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Anderson acceleration of a fixed-point iteration x -> g(x) on impulses, memory 3.
///
/// From the last differences of f = g - x and of g it forms the combination that would make f
/// vanish if g were linear. Sums run in the order of the contacts. The history is dropped when |f|
/// grows twofold, when the small system is not positive definite, or when its solution is wild.
class Anderson {
public:
  void reset(std::size_t size);

  /// Replaces x by the next point to try, given g = g(x) and weights (one for each contact). The
  /// result may lie outside the cones.
  void advance(std::span<const double> weights, std::span<const Vec3> g, std::span<Vec3> x);

private:
  static constexpr int kMemory = 3;

  std::vector<Vec3> f_, g_;                      // Of the previous call.
  std::vector<Vec3> df_[kMemory], dg_[kMemory];  // Newest at slot newest_.
  int newest_ = -1;
  int count_ = 0;
  bool has_previous_ = false;
  double previous_norm_ = 0.0;
};

}  // namespace abut::inline v0_1
