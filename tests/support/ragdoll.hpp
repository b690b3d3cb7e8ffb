// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Geometry>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut::test {

inline MaterialId addMaterial(World& world, double friction) {
  Material m;
  m.friction = friction;
  MaterialId id = 0;
  world.materials().add(m, id).orThrow();
  return id;
}

/// A figure of 11 bodies and 10 joints with limits, about 1.8 m tall.
class RagdollBuilder {
public:
  RagdollBuilder(World& world, MaterialId material, const Eigen::Vector3d& position,
                 const Eigen::Vector3d& turn)
      : world_(world), material_(material) {
    at_.setIdentity();
    if (turn.norm() > 0.0) {
      at_.linear() = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    }
    at_.translation() = position;
  }
  /// Returns the first of its bodies, the pelvis.
  ObjectId build() {
    const Eigen::Matrix3d upright = Eigen::Matrix3d::Identity();
    const Eigen::Matrix3d lying =
        Eigen::AngleAxisd(std::acos(0.0), Eigen::Vector3d::UnitY()).toRotationMatrix();
    const ObjectId pelvis = add(BoxShape({0.15, 0.1, 0.08}), {0, 0, 0}, upright);
    const ObjectId chest = add(BoxShape({0.17, 0.11, 0.15}), {0, 0, 0.27}, upright);
    const ObjectId head = add(SphereShape(0.11), {0, 0, 0.57}, upright);
    ball(pelvis, chest, {0, 0, 0.1}, {0, 0, 1}, 0.6, 0.4);
    ball(chest, head, {0, 0, 0.44}, {0, 0, 1}, 0.7, 0.8);
    for (const double s : {-1.0, 1.0}) {
      const ObjectId arm = add(CapsuleShape(0.05, 0.22), {0.34 * s, 0, 0.38}, lying);
      const ObjectId hand = add(CapsuleShape(0.04, 0.22), {0.63 * s, 0, 0.38}, lying);
      ball(chest, arm, {0.2 * s, 0, 0.38}, {s, 0, 0}, 1.5, 1.0);
      hinge(arm, hand, {0.49 * s, 0, 0.38}, {0, 0, s}, -0.05, 2.3);
      const ObjectId thigh = add(CapsuleShape(0.07, 0.3), {0.1 * s, 0, -0.28}, upright);
      const ObjectId shin = add(CapsuleShape(0.05, 0.32), {0.1 * s, 0, -0.7}, upright);
      ball(pelvis, thigh, {0.1 * s, 0, -0.1}, {0, 0, -1}, 1.2, 0.5);
      hinge(thigh, shin, {0.1 * s, 0, -0.49}, {1, 0, 0}, -2.3, 0.05);
    }
    return pelvis;
  }

private:
  template <class AnyShape>
  ObjectId add(AnyShape&& shape, const Eigen::Vector3d& place, const Eigen::Matrix3d& turn) {
    Eigen::Isometry3d local = Eigen::Isometry3d::Identity();
    local.linear() = turn;
    local.translation() = place;
    const Eigen::Isometry3d pose = at_ * local;
    Eigen::Quaterniond q(pose.linear());
    q.normalize();
    BodyDescription d;
    d.position = pose.translation();
    d.orientation = {q.w(), q.x(), q.y(), q.z()};
    return world_.addBody(d, std::forward<AnyShape>(shape), material_);
  }
  JointDescription at(JointType type, ObjectId body1, ObjectId body2, const Eigen::Vector3d& point,
                      const Eigen::Vector3d& axis) const {
    JointDescription d;
    d.type = type;
    d.body1 = body1;
    d.body2 = body2;
    d.placement = JointPlacement::InWorld;
    const Eigen::Vector3d z = (at_.linear() * axis).normalized();
    Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
    frame.linear().col(0) = z.unitOrthogonal();
    frame.linear().col(1) = z.cross(frame.linear().col(0));
    frame.linear().col(2) = z;
    frame.translation() = at_ * point;
    d.frame1 = poseFrom(frame);
    return d;
  }
  void ball(ObjectId body1, ObjectId body2, const Eigen::Vector3d& point,
            const Eigen::Vector3d& axis, double swing, double twist) {
    JointDescription d = at(JointType::Ball, body1, body2, point, axis);
    d.axes[0].limits = {-twist, twist, 0.0};
    d.axes[1].limits.upper = swing;
    world_.addJoint(d);
  }
  void hinge(ObjectId body1, ObjectId body2, const Eigen::Vector3d& point,
             const Eigen::Vector3d& axis, double lower, double upper) {
    JointDescription d = at(JointType::Hinge, body1, body2, point, axis);
    d.axes[0].limits = {lower, upper, 0.0};
    world_.addJoint(d);
  }

  World& world_;
  MaterialId material_;
  Eigen::Isometry3d at_;
};

inline ObjectId addRagdoll(World& world, MaterialId material, const Eigen::Vector3d& position,
                           const Eigen::Vector3d& turn) {
  return RagdollBuilder(world, material, position, turn).build();
}

/// Greatest distance between the origins of ball joints and hinges [m].
inline double greatestJointGap(const World& world) {
  const auto place = [&](ObjectId body, const Pose& frame) -> Eigen::Vector3d {
    const Eigen::Vector3d at = toEigen(frame.translation);
    if (body == kNoObject) return at;
    BodyMotion m;
    world.getMotion(body, m).orThrow();
    const Eigen::Quaterniond q(m.orientation.w, m.orientation.x, m.orientation.y, m.orientation.z);
    return q * at + toEigen(m.pose.translation);
  };
  double most = 0.0;
  for (const ObjectId id : world.getJointIds()) {
    JointDescription d;
    world.getJoint(id, d).orThrow();
    if (d.type != JointType::Ball && d.type != JointType::Hinge) continue;
    most = std::max(most, (place(d.body1, d.frame1) - place(d.body2, d.frame2)).norm());
  }
  return most;
}

}  // namespace abut::test
