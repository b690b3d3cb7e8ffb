// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/recording/frame.hpp"
#include "io/scene/scene.hpp"

namespace abut::io {

/// A scene on its way: the world, and what acts on it over time.
class Simulation {
public:
  /// Keeps a reference to the scene. Throws InputError for bodies that the world refuses.
  explicit Simulation(const Scene& scene);

  /// One step: motions and forces of this time, then World::step().
  Status step();

  /// Puts the world where World::snapshot() was taken, after so many steps. Fails, and changes
  /// nothing, as World::restore() does.
  Status restore(std::span<const std::byte> snapshot, std::uint64_t step);

  [[nodiscard]] std::uint64_t getStep() const { return step_; }
  [[nodiscard]] const Scene& getScene() const { return scene_; }
  [[nodiscard]] const World& getWorld() const { return world_; }
  [[nodiscard]] World& getWorld() { return world_; }
  [[nodiscard]] const RunHeader& getHeader() const { return header_; }

  /// The frame after the steps so far; `frame` may be reused. Events are those since the last
  /// capture.
  void capture(Frame& frame);

  /// Why the run is not sound so far, or "": the first step that went beyond the scene's limits.
  [[nodiscard]] const std::string& getFault() const { return fault_; }

private:
  void drive();
  void judge();

  const Scene& scene_;
  World world_;
  RunHeader header_;
  std::vector<const SceneBody*> driven_, pushed_;
  std::vector<EventFrame> events_;  // Since the last capture.
  std::uint64_t step_ = 0;
  std::string fault_;
};

/// What a recording of this scene begins with.
[[nodiscard]] RunHeader makeHeader(const Scene& scene, const World& world);

/// Velocities that a motion prescribes at a time. Constant motions and paths, which the world
/// itself follows, are not asked.
[[nodiscard]] MotionKey velocityAt(const KinematicMotion& motion, double time);

}  // namespace abut::io
