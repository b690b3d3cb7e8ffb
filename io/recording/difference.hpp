// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/recording/frame.hpp"

namespace abut::inline v0_1::io {

/// Where two runs of one scene part.
struct Difference {
  std::uint64_t step = 0;
  double time = 0.0;
  std::string stage;   ///< "narrow_phase", "solver", "integration", "events", "ledger", "manifold".
  std::string object;  ///< "body crate[7]", "contact of crate[6]/crate[7]", "step".
  std::string field;   ///< "angularVelocity.y"
  std::string detail;  ///< "1 ulp", or the two values.
  std::string pair;    ///< For a body: one of its contacts, "crate[6]/crate[7]"; else empty.

  /// "first difference at step 412, stage solver, body crate[7], angularVelocity.y, 1 ulp (pair
  /// crate[6]/crate[7])"
  [[nodiscard]] std::string toText() const;
};

/// The first difference of two frames of one step, by the order in which the step computes things:
/// contacts found, forces and velocities, places, events, books; if only the hash differs, what is
/// remembered of contacts. Numbers are compared by their bits. `header` gives the names.
[[nodiscard]] std::optional<Difference> findDifference(const RunHeader& header, const Frame& a,
                                                       const Frame& b);

/// Number of doubles from a to b; a greatest value if one is NaN.
[[nodiscard]] std::uint64_t ulpsBetween(double a, double b);

}  // namespace abut::inline v0_1::io
