// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
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

/// An engine in another process ended in the middle of a scene.
struct PeerEnded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One engine, sleeping off unless the scene asks for it, its own defaults; one thread, unless it
/// says otherwise.
class ScenePeer {
public:
  virtual ~ScenePeer() = default;
  [[nodiscard]] virtual std::string getName() const = 0;
  [[nodiscard]] virtual int numThreads() const { return 1; }
  /// Empty, or why the engine cannot run the scene, as what follows its name.
  virtual std::string build(const StandardScene& scene) = 0;
  virtual void step() = 0;
  /// Processor time of the last step [ms] of an engine in another process; < 0: it is in this one.
  [[nodiscard]] virtual double getStepTime() const { return -1.0; }
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
/// An engine of bench/engines, by the name of its file; null if node or its package is not there.
std::unique_ptr<ScenePeer> makeSceneNode(const std::string& name, const std::string& engine);

}  // namespace abut::bench
