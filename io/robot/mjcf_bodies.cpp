// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/mjcf_build.hpp"
#include "io/robot/robot_mass.hpp"

namespace abut::inline v0_1::io {
namespace {

/// What says how soft a contact or a limit is, which Abut does not need.
constexpr std::array<const char*, 13> kSoftness = {
    "solref",         "solimp",         "margin",      "gap",       "solmix",
    "priority",       "solreflimit",    "solimplimit", "fluidcoef", "fluidshape",
    "solreffriction", "solimpfriction", "springdamper"};

class BodyReader {
public:
  explicit BodyReader(MjcfBuild& build) : b_(build), m_(build.model) {}

  void run() {
    RobotLink world;
    world.name = "world";
    b_.tree.links.push_back(std::move(world));
    b_.linkByName["world"] = 0;
    for (const XmlElement& e : m_.sections("worldbody")) part(e, 0, "", {});
    if (b_.tree.links.size() == 1 && b_.tree.links[0].shapes.empty())
      throw InputError(concat(b_.tree.name, ": expected bodies in <worldbody>, found none"));
  }

private:
  MjcfBuild& b_;
  const MjcfModel& m_;
  std::size_t num_bodies_ = 0, num_joints_ = 0;

  void loseSoftness(const XmlElement& e, const std::string& inherited) {
    for (const char* key : kSoftness)
      if (m_.find(e, key, inherited)) ++b_.tree.lost[key];
  }

  /// Anything inside a body or frame; `frame` is that of the <frame>s around it.
  void part(const XmlElement& e, std::size_t link, const std::string& inherited,
            const Pose& frame) {
    if (e.name() == "body") {
      body(e, link, inherited, frame);
    } else if (e.name() == "frame") {
      const std::string own = e.find("childclass").value_or(inherited);
      const Pose inner = compose(frame, m_.poseOf(e, inherited));
      for (const XmlElement& child : m_.childrenOf(e)) part(child, link, own, inner);
    } else if (e.name() == "geom") {
      geom(e, link, inherited, frame);
    } else if (e.name() == "joint" || e.name() == "freejoint") {
      joint(e, link, inherited, frame);
    } else if (e.name() != "inertial") {
      b_.lose(e);
    }
  }

  void body(const XmlElement& e, std::size_t parent, const std::string& inherited,
            const Pose& frame) {
    const std::size_t at = b_.tree.links.size();
    RobotLink link;
    link.name = e.find("name").value_or(concat("body", ++num_bodies_));
    link.parent = parent;
    link.place = e.place();
    link.pose = compose(frame, m_.poseOf(e, inherited));
    link.gravityScale = 1.0 - numberOf(e, "gravcomp", 0.0);
    if (e.find("mocap").value_or("false") == "true") ++b_.tree.lost["mocap of a body"];
    if (!b_.linkByName.emplace(link.name, at).second)
      e.fail(concat("there are two bodies ", quoted(link.name)));
    b_.tree.links.push_back(std::move(link));
    const std::string own = e.find("childclass").value_or(inherited);
    for (const XmlElement& child : m_.childrenOf(e)) part(child, at, own, {});
    const std::optional<bool>& fromGeoms = m_.compiler().inertiaFromGeoms;
    std::optional<XmlElement> inertial;
    for (const XmlElement& child : m_.childrenOf(e))
      if (child.name() == "inertial") inertial = child;
    if (inertial && fromGeoms != std::optional<bool>(true)) {
      b_.tree.links[at].mass = massOfBody(*inertial, b_.tree.links[at].name);
    } else if (fromGeoms == std::optional<bool>(false)) {
      b_.tree.links[at].mass = {};
    }
    const RobotLink& done = b_.tree.links[at];
    if (done.joints.empty() && !done.isFree) ++b_.merged;
  }

  /// pos is the centre, quat the principal axes; fullinertia in the order xx yy zz xy xz yz.
  RobotMass massOfBody(const XmlElement& e, const std::string& name) const {
    RobotMass own;
    own.mass = numberOf(e, "mass", 0.0);
    const std::vector<double> diagonal = m_.numbers(e, "diaginertia", "", 3, 3);
    const std::vector<double> full = m_.numbers(e, "fullinertia", "", 6, 6);
    if (own.mass < 0.0 || (full.empty() && diagonal.empty() && own.mass > 0.0))
      e.fail("expected a mass and \"diaginertia\" or \"fullinertia\"");
    if (!diagonal.empty())
      own.tensor = {{diagonal[0], 0, 0}, {0, diagonal[1], 0}, {0, 0, diagonal[2]}};
    if (!full.empty())
      own.tensor = {
          {full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}};
    if (own.mass > 0.0 && m_.compiler().boundInertia == 0.0) {
      const std::string fault = faultOfTensor(own.tensor);
      if (!fault.empty()) e.fail(concat("body ", quoted(name), ": its inertia ", fault));
    }
    return placed(own, m_.poseOf(e, ""));
  }

  void geom(const XmlElement& e, std::size_t at, const std::string& inherited, const Pose& frame) {
    RobotShape shape;
    RobotMass mass;
    loseSoftness(e, inherited);
    if (!readMjcfGeom(b_, e, inherited, shape, mass)) return;
    shape.pose = compose(frame, shape.pose);
    const auto group = static_cast<int>(m_.number(e, "group", inherited, 0.0));
    RobotLink& link = b_.tree.links[at];
    if (group >= m_.compiler().firstGroup && group <= m_.compiler().lastGroup)
      link.mass = sumOf(link.mass, placed(mass, frame));
    MjcfGeom geom;
    geom.link = at;
    geom.name = e.find("name").value_or("");
    geom.contype = static_cast<unsigned long>(m_.number(e, "contype", inherited, 1.0));
    geom.conaffinity = static_cast<unsigned long>(m_.number(e, "conaffinity", inherited, 1.0));
    if (geom.contype == 0 && geom.conaffinity == 0) {
      ++b_.tree.lost["geom that touches nothing, as a shape (it counts for inertia)"];
      return;
    }
    RobotMaterial material;
    const std::vector<double> friction = m_.numbers(e, "friction", inherited, 1, 3);
    const auto condim = static_cast<int>(m_.number(e, "condim", inherited, 3.0));
    // Spinning counts with 4 dimensions, rolling with 6; one alone is without friction.
    material.friction = condim == 1 ? 0.0 : friction.empty() ? 1.0 : friction[0];
    if (condim >= 4) material.spinning = friction.size() > 1 ? friction[1] : 0.005;
    if (condim >= 6) material.rolling = friction.size() > 2 ? friction[2] : 0.0001;
    shape.material = materialOf(b_.tree, material);
    link.shapes.push_back(std::move(shape));
    b_.geoms.push_back(std::move(geom));
  }

  void joint(const XmlElement& e, std::size_t at, const std::string& inherited, const Pose& frame) {
    RobotLink& link = b_.tree.links[at];
    const bool isFree =
        e.name() == "freejoint" || m_.find(e, "type", inherited).value_or("hinge") == "free";
    if (at == 0) e.fail("the world has no joints");
    if (isFree) {
      if (link.parent != 0) e.fail("only a child of the world can be free");
      link.isFree = true;
      return;
    }
    loseSoftness(e, inherited);
    RobotJoint joint;
    joint.name = e.find("name").value_or(concat("joint", ++num_joints_));
    const std::string type = m_.find(e, "type", inherited).value_or("hinge");
    if (type == "slide") {
      joint.kind = RobotJoint::Kind::Slide;
    } else if (type == "ball") {
      joint.kind = RobotJoint::Kind::Ball;
    } else if (type != "hinge") {
      e.fail(concat("type ", quoted(type), " is none of hinge, slide, ball, free"));
    }
    const Vec3 axis = directionOf(e, "axis", m_.vector(e, "axis", inherited, {0, 0, 1}));
    joint.axis = rotate(frame.rotation, axis);
    joint.position =
        add(rotate(frame.rotation, m_.vector(e, "pos", inherited, {})), frame.translation);
    readLaw(e, inherited, joint);
    if (!b_.jointByName.emplace(joint.name, MjcfBuild::JointAt{at, link.joints.size()}).second)
      e.fail(concat("there are two joints ", quoted(joint.name)));
    link.joints.push_back(std::move(joint));
  }

  void readLaw(const XmlElement& e, const std::string& inherited, RobotJoint& joint) {
    const bool turns = joint.kind != RobotJoint::Kind::Slide;
    const auto unit = [&](double value) { return turns ? m_.angle(value) : value; };
    JointAxis& law = joint.law;
    joint.zero =
        joint.kind == RobotJoint::Kind::Ball ? 0.0 : unit(m_.number(e, "ref", inherited, 0.0));
    law.armature = m_.number(e, "armature", inherited, 0.0);
    law.damping = m_.number(e, "damping", inherited, 0.0);
    law.friction = m_.number(e, "frictionloss", inherited, 0.0);
    law.stiffness = m_.number(e, "stiffness", inherited, 0.0);
    law.rest = unit(m_.number(e, "springref", inherited, 0.0)) - joint.zero;
    if (law.stiffness == 0.0) law.rest = 0.0;
    const std::vector<double> range = m_.numbers(e, "range", inherited, 2, 2);
    const std::string limited = m_.find(e, "limited", inherited).value_or("auto");
    if (limited == "auto" && !range.empty() && !m_.compiler().autoLimits) {
      e.fail(
          "\"range\" without \"limited\": with autolimits=\"false\" say limited=\"true\" or "
          "\"false\"");
    }
    const bool isLimited = limited == "true" || (limited == "auto" && !range.empty());
    if (isLimited) {
      if (range.empty()) e.fail("limited=\"true\" needs a \"range\"");
      if (!(range[0] <= range[1])) e.fail(concat("\"range\": ", range[0], " is above ", range[1]));
      law.limits.lower = unit(range[0]) - joint.zero;
      law.limits.upper = unit(range[1]) - joint.zero;
      if (joint.kind == RobotJoint::Kind::Ball)
        law.limits.lower = -std::numeric_limits<double>::infinity();
    }
    const std::vector<double> force = m_.numbers(e, "actuatorfrcrange", inherited, 2, 2);
    if (!force.empty()) law.drive.maxForce = std::max(std::fabs(force[0]), std::fabs(force[1]));
  }
};

}  // namespace

void MjcfBuild::lose(const XmlElement& e, std::string_view more) {
  ++tree.lost[concat("<", printable(e.name()), ">", more)];
}

void readMjcfBodies(MjcfBuild& build) {
  BodyReader(build).run();
}

}  // namespace abut::inline v0_1::io
