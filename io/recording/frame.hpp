// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <abut/dynamics/body.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/joints/joint.hpp>
#include <abut/ledger/ledger.hpp>
#include <abut/math/types.hpp>
#include <abut/world/world.hpp>

#include "io/recording/run_change.hpp"

/// What a run leaves behind, in plain numbers: a header, then one frame for each recorded step.
/// SI units, radians, world frame, z up, unless a field says otherwise.
namespace abut::inline v0_1::io {

/// A shape to draw. `size` holds, by type:
///   Sphere, PointCloud  radius, 0, 0 (the cloud's points are `vertices`)
///   Box                 full side lengths
///   Capsule             radius, length of the segment without the caps, 0
///   Cylinder, Cone      radius, height, 0 (along z, centred; the cone's apex at +height/2)
///   Plane               unit normal, and `offset` along it; solid below
///   Convex, Mesh, HeightField   unused: `vertices` and `triangles`, counter-clockwise from outside
/// A compound is written as its children; Compound does not occur.
struct ShapeRecord {
  ShapeType type = ShapeType::Sphere;
  Vec3 size;
  double offset = 0.0;
  Vec3 position;     ///< Of the shape's frame in the body's centre frame [m].
  Quat orientation;  ///< Shape to body.
  std::string material;
  std::vector<Vec3> vertices;  ///< In the shape's frame [m].
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// What of a body stays the same. The centre frame has its origin in the centre of mass and the
/// axes of the body's own frame.
struct BodyRecord {
  ObjectId id = kNoObject;
  std::string name;  ///< As in the scene; may hold any text, so escape it where it is shown.
  BodyType type = BodyType::Dynamic;
  std::uint8_t locks = kLockNone;
  double mass = 0.0;  ///< [kg]; 0 unless dynamic.
  Vec3 inertia;       ///< Ixx, Iyy, Izz about the centre of mass [kg m^2].
  Vec3 products;      ///< Ixy, Ixz, Iyz.
  Vec3 center;        ///< Centre of mass in the body's own frame [m].
  std::vector<ShapeRecord> shapes;
};

/// What of a joint's axis stays the same.
struct JointAxisRecord {
  bool turns = false;                ///< Else it travels.
  double lower = 0.0, upper = 0.0;   ///< Limits [rad or m]; infinite where there are none.
  DriveMode drive = DriveMode::Off;  ///< At the beginning.
};

/// What of a joint stays the same. Frames are given in the centre frames of the bodies, or in the
/// world where there is none; z is the axis of a hinge and of a slider.
struct JointRecord {
  ObjectId id = kNoObject;
  std::string name;
  JointType type = JointType::Hinge;
  ObjectId body1 = kNoObject, body2 = kNoObject;  ///< kNoObject: the world.
  Vec3 position1, position2;                      ///< [m]
  Quat orientation1, orientation2;
  std::vector<JointAxisRecord> axes;
};

struct MaterialRecord {
  std::string name;
  Material material;
};

struct RunHeader {
  std::string scene;        ///< Name of the scene.
  double step = 0.0;        ///< [s]; 0 for a variable step.
  double duration = 0.0;    ///< Planned [s].
  std::uint32_t every = 1;  ///< Steps from frame to frame.
  Vec3 gravity;             ///< [m/s^2]
  std::vector<MaterialRecord> materials;
  std::vector<BodyRecord> bodies;   ///< Sorted by id.
  std::vector<JointRecord> joints;  ///< The same; those that the run began with.
};

struct BodyFrame {
  Vec3 position;                     ///< Of the centre of mass [m].
  Quat orientation;                  ///< Centre frame to world; unit.
  Vec3 linearVelocity;               ///< Of the centre of mass [m/s].
  Vec3 angularVelocity;              ///< [rad/s]
  std::uint32_t island = kNoIsland;  ///< kNoIsland: touches nothing, sleeps, or is not dynamic.
  bool asleep = false;
};

/// Forces are the means over the step and act on object 1; object 2 bears the opposite.
using ContactFrame = WorldContact;

enum class EventKind : std::uint8_t {
  Begin = 0,
  End = 1,
  // With a variable step only:
  Impact = 2,         ///< Velocities jumped.
  ForceVanishes = 3,  ///< A contact goes on without force.
  ForceReturns = 4,
  Stick = 5,
  Slip = 6,
};
inline constexpr std::uint8_t kNumEventKinds = 7;
/// "begin", "end", "impact", ...
[[nodiscard]] const char* toText(EventKind kind);

struct EventFrame {
  EventKind kind = EventKind::Begin;
  ObjectId object1 = kNoObject, object2 = kNoObject;  ///< object1 < object2.
  double time = 0.0;  ///< [s]; at fixed steps Begin is within the step, End at the step's end.
  Vec3 impulse;       ///< That object 1 received in the first step of touching, or at the impact.
  double normalImpulse = 0.0;  ///< Its part along the normals [N s].
};

/// What a kinematic body or a moving surface supplied.
using DriverFrame = DriverReport;

/// An axis of a joint; joints without axes have one row, whose position and rate are 0. A joint
/// that broke has none.
struct JointFrame {
  ObjectId joint = kNoObject;
  std::uint32_t axis = 0;
  double position = 0.0;    ///< [m or rad], angles unwound.
  double rate = 0.0;        ///< [m/s or rad/s]
  double driveForce = 0.0;  ///< Mean over the step [N or N m].
  double driveWork = 0.0;   ///< Of all drives of the joint over the step [J].
  Vec3 force, torque;       ///< That the joint exerts on body 2 at the origin of frame 2, means.
};

/// The world after a step. Frame 0 is the beginning, before any step. Which numbers of its records
/// go into files and pages, with their names and units, is listed in fields.hpp.
struct Frame {
  std::uint64_t step = 0;         ///< Steps made so far; frames, with a variable step.
  double time = 0.0;              ///< [s]
  std::vector<BodyFrame> bodies;  ///< In the order of RunHeader::bodies.
  std::vector<ContactFrame> contacts;
  std::vector<EventFrame> events;  ///< Since the frame before, oldest first.
  std::vector<DriverFrame> drivers;
  std::vector<JointFrame> joints;  ///< By joint, then axis.
  EnergyAccount stepEnergy;        ///< Of the last step.
  EnergyAccount totalEnergy;       ///< Since the beginning.
  StepReport report;
  std::uint64_t hash = 0;  ///< SceneRun::hash().
};

/// Takes a run as it happens: one header, frames in order, one end.
class FrameSink {
public:
  virtual ~FrameSink() = default;
  virtual void onHeader(const RunHeader& header) = 0;
  virtual void onFrame(const Frame& frame) = 0;
  /// Somebody changed the run; stands before the frames of later steps.
  virtual void onChange(const ChangeRecord& /*change*/) {}
  /// The run is over; no frame follows.
  virtual void onEnd() {}
  /// It was ended before its time; no frame follows.
  virtual void onInterrupt() { onEnd(); }
};

/// A shape as it is drawn, appended to `records`; compounds give one record a child. `pose` is the
/// shape's frame in the centre frame.
void describeShape(const Shape& shape, const Pose& pose, const std::string& material,
                   std::vector<ShapeRecord>& records);

/// A world's joints as a run begins with them, named "joint ID".
[[nodiscard]] std::vector<JointRecord> describeJoints(const World& world);

/// What began and ended to touch in the world's last step, appended.
void captureEvents(const World& world, std::vector<EventFrame>& events);

/// The same of events of a step that ended at `time`.
void captureEvents(std::span<const ContactEvent> events, double time,
                   std::vector<EventFrame>& frames);
/// A body as it is; one row for each axis of each joint.
[[nodiscard]] BodyFrame captureBody(const World& world, ObjectId id);
void captureJoints(const World& world, std::vector<JointFrame>& joints);
/// Says of bodies, which are in the order of the header's, in which islands their contacts are.
void nameIslands(std::span<const BodyRecord> bodies, Frame& frame);

/// Reads a world after a step. `bodies` are the header's. Events are left alone, everything else is
/// written anew. Throws abut::Error if a body is missing.
void captureFrame(const World& world, std::span<const BodyRecord> bodies, std::uint64_t step,
                  Frame& frame);

}  // namespace abut::inline v0_1::io
