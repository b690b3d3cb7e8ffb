// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/recording/frame.hpp"
#include "io/scene/scene.hpp"

namespace abut::inline v0_1::io {

/// A scene on its way, whatever makes its steps.
class SceneRun {
public:
  SceneRun() = default;
  SceneRun(const SceneRun&) = delete;
  SceneRun& operator=(const SceneRun&) = delete;
  virtual ~SceneRun() = default;

  /// One step; with a variable step, on to the next frame's time. False if that failed: see
  /// getFault(); the state is kept.
  virtual bool advance() = 0;
  /// How often that succeeded. A whole run takes Scene::numSteps.
  [[nodiscard]] virtual std::uint64_t getStep() const = 0;
  [[nodiscard]] virtual double getTime() const = 0;  ///< [s]
  [[nodiscard]] virtual const Scene& getScene() const = 0;
  [[nodiscard]] virtual const RunHeader& getHeader() const = 0;
  /// The frame after the steps so far; `frame` may be reused. Events are those since the last
  /// capture.
  virtual void capture(Frame& frame) = 0;
  /// Makes a change before the next step. Fails, and changes nothing, for one that is refused; runs
  /// with a variable step refuse all (OutOfRange).
  virtual Status change(const RunChange& change);
  /// Why the run is not sound so far, or "".
  [[nodiscard]] virtual const std::string& getFault() const = 0;
  /// Of the state.
  [[nodiscard]] virtual std::uint64_t hash() const = 0;
};

/// A run at its beginning. Keeps a reference to the scene. Throws InputError for bodies that are
/// refused, and for compliant contacts if there is no CVODE in this program.
[[nodiscard]] std::unique_ptr<SceneRun> startRun(const Scene& scene);

/// What a recording of this scene begins with.
[[nodiscard]] RunHeader makeHeader(const Scene& scene, const World& world);

}  // namespace abut::inline v0_1::io
