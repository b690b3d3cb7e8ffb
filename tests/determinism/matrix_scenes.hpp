// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <abut/dynamics/path.hpp>
#include <abut/world/world.hpp>

namespace golden {

/// A body of a scene; its number is its place in the list, from 1 on, and stands for its id.
struct MatrixBody {
  abut::BodyDescription body;
  std::vector<abut::BodyShape> shapes;
  std::vector<abut::PathPoint> path;
};

/// A world as it is to be built, so that it can be built in any order and with any ids.
struct MatrixScene {
  std::string name;
  abut::WorldOptions options;
  double dt = 1.0 / 60;
  int steps = 40;
  std::vector<abut::Material> materials;  ///< From 1 on.
  std::vector<MatrixBody> bodies;
  std::vector<abut::JointDescription> joints;  ///< Bodies by number.
  std::vector<abut::CouplingDescription> couplings;
  /// Pairs by number that do not touch.
  std::vector<abut::ObjectPair> excluded;
};

/// Scenes that together use every pair of shapes and every option, in both schemes where they know
/// them.
std::vector<MatrixScene> matrixScenes();

}  // namespace golden
