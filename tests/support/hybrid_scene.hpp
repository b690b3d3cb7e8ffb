// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut::test {

inline WorldOptions gravityAlongZ(double g) {
  WorldOptions options;
  options.gravity = {0, 0, g};
  return options;
}

inline BodyDescription fixedBody() {
  BodyDescription d;
  d.type = BodyType::Static;
  return d;
}

inline BodyDescription movingBody(const Eigen::Vector3d& position,
                                  const Eigen::Vector3d& velocity = {0, 0, 0}) {
  BodyDescription d;
  d.position = position;
  d.linearVelocity = velocity;
  return d;
}

inline MaterialId addMaterial(World& world, double restitution, double friction,
                              double youngsModulus = 1e9) {
  Material m;
  m.restitution = restitution;
  m.friction = friction;
  m.youngsModulus = youngsModulus;
  MaterialId id = 0;
  world.materials().add(m, id).orThrow();
  return id;
}

/// A ball of radius 0.1 m and density 1000 above the floor z = 0.
struct Drop {
  static constexpr double kRadius = 0.1;
  World world;
  ObjectId floor = kNoObject, ball = kNoObject;

  Drop(double gap, double speed, double restitution, double youngsModulus, double g = 9.81,
       double friction = 0.0)
      : world(gravityAlongZ(-g)) {
    const MaterialId id = addMaterial(world, restitution, friction, youngsModulus);
    floor = world.addBody(fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
    ball = world.addBody(movingBody({0, 0, kRadius + gap}, {0, 0, -speed}),
                         std::make_shared<SphereShape>(kRadius), id);
  }
};

}  // namespace abut::test
