// SPDX-License-Identifier: MIT
#include "io/robot/robot_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/robot_mass.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Axes and anchors in files are rounded; what agrees to this is meant to be the same.
constexpr double kSame = 1e-5;

/// The motion of a link by one of its joints.
Pose motionOf(const RobotJoint& joint) {
  if (joint.kind == RobotJoint::Kind::Slide) return shift(scaled(joint.axis, joint.start));
  const Mat3 turn = joint.kind == RobotJoint::Kind::Ball ? matrixOf(joint.startTurn)
                                                         : rotationAbout(joint.axis, joint.start);
  const Vec3& p = joint.position;
  return {turn, subtract(p, rotate(turn, p))};
}

/// A law along the opposite direction.
JointAxis mirrored(JointAxis law) {
  std::swap(law.limits.lower, law.limits.upper);
  law.limits.lower = -law.limits.lower;
  law.limits.upper = -law.limits.upper;
  law.rest = -law.rest;
  law.drive.target = -law.drive.target;
  law.drive.targetRate = -law.drive.targetRate;
  return law;
}

/// Where a joint of the file is among the assembled ones.
struct JointPlace {
  std::size_t joint = 0;
  int axis = 0;
  double sign = 1.0, zero = 0.0;
};

class Assembler {
public:
  Assembler(RobotTree& tree, const Pose& base) : tree_(tree), base_(base) {}

  Assembly run() {
    for (std::size_t i = 0; i < tree_.links.size(); ++i) placeLink(i);
    finishBodies();
    addLoops();
    addCouplings();
    addExcluded();
    return std::move(out_);
  }

private:
  RobotTree& tree_;
  Pose base_;
  Assembly out_;
  std::vector<std::size_t> body_of_;    // Of each link, or kWorld.
  std::vector<std::size_t> root_link_;  // Of each body.
  std::vector<Pose> in_body_, in_world_;
  AssembledBody ground_;  // What does not move, planes apart.
  std::vector<AssembledBody> planes_;
  std::map<std::string, JointPlace> places_;

  [[noreturn]] static void fail(const RobotLink& link, const std::string& what) {
    throw InputError(concat(link.place, ": link ", quoted(link.name), ": ", what));
  }

  void placeLink(std::size_t i) {
    const RobotLink& link = tree_.links[i];
    const bool isRoot = link.parent == RobotLink::kNoParent;
    Pose world = compose(isRoot ? base_ : in_world_[link.parent], link.pose);
    for (const RobotJoint& joint : link.joints) world = compose(world, motionOf(joint));
    in_world_.push_back(world);
    const bool moves = link.isFree || !link.joints.empty() || (isRoot && !tree_.rootIsWorld);
    if (moves) {
      body_of_.push_back(out_.bodies.size());
      in_body_.push_back(Pose{});
      root_link_.push_back(i);
      out_.bodies.push_back({link.name, false, world, {}, {}, link.gravityScale});
    } else {
      body_of_.push_back(isRoot ? Assembly::kWorld : body_of_[link.parent]);
      const bool onWorld = body_of_.back() == Assembly::kWorld;
      in_body_.push_back(onWorld ? world : compose(in_body_[link.parent], link.pose));
    }
    takeParts(i);
    if (moves && !link.isFree && !isRoot) addJoint(i);
  }

  /// Mass and shapes of a link go to its body.
  void takeParts(std::size_t i) {
    const RobotLink& link = tree_.links[i];
    const std::size_t body = body_of_[i];
    for (RobotShape shape : link.shapes) {
      shape.pose = compose(in_body_[i], shape.pose);
      const bool isPlane = shape.kind == RobotShape::Kind::Plane;
      const bool isField = shape.kind == RobotShape::Kind::Field;
      if (body != Assembly::kWorld && (isPlane || isField)) {
        ++tree_.lost[isPlane ? "plane on a link that moves" : "height field on a link that moves"];
      } else if (body != Assembly::kWorld) {
        out_.bodies[body].shapes.push_back(std::move(shape));
      } else if (isPlane) {
        AssembledBody plane;
        plane.isStatic = true;
        plane.pose = shape.pose;
        shape.pose = {};
        plane.shapes.push_back(std::move(shape));
        planes_.push_back(std::move(plane));
      } else {
        ground_.shapes.push_back(std::move(shape));
      }
    }
    if (body != Assembly::kWorld)
      out_.bodies[body].mass = sumOf(out_.bodies[body].mass, placed(link.mass, in_body_[i]));
  }

  void finishBodies() {
    for (std::size_t b = 0; b < out_.bodies.size(); ++b) {
      RobotMass& m = out_.bodies[b].mass;
      const RobotLink& link = tree_.links[root_link_[b]];
      m.mass = std::max(m.mass, tree_.leastMass);
      if (!(m.mass > 0.0))
        fail(link, "it moves but has no mass; give it an inertia, or fix it to its parent");
      if (tree_.leastInertia > 0.0) {
        m.tensor.x.x = std::max(m.tensor.x.x, tree_.leastInertia);
        m.tensor.y.y = std::max(m.tensor.y.y, tree_.leastInertia);
        m.tensor.z.z = std::max(m.tensor.z.z, tree_.leastInertia);
      }
      const std::string fault = faultOfTensor(m.tensor);
      if (!fault.empty()) fail(link, concat("its inertia ", fault));
    }
    const std::string root = tree_.links.empty() ? "world" : tree_.links[0].name;
    ground_.name = root;
    ground_.isStatic = true;
    if (!ground_.shapes.empty()) out_.bodies.push_back(ground_);
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      planes_[i].name = i == 0 ? root + " plane" : concat(root, " plane ", i + 1);
      out_.bodies.push_back(planes_[i]);
    }
  }

  /// A frame of a link's parent side at zero, and of the link, of the same place and axes.
  void setFrames(std::size_t i, const Pose& frame, AssembledJoint& joint) const {
    const RobotLink& link = tree_.links[i];
    joint.body1 = body_of_[link.parent];
    joint.body2 = body_of_[i];
    joint.frame1 = compose(compose(in_body_[link.parent], link.pose), frame);
    joint.frame2 = frame;
  }

  void note(const RobotJoint& joint, int axis, double sign) {
    places_[joint.name] = {out_.joints.size(), axis, sign, joint.zero};
  }

  void addJoint(std::size_t i) {
    const RobotLink& link = tree_.links[i];
    AssembledJoint joint;
    joint.name = link.joints[0].name;
    if (link.joints.size() == 1) {
      const RobotJoint& only = link.joints[0];
      joint.type = only.kind == RobotJoint::Kind::Hinge   ? JointType::Hinge
                   : only.kind == RobotJoint::Kind::Slide ? JointType::Slider
                                                          : JointType::Ball;
      joint.axes = {only.law};
      if (joint.type == JointType::Ball) joint.axes = {JointAxis{}, only.law};
      setFrames(i, {frameAlong(only.axis), only.position}, joint);
      note(only, 0, 1.0);
    } else if (!makeUniversal(i, joint)) {
      makeSixAxis(i, joint);
    }
    out_.joints.push_back(std::move(joint));
  }

  /// Two hinges at right angles through one point.
  bool makeUniversal(std::size_t i, AssembledJoint& joint) {
    const std::vector<RobotJoint>& list = tree_.links[i].joints;
    if (list.size() != 2 || list[0].kind != RobotJoint::Kind::Hinge ||
        list[1].kind != RobotJoint::Kind::Hinge)
      return false;
    const Vec3 z = list[0].axis, x = list[1].axis;
    if (!(std::fabs(dotOf(z, x)) <= kSame)) return false;
    if (!(lengthOf(subtract(list[0].position, list[1].position)) <= kSame)) return false;
    joint.type = JointType::Universal;
    joint.axes = {list[0].law, list[1].law};
    Vec3 y = crossOf(z, x);
    y = scaled(y, 1.0 / lengthOf(y));
    setFrames(i, {{crossOf(y, z), y, z}, list[0].position}, joint);
    note(list[0], 0, 1.0);
    note(list[1], 1, 1.0);
    return true;
  }

  /// Slides, then turns, along axes at right angles to each other.
  void makeSixAxis(std::size_t i, AssembledJoint& joint) {
    const RobotLink& link = tree_.links[i];
    std::vector<Vec3> directions;
    const std::vector<int> slots = slotsOf(link, directions);
    while (directions.size() < 3) {
      Vec3 more{1, 0, 0};
      if (directions.size() == 2) {
        more = crossOf(directions[0], directions[1]);
      } else if (directions.size() == 1) {
        more = frameAlong(directions[0]).x;
      }
      directions.push_back(scaled(more, 1.0 / lengthOf(more)));
    }
    // Right-handed, and orthonormal to rounding.
    Mat3 frame{directions[0], directions[1], {}};
    frame.y = subtract(frame.y, scaled(frame.x, dotOf(frame.x, frame.y)));
    frame.y = scaled(frame.y, 1.0 / lengthOf(frame.y));
    frame.z = crossOf(frame.x, frame.y);
    int turns = 0;
    for (const RobotJoint& j : link.joints) turns += j.kind == RobotJoint::Kind::Hinge ? 1 : 0;
    joint.type = turns == 3 ? JointType::Gimbal : JointType::SixAxis;
    joint.axes.resize(kMaxJointAxes);
    for (JointAxis& axis : joint.axes) axis.locked = true;
    Vec3 anchor;
    for (std::size_t k = 0; k < link.joints.size(); ++k) {
      const RobotJoint& j = link.joints[k];
      const bool isTurn = j.kind == RobotJoint::Kind::Hinge;
      const int axis = slots[k] + (isTurn ? 3 : 0);
      const Vec3& along = slots[k] == 0 ? frame.x : slots[k] == 1 ? frame.y : frame.z;
      const double sign = dotOf(along, j.axis) < 0.0 ? -1.0 : 1.0;
      if (isTurn) anchor = j.position;
      joint.axes[axis] = sign < 0.0 ? mirrored(j.law) : j.law;
      note(j, axis, sign);
    }
    constexpr double kMostTilt = 1.5;
    const JointLimits& tilt = joint.axes[4].limits;
    if (turns == 3 && (tilt.lower < -kMostTilt || tilt.upper > kMostTilt))
      ++tree_.lost["range beyond 1.5 rad of the second of three hinges of one body"];
    setFrames(i, {frame, anchor}, joint);
  }

  /// The place of an axis among directions at right angles, which it joins if it is a new one.
  std::size_t slotOf(const RobotLink& link, const RobotJoint& j,
                     std::vector<Vec3>& directions) const {
    for (std::size_t d = 0; d < directions.size(); ++d) {
      if (std::fabs(std::fabs(dotOf(directions[d], j.axis)) - 1.0) <= kSame) return d;
    }
    for (const Vec3& direction : directions) {
      if (std::fabs(dotOf(direction, j.axis)) > kSame)
        fail(link, concat("its joints' axes (", quoted(j.name),
                          ") are not at right angles; give each joint a link of its own"));
    }
    directions.push_back(j.axis);
    return directions.size() - 1;
  }

  /// The axis, 0 to 2, of each joint of a link; `directions` are those of several turns in the
  /// order in which they carry one another, then those of slides, whose order does not matter.
  std::vector<int> slotsOf(const RobotLink& link, std::vector<Vec3>& directions) const {
    std::vector<int> slots;
    const RobotJoint* firstTurn = nullptr;
    const auto isTurnOf = [](const RobotJoint& j) { return j.kind == RobotJoint::Kind::Hinge; };
    const auto turns = std::count_if(link.joints.begin(), link.joints.end(), isTurnOf);
    for (const RobotJoint& j : link.joints) {
      if (turns > 1 && isTurnOf(j)) slotOf(link, j, directions);
    }
    bool used[6] = {};
    for (const RobotJoint& j : link.joints) {
      const bool isTurn = j.kind == RobotJoint::Kind::Hinge;
      if (j.kind == RobotJoint::Kind::Ball)
        fail(link,
             "a ball joint beside other joints is no joint of Abut; give it a link of its own");
      const std::size_t slot = slotOf(link, j, directions);
      const auto axis = static_cast<int>(slot) + (isTurn ? 3 : 0);
      if (used[axis]) fail(link, concat("two of its joints have the axis of ", quoted(j.name)));
      used[axis] = true;
      if (isTurn && firstTurn != nullptr &&
          lengthOf(subtract(firstTurn->position, j.position)) > kSame)
        fail(link, "its hinges do not meet in a point; give each a link of its own");
      if (!isTurn && firstTurn != nullptr)
        fail(link, "it slides after it turns; give the slide a link of its own");
      if (isTurn && firstTurn == nullptr) firstTurn = &j;
      slots.push_back(static_cast<int>(slot));
    }
    return slots;
  }

  void addLoops() {
    for (const RobotLoop& loop : tree_.loops) {
      AssembledJoint joint;
      joint.name = loop.name;
      joint.type = loop.isWeld ? JointType::Fixed : JointType::Ball;
      joint.body1 = body_of_[loop.link1];
      joint.body2 = body_of_[loop.link2];
      joint.frame1 = compose(in_body_[loop.link1], loop.frame1);
      const Pose own = loop.frame2 ? *loop.frame2
                                   : compose(inverseOf(in_world_[loop.link2]),
                                             compose(in_world_[loop.link1], loop.frame1));
      joint.frame2 = compose(in_body_[loop.link2], own);
      out_.joints.push_back(std::move(joint));
    }
  }

  void addCouplings() {
    for (const RobotCoupling& c : tree_.couplings) {
      const auto leader = places_.find(c.leader), follower = places_.find(c.follower);
      if (leader == places_.end() || follower == places_.end()) {
        throw InputError(concat(tree_.name, ": ", quoted(c.name), " couples ", quoted(c.leader),
                                " and ", quoted(c.follower),
                                ", one of which is no joint that moves"));
      }
      const JointPlace &l = leader->second, &f = follower->second;
      // In the file's zeros and directions: f.sign pf + f.zero = ratio (l.sign pl + l.zero) +
      // offset.
      out_.couplings.push_back({c.name, l.joint, f.joint, l.axis, f.axis, c.ratio * l.sign * f.sign,
                                f.sign * ((c.ratio * l.zero + c.offset) - f.zero)});
    }
  }

  void addExcluded() {
    const auto exclude = [this](std::size_t a, std::size_t b) {
      if (a != b) out_.excluded.emplace_back(std::min(a, b), std::max(a, b));
    };
    // Static bodies have the indices after those of links.
    const auto bodiesOf = [this](std::size_t link) {
      std::vector<std::size_t> list;
      if (body_of_[link] != Assembly::kWorld) return std::vector<std::size_t>{body_of_[link]};
      for (std::size_t b = root_link_.size(); b < out_.bodies.size(); ++b) list.push_back(b);
      return list;
    };
    for (const auto& [a, b] : tree_.excluded)
      for (const std::size_t i : bodiesOf(a))
        for (const std::size_t j : bodiesOf(b)) exclude(i, j);
    for (std::size_t i = 0; i < tree_.links.size() && !tree_.rootMeetsChildren; ++i) {
      const RobotLink& link = tree_.links[i];
      if (link.joints.empty() || link.parent == RobotLink::kNoParent) continue;
      if (body_of_[link.parent] != Assembly::kWorld) continue;
      for (const std::size_t b : bodiesOf(link.parent)) exclude(body_of_[i], b);
    }
    std::sort(out_.excluded.begin(), out_.excluded.end());
    out_.excluded.erase(std::unique(out_.excluded.begin(), out_.excluded.end()),
                        out_.excluded.end());
  }
};

}  // namespace

Assembly assemble(RobotTree& tree, const Pose& base) {
  return Assembler(tree, base).run();
}

}  // namespace abut::inline v0_1::io
