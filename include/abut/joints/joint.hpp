// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>
#include <abut/math/types.hpp>

namespace abut::inline v0_1 {

/// What a joint leaves free between frame 1 (on body 1) and frame 2 (on body 2). Its axes count in
/// the order given; positions and rates are those of frame 2 as seen from frame 1.
enum class JointType : std::uint8_t {
  Fixed,      ///< Nothing. No axes.
  Ball,       ///< Rotation. Axes: twist about z; swing, the angle between the two z axes, >= 0.
  Hinge,      ///< Rotation about z. Axis: the angle, unwound.
  Slider,     ///< Travel along z. Axis: the travel.
  Universal,  ///< Rotation about z of frame 1 and about x of frame 2. Axes: these two, unwound.
  Distance,   ///< All but the distance of the origins, a rod of JointDescription::length. No axes.
  Tether,     ///< Everything: a rope, spring or cylinder between the origins. Axis: the distance.
  /// Travel along x, y, z of frame 1 and rotation about x, y, z, six axes; those that are `locked`
  /// are not free. One free rotation is that of a hinge. Two are those of a universal joint: about
  /// the first in frame 1 and the second in frame 2. Three are twist about z, and swing at the
  /// place of rotation about x; the place of y has no limits, drives or springs.
  SixAxis,
  /// The same, but three free rotations are those of hinges that carry one another: about x of
  /// frame 1, then y, then z of frame 2, each with its own limits, drives and springs. The angle
  /// about y has limits of at most 1.5 rad: at a right angle the other two axes would be one.
  Gimbal,
};

/// Most axes that a joint can have.
inline constexpr int kMaxJointAxes = 6;
/// Number of axes of a type.
[[nodiscard]] int numJointAxes(JointType type);

/// How far an axis may go [m or rad]. At an end it is thrown back with `restitution`, 0 to 1.
struct JointLimits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double restitution = 0.0;
};

/// What a motor on an axis does. Forces are [N], or [N m] about an axis of rotation.
enum class DriveMode : std::uint8_t {
  Off,
  Force,     ///< The force `target`.
  Speed,     ///< What it takes, up to maxForce, to move at the rate `target`.
  Position,  ///< stiffness (target - position) + damping (targetRate - rate), up to maxForce; both
             ///< at the end of the step, so that no stiffness is too great for it.
};

struct JointDrive {
  DriveMode mode = DriveMode::Off;
  double target = 0.0;      ///< A force, rate or position.
  double targetRate = 0.0;  ///< Of DriveMode::Position.
  double stiffness = 0.0;   ///< Of DriveMode::Position [N/m or N m/rad], >= 0.
  double damping = 0.0;     ///< The same [N s/m or N m s/rad], >= 0.
  double maxForce = std::numeric_limits<double>::infinity();  ///< >= 0; of Speed and Position.
};

/// What acts along or about an axis that is free.
struct JointAxis {
  bool locked = false;     ///< Of SixAxis and Gimbal only: the axis is not free.
  double stiffness = 0.0;  ///< Of a spring [N/m or N m/rad], >= 0.
  double rest = 0.0;       ///< Position at which the spring is at rest.
  double damping = 0.0;    ///< Of a damper [N s/m or N m s/rad], >= 0.
  double armature = 0.0;   ///< Inertia of what turns with the axis [kg, kg m^2]; 0, or >= 1e-30.
  double friction = 0.0;   ///< Greatest force of dry friction [N or N m], >= 0.
  JointLimits limits;
  JointDrive drive;
};

/// How JointDescription's frames are given.
enum class JointPlacement : std::uint8_t {
  /// frame1 in body 1's frame and frame2 in body 2's, in the world's frame where there is no body.
  InBodies,
  /// frame1 is where both are in the world at this moment; frame2 is not used.
  InWorld,
};

/// A joint as it is added to a world.
struct JointDescription {
  JointType type = JointType::Hinge;
  ObjectId body1 = kNoObject;  ///< kNoObject: the world.
  ObjectId body2 = kNoObject;
  JointPlacement placement = JointPlacement::InBodies;
  Pose frame1, frame2;
  std::array<JointAxis, kMaxJointAxes> axes{};
  /// Of JointType::Distance [m]; 0 takes the distance at this moment.
  double length = 0.0;
  /// Whether the two bodies touch each other.
  bool collide = false;
  /// Force [N] and torque [N m] beyond which the joint breaks at the end of a step.
  double breakForce = std::numeric_limits<double>::infinity();
  double breakTorque = std::numeric_limits<double>::infinity();
  /// Identity among joints; kNoObject takes the next free one.
  ObjectId id = kNoObject;
};

/// Work of a joint's parts on the bodies over the last step, or since it was added [J].
struct JointWork {
  double motors = 0.0, dampers = 0.0, springs = 0.0, limits = 0.0, friction = 0.0;
};

/// Where a joint is and what it carries.
struct JointState {
  std::array<double, kMaxJointAxes> position{};  ///< [m or rad], angles unwound.
  std::array<double, kMaxJointAxes> rate{};      ///< [m/s or rad/s]
  /// Of the drive on each axis, mean over the last step [N or N m].
  std::array<double, kMaxJointAxes> driveForce{};
  /// On body 2 at the origin of frame 2, mean over the last step, world frame; all that the joint
  /// carries, drives included. Body 1 bears the opposite at the same place. Where joints hold the
  /// same thing twice, as in a planar loop of hinges, it is the least that does.
  Eigen::Vector3d force{0., 0., 0.};
  Eigen::Vector3d torque{0., 0., 0.};
  JointWork stepWork, work;
};

/// Two axes that turn or travel together: position2 = ratio position1 + offset, whatever the kinds
/// of the axes. A pair of gears, rack and pinion, two sides of a pulley, a mimicked joint.
struct CouplingDescription {
  ObjectId joint1 = kNoObject, joint2 = kNoObject;
  int axis1 = 0, axis2 = 0;
  double ratio = 1.0;   ///< Not 0.
  double offset = 0.0;  ///< [m or rad]
  bool offsetFromNow =
      true;                 ///< The offset is what it is at this moment; the given one is not used.
  ObjectId id = kNoObject;  ///< Identity among couplings; kNoObject takes the next free one.
};

/// A joint that broke in the last step.
struct JointEvent {
  ObjectId joint = kNoObject;
  ObjectId body1 = kNoObject, body2 = kNoObject;
  double force = 0.0, torque = 0.0;  ///< What it carried, magnitudes.
};

}  // namespace abut::inline v0_1
