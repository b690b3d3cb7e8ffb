// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "support/assembly.hpp"

namespace abut::test {

/// Outcome of one cell of the coverage table.
struct Cell {
  double error = 0.0;   ///< Largest error seen, in the size of the pair.
  std::string message;  ///< What is wrong; empty: nothing.

  [[nodiscard]] bool isOk() const { return message.empty(); }
  void demand(bool holds, const std::string& what);
  void bound(double value, double tolerance, const std::string& what);
};

/// Two samples, the first above the second, their nearest points on one vertical line.
/// The signed gap is the truth: for g >= 0 a plane parts them and the points on the line are g
/// apart; for a small overlap of anything but two sharp tips the way out is along the line.
struct Stack {
  PlacedAssembly upper;
  PlacedAssembly lower;
  Vector up;   ///< From lower to upper.
  double gap;  ///< [m]
  double size;
  bool isTipOnTip;  ///< Two sharp tips: an overlap leaves sideways, its depth is less than -gap.
  bool isFaceOnFace;
};

/// `frame` turns and moves the whole scene; a half turn puts surfaces that have no underside on
/// their head.
[[nodiscard]] Stack makeStack(const Assembly& upper, const Assembly& lower, double gap,
                              const Eigen::Isometry3d& frame);

/// Trials of one pair of samples over separated, touching and overlapping stacks.
[[nodiscard]] Cell coverDistance(const Assembly& upper, const Assembly& lower);
[[nodiscard]] Cell coverCollide(const Assembly& upper, const Assembly& lower);
[[nodiscard]] Cell coverCast(const Assembly& upper, const Assembly& lower);

}  // namespace abut::test
