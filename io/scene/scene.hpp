// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/dynamics/body.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/cvode_driver.hpp>
#include <abut/hybrid/impact_simulation.hpp>
#include <abut/joints/joint.hpp>
#include <abut/world/world.hpp>

#include "io/core/files.hpp"

/// Scenes as docs/scene.md describes them.
namespace abut::inline v0_1::io {

/// Velocities of a kinematic body from this time on.
struct MotionKey {
  double time = 0.0;  ///< [s]
  Vec3 linear;        ///< [m/s]
  Vec3 angular;       ///< [rad/s]
};

/// How a kinematic body moves: by keys, along a path, or to and fro.
struct KinematicMotion {
  enum class Kind : std::uint8_t { Constant, Hold, Linear, Oscillation, Path };
  Kind kind = Kind::Constant;
  std::vector<MotionKey> keys;  ///< Times strictly increase.
  std::vector<PathPoint> path;  ///< Likewise; the first is where the body begins.
  Vec3 amplitude;               ///< [m]
  double frequency = 0.0;       ///< [Hz]
  double phase = 0.0;           ///< [rad]
};

/// A force and torque at the centre of mass, in steps that begin within [from, to).
struct ForceSpan {
  double from = 0.0, to = 0.0;  ///< [s]
  Vec3 force;                   ///< [N]
  Vec3 torque;                  ///< [N m]
  bool inBodyFrame = false;
};

struct SceneMaterial {
  std::string name;
  Material material;
};

struct ScenePair {
  MaterialId first = 0, second = 0;
  PairMaterial values;
};

/// One body after repetition.
struct SceneBody {
  std::string name;
  BodyDescription description;    ///< With its id.
  std::vector<BodyShape> shapes;  ///< Materials are indices into Scene::materials.
  std::vector<ForceSpan> forces;
  KinematicMotion motion;
  std::string place;  ///< "file:line:column /bodies/3", for messages.
};

/// What a drive aims at from a time on.
struct DriveTarget {
  double time = 0.0;  ///< [s]
  double target = 0.0, targetRate = 0.0;
};

/// Targets of a drive over time; none: what its description says.
struct DriveProgram {
  std::vector<DriveTarget> targets;  ///< Times strictly increase.
  bool isLinear = false;             ///< Straight from target to target, instead of held.
};

struct SceneJoint {
  std::string name;
  JointDescription description;        ///< With its id.
  std::vector<DriveProgram> programs;  ///< Of each axis.
  std::string place;
};

struct SceneCoupling {
  std::string name;
  CouplingDescription description;
  std::string place;
};

struct RecordOptions {
  std::uint32_t every = 1;  ///< Steps from frame to frame.
  double interval = 0.01;   ///< From frame to frame with a variable step [s].
  bool contacts = true;
  std::uint32_t contactsEvery = 1;  ///< Frames from one with contacts to the next.

  /// Whether the frame of that number holds contacts.
  [[nodiscard]] bool hasContacts(std::uint64_t frame) const {
    return contacts && frame % contactsEvery == 0;
  }
};

/// Where a run stops being sound.
struct SoundnessLimits {
  double residual = 1e-6;  ///< Solver error of a step that did not converge.
  double energy = 1e-9;    ///< Energy unaccounted for, relative to the ledger's largest entry.
};

/// Steps that follow the motion.
struct VariableStep {
  enum class Contacts : std::uint8_t {
    Impacts,    ///< Nothing gives; impacts are located in time (ImpactSimulation).
    Compliant,  ///< Contacts give way; an integrator with error control (CVODE).
  };
  Contacts contacts = Contacts::Impacts;
  ImpactOptions impacts;
  CompliantOptions compliant;
  CvodeOptions cvode;
};

struct Scene {
  std::string name;
  std::string description;
  WorldOptions options;
  std::optional<VariableStep> variable;  ///< None: steps of equal length.
  double step = 0.0;           ///< [s]; with a variable step the time from frame to frame.
  double duration = 0.0;       ///< [s]
  std::uint64_t numSteps = 0;  ///< The duration in steps; the last may be shorter if they vary.
  RecordOptions record;
  SoundnessLimits limits;
  int threads = 1;                       ///< To work on, 0: all there are. No bit depends on it.
  std::vector<SceneMaterial> materials;  ///< 0 is the default; then sorted by name.
  std::vector<ScenePair> pairs;
  std::vector<SceneBody> bodies;   ///< Sorted by id.
  std::vector<SceneJoint> joints;  ///< Sorted by id.
  std::vector<SceneCoupling> couplings;
  std::vector<ObjectPair> excluded;  ///< Pairs of bodies that do not touch, sorted.

  std::string text;                          ///< The file itself.
  std::map<std::string, std::string> files;  ///< The mesh files it uses, by relative path.
};

/// Id of a name: its FNV-1a hash.
[[nodiscard]] ObjectId idOfName(std::string_view name);

/// A robot file that a scene names.
struct SceneRobot {
  std::string name;  ///< What the names of its bodies, joints and materials begin with.
  std::string file;  ///< In the scene's folder.
  Pose base;         ///< Where its root is.
  bool fixed = false;
  std::map<std::string, std::string> packages;  ///< Folders of package://name/..., in the scene's.
};

/// Makes the parts of a scene, as JSON, of a robot file. Throws InputError.
using RobotReader = std::string (*)(const SceneRobot& robot, const AssetSource& assets);

/// Reads a scene from its text. `file` is its name in messages. Throws InputError with one line:
/// "file:line:column /path: what was expected, what was found, what to do".
/// Without a reader of robots, scenes that name one are refused.
[[nodiscard]] Scene parseScene(const std::string& text, const std::string& file,
                               const AssetSource& assets, RobotReader robots = nullptr);

/// The reader of URDF and MJCF files (docs/robots.md).
[[nodiscard]] std::string readRobotFile(const SceneRobot& robot, const AssetSource& assets);

/// The same from a file; meshes come from its folder.
[[nodiscard]] Scene loadScene(const std::string& path, RobotReader robots = nullptr);

/// What a drive aims at, at a time.
[[nodiscard]] DriveTarget targetAt(const DriveProgram& program, double time);

/// The body of an id, or nullptr.
[[nodiscard]] const SceneBody* findBody(const Scene& scene, ObjectId id);
/// A message of the library with the names of bodies in place of their ids.
[[nodiscard]] std::string withNames(const std::string& message, const Scene& scene);

/// A world at the scene's beginning. Throws InputError with the place of the body that the world
/// refuses.
[[nodiscard]] World buildWorld(const Scene& scene);

}  // namespace abut::inline v0_1::io
