// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut::test {

/// Bodies of several kinds that fall, slide, bounce and are driven: every kind of state.
inline World snapshotScene(const WorldOptions& options = {}) {
  World world(options);
  Material rubber;
  rubber.restitution = 0.6;
  rubber.friction = 0.4;
  MaterialId bouncy = 0;
  world.materials().add(rubber, bouncy).orThrow();
  PairMaterial pair;
  pair.friction = 0.9;
  world.materials().setPair(0, bouncy, pair).orThrow();
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  d.type = BodyType::Kinematic;
  d.position = {0, 0, 0.6};
  d.angularVelocity = {0, 0, 2};
  ObjectId id = kNoObject;
  const Pose alongX = poseFromRollPitchYaw({0, 0, 0}, 0, 1.5707963267948966, 0);
  world.addBody(d, {{std::make_shared<CapsuleShape>(0.2, 1.5), alongX, 0}}, id).orThrow();
  const std::shared_ptr<const Shape> shapes[] = {
      std::make_shared<BoxShape>(Eigen::Vector3d(0.3, 0.2, 0.25)),
      std::make_shared<SphereShape>(0.25), std::make_shared<CylinderShape>(0.2, 0.5),
      std::make_shared<CapsuleShape>(0.15, 0.4)};
  for (int i = 0; i < 12; ++i) {
    BodyDescription b;
    b.position = {0.7 * (i % 3) - 0.7, 0.6 * (i % 2) - 0.3, 1.2 + 0.45 * i};
    b.angularVelocity = {0.3 * i, 1, -0.2 * i};
    b.locks = i == 5 ? std::uint8_t{kLockRotationX} : std::uint8_t{kLockNone};
    if (i == 7) {  // A compound.
      const Pose shifted = poseFromRollPitchYaw({0.3, 0, 0}, 0, 0, 0.4);
      world.addBody(b, {{shapes[0], Pose{}, 0}, {shapes[1], shifted, bouncy}}, id).orThrow();
    } else {
      world.addBody(b, shapes[i % 4], i % 3 == 0 ? bouncy : 0);
    }
  }
  return world;
}

inline constexpr double kSnapshotStep = 1.0 / 90;

}  // namespace abut::test
