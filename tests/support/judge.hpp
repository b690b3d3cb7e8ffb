// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <abut/narrow_phase/queries.hpp>

#include "support/oracle.hpp"

namespace abut::test {

/// Errors allowed, in the size of the pair.
struct JudgeOptions {
  double tolerance = 1e-12;
  /// Prove by branch and bound that an overlap is the least one; takes about a millisecond.
  bool prove = true;
  /// Directions tried in the proof. Bodies with a common axis have a whole circle of least
  /// overlaps, which no number would exhaust; what was tried up to there counts.
  long maxCells = 20000;
  /// Contacts beside the deepest one must lie on both bodies to within this.
  double pointTolerance = 1e-12;
};

/// What a judge found. Empty message: nothing wrong.
struct Verdict {
  std::string message;
  double error = 0.0;  ///< Largest error seen, in the size of the pair.
  std::string worst;   ///< What has that error.
  double distance = 0.0;
  std::size_t contacts = 0;

  [[nodiscard]] bool isOk() const { return message.empty(); }
};

/// Puts distance() and collide() of two convex bodies on trial: certificate, sign, status, least
/// overlap, contacts (count, depth, normal, witness points), and the exchange of the objects to the
/// bit.
[[nodiscard]] Verdict judge(const Body& body1, const Body& body2, const JudgeOptions& options = {});

/// True if `b` is `a` with the objects exchanged, bit for bit.
[[nodiscard]] bool isMirrored(const DistanceResult& a, const DistanceResult& b);
[[nodiscard]] bool isMirrored(const CollisionResult& a, const CollisionResult& b);
/// True if two results are equal, bit for bit,.
[[nodiscard]] bool isSame(const DistanceResult& a, const DistanceResult& b);
[[nodiscard]] bool isSame(const CollisionResult& a, const CollisionResult& b);

/// A pair with all digits, so that a failure can be made again.
[[nodiscard]] std::string describe(const Body& body1, const Body& body2);

}  // namespace abut::test
