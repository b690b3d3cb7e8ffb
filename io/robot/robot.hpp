// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <abut/joints/joint.hpp>
#include <abut/math/types.hpp>

#include "io/core/files.hpp"

/// Robots as URDF and MJCF describe them, on their way to scenes.
namespace abut::inline v0_1::io {

/// Mass, centre and inertia about it, in a frame that the owner says.
struct RobotMass {
  double mass = 0.0;  ///< [kg]
  Vec3 center;        ///< [m]
  Mat3 tensor{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

/// A shape of a link, as scenes know shapes.
struct RobotShape {
  enum class Kind : std::uint8_t { Sphere, Box, Capsule, Cylinder, Plane, Hull, Field };
  Kind kind = Kind::Sphere;
  /// Box: full sides; field: way from a height to the next along x and y; others: radius, and
  /// length without caps or height.
  Vec3 size;
  std::vector<Vec3> points;  ///< Of a hull [m].
  /// Of a field: rows along x, the first at the lowest y [m].
  std::vector<std::vector<double>> heights;
  Pose pose;                 ///< In the link's frame.
  std::size_t material = 0;  ///< Index into RobotTree::materials.
};

struct RobotMaterial {
  double friction = 0.5;
  double spinning = 0.0, rolling = 0.0;  ///< Arms [m].

  friend bool operator==(const RobotMaterial&, const RobotMaterial&) = default;
};

/// A joint between a link and its parent. A link with several moves by each in turn.
struct RobotJoint {
  enum class Kind : std::uint8_t { Hinge, Slide, Ball };
  std::string name;
  Kind kind = Kind::Hinge;
  Vec3 axis{0, 0, 1};  ///< Unit, in the link's frame.
  Vec3 position;       ///< Of the anchor in the link's frame [m].
  JointAxis law;       ///< Limits, spring, drive; of a ball joint its swing.
  double start = 0.0;  ///< Position at the start [m or rad].
  Quat startTurn;      ///< Of a ball joint.
  double zero = 0.0;   ///< What the file calls the position of 0.
};

struct RobotLink {
  std::string name;
  std::size_t parent = kNoParent;
  Pose pose;  ///< In the parent's frame, with all joints at 0.
  RobotMass mass;
  std::vector<RobotShape> shapes;
  std::vector<RobotJoint> joints;  ///< None: fixed to the parent.
  bool isFree = false;             ///< Moves without a joint.
  double gravityScale = 1.0;
  std::string place;  ///< "file:line", for messages.

  static constexpr std::size_t kNoParent = std::numeric_limits<std::size_t>::max();
};

/// position of `follower` = ratio * position of `leader` + offset, in the file's own zeros.
struct RobotCoupling {
  std::string name, leader, follower;
  double ratio = 1.0, offset = 0.0;
};

/// A joint that closes a loop: a point held together, or everything.
struct RobotLoop {
  std::string name;
  std::size_t link1 = 0, link2 = 0;
  bool isWeld = false;
  Pose frame1;                 ///< In link 1.
  std::optional<Pose> frame2;  ///< In link 2; none: where it is at the start.
};

/// What a file says. Link 0 is the root: the world if `rootIsWorld`. Parents come before children.
struct RobotTree {
  std::string name;
  bool rootIsWorld = false;
  std::optional<Vec3> gravity;
  std::optional<double> step;
  std::vector<RobotMaterial> materials{RobotMaterial{}};
  bool rootMeetsChildren = false;     ///< Whether the root and what is jointed to it touch.
  bool takesGreaterFriction = false;  ///< Between two materials, instead of the geometric mean.
  std::vector<RobotLink> links;
  std::vector<RobotCoupling> couplings;
  std::vector<RobotLoop> loops;
  std::vector<std::pair<std::size_t, std::size_t>> excluded;  ///< Links that do not touch.
  double leastMass = 0.0, leastInertia = 0.0;                 ///< Given to what has less.
  std::map<std::string, std::size_t> lost;  ///< What is not carried over, by name, with count.
  std::vector<std::string> notes;           ///< What is carried over otherwise than it stood.
};

/// How a robot file is read.
struct RobotOptions {
  bool fixed = false;                           ///< The root of a URDF stays where it is.
  std::map<std::string, std::string> packages;  ///< Folders of package://name/..., from the file's.
};

/// Reads URDF or MJCF, by the root element. `file` is its path in the assets; meshes and included
/// files come from there too. Throws InputError "file:line: what".
[[nodiscard]] RobotTree readRobot(const std::string& file, const AssetSource& assets,
                                  const RobotOptions& options);

/// The robot as a scene: `bodies`, `joints`, `couplings`, `materials`, `pairs`, `exclude`, and with
/// `whole` step, duration, gravity and a name. Names begin with `prefix`; `base` is where the root
/// is. Throws InputError for what cannot be a robot: a link without mass that moves, an inertia
/// that no solid has, joints that are none of Abut's.
[[nodiscard]] std::string writeRobotScene(RobotTree& tree, const std::string& prefix,
                                          const Pose& base, bool whole);

/// Lines that say what was not carried over and what was changed.
[[nodiscard]] std::vector<std::string> lossesOf(const RobotTree& tree);

}  // namespace abut::inline v0_1::io
