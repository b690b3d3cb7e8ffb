// SPDX-License-Identifier: MIT
#include <limits>

#include "bindings.hpp"

namespace abut::python {
namespace {

using Place = std::pair<Vector, Quaternion>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kTypes[] = {"fixed",    "ball",   "hinge",    "slider", "universal",
                                  "distance", "tether", "six_axis", "gimbal"};
constexpr const char* kModes[] = {"off", "force", "speed", "position"};

JointDrive makeDrive(const std::string& mode, double target, double targetRate, double stiffness,
                     double damping, double maxForce) {
  JointDrive d;
  d.mode = static_cast<DriveMode>(numberOf("mode", mode, kModes));
  d.target = target;
  d.targetRate = targetRate;
  d.stiffness = stiffness;
  d.damping = damping;
  d.maxForce = maxForce;
  return d;
}

JointAxis makeAxis(const std::optional<std::pair<double, double>>& limits, double restitution,
                   double stiffness, double rest, double damping, double armature, double friction,
                   bool locked, const std::optional<JointDrive>& drive) {
  JointAxis a;
  if (limits) {
    a.limits.lower = limits->first;
    a.limits.upper = limits->second;
  }
  a.limits.restitution = restitution;
  a.stiffness = stiffness;
  a.rest = rest;
  a.damping = damping;
  a.armature = armature;
  a.friction = friction;
  a.locked = locked;
  if (drive) a.drive = *drive;
  return a;
}

/// The frame at a point of the world whose z is a direction.
Pose frameAlong(const Vector& point, const Vector& axis) {
  const double length = axis.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    throw Error(StatusCode::OutOfRange, "axis: expected a direction, got a vector without length");
  }
  const Vector z = axis / length;
  const Vector x = z.unitOrthogonal(), y = z.cross(x);
  Pose pose;
  pose.translation = {point[0], point[1], point[2]};
  pose.rotation = {{x[0], x[1], x[2]}, {y[0], y[1], y[2]}, {z[0], z[1], z[2]}};
  return pose;
}

ObjectId addJoint(PyWorld& w, const std::string& type, std::optional<ObjectId> body1,
                  std::optional<ObjectId> body2, const std::optional<Vector>& point,
                  const Vector& axis, const std::optional<std::pair<Place, Place>>& frames,
                  const std::vector<JointAxis>& axes, double length, bool collide,
                  double breakForce, double breakTorque, ObjectId id) {
  JointDescription d;
  d.type = static_cast<JointType>(numberOf("type", type, kTypes));
  d.body1 = body1.value_or(kNoObject);
  d.body2 = body2.value_or(kNoObject);
  if (point.has_value() == frames.has_value()) {
    throw Error(
        StatusCode::OutOfRange,
        "add_joint: expected either point (and axis) in the world, or frames in the bodies");
  }
  if (point) {
    d.placement = JointPlacement::InWorld;
    d.frame1 = frameAlong(*point, axis);
  } else {
    d.frame1 = toPose(frames->first.first, frames->first.second);
    d.frame2 = toPose(frames->second.first, frames->second.second);
  }
  const int most = numJointAxes(d.type);
  if (axes.size() > static_cast<std::size_t>(most)) {
    throw Error(StatusCode::OutOfRange, "axes: a joint of type '" + type + "' has " +
                                            std::to_string(most) + ", got " +
                                            std::to_string(axes.size()));
  }
  std::copy(axes.begin(), axes.end(), d.axes.begin());
  d.length = length;
  d.collide = collide;
  d.breakForce = breakForce;
  d.breakTorque = breakTorque;
  d.id = id;
  ObjectId given = kNoObject;
  w.get().addJoint(d, given).orThrow();
  return given;
}

/// A joint's state with the number of its axes.
struct PyJointState {
  JointState state;
  std::size_t axes = 0;

  [[nodiscard]] py::array_t<double> of(const std::array<double, kMaxJointAxes>& values) const {
    return py::array_t<double>(static_cast<py::ssize_t>(axes), values.data());
  }
};

PyJointState stateOf(const PyWorld& w, ObjectId id) {
  PyJointState out;
  JointDescription d;
  w.get().getJoint(id, d).orThrow();
  w.get().getJointState(id, out.state).orThrow();
  out.axes = static_cast<std::size_t>(numJointAxes(d.type));
  return out;
}

py::dict toDict(const JointWork& work) {
  py::dict d;
  d["motors"] = work.motors;
  d["dampers"] = work.dampers;
  d["springs"] = work.springs;
  d["limits"] = work.limits;
  d["friction"] = work.friction;
  return d;
}

py::dtype eventType() {
  const JointEvent e;
  return RecordType()
      .add("joint", "u8", e, e.joint)
      .add("body1", "u8", e, e.body1)
      .add("body2", "u8", e, e.body2)
      .add("force", "f8", e, e.force)
      .add("torque", "f8", e, e.torque)
      .of<JointEvent>();
}

void bindParts(py::module_& module) {
  py::class_<JointDrive>(module, "Drive", "What a motor on an axis of a joint does.")
      .def(py::init(&makeDrive), py::arg("mode"), py::arg("target") = 0.0, py::kw_only(),
           py::arg("target_rate") = 0.0, py::arg("stiffness") = 0.0, py::arg("damping") = 0.0,
           py::arg("max_force") = kInfinity,
           "mode: 'off'; 'force' [N or N m]; 'speed' [m/s or rad/s], up to max_force; 'position' "
           "[m or rad]: stiffness (target - position) + damping (target_rate - rate), up to "
           "max_force, implicit, so that no stiffness is too great.")
      .def_readwrite("target", &JointDrive::target, "A force, rate or position.")
      .def_readwrite("target_rate", &JointDrive::targetRate)
      .def_readwrite("stiffness", &JointDrive::stiffness)
      .def_readwrite("damping", &JointDrive::damping)
      .def_readwrite("max_force", &JointDrive::maxForce)
      .def_property_readonly(
          "mode", [](const JointDrive& d) { return kModes[static_cast<std::size_t>(d.mode)]; });
  py::class_<JointAxis>(module, "Axis", "What acts along or about an axis of a joint.")
      .def(py::init(&makeAxis), py::kw_only(), py::arg("limits") = py::none(),
           py::arg("restitution") = 0.0, py::arg("stiffness") = 0.0, py::arg("rest") = 0.0,
           py::arg("damping") = 0.0, py::arg("armature") = 0.0, py::arg("friction") = 0.0,
           py::arg("locked") = false, py::arg("drive") = py::none(),
           "limits: (lower, upper) [m or rad], met with restitution. stiffness and rest: a spring. "
           "armature: inertia of what turns with the axis. friction: greatest force of dry "
           "friction. locked: of 'six_axis' and 'gimbal' only.");
  py::class_<PyJointState>(module, "JointState", "Where a joint is and what it carries.")
      .def_property_readonly(
          "position", [](const PyJointState& s) { return s.of(s.state.position); },
          "Of each axis [m or rad], angles unwound.")
      .def_property_readonly(
          "rate", [](const PyJointState& s) { return s.of(s.state.rate); }, "[m/s or rad/s]")
      .def_property_readonly(
          "drive_force", [](const PyJointState& s) { return s.of(s.state.driveForce); },
          "Of the drive on each axis, mean over the last step [N or N m].")
      .def_property_readonly(
          "force", [](const PyJointState& s) { return s.state.force; },
          "On body 2, at the origin of its frame, mean over the last step, world [N].")
      .def_property_readonly(
          "torque", [](const PyJointState& s) { return s.state.torque; }, "The same [N m].")
      .def_property_readonly(
          "step_work", [](const PyJointState& s) { return toDict(s.state.stepWork); },
          "Work of motors, dampers, springs, limits and friction over the last step [J].")
      .def_property_readonly(
          "work", [](const PyJointState& s) { return toDict(s.state.work); },
          "The same since the joint was added.");
}

}  // namespace

void bindJoints(py::module_& module, WorldClass& c) {
  bindParts(module);
  c.def("add_joint", &addJoint, py::arg("type"), py::arg("body1"), py::arg("body2"), py::kw_only(),
        py::arg("point") = py::none(), py::arg("axis") = Vector(0, 0, 1),
        py::arg("frames") = py::none(), py::arg("axes") = std::vector<JointAxis>{},
        py::arg("length") = 0.0, py::arg("collide") = false, py::arg("break_force") = kInfinity,
        py::arg("break_torque") = kInfinity, py::arg("id") = kNoObject,
        "Adds a joint and returns its id. type: 'fixed', 'ball', 'hinge', 'slider', 'universal', "
        "'distance', 'tether', 'six_axis' or 'gimbal'. body1, body2: ids, None for the world. It "
        "is placed "
        "by point and axis (z of both frames) in the world as bodies are now, or by frames = "
        "((position, orientation) in body 1, the same in body 2). axes: an Axis for each axis of "
        "the type, in its order; fewer leave the rest free. Bodies of a joint do not touch unless "
        "collide. Positions count from body 1 to body 2.");
  c.def(
      "remove_joint", [](PyWorld& w, ObjectId id) { w.get().removeJoint(id).orThrow(); },
      py::arg("id"), "Removes a joint and its couplings.");
  c.def("joint", &stateOf, py::arg("id"), "Where a joint is and what it carries.");
  c.def_property_readonly(
      "joint_ids", [](const PyWorld& w) { return w.get().getJointIds(); },
      "Ids of all joints, ascending.");
  c.def(
      "set_drive",
      [](PyWorld& w, ObjectId id, const JointDrive& drive, int axis) {
        w.get().setJointDrive(id, axis, drive).orThrow();
      },
      py::arg("joint"), py::arg("drive"), py::arg("axis") = 0,
      "Changes the drive of an axis of a joint, from the next step on.");
  c.def(
      "add_coupling",
      [](PyWorld& w, ObjectId joint1, ObjectId joint2, double ratio, int axis1, int axis2,
         std::optional<double> offset, ObjectId id) {
        CouplingDescription d;
        d.joint1 = joint1;
        d.joint2 = joint2;
        d.ratio = ratio;
        d.axis1 = axis1;
        d.axis2 = axis2;
        d.offset = offset.value_or(0.0);
        d.offsetFromNow = !offset.has_value();
        d.id = id;
        ObjectId given = kNoObject;
        w.get().addCoupling(d, given).orThrow();
        return given;
      },
      py::arg("joint1"), py::arg("joint2"), py::arg("ratio"), py::kw_only(), py::arg("axis1") = 0,
      py::arg("axis2") = 0, py::arg("offset") = py::none(), py::arg("id") = kNoObject,
      "Makes two axes move together: position2 = ratio position1 + offset; without an offset, as "
      "they are now. Gears, rack and pinion, pulleys, mimicked joints.");
  c.def(
      "remove_coupling", [](PyWorld& w, ObjectId id) { w.get().removeCoupling(id).orThrow(); },
      py::arg("id"));
  c.def_property_readonly(
      "joint_events",
      [](const PyWorld& w) {
        return toArray<JointEvent>(known<eventType>(), w.get().getJointEvents());
      },
      "Joints that broke in the last step, with the force and torque that they carried.");
}

}  // namespace abut::python
