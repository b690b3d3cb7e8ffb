// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "support/standard_scenes.hpp"

namespace abut::bench {

using test::icosahedron;
using test::kDensity;
using test::kFriction;
using test::kGravity;
using test::Kind;
using test::kStep;
using test::makeShape;
using test::makeStandardScenes;
using test::SceneBody;
using test::StandardScene;

/// One engine, one thread, sleeping off, its own defaults.
class ScenePeer {
public:
  virtual ~ScenePeer() = default;
  [[nodiscard]] virtual std::string getName() const = 0;
  /// False if the engine lacks a shape of the scene.
  [[nodiscard]] virtual bool accepts(const StandardScene&) const { return true; }
  virtual void build(const StandardScene& scene) = 0;
  virtual void step() = 0;
  /// One pose for each body of the scene, in its order.
  virtual void getPoses(std::vector<Pose>& poses) const = 0;
  /// Kinetic and potential energy of all bodies [J], after the first step.
  [[nodiscard]] virtual double getEnergy() const = 0;
  /// What of the energy the engine has accounted for as work put in, since the beginning [J].
  [[nodiscard]] virtual double getBookedWork() const { return 0.0; }
  [[nodiscard]] virtual std::size_t numContacts() const = 0;
  /// Anything the engine has to say about its last run; empty for none.
  [[nodiscard]] virtual std::string getRemark() const { return {}; }
};

std::unique_ptr<ScenePeer> makeSceneAbut();
/// Null if the engine is not installed.
std::unique_ptr<ScenePeer> makeSceneBullet();
std::unique_ptr<ScenePeer> makeSceneOde();

}  // namespace abut::bench
