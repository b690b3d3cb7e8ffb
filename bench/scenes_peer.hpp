// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
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

/// One engine, sleeping off unless the scene asks for it, its own defaults; one thread, unless it
/// says otherwise.
class ScenePeer {
public:
  virtual ~ScenePeer() = default;
  [[nodiscard]] virtual std::string getName() const = 0;
  /// False if the engine lacks a shape of the scene.
  [[nodiscard]] virtual bool accepts(const StandardScene&) const { return true; }
  [[nodiscard]] virtual int numThreads() const { return 1; }
  virtual void build(const StandardScene& scene) = 0;
  virtual void step() = 0;
  /// One pose for each body of the scene, in its order.
  virtual void getPoses(std::vector<Pose>& poses) const = 0;
  /// Kinetic and potential energy of all bodies [J], after the first step.
  [[nodiscard]] virtual double getEnergy() const = 0;
  /// What of the energy the engine has accounted for as work put in, since the beginning [J].
  [[nodiscard]] virtual double getBookedWork() const { return 0.0; }
  [[nodiscard]] virtual std::size_t numContacts() const = 0;
  /// Of all bits of the state; 0 where an engine has no such thing.
  [[nodiscard]] virtual std::uint64_t getHash() const { return 0; }
  /// Anything the engine has to say about its last run; empty for none.
  [[nodiscard]] virtual std::string getRemark() const { return {}; }
};

/// On so many threads; null if there is no oneTBB and they are more than one.
std::unique_ptr<ScenePeer> makeSceneAbut(int threads);
/// Null if the engine is not installed.
std::unique_ptr<ScenePeer> makeSceneBullet();
std::unique_ptr<ScenePeer> makeSceneOde();

}  // namespace abut::bench
