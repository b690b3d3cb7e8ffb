// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <abut/abut.hpp>

namespace abut::test {

inline constexpr double kMixedStep = 1.0 / 90;

/// Ids of the mixed world.
enum MixedId : ObjectId {
  kGround = 1,
  kBelt,      ///< Kinematic.
  kGate,      ///< A sensor.
  kPusher,    ///< Kinematic, with limits.
  kRestBox,   ///< Boxes that lie on the ground in peace.
  kRestBall,  ///< On the box.
  kLink1,     ///< A pendulum of two.
  kLink2,
  kFirstFaller = 20,
};
inline constexpr ObjectId kHinge = 1, kSecondHinge = 2;

/// Place of the ball beside the box.
inline Pose asideOf() {
  Pose aside;
  aside.translation = {0.3, 0, 0};
  return aside;
}

inline std::vector<std::shared_ptr<const Shape>> mixedShapes() {
  const std::vector<Eigen::Vector3d> points{{0.2, 0, 0},  {-0.2, 0, 0}, {0, 0.2, 0},
                                            {0, -0.2, 0}, {0, 0, 0.25}, {0, 0, -0.25}};
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.3, 0.2, 0.25));
  const auto ball = std::make_shared<SphereShape>(0.25);
  return {std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)),
          box,
          ball,
          std::make_shared<CylinderShape>(0.2, 0.5),
          std::make_shared<CapsuleShape>(0.15, 0.4),
          std::make_shared<ConvexShape>(points),
          std::make_shared<CompoundShape>(
              std::vector<CompoundShape::Child>{{box, Pose{}}, {ball, asideOf()}})};
}

/// Bodies that fall, rest, sleep, are driven, jointed and sensed.
inline World mixedWorld(const WorldOptions& options) {
  World world(options);
  Material rubber;
  rubber.restitution = 0.4;
  MaterialId bouncy = 0;
  world.materials().add(rubber, bouncy).orThrow();
  const std::vector<std::shared_ptr<const Shape>> shapes = mixedShapes();
  world.addBody({.type = BodyType::Static, .id = kGround}, shapes[0]);
  world.addBody({.type = BodyType::Kinematic,
                 .position = {3, 0, 0.5},
                 .angularVelocity = {0, 0, 1},
                 .id = kBelt},
                shapes[1]);
  world.addBody({.type = BodyType::Static, .position = {0, 0, 1}, .id = kGate, .sensor = true},
                shapes[2]);
  world.addBody({.type = BodyType::Kinematic,
                 .position = {-3, 0, 0.5},
                 .linearVelocity = {0.2, 0, 0},
                 .mass = 2.0,
                 .inertia = {0.1, 0.1, 0.1},
                 .maxForce = {50, 50, 50},
                 .maxTorque = {50, 50, 50},
                 .id = kPusher},
                shapes[1]);
  world.addBody({.position = {6, 0, 0.25}, .id = kRestBox}, shapes[1]);
  world.addBody({.position = {6, 0, 0.75}, .id = kRestBall}, shapes[2]);
  world.addBody({.position = {0, 6, 3}, .id = kLink1}, shapes[4]);
  world.addBody({.position = {0, 6, 2.2}, .id = kLink2}, shapes[4]);
  JointDescription hinge;
  hinge.type = JointType::Hinge;
  hinge.body2 = kLink1;
  hinge.frame1.translation = {0, 6, 3.4};
  hinge.placement = JointPlacement::InWorld;
  hinge.id = kHinge;
  world.addJoint(hinge);
  hinge.body1 = kLink1;
  hinge.body2 = kLink2;
  hinge.frame1.translation = {0, 6, 2.6};
  hinge.id = kSecondHinge;
  world.addJoint(hinge);
  for (int i = 0; i < 6; ++i) {
    BodyDescription b;
    b.id = kFirstFaller + static_cast<ObjectId>(i);
    b.position = {0.5 * (i % 2), 0.3 * (i % 3), 0.4 + 0.5 * i};
    b.angularVelocity = {0.3 * i, 1, -0.2 * i};
    if (i == 3) {
      ObjectId id = kNoObject;
      world.addBody(b, {{shapes[1], Pose{}, 0}, {shapes[2], asideOf(), bouncy}}, id).orThrow();
    } else {
      world.addBody(b, shapes[1 + static_cast<std::size_t>(i) % 5], i % 2 == 0 ? bouncy : 0);
    }
  }
  return world;
}

}  // namespace abut::test
