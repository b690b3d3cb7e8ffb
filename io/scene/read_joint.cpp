// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <abut/math/convert.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr double kMaxLaw = 1e15;    ///< Forces, stiffnesses, dampings, in their SI units.
constexpr double kMaxTravel = 1e9;  ///< [m] or [rad]
constexpr std::size_t kMaxJoints = 100'000;
constexpr std::size_t kMaxTargets = 100'000;

constexpr std::array<std::string_view, 9> kTypes = {
    "fixed", "ball", "hinge", "slider", "universal", "distance", "tether", "sixAxis", "gimbal"};
constexpr std::array<std::string_view, 10> kAxisKeys = {
    "locked", "lower",   "upper",    "restitution", "stiffness",
    "rest",   "damping", "armature", "friction",    "drive"};

double optionalNumber(const Node& node, std::string_view key, std::string_view what, double least,
                      double most, double otherwise) {
  const std::optional<Node> value = node.find(key);
  return value ? value->number(what, least, most) : otherwise;
}

std::vector<DriveTarget> readTargets(const Node& list) {
  std::vector<DriveTarget> targets;
  const std::size_t count = list.list("targets in time", 1, kMaxTargets);
  for (std::size_t i = 0; i < count; ++i) {
    const Node entry = list.at(i);
    entry.allowKeys({"time", "target", "targetRate"});
    DriveTarget t;
    const Node time = entry.require("time", "a time [s]");
    t.time = time.number("a time [s]", 0.0, kMaxTime);
    t.target = entry.require("target", "a force, rate or position")
                   .number("a force, rate or position", -kMaxLaw, kMaxLaw);
    t.targetRate = optionalNumber(entry, "targetRate", "a rate", -kMaxLaw, kMaxLaw, 0.0);
    if (!targets.empty() && !(t.time > targets.back().time))
      time.fail(concat("expected a time after ", targets.back().time, " s"));
    targets.push_back(t);
  }
  return targets;
}

JointDrive readDrive(const Node& node, DriveProgram& program) {
  node.allowKeys({"mode", "target", "targetRate", "stiffness", "damping", "maxForce", "targets",
                  "interpolation"});
  JointDrive d;
  constexpr DriveMode kModes[] = {DriveMode::Off, DriveMode::Force, DriveMode::Speed,
                                  DriveMode::Position};
  d.mode = kModes[node.require("mode", "\"off\", \"force\", \"speed\" or \"position\"")
                      .oneOf({"off", "force", "speed", "position"})];
  d.target = optionalNumber(node, "target", "a force, rate or position", -kMaxLaw, kMaxLaw, 0.0);
  d.targetRate = optionalNumber(node, "targetRate", "a rate", -kMaxLaw, kMaxLaw, 0.0);
  d.stiffness = optionalNumber(node, "stiffness", "a stiffness", 0.0, kMaxLaw, 0.0);
  d.damping = optionalNumber(node, "damping", "a damping", 0.0, kMaxLaw, 0.0);
  d.maxForce =
      optionalNumber(node, "maxForce", "a force [N] or torque [N m]", 0.0, kMaxLaw, d.maxForce);
  if (d.mode != DriveMode::Position)
    for (const char* key : {"stiffness", "damping", "targetRate"})
      if (const std::optional<Node> value = node.find(key))
        value->fail("only a drive of mode \"position\" has this; remove it");
  if (const std::optional<Node> targets = node.find("targets")) {
    if (node.has("target")) targets->fail("expected either \"target\" or \"targets\"");
    program.targets = readTargets(*targets);
    d.target = program.targets.front().target;
    d.targetRate = program.targets.front().targetRate;
  }
  if (const std::optional<Node> kind = node.find("interpolation")) {
    if (program.targets.empty()) kind->fail("\"interpolation\" goes with \"targets\"");
    program.isLinear = kind->oneOf({"hold", "linear"}) == 1;
  }
  return d;
}

/// The keys of an axis, at the joint itself or in its list of axes.
JointAxis readAxis(const Node& node, DriveProgram& program) {
  JointAxis a;
  if (const std::optional<Node> v = node.find("locked")) a.locked = v->boolean();
  a.limits.lower =
      optionalNumber(node, "lower", "a position", -kMaxTravel, kMaxTravel, a.limits.lower);
  a.limits.upper =
      optionalNumber(node, "upper", "a position", -kMaxTravel, kMaxTravel, a.limits.upper);
  if (!(a.limits.lower <= a.limits.upper))
    node.find("lower")->fail(
        concat("lower ", a.limits.lower, " is above upper ", a.limits.upper, "; exchange them"));
  a.limits.restitution = optionalNumber(node, "restitution", "a share of the speed", 0.0, 1.0, 0.0);
  a.stiffness = optionalNumber(node, "stiffness", "a stiffness", 0.0, kMaxLaw, 0.0);
  a.rest = optionalNumber(node, "rest", "a position", -kMaxTravel, kMaxTravel, 0.0);
  a.damping = optionalNumber(node, "damping", "a damping", 0.0, kMaxLaw, 0.0);
  a.armature = optionalNumber(node, "armature", "an inertia", 0.0, kMaxLaw, 0.0);
  a.friction = optionalNumber(node, "friction", "a force [N] or torque [N m]", 0.0, kMaxLaw, 0.0);
  if (const std::optional<Node> v = node.find("drive")) a.drive = readDrive(*v, program);
  return a;
}

/// A frame whose z is the direction: the turn from z by the shortest way.
Mat3 frameAlong(const Vec3& v) {
  constexpr double kNearlyOpposite = 1e-12;
  const double w = 1.0 + v.z;
  if (w < kNearlyOpposite) return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const double length = std::sqrt((w * w + v.x * v.x) + v.y * v.y);
  return matrixOf({w / length, -v.y / length, v.x / length, 0.0});
}

Pose readFrame(const Node& node) {
  node.allowKeys({"position", "orientation", "rollPitchYaw", "rollPitchYawDegrees", "axis"});
  Pose pose{matrixOf(readOrientation(node)), readPosition(node)};
  const std::optional<Node> axis = node.find("axis");
  if (!axis) return pose;
  for (const char* key : {"orientation", "rollPitchYaw", "rollPitchYawDegrees"})
    if (node.has(key)) axis->fail(concat("expected only one of \"axis\" and ", quoted(key)));
  const Vec3 v = axis->vec3("a direction");
  const double length = std::sqrt((v.x * v.x + v.y * v.y) + v.z * v.z);
  if (!(length > 0.0) || !(length <= kMaxCoordinate)) axis->failExpected("a direction");
  pose.rotation = frameAlong({v.x / length, v.y / length, v.z / length});
  return pose;
}

/// "link[i+1]" with i = 3 is "link[4]".
std::string withIndex(const std::string& name, std::uint64_t i) {
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const bool next = name.compare(at, 5, "[i+1]") == 0;
    if (!next && name.compare(at, 3, "[i]") != 0) {
      out += name[at];
      continue;
    }
    out += concat("[", next ? i + 1 : i, "]");
    at += next ? 4 : 2;
  }
  return out;
}

ObjectId bodyNamed(const SceneReader& reader, const Node& node, std::uint64_t i) {
  const std::string name = withIndex(node.text("the name of a body"), i);
  const ObjectId id = idOfName(name);
  if (findBody(reader.scene, id) != nullptr) return id;
  std::vector<std::string_view> known;
  for (const SceneBody& body : reader.scene.bodies) known.push_back(body.name);
  node.fail(concat("no body ", quoted(name), suggestion(name, known)));
}

void readFrames(const Node& node, JointDescription& d) {
  if (node.has("frame") == (node.has("frame1") || node.has("frame2")))
    node.fail(
        "expected either \"frame\", where the joint is in the world at the start, or "
        "\"frame1\" and \"frame2\" in the bodies");
  if (const std::optional<Node> frame = node.find("frame")) {
    d.placement = JointPlacement::InWorld;
    d.frame1 = readFrame(*frame);
    return;
  }
  d.frame1 = readFrame(node.require("frame1", "the joint's frame in body 1, or in the world"));
  d.frame2 = readFrame(node.require("frame2", "the joint's frame in body 2"));
}

void readAxes(const Node& node, SceneJoint& joint) {
  const int count = numJointAxes(joint.description.type);
  joint.programs.resize(static_cast<std::size_t>(count));
  const std::optional<Node> list = node.find("axes");
  if (!list) {
    for (const std::string_view key : kAxisKeys) {
      const std::optional<Node> value = node.find(key);
      if (value && count != 1)
        value->fail(concat("this joint has ", count, " axes; give them in a list \"axes\""));
    }
    if (count == 1) joint.description.axes[0] = readAxis(node, joint.programs[0]);
    return;
  }
  for (const std::string_view key : kAxisKeys)
    if (node.has(key)) list->fail(concat("expected either \"axes\" or ", quoted(key)));
  const std::size_t given = list->list("axes", 0, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < given; ++i) {
    const Node axis = list->at(i);
    axis.allowKeys(kAxisKeys);
    joint.description.axes[i] = readAxis(axis, joint.programs[i]);
  }
}

SceneJoint readJoint(const Node& node) {
  node.allowKeys({"name",    "type",     "body1",    "body2",       "frame",      "frame1",
                  "frame2",  "axes",     "length",   "collide",     "breakForce", "breakTorque",
                  "locked",  "lower",    "upper",    "restitution", "stiffness",  "rest",
                  "damping", "armature", "friction", "drive",       "repeat"});
  SceneJoint joint;
  joint.name = node.require("name", "a name that no other joint has").text("a name");
  if (joint.name.empty() || joint.name.size() > 128) node.fail("expected a name of 1 to 128 bytes");
  joint.place = node.place();
  JointDescription& d = joint.description;
  d.type = static_cast<JointType>(node.require("type", "what the joint leaves free").oneOf(kTypes));
  readFrames(node, d);
  readAxes(node, joint);
  d.length = optionalNumber(node, "length", "a length [m]", 0.0, kMaxCoordinate, 0.0);
  if (d.type != JointType::Distance && node.has("length"))
    node.find("length")->fail("only a joint of type \"distance\" has a length");
  if (const std::optional<Node> v = node.find("collide")) d.collide = v->boolean();
  d.breakForce = optionalNumber(node, "breakForce", "a force [N]", 0.0, kMaxLaw, d.breakForce);
  d.breakTorque =
      optionalNumber(node, "breakTorque", "a torque [N m]", 0.0, kMaxLaw, d.breakTorque);
  return joint;
}

/// Copies of a joint along a chain: "[i]" and "[i+1]" in the names of bodies stand for the copy.
void addCopies(SceneReader& reader, const Node& node, const SceneJoint& joint) {
  std::uint64_t count = 1;
  Vec3 step;
  const std::optional<Node> repeat = node.find("repeat");
  if (repeat) {
    repeat->allowKeys({"count", "step"});
    count = repeat->require("count", "how many copies").count("how many copies", 1, kMaxJoints);
    step = optionalVec3(*repeat, "step", "the way from copy to copy [m]", kMaxCoordinate);
  }
  if (!node.has("body1") && !node.has("body2"))
    node.fail("expected \"body1\", \"body2\" or both; without one the joint is to the world");
  if (reader.scene.joints.size() + count > kMaxJoints)
    node.fail(concat("more than ", kMaxJoints, " joints in the scene"));
  for (std::uint64_t i = 0; i < count; ++i) {
    SceneJoint copy = joint;
    if (repeat) copy.name = concat(joint.name, "[", i, "]");
    copy.description.id = idOfName(copy.name);
    if (const std::optional<Node> body = node.find("body1"))
      copy.description.body1 = bodyNamed(reader, *body, i);
    if (const std::optional<Node> body = node.find("body2"))
      copy.description.body2 = bodyNamed(reader, *body, i);
    if (copy.description.placement == JointPlacement::InWorld) {
      const auto n = static_cast<double>(i);
      Vec3& at = copy.description.frame1.translation;
      at = {at.x + step.x * n, at.y + step.y * n, at.z + step.z * n};
    }
    reader.scene.joints.push_back(std::move(copy));
  }
}

const SceneJoint& jointNamed(const Scene& scene, const Node& node) {
  const std::string& name = node.text("the name of a joint");
  std::vector<std::string_view> known;
  for (const SceneJoint& joint : scene.joints) {
    if (joint.name == name) return joint;
    known.push_back(joint.name);
  }
  node.fail(concat("no joint ", quoted(name), suggestion(name, known)));
}

}  // namespace

void readJoints(SceneReader& reader, const Node& list) {
  const std::size_t count = list.list("joints", 0, kMaxJoints);
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = list.at(i);
    addCopies(reader, node, readJoint(node));
  }
  std::vector<SceneJoint>& joints = reader.scene.joints;
  std::stable_sort(joints.begin(), joints.end(), [](const SceneJoint& a, const SceneJoint& b) {
    return a.description.id < b.description.id;
  });
  for (std::size_t i = 1; i < joints.size(); ++i) {
    if (joints[i - 1].description.id != joints[i].description.id) continue;
    throw InputError(concat(joints[i].place, ": the name ", quoted(joints[i].name),
                            " is taken by the joint at ", joints[i - 1].place, "; rename one"));
  }
}

void readCouplings(SceneReader& reader, const Node& list) {
  const std::size_t count = list.list("couplings", 0, kMaxJoints);
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = list.at(i);
    node.allowKeys({"name", "joint1", "joint2", "axis1", "axis2", "ratio", "offset"});
    SceneCoupling coupling;
    coupling.name = node.require("name", "a name that no other coupling has").text("a name");
    coupling.place = node.place();
    CouplingDescription& d = coupling.description;
    d.id = idOfName(coupling.name);
    int* const axes[] = {&d.axis1, &d.axis2};
    ObjectId* const ids[] = {&d.joint1, &d.joint2};
    for (int k = 0; k < 2; ++k) {
      const SceneJoint& joint = jointNamed(
          reader.scene, node.require(k == 0 ? "joint1" : "joint2", "the name of a joint"));
      *ids[k] = joint.description.id;
      const int most = numJointAxes(joint.description.type);
      if (most == 0) node.fail(concat("the joint ", quoted(joint.name), " has no axis to couple"));
      if (const std::optional<Node> axis = node.find(k == 0 ? "axis1" : "axis2"))
        *axes[k] = static_cast<int>(
            axis->count("the number of an axis", 0, static_cast<std::uint64_t>(most - 1)));
    }
    const Node ratio = node.require("ratio", "travel of joint 2 over that of joint 1");
    d.ratio = ratio.number("travel of joint 2 over that of joint 1", -kMaxTravel, kMaxTravel);
    if (d.ratio == 0.0) ratio.fail("expected a ratio other than 0");
    if (const std::optional<Node> offset = node.find("offset")) {
      d.offset = offset->number("a position", -kMaxTravel, kMaxTravel);
      d.offsetFromNow = false;
    }
    for (const SceneCoupling& other : reader.scene.couplings)
      if (other.description.id == d.id)
        node.fail(concat("the name ", quoted(coupling.name), " is taken by another coupling"));
    reader.scene.couplings.push_back(std::move(coupling));
  }
}

/// What a drive aims at, at a time.
DriveTarget targetAt(const DriveProgram& program, double time) {
  const std::vector<DriveTarget>& list = program.targets;
  const auto after =
      std::upper_bound(list.begin(), list.end(), time,
                       [](double t, const DriveTarget& target) { return t < target.time; });
  if (after == list.begin()) return list.front();
  const DriveTarget& from = *(after - 1);
  if (!program.isLinear || after == list.end()) return from;
  const double share = (time - from.time) / (after->time - from.time);
  return {time, from.target + (after->target - from.target) * share,
          from.targetRate + (after->targetRate - from.targetRate) * share};
}

}  // namespace abut::inline v0_1::io
