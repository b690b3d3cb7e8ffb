// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/scene/scene.hpp"

namespace abut::inline v0_1::io {

/// One entry of `repeat`.
struct Repeat {
  std::uint64_t count = 1;
  double countStep = 0.0;
  Vec3 step;
  bool turns = false;
  Vec3 axis{0, 0, 1}, about;
  double angle = 0.0;  ///< [rad]
};

/// A copy of a repeated body: its indices and how it is placed.
struct Copy {
  std::string suffix;  ///< "[2][5]"
  Mat3 rotation;
  Vec3 shift;  ///< world = rotation * x + shift.
};

/// Copy i of an entry within a copy of the entries outside it.
[[nodiscard]] Copy copyOf(const Repeat& entry, std::uint64_t i, const Copy& outer);
/// A body as one of its copies. Throws InputError for a name whose hash is no id.
[[nodiscard]] SceneBody placed(const SceneBody& body, const Copy& copy);

/// A dynamic body with its copies, of which there may be more than one list can hold.
struct SceneGrid {
  SceneBody body;
  std::vector<Repeat> entries;  ///< From the outermost on; none has a countStep.
  std::uint64_t size = 0;       ///< Number of copies.

  /// One of them; the innermost entry counts fastest.
  [[nodiscard]] SceneBody at(std::uint64_t i) const;
};

/// A scene that each of several ranks builds a part of: see buildPart().
struct DividedScene {
  Scene scene;
  std::vector<SceneGrid> grids;  ///< Bodies that are not in scene.bodies.

  [[nodiscard]] std::uint64_t numBodies() const;
};

/// Reads a scene as loadScene() does, but leaves grids of dynamic bodies as they are where that can
/// be: without joints, excluded pairs, robots and variable steps, and where the bodies have no
/// forces and the grids no countStep.
[[nodiscard]] DividedScene loadDividedScene(const std::string& path, RobotReader robots = nullptr);

/// What a rank begins with, of so many: all bodies that are not dynamic, and its share of the
/// others, in any order. Throws as buildWorld() does.
[[nodiscard]] World buildPart(const DividedScene& divided, int rank, int ranks);
/// A body of every shape there is.
[[nodiscard]] World buildKinds(const DividedScene& divided);

}  // namespace abut::inline v0_1::io
