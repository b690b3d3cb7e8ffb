// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <deque>

#include "joints/mechanism_stepper.hpp"
#include "math/pose.hpp"

namespace abut::test {

inline constexpr double kGravity = 9.81;

/// A joint of a world at a place of it, its z along the world's.
inline JointDescription jointAt(JointType type, ObjectId body1, ObjectId body2, const Vec3& point) {
  JointDescription d;
  d.type = type;
  d.body1 = body1;
  d.body2 = body2;
  d.placement = JointPlacement::InWorld;
  d.frame1.translation = point;
  return d;
}

/// A mechanism that is put together at given places, with gravity along -z.
class Rig {
public:
  Mechanism mechanism;
  MechanismStepper stepper;
  Vec3 gravity{0.0, 0.0, -kGravity};

  std::uint32_t add(double mass, const Vec3& inertia, const Vec3& position, const Quat& q = {}) {
    MechanismBody b;
    b.mass = mass;
    b.inertia = {{inertia.x, 0.0, 0.0}, {0.0, inertia.y, 0.0}, {0.0, 0.0, inertia.z}};
    b.position = position;
    b.orientation = q;
    b.force = gravity * mass;
    mechanism.bodies.push_back(b);
    return static_cast<std::uint32_t>(mechanism.bodies.size() - 1);
  }
  /// A box of given edges.
  std::uint32_t addBox(double mass, const Vec3& size, const Vec3& position, const Quat& q = {}) {
    const Vec3 d{size.x * size.x, size.y * size.y, size.z * size.z};
    return add(mass, Vec3{d.y + d.z, d.x + d.z, d.x + d.y} * (mass / 12.0), position, q);
  }

  /// A joint whose frames are both at a place of the world, with z along an axis.
  std::uint32_t join(JointType type, std::uint32_t body1, std::uint32_t body2, const Vec3& point,
                     const Vec3& axis) {
    const Vec3 z = normalized(axis), x = anyPerpendicular(z);
    return join(type, body1, body2, Pose{{x, cross(z, x), z}, point});
  }
  std::uint32_t join(JointType type, std::uint32_t body1, std::uint32_t body2, const Pose& frame) {
    JointDescription d;
    d.type = type;
    return join(d, body1, body2, frame, frame);
  }
  std::uint32_t join(JointDescription d, std::uint32_t body1, std::uint32_t body2,
                     const Pose& frame1, const Pose& frame2) {
    d.frame1 = inBody(body1, frame1);
    d.frame2 = inBody(body2, frame2);
    models_.push_back(makeJointModel(d, Vec3{}, Vec3{}));
    axes_.push_back(d.axes);
    MechanismJoint j;
    j.model = &models_.back();
    j.axes = &axes_.back();
    j.body1 = body1;
    j.body2 = body2;
    mechanism.joints.push_back(j);
    readPositions(mechanism);
    return static_cast<std::uint32_t>(mechanism.joints.size() - 1);
  }
  JointAxis& axis(std::uint32_t joint, std::size_t i = 0) { return axes_[joint][i]; }
  JointModel& model(std::uint32_t joint) { return models_[joint]; }
  [[nodiscard]] double position(std::uint32_t joint, int axis = 0) const {
    const MechanismJoint& j = mechanism.joints[joint];
    return j.memory.position[static_cast<std::size_t>(j.model->rowOfAxis(axis))];
  }

  MechanismReport step(double dt, bool fourthOrder = false, double mostTurn = 100.0) {
    MechanismOptions o;
    o.dt = dt;
    o.isFourthOrder = fourthOrder;
    o.mostTurn = mostTurn;
    return stepper.run(mechanism, o);
  }

  [[nodiscard]] double kinetic() const {
    double sum = 0.0;
    for (const MechanismBody& b : mechanism.bodies) sum += kineticEnergy(b);
    for (const MechanismJoint& j : mechanism.joints) sum += energyOf(j).armatures;
    return sum;
  }
  [[nodiscard]] double energy() const {
    double sum = kinetic();
    for (const MechanismBody& b : mechanism.bodies) sum -= b.mass * dot(gravity, b.position);
    for (const MechanismJoint& j : mechanism.joints) sum += energyOf(j).springs;
    return sum;
  }
  [[nodiscard]] Vec3 momentum() const {
    Vec3 p;
    for (const MechanismBody& b : mechanism.bodies) p += b.velocity * b.mass;
    return p;
  }
  [[nodiscard]] Vec3 angularMomentum() const {
    Vec3 l;
    for (const MechanismBody& b : mechanism.bodies) {
      const Mat3 r = toMatrix(b.orientation);
      l += cross(b.position, b.velocity) * b.mass + r * (b.inertia * transposeTimes(r, b.spin));
    }
    return l;
  }
  [[nodiscard]] double gap() const { return greatestGap(mechanism); }

private:
  [[nodiscard]] Pose inBody(std::uint32_t body, const Pose& world) const {
    if (body == kWorldBody) return world;
    const Placement p = placementOf(mechanism.bodies[body]);
    return relative(Pose{p.rotation, p.position}, world);
  }
  std::deque<JointModel> models_;
  std::deque<std::array<JointAxis, kMaxJointAxes>> axes_;
};

}  // namespace abut::test
