// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/scene/scene.hpp"

namespace abut::inline v0_1::io {

/// Two bodies that overlap before the first step.
struct InitialOverlap {
  std::string body1, body2;
  double depth = 0.0;  ///< [m]
};

/// What is worth knowing of a scene before it runs.
struct SceneFindings {
  std::size_t numStatic = 0, numKinematic = 0, numDynamic = 0, numShapes = 0;
  std::size_t touching = 0;              ///< Pairs in contact at the start, overlapping or not.
  std::vector<InitialOverlap> overlaps;  ///< Deeper than the solver leaves alone; deepest first.
  double leastMass = 0.0, greatestMass = 0.0;  ///< Of dynamic bodies [kg]; 0 if there are none.
  std::string lightest, heaviest;
  double leastSize = 0.0, greatestSize = 0.0;  ///< Longest sides of bodies' boxes, no planes [m].
  std::string smallest, largest;
  std::vector<std::string> warnings;  ///< One line each; empty for a scene without doubts.
};

/// Builds the world and looks at its beginning. Throws as buildWorld() does.
[[nodiscard]] SceneFindings inspectScene(const Scene& scene);

}  // namespace abut::inline v0_1::io
