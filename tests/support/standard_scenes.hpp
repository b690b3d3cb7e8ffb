// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <abut/math/types.hpp>
#include <abut/shapes/shape.hpp>
#include <abut/world/world.hpp>

namespace abut::test {

enum class Kind { Sphere, Box, Capsule, Cylinder, Icosahedron, Terrain };

/// A body of a scene: z up, SI, density 1000, friction 0.5, restitution 0, at rest
/// unless it says otherwise.
struct SceneBody {
  Kind kind = Kind::Box;
  bool isStatic = false;
  Vec3 half{0.5, 0.5, 0.5};  ///< Box: half lengths. Round shapes: radius, half length, -.
  Vec3 position;
  double yaw = 0.0;  ///< About z [rad].
  Vec3 velocity;     ///< [m/s]
};

struct StandardScene {
  char id = 'a';
  std::string title;
  int steps = 300;
  bool stands = false;  ///< Built to stand as it is: drift is measured.
  std::vector<SceneBody> bodies;
  bool sleeps = false;  ///< What comes to rest falls asleep.
};

/// Triangles of a shallow bowl with hills, `half` [m] from its middle to its sides.
struct TerrainMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Seen from above, counter-clockwise.
};
TerrainMesh makeTerrain(double half);

/// The six standard scenes.
std::vector<StandardScene> makeStandardScenes();

/// One of them, small enough for the exact scheme: the top of the pyramid, two towers of the
/// hundred, the first bodies of the heaps; the tower as it is.
StandardScene smallScene(std::size_t number);

constexpr double kGravity = 9.81, kFriction = 0.5, kDensity = 1000.0, kStep = 1.0 / 60.0;

/// Abut's shape of a body.
std::shared_ptr<const Shape> makeShape(const SceneBody& body);
/// Corners of the icosahedron of a given circumradius.
std::vector<Vec3> icosahedron(double circumradius);

/// Adds the bodies of a scene to a world, in order; returns their ids.
std::vector<ObjectId> addBodies(const StandardScene& scene, World& world);

}  // namespace abut::test
