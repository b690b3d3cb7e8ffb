// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/core/communicator.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Which rank a place belongs to: space is cut in two by planes, again and again, so that every
/// rank has about as many bodies. No result depends on it.
class RankCut {
public:
  /// Cuts anew by the places of all bodies; each rank gives some of them, none twice over. All
  /// ranks call it. Takes two reductions for each doubling of the number of ranks.
  void build(Communicator& communicator, std::span<const Vec3> places);
  [[nodiscard]] int ownerOf(const Vec3& place) const;

private:
  struct Node {
    int axis = -1;              ///< -1: a rank's own.
    double at = 0.0;            ///< Places below go to the first child.
    int first = 0, second = 0;  ///< Nodes; of a leaf the first is the rank.
  };

  std::vector<Node> nodes_;
};

}  // namespace abut::inline v0_1
