// SPDX-License-Identifier: MIT
#include <string>

#include "joints/joint_table.hpp"

namespace abut::inline v0_1 {
namespace {

/// Frames are rotations up to what a caller's arithmetic may leave.
constexpr double kCallersRounding = 1e-6;
constexpr double kMostForce = 1e30;  // Beyond every force, stiffness or inertia that has a use.
constexpr double kLeastArmature = 1e-30;  // Its inverse has to be a number, and its square's too.

/// Checks numbers of one joint and remembers the first that is wrong.
class Checker {
public:
  Checker(std::string where, ObjectId joint) : where_(std::move(where)), joint_(joint) {}

  void fail(StatusCode code, const std::string& what) {
    if (!status_) return;
    status_ =
        Status::failure(code, where_ + ": joint " + std::to_string(joint_) + ": " + what, joint_);
  }
  void inRange(const std::string& name, double value, double least, double most) {
    if (value >= least && value <= most) return;
    fail(isFinite(value) ? StatusCode::OutOfRange : StatusCode::NonFinite,
         name + ": expected a number from " + toText(least) + " to " + toText(most) + ", got " +
             toText(value));
  }
  /// A limit that may be infinite: all that a NaN is not.
  void isNumber(const std::string& name, double value) {
    if (value == value) return;
    fail(StatusCode::NonFinite, name + " is not a number");
  }
  void frame(const std::string& name, const Pose& pose) {
    const Vec3& t = pose.translation;
    for (const double v : {t.x, t.y, t.z}) {
      inRange(name + ".translation", v, -kMaxBodyCoordinate, kMaxBodyCoordinate);
    }
    const double error = orthonormalityError(pose.rotation);
    if (!(error <= kCallersRounding) || !(determinant(pose.rotation) > 0.0)) {
      fail(isFinite(error) ? StatusCode::NotARotation : StatusCode::NonFinite,
           name +
               ": its axes are not an orthonormal right-handed frame; an axis of zero length "
               "gives none");
    }
  }
  void drive(const std::string& name, const JointDrive& d) {
    if (d.mode > DriveMode::Position) fail(StatusCode::OutOfRange, name + ".mode is unknown");
    inRange(name + ".target", d.target, -kMostForce, kMostForce);
    inRange(name + ".targetRate", d.targetRate, -kMostForce, kMostForce);
    inRange(name + ".stiffness", d.stiffness, 0.0, kMostForce);
    inRange(name + ".damping", d.damping, 0.0, kMostForce);
    isNumber(name + ".maxForce", d.maxForce);
    if (d.maxForce < 0.0) fail(StatusCode::OutOfRange, name + ".maxForce is negative");
  }
  void axis(const std::string& name, const JointAxis& a) {
    inRange(name + ".stiffness", a.stiffness, 0.0, kMostForce);
    inRange(name + ".rest", a.rest, -kMostForce, kMostForce);
    inRange(name + ".damping", a.damping, 0.0, kMostForce);
    inRange(name + ".armature", a.armature, 0.0, kMostForce);
    if (a.armature > 0.0 && a.armature < kLeastArmature) {
      fail(StatusCode::OutOfRange, name + ".armature: expected 0 or a number from " +
                                       toText(kLeastArmature) + ", got " + toText(a.armature));
    }
    inRange(name + ".friction", a.friction, 0.0, kMostForce);
    isNumber(name + ".limits.lower", a.limits.lower);
    isNumber(name + ".limits.upper", a.limits.upper);
    if (a.limits.lower > a.limits.upper) {
      fail(StatusCode::OutOfRange, name + ".limits: lower is " + toText(a.limits.lower) +
                                       " and above upper, " + toText(a.limits.upper));
    }
    inRange(name + ".limits.restitution", a.limits.restitution, 0.0, 1.0);
    drive(name + ".drive", a.drive);
  }
  [[nodiscard]] const Status& status() const { return status_; }

private:
  std::string where_;
  ObjectId joint_;
  Status status_;
};

bool isPlain(const JointAxis& a) {
  return a.stiffness == 0.0 && a.damping == 0.0 && a.armature == 0.0 && a.friction == 0.0 &&
         a.drive.mode == DriveMode::Off && !isFinite(a.limits.lower) && !isFinite(a.limits.upper);
}

void checkBodies(const JointDescription& d, const BodyTable& bodies, Checker& check) {
  bool isDynamic = false;
  for (const ObjectId id : {d.body1, d.body2}) {
    if (id == kNoObject) continue;
    const std::size_t i = bodies.find(id);
    if (i == bodies.size()) {
      check.fail(StatusCode::UnknownObject, "no body " + std::to_string(id));
      return;
    }
    isDynamic = isDynamic || bodies.facts[i].type == BodyType::Dynamic;
  }
  if (d.body1 == d.body2 && d.body1 != kNoObject) {
    check.fail(StatusCode::SelfPair, "both bodies are " + std::to_string(d.body1));
  }
  if (!isDynamic) {
    check.fail(StatusCode::OutOfRange,
               "neither body is dynamic: a joint would hold nothing; make one of them dynamic");
  }
}

void checkAxes(const JointDescription& d, Checker& check) {
  const int count = numJointAxes(d.type);
  int freeTurns = 0;
  for (int i = 0; i < kMaxJointAxes; ++i) {
    const JointAxis& a = d.axes[static_cast<std::size_t>(i)];
    const std::string name = "axes[" + std::to_string(i) + "]";
    check.axis(name, a);
    if (i >= count && (!isPlain(a) || a.locked)) {
      check.fail(StatusCode::OutOfRange,
                 name + ": this type of joint has " + std::to_string(count) + " axes");
    }
    if (a.locked && d.type != JointType::SixAxis && d.type != JointType::Gimbal) {
      check.fail(StatusCode::OutOfRange,
                 name + ".locked: only JointType::SixAxis and Gimbal have locked axes");
    }
    if (a.locked && !isPlain(a)) {
      check.fail(StatusCode::OutOfRange, name + ": a locked axis has no limits, drives or springs");
    }
    if (i >= 3 && !a.locked) ++freeTurns;
  }
  if (d.type == JointType::SixAxis && freeTurns == 3 && !isPlain(d.axes[4])) {
    check.fail(StatusCode::OutOfRange,
               "axes[4]: where all rotations are free, swing is axes[3] and twist axes[5]; axes[4] "
               "has no limits, drives or springs; JointType::Gimbal has three angles");
  }
}

}  // namespace

Status checkDrive(const JointDrive& drive, const std::string& where, ObjectId joint) {
  Checker check(where, joint);
  check.drive("drive", drive);
  return check.status();
}

Status checkJoint(const JointDescription& d, const BodyTable& bodies) {
  Checker check("World::addJoint", d.id);
  if (d.type > JointType::Gimbal) check.fail(StatusCode::OutOfRange, "its type is unknown");
  checkBodies(d, bodies, check);
  check.frame("frame1", d.frame1);
  if (d.placement == JointPlacement::InBodies) check.frame("frame2", d.frame2);
  if (d.placement > JointPlacement::InWorld) {
    check.fail(StatusCode::OutOfRange, "its placement is unknown");
  }
  if (check.status()) checkAxes(d, check);
  check.inRange("length", d.length, 0.0, kMaxBodyCoordinate);
  check.isNumber("breakForce", d.breakForce);
  check.isNumber("breakTorque", d.breakTorque);
  if (!(d.breakForce > 0.0) || !(d.breakTorque > 0.0)) {
    check.fail(StatusCode::OutOfRange, "breakForce and breakTorque must be above 0");
  }
  if (!check.status() || d.type != JointType::Distance) return check.status();
  if (!(resolved(d, bodies).length > 0.0)) {
    check.fail(StatusCode::OutOfRange, "its origins are at one place: a rod needs a length");
  }
  return check.status();
}

}  // namespace abut::inline v0_1
