// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/mjcf_build.hpp"
#include "io/robot/robot_mass.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Inertia of all that a joint moves, about or along its axis, as the file places it.
double inertiaAlong(const RobotTree& tree, const MjcfBuild::JointAt& at) {
  const RobotJoint& joint = tree.links[at.link].joints[at.joint];
  std::vector<Pose> poses(tree.links.size());
  std::vector<bool> below(tree.links.size(), false);
  RobotMass all;
  for (std::size_t i = at.link; i < tree.links.size(); ++i) {
    const RobotLink& link = tree.links[i];
    if (i == at.link) {
      below[i] = true;
    } else if (link.parent != RobotLink::kNoParent && below[link.parent]) {
      below[i] = true;
      poses[i] = compose(poses[link.parent], link.pose);
    } else {
      continue;
    }
    all = sumOf(all, placed(link.mass, poses[i]));
  }
  if (joint.kind == RobotJoint::Kind::Slide) return all.mass + joint.law.armature;
  const Mat3 about = steiner(all.mass, subtract(all.center, joint.position));
  const Vec3& a = joint.axis;
  return dotOf(a, add(rotate(all.tensor, a), rotate(about, a))) + joint.law.armature;
}

/// An actuator's law along its own length: force = gain u + bias1 q + bias2 q'.
struct Servo {
  double gain = 1.0, stiffness = 0.0, damping = 0.0;
};

class ActuatorReader {
public:
  explicit ActuatorReader(MjcfBuild& build) : b_(build), m_(build.model) {}

  void run() {
    readControls();
    for (const XmlElement& e : m_.sections("actuator")) actuator(e);
    for (const XmlElement& e : m_.sections("tendon")) {
      const bool isFixed = e.name() == "fixed";
      if (isFixed && tendons_.contains(e.find("name").value_or(""))) continue;
      b_.lose(e, isFixed ? " tendon that nothing pulls" : " of <tendon>");
    }
  }

private:
  MjcfBuild& b_;
  const MjcfModel& m_;
  std::vector<double> controls_;
  std::set<std::string> tendons_;  ///< That actuators pull.
  std::size_t number_ = 0;

  /// Start positions and controls of the key "home", or of the first.
  void readControls() {
    std::optional<XmlElement> key;
    std::size_t count = 0;
    for (const XmlElement& e : m_.sections("keyframe")) {
      ++count;
      if (!key || e.find("name").value_or("") == "home") key = e;
    }
    if (!key) return;
    if (count > 1) b_.tree.lost["<key> beside the one that the robot starts in"] += count - 1;
    if (const std::optional<std::string> text = key->find("ctrl"))
      controls_ = key->numbers("ctrl", *text);
    if (const std::optional<std::string> text = key->find("qpos"))
      takePositions(*key, key->numbers("qpos", *text));
    if (key->find("qvel")) ++b_.tree.lost["qvel of a <key>"];
  }

  void takePositions(const XmlElement& key, const std::vector<double>& q) {
    std::size_t at = 0;
    const auto next = [&] {
      if (at >= q.size()) key.fail(concat("\"qpos\": only ", q.size(), " numbers"));
      return q[at++];
    };
    const auto nextTurn = [&] {
      Quat t;
      t.w = next();
      t.x = next();
      t.y = next();
      t.z = next();
      const double l = std::sqrt((t.w * t.w + t.x * t.x) + (t.y * t.y + t.z * t.z));
      if (!(l > 0.0)) key.fail("\"qpos\": expected a quaternion, got zeros");
      return Quat{t.w / l, t.x / l, t.y / l, t.z / l};
    };
    for (RobotLink& link : b_.tree.links) {
      if (link.isFree) {
        Vec3 p;
        p.x = next();
        p.y = next();
        p.z = next();
        link.pose = {matrixOf(nextTurn()), p};
      }
      for (RobotJoint& joint : link.joints) {
        if (joint.kind == RobotJoint::Kind::Ball) {
          joint.startTurn = nextTurn();
        } else {
          joint.start = next() - joint.zero;
        }
      }
    }
    if (at != q.size())
      key.fail(concat("\"qpos\": ", q.size(), " numbers, but the joints have ", at));
  }

  void actuator(const XmlElement& e) {
    const std::size_t place = number_++;
    const double control = place < controls_.size() ? controls_[place] : 0.0;
    double length = 1.0;  // Of a tendon, for each unit of the joint.
    const std::optional<std::string> tendon = m_.find(e, "tendon", "", "general");
    const std::string name =
        tendon ? throughTendon(*tendon, length) : m_.find(e, "joint", "", "general").value_or("");
    const auto at = b_.jointByName.find(name);
    if (at == b_.jointByName.end()) {
      const bool isNamed = tendon || e.find("joint");
      b_.lose(e, isNamed ? " on a joint that is not there" : " on no joint");
      return;
    }
    RobotJoint& joint = b_.jointOf(at->second);
    if (joint.kind == RobotJoint::Kind::Ball) {
      b_.lose(e, " on a ball joint");
      return;
    }
    Servo servo;
    if (!readServo(e, at->second, servo)) return;
    if (joint.law.drive.mode != DriveMode::Off) {
      b_.lose(e, " on a joint that has one already");
      return;
    }
    drive(e, servo, control, length, joint);
  }

  /// A fixed tendon is as long as its joints are turned, each by its factor. Its joints follow the
  /// first one, as they do already or by their factors; the first one is pulled. Returns its name.
  std::string throughTendon(const std::string& name, double& length) {
    for (const XmlElement& t : m_.sections("tendon")) {
      if (t.name() != "fixed" || t.find("name").value_or("") != name) continue;
      std::string first;
      double own = 0.0;
      length = 0.0;
      for (const XmlElement& e : m_.childrenOf(t)) {
        const std::string joint = e.require("joint");
        const double factor = m_.number(e, "coef", "", 1.0);
        if (factor == 0.0 || !b_.jointByName.contains(joint)) continue;
        if (first.empty()) {
          first = joint;
          own = factor;
        }
        length += factor * (joint == first ? 1.0 : following(name, first, joint, factor / own));
      }
      for (const char* law : {"range", "stiffness", "damping", "frictionloss", "springlength"}) {
        if (t.find(law)) ++b_.tree.lost[concat(law, " of a <fixed> tendon")];
      }
      tendons_.insert(name);
      return length != 0.0 ? first : "";
    }
    return "";
  }

  /// How far a joint moves for each unit of another: as a coupling says, or by one made for it.
  double following(const std::string& name, const std::string& first, const std::string& joint,
                   double otherwise) {
    for (const RobotCoupling& c : b_.tree.couplings) {
      if (c.leader == first && c.follower == joint) return c.ratio;
      if (c.leader == joint && c.follower == first) return 1.0 / c.ratio;
    }
    b_.tree.couplings.push_back({concat(name, "/", joint), first, joint, otherwise, 0.0});
    return otherwise;
  }

  /// What the kinds of actuators have in common; false, and counted, for laws that no drive has.
  bool readServo(const XmlElement& e, const MjcfBuild::JointAt& at, Servo& s) {
    const auto number = [&](const char* key, double otherwise) {
      return m_.number(e, key, "", otherwise, "general");
    };
    if (e.name() == "motor") return true;
    if (e.name() == "position") {
      s.gain = s.stiffness = number("kp", 1.0);
      s.damping = number("kv", 0.0);
      const double ratio = number("dampratio", 0.0);
      if (ratio > 0.0) s.damping = 2.0 * ratio * std::sqrt(s.stiffness * inertiaAlong(b_.tree, at));
      return true;
    }
    if (e.name() == "velocity") {
      s.gain = s.damping = number("kv", 1.0);
      return true;
    }
    if (e.name() == "general") {
      const std::string bias = m_.find(e, "biastype", "").value_or("none");
      const std::string gain = m_.find(e, "gaintype", "").value_or("fixed");
      const std::vector<double> g = m_.numbers(e, "gainprm", "", 1, 10);
      const std::vector<double> c = m_.numbers(e, "biasprm", "", 1, 10);
      s.gain = g.empty() ? 1.0 : g[0];
      const bool affine = bias == "affine";
      if (affine) {
        s.stiffness = c.size() > 1 ? -c[1] : 0.0;
        s.damping = c.size() > 2 ? -c[2] : 0.0;
      }
      const bool offset = affine && !c.empty() && c[0] != 0.0;
      const bool known = gain == "fixed" && (affine || bias == "none") && !offset &&
                         s.stiffness >= 0.0 && s.damping >= 0.0;
      if (known && m_.find(e, "dyntype", "").value_or("none") != "none")
        ++b_.tree.lost["dyntype of an actuator"];
      if (!known) b_.lose(e, " with a law of its own");
      return known;
    }
    b_.lose(e, " of <actuator>");
    return false;
  }

  /// Of the actuator itself, or a part of the joint's, about its middle.
  std::vector<double> controlRange(const XmlElement& e, const RobotJoint& joint) const {
    std::vector<double> range = m_.numbers(e, "ctrlrange", "", 2, 2, "general");
    const double part = m_.number(e, "inheritrange", "", 0.0, "general");
    const JointLimits& limits = joint.law.limits;
    const bool isLimited = std::isfinite(limits.lower) && std::isfinite(limits.upper);
    if (!range.empty() || !(part > 0.0) || !isLimited) return range;
    const double middle = 0.5 * (limits.lower + limits.upper) + joint.zero;
    const double half = 0.5 * part * (limits.upper - limits.lower);
    return {middle - half, middle + half};
  }

  /// force = gain u - stiffness gear q - damping gear q', at the joint times gear.
  void drive(const XmlElement& e, const Servo& s, double control, double length,
             RobotJoint& joint) {
    const std::vector<double> gears = m_.numbers(e, "gear", "", 1, 6, "general");
    const double gear = (gears.empty() ? 1.0 : gears[0]) * length;
    if (gear == 0.0) e.fail("\"gear\": expected a factor other than 0");
    const std::vector<double> range = controlRange(e, joint);
    if (!range.empty()) control = std::clamp(control, range[0], std::max(range[0], range[1]));
    JointDrive& d = joint.law.drive;
    const std::vector<double> force = m_.numbers(e, "forcerange", "", 2, 2, "general");
    if (!force.empty()) {
      const double most = std::max(std::fabs(force[0]), std::fabs(force[1])) * std::fabs(gear);
      d.maxForce = std::min(d.maxForce, most);
      if (force[0] != -force[1]) ++b_.tree.lost["forcerange that is not the same both ways"];
    }
    if (s.stiffness == 0.0 && s.damping == 0.0) {
      d.mode = DriveMode::Force;
      d.target = std::clamp(s.gain * control * gear, -d.maxForce, d.maxForce);
      return;
    }
    d.mode = DriveMode::Position;
    d.stiffness = s.stiffness * gear * gear;
    d.damping = s.damping * gear * gear;
    if (s.stiffness > 0.0) {
      d.target = s.gain * control / (s.stiffness * gear) - joint.zero;
    } else {
      d.targetRate = s.gain * control / (s.damping * gear);
    }
  }
};

}  // namespace

void readMjcfActuators(MjcfBuild& build) {
  ActuatorReader(build).run();
}

}  // namespace abut::inline v0_1::io
