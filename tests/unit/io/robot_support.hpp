// SPDX-License-Identifier: MIT
#pragma once

// What the tests of robots share. The files stand in the tests.
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/robot.hpp"
#include "io/robot/robot_assembly.hpp"
#include "io/scene/scene.hpp"

namespace abut::io::test {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kDegree = kPi / 180.0;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Files = std::map<std::string, std::string>;

inline RobotTree read(const std::string& text, const RobotOptions& options = {}, Files more = {}) {
  more["robot.xml"] = text;
  return readRobot("robot.xml", MemoryAssets(std::move(more)), options);
}
inline Assembly assembled(const std::string& text, const RobotOptions& options = {},
                          Files more = {}) {
  RobotTree tree = read(text, options, std::move(more));
  return assemble(tree, {});
}
inline std::string fault(const std::string& text, const RobotOptions& options = {}) {
  try {
    (void)assembled(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
inline void expectFault(const std::string& text, const std::string& word) {
  EXPECT_NE(fault(text).find(word), std::string::npos) << fault(text);
}
inline const AssembledJoint& jointNamed(const Assembly& a, const std::string& name) {
  for (const AssembledJoint& joint : a.joints)
    if (joint.name == name) return joint;
  throw InputError("no joint " + name);
}
inline const AssembledBody& bodyNamed(const Assembly& a, const std::string& name) {
  for (const AssembledBody& body : a.bodies)
    if (body.name == name) return body;
  throw InputError("no body " + name);
}
inline void expectNear(const Vec3& a, const Vec3& b, double tolerance = 1e-12) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

inline const std::string kInertial =
    R"(<inertial><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>)";

inline std::string urdf(const std::string& inside) {
  return "<robot name=\"r\" xmlns:xacro=\"x\">" + inside + "</robot>";
}
/// Two links and a joint with these attributes and children.
inline std::string urdfJoint(const std::string& type, const std::string& inside) {
  return urdf("<link name=\"a\">" + kInertial + "</link><link name=\"b\">" + kInertial +
              "</link><joint name=\"j\" type=\"" + type +
              "\"><parent link=\"a\"/><child link=\"b\"/>" + inside + "</joint>");
}
inline std::string mjcf(const std::string& worldbody, const std::string& before = "",
                        const std::string& after = "") {
  return "<mujoco model=\"m\">" + before + "<worldbody>" + worldbody + "</worldbody>" + after +
         "</mujoco>";
}
inline const std::string kRadian = R"(<compiler angle="radian"/>)";
inline const std::string kMass = R"(<inertial mass="2" pos="0 0 0" diaginertia="0.1 0.2 0.25"/>)";

inline constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

}  // namespace abut::io::test
