// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <abut/core/object_id.hpp>
#include <abut/core/owned.hpp>
#include <abut/core/status.hpp>
#include <abut/world/world.hpp>

namespace abut::inline v0_1 {

/// A scene file on its way: its world, with the motions and forces that the file prescribes.
///
///     abut::SceneFile scene("scenes/arch.json");
///     abut::Recorder recorder(scene.world());
///     while (!scene.isOver()) scene.step().orThrow();
///     recorder.writeReport("arch.html");
///
/// Of scenes with fixed steps; those with a variable step are run by the tool.
class SceneFile {
public:
  /// Throws io::InputError (a std::runtime_error) with one line "file:line:column /path: what".
  explicit SceneFile(const std::string& path);
  /// From text; files of meshes are looked for in `folder`.
  static SceneFile fromText(const std::string& text, const std::string& folder = ".");
  ~SceneFile();
  SceneFile(SceneFile&&) noexcept;
  SceneFile& operator=(SceneFile&&) noexcept;

  [[nodiscard]] const std::string& getName() const;
  [[nodiscard]] const std::string& getDescription() const;
  [[nodiscard]] double getStep() const;          ///< [s]
  [[nodiscard]] std::uint64_t numSteps() const;  ///< That the scene's duration takes.
  [[nodiscard]] std::uint64_t stepsMade() const;
  [[nodiscard]] bool isOver() const { return stepsMade() >= numSteps(); }

  /// Id of a body by its name, or kNoObject.
  [[nodiscard]] ObjectId find(const std::string& name) const;
  /// Name of a body, or "".
  [[nodiscard]] std::string nameOf(ObjectId body) const;

  [[nodiscard]] World& world();
  [[nodiscard]] const World& world() const;

  /// Motions and forces of this time, then World::step() by the scene's step.
  Status step();
  /// What made the run unsound (a step beyond the scene's limits), or "".
  [[nodiscard]] const std::string& getFault() const;

private:
  struct Impl;
  explicit SceneFile(std::unique_ptr<Impl> impl);
  Owned<Impl> impl_;
};

}  // namespace abut::inline v0_1
