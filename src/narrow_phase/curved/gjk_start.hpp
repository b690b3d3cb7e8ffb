// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "narrow_phase/curved/round.hpp"

namespace abut::inline v0_1::curved {

/// A support point of D with the number of B's vertex (0 if B is round).
struct DifferencePoint {
  Vec3 p;
  std::uint32_t tag;
};

/// A simplex of support points and its point nearest to the origin.
struct Simplex {
  DifferencePoint points[4];
  int count = 0;
  Vec3 v;
  bool containsOrigin = false;

  /// Adds a point, finds the nearest point v, drops points that do not carry it.
  void add(const DifferencePoint& point);
};

}  // namespace abut::inline v0_1::curved
