// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/robot/mjcf_model.hpp"

namespace abut::inline v0_1::io {

/// A geom that may touch.
struct MjcfGeom {
  std::string name;
  std::size_t link = 0;
  unsigned long contype = 1, conaffinity = 1;
};

/// An MJCF model on its way to a tree.
struct MjcfBuild {
  const MjcfModel& model;
  const AssetSource& assets;
  RobotTree tree;
  std::map<std::string, std::size_t> linkByName;
  struct JointAt {
    std::size_t link = 0, joint = 0;
  };
  std::map<std::string, JointAt> jointByName;
  std::vector<MjcfGeom> geoms;
  std::size_t hulls = 0, merged = 0;

  [[nodiscard]] RobotJoint& jointOf(const JointAt& at) {
    return tree.links[at.link].joints[at.joint];
  }
  void lose(const XmlElement& e, std::string_view more = "");
};

/// <worldbody>: links, joints, geoms.
void readMjcfBodies(MjcfBuild& build);
/// <contact>, after the bodies.
void readMjcfContacts(MjcfBuild& build);
/// <equality>.
void readMjcfEqualities(MjcfBuild& build);
/// <actuator>, the fixed <tendon>s that they pull, and <keyframe>.
void readMjcfActuators(MjcfBuild& build);

/// A geom's shape and what it weighs; false if it has no shape here, which is then counted as lost.
bool readMjcfGeom(MjcfBuild& build, const XmlElement& e, const std::string& inherited,
                  RobotShape& shape, RobotMass& mass);

}  // namespace abut::inline v0_1::io
