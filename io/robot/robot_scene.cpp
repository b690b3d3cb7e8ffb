// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "io/core/json_text.hpp"
#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/robot.hpp"
#include "io/robot/robot_assembly.hpp"
#include "io/robot/robot_mass.hpp"

namespace abut::inline v0_1::io {
namespace {

using Json = JsonText;

Json jsonOf(const Vec3& v) {
  return {v.x + 0.0, v.y + 0.0, v.z + 0.0};  // No negative zeros.
}

void putPose(Json& out, const Pose& pose) {
  if (pose.translation != Vec3{}) out["position"] = jsonOf(pose.translation);
  if (pose.rotation == Mat3{}) return;
  const Quat q = quaternionOf(pose.rotation);
  out["orientation"] = {q.w + 0.0, q.x + 0.0, q.y + 0.0, q.z + 0.0};
}

std::string materialName(const std::string& prefix, std::size_t i) {
  return concat(prefix, "surface", i);
}

Json jsonOf(const RobotShape& shape, const std::string& prefix) {
  Json out, s;
  switch (shape.kind) {
    case RobotShape::Kind::Sphere:
      out["sphere"] = {{"radius", shape.size.x}};
      break;
    case RobotShape::Kind::Box:
      out["box"] = {{"size", jsonOf(shape.size)}};
      break;
    case RobotShape::Kind::Capsule:
      out["capsule"] = {{"radius", shape.size.x}, {"length", shape.size.y}};
      break;
    case RobotShape::Kind::Cylinder:
      out["cylinder"] = {{"radius", shape.size.x}, {"height", shape.size.y}};
      break;
    case RobotShape::Kind::Plane:
      out["plane"] = {{"normal", {0, 0, 1}}};
      break;
    case RobotShape::Kind::Field:
      out["heightField"] = {{"spacing", {shape.size.x, shape.size.y}}, {"heights", shape.heights}};
      break;
    case RobotShape::Kind::Hull: {
      Json points = Json::array();
      for (const Vec3& p : shape.points) points.push_back(jsonOf(p));
      out["hull"] = {{"points", std::move(points)}};
      break;
    }
  }
  out["material"] = materialName(prefix, shape.material);
  putPose(out, shape.pose);
  return out;
}

Json jsonOf(const AssembledBody& body, const std::string& prefix) {
  Json out;
  out["name"] = prefix + body.name;
  if (body.isStatic) out["type"] = "static";
  putPose(out, body.pose);
  if (!body.isStatic) {
    const Mat3& t = body.mass.tensor;
    out["mass"] = body.mass.mass;
    out["centerOfMass"] = jsonOf(body.mass.center);
    out["inertia"] = {t.x.x, t.y.y, t.z.z};
    out["productsOfInertia"] = jsonOf(Vec3{t.x.y, t.x.z, t.y.z});
    if (body.gravityScale != 1.0) out["gravityScale"] = body.gravityScale;
  }
  if (!body.shapes.empty()) {
    Json shapes = Json::array();
    for (const RobotShape& shape : body.shapes) shapes.push_back(jsonOf(shape, prefix));
    out["shapes"] = std::move(shapes);
  }
  return out;
}

Json jsonOf(const JointDrive& d) {
  constexpr std::array<const char*, 4> kModes = {"off", "force", "speed", "position"};
  Json out;
  out["mode"] = kModes[static_cast<std::size_t>(d.mode)];
  if (d.target != 0.0) out["target"] = d.target;
  if (d.targetRate != 0.0) out["targetRate"] = d.targetRate;
  if (d.stiffness != 0.0) out["stiffness"] = d.stiffness;
  if (d.damping != 0.0) out["damping"] = d.damping;
  if (d.maxForce < std::numeric_limits<double>::infinity()) out["maxForce"] = d.maxForce;
  return out;
}

Json jsonOf(const JointAxis& a) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Json out = Json::object();
  if (a.locked) out["locked"] = true;
  if (a.limits.lower > -kInfinity) out["lower"] = a.limits.lower;
  if (a.limits.upper < kInfinity) out["upper"] = a.limits.upper;
  if (a.stiffness != 0.0) out["stiffness"] = a.stiffness;
  if (a.rest != 0.0) out["rest"] = a.rest;
  if (a.damping != 0.0) out["damping"] = a.damping;
  if (a.armature != 0.0) out["armature"] = a.armature;
  if (a.friction != 0.0) out["friction"] = a.friction;
  const bool drives = a.drive.mode != DriveMode::Off || a.drive.maxForce < kInfinity;
  if (drives) out["drive"] = jsonOf(a.drive);
  return out;
}

Json jsonOf(const AssembledJoint& joint, const Assembly& a, const std::string& prefix) {
  constexpr std::array<const char*, 9> kTypes = {
      "fixed", "ball", "hinge", "slider", "universal", "distance", "tether", "sixAxis", "gimbal"};
  Json out;
  out["name"] = prefix + joint.name;
  out["type"] = kTypes[static_cast<std::size_t>(joint.type)];
  if (joint.body1 != Assembly::kWorld) out["body1"] = prefix + a.bodies[joint.body1].name;
  if (joint.body2 != Assembly::kWorld) out["body2"] = prefix + a.bodies[joint.body2].name;
  out["frame1"] = Json::object();
  putPose(out["frame1"], joint.frame1);
  out["frame2"] = Json::object();
  putPose(out["frame2"], joint.frame2);
  if (joint.axes.size() == 1) {
    const Json axis = jsonOf(joint.axes[0]);
    for (const auto& [key, value] : axis.members()) out[key] = value;
  } else if (!joint.axes.empty()) {
    out["axes"] = Json::array();
    for (const JointAxis& axis : joint.axes) out["axes"].push_back(jsonOf(axis));
  }
  return out;
}

Json materialsOf(const RobotTree& tree, const std::string& prefix) {
  Json out = Json::object();
  for (std::size_t i = 0; i < tree.materials.size(); ++i) {
    const RobotMaterial& m = tree.materials[i];
    Json one{{"friction", m.friction}};
    if (m.spinning != 0.0) one["spinningResistance"] = m.spinning;
    if (m.rolling != 0.0) one["rollingResistance"] = m.rolling;
    out[materialName(prefix, i)] = std::move(one);
  }
  return out;
}

/// Where the greater friction counts, each pair of unlike materials is written out.
Json pairsOf(const RobotTree& tree, const std::string& prefix) {
  Json out = Json::array();
  if (!tree.takesGreaterFriction) return out;
  for (std::size_t i = 0; i < tree.materials.size(); ++i) {
    for (std::size_t j = i + 1; j < tree.materials.size(); ++j) {
      const RobotMaterial &a = tree.materials[i], &b = tree.materials[j];
      Json pair;
      pair["materials"] = {materialName(prefix, i), materialName(prefix, j)};
      pair["friction"] = std::max(a.friction, b.friction);
      if (std::max(a.spinning, b.spinning) > 0.0)
        pair["spinningResistance"] = std::max(a.spinning, b.spinning);
      if (std::max(a.rolling, b.rolling) > 0.0)
        pair["rollingResistance"] = std::max(a.rolling, b.rolling);
      out.push_back(std::move(pair));
    }
  }
  return out;
}

void putHead(Json& out, const RobotTree& tree) {
  constexpr double kStep = 1.0 / 240.0;
  out["name"] = tree.name;
  std::string text = "Converted.";
  for (const std::string& line : lossesOf(tree)) text += " " + line + ".";
  out["description"] = text;
  if (tree.gravity) out["gravity"] = jsonOf(*tree.gravity);
  out["step"] = tree.step.value_or(kStep);
  out["duration"] = 5;
}

}  // namespace

std::string writeRobotScene(RobotTree& tree, const std::string& prefix, const Pose& base,
                            bool whole) {
  const Assembly a = assemble(tree, base);
  Json out;
  if (whole) putHead(out, tree);
  out["materials"] = materialsOf(tree, prefix);
  const Json pairs = pairsOf(tree, prefix);
  if (!pairs.empty()) out["pairs"] = pairs;
  out["bodies"] = Json::array();
  for (const AssembledBody& body : a.bodies) out["bodies"].push_back(jsonOf(body, prefix));
  if (!a.joints.empty()) {
    out["joints"] = Json::array();
    for (const AssembledJoint& joint : a.joints) out["joints"].push_back(jsonOf(joint, a, prefix));
  }
  if (!a.couplings.empty()) {
    out["couplings"] = Json::array();
    for (const AssembledCoupling& c : a.couplings) {
      out["couplings"].push_back({{"name", prefix + c.name},
                                  {"joint1", prefix + a.joints[c.joint1].name},
                                  {"joint2", prefix + a.joints[c.joint2].name},
                                  {"axis1", c.axis1},
                                  {"axis2", c.axis2},
                                  {"ratio", c.ratio},
                                  {"offset", c.offset}});
    }
  }
  if (!a.excluded.empty()) {
    out["exclude"] = Json::array();
    for (const auto& [i, j] : a.excluded)
      out["exclude"].push_back({prefix + a.bodies[i].name, prefix + a.bodies[j].name});
  }
  return out.dump(2) + "\n";
}

std::vector<std::string> lossesOf(const RobotTree& tree) {
  std::vector<std::string> lines;
  for (const auto& [name, count] : tree.lost)
    lines.push_back(concat("not carried over: ", name, " (", count, ")"));
  for (const std::string& note : tree.notes) lines.push_back(note);
  return lines;
}

}  // namespace abut::inline v0_1::io
