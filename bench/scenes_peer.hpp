// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <abut/math/types.hpp>
#include <abut/shapes/shape.hpp>

namespace abut::bench {

enum class Kind { Sphere, Box, Capsule, Cylinder, Icosahedron };

/// A body of a scene: z up, SI, density 1000, friction 0.5, restitution 0, at rest.
struct SceneBody {
  Kind kind = Kind::Box;
  bool isStatic = false;
  Vec3 half{0.5, 0.5, 0.5};  ///< Box: half lengths. Round shapes: radius, half length, -.
  Vec3 position;
  double yaw = 0.0;  ///< About z [rad].
};

struct StandardScene {
  char id = 'a';
  std::string title;
  int steps = 300;
  bool stands = false;  ///< Built to stand as it is: drift is measured.
  std::vector<SceneBody> bodies;
};

/// The six standard scenes.
std::vector<StandardScene> makeStandardScenes();

constexpr double kGravity = 9.81, kFriction = 0.5, kDensity = 1000.0, kStep = 1.0 / 60.0;

/// Abut's shape of a body, for the world and for measuring depths.
std::shared_ptr<const Shape> makeShape(const SceneBody& body);
/// Corners of the icosahedron of a given circumradius.
std::vector<Vec3> icosahedron(double circumradius);

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
