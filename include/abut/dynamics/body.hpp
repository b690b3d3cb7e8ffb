// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>
#include <abut/dynamics/body_filter.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/math/types.hpp>
#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// What a body may reach along an axis; a call or a step that would go beyond is refused.
inline constexpr double kMaxBodyCoordinate = 1e12;  ///< [m]
inline constexpr double kMaxBodySpeed = 1e9;        ///< [m/s]
inline constexpr double kMaxBodySpin = 1e9;         ///< [rad/s]

/// BodyDescription::maxForce, maxTorque: of a drive that nothing stops.
inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

enum class BodyType : std::uint8_t {
  Static,     ///< Never moves.
  Kinematic,  ///< Moves as prescribed; contacts do not deflect it, and it reports the work it does.
  Dynamic,    ///< Moves under forces and contacts.
};

/// Degrees of freedom taken from a dynamic body, along and about the world axes. Combine with |.
enum BodyLock : std::uint8_t {
  kLockNone = 0,
  kLockX = 1,
  kLockY = 2,
  kLockZ = 4,
  kLockRotationX = 8,
  kLockRotationY = 16,
  kLockRotationZ = 32,
  kLockTranslation = kLockX | kLockY | kLockZ,
  kLockRotation = kLockRotationX | kLockRotationY | kLockRotationZ,
};

/// A shape of a body.
struct BodyShape {
  std::shared_ptr<const Shape> shape;
  Pose pose;  ///< Shape's frame in the body's frame.
  MaterialId material = 0;
};

/// A body as it is added to a world.
struct BodyDescription {
  BodyType type = BodyType::Dynamic;
  Eigen::Vector3d position{0., 0., 0.};         ///< Of the body's frame, world [m].
  Quat orientation{};                           ///< Body to world; unit length within 1e-6.
  Eigen::Vector3d linearVelocity{0., 0., 0.};   ///< Of the centre of mass, world [m/s].
  Eigen::Vector3d angularVelocity{0., 0., 0.};  ///< World [rad/s].
  std::uint8_t locks = kLockNone;               ///< BodyLock bits; dynamic bodies only.
  double gravityScale = 1.0;                    ///< Times the world's gravity; -1e30 to 1e30.
  /// Mass [kg]; 0 takes mass, centre and inertia from the shapes' densities. A dynamic body without
  /// shapes needs mass and inertia.
  double mass = 0.0;
  /// Inertia Ixx, Iyy, Izz about the centre of mass in the body's frame [kg m^2], used if mass is
  /// given; all zero scales the shapes' own inertia to the given mass.
  Eigen::Vector3d inertia{0., 0., 0.};
  /// Velocity of the surface relative to the body, world frame [m/s]: a conveyor.
  Eigen::Vector3d surfaceVelocity{0., 0., 0.};
  /// Of a kinematic body: the greatest force along and torque about each world axis that its drive
  /// has to move it with [N, N m]. Along an axis with a limit it has the mass of its shapes or the
  /// one given, centred in its frame and without weight; where more would be needed to move as
  /// prescribed, it stalls: that limit acts on it, until it moves as prescribed again.
  Eigen::Vector3d maxForce{kNoLimit, kNoLimit, kNoLimit};
  Eigen::Vector3d maxTorque{kNoLimit, kNoLimit, kNoLimit};
  /// Identity; kNoObject takes the next free one.
  ObjectId id = kNoObject;
  /// Ixy, Ixz, Iyz: elements of the inertia tensor (= -integral) [kg m^2]; with `inertia` only. The
  /// tensor must be positive definite, no principal moment above the sum of the others.
  Eigen::Vector3d productsOfInertia{0., 0., 0.};
  /// Centre of mass in the body's frame [m]; with `inertia` only.
  Eigen::Vector3d centerOfMass{0., 0., 0.};
  BodyFilter filter{};  ///< What the body may touch.
  /// Touches without force: contacts see through it, and World::getSensorEvents() tells which
  /// bodies it meets. Sensors do not see each other.
  bool sensor = false;
  /// What the program calls the body, on pages and in recordings too, and a number it keeps with it
  /// (an index, a handle, an address). Nothing of the motion depends on them.
  std::string name{};
  std::uint64_t userData = 0;
};

/// Where a body is and how it moves.
struct BodyMotion {
  Eigen::Vector3d position{0., 0., 0.};         ///< Of the body's frame, world [m].
  Pose pose;                                    ///< Body's frame in the world.
  Quat orientation;                             ///< The same rotation as it is kept; unit.
  Eigen::Vector3d centerOfMass{0., 0., 0.};     ///< World [m].
  Eigen::Vector3d linearVelocity{0., 0., 0.};   ///< Of the centre of mass [m/s].
  Eigen::Vector3d angularVelocity{0., 0., 0.};  ///< World [rad/s].
};

}  // namespace abut::inline v0_1
