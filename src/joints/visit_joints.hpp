// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

// The part of a world's state that joints are; see visitState().

template <typename A, typename Axis>
void visitAxis(A& archive, Axis& a) {
  archive(a.locked, a.stiffness, a.rest, a.damping, a.armature, a.friction);
  archive(a.limits.lower, a.limits.upper, a.limits.restitution);
  auto& d = a.drive;
  archive(d.mode, d.target, d.targetRate, d.stiffness, d.damping, d.maxForce);
}

template <typename A, typename Record>
void visitJoint(A& archive, Record& r) {
  auto& d = r.description;
  archive(d.id, d.type, d.body1, d.body2, d.frame1, d.frame2, d.length, d.collide, d.breakForce,
          d.breakTorque);
  for (auto& axis : d.axes) visitAxis(archive, axis);
  for (auto& v : r.memory.force) archive(v);
  for (auto& v : r.memory.position) archive(v);
  for (auto& v : r.memory.rotor) archive(v);
  archive(r.work.motors, r.work.dampers, r.work.springs, r.work.limits, r.work.friction);
  archive(r.isFresh);
}

template <typename A, typename Record>
void visitCoupling(A& archive, Record& r) {
  auto& d = r.description;
  archive(d.id, d.joint1, d.joint2, d.axis1, d.axis2, d.ratio, d.offset, r.force);
}

template <typename A, typename Table>
void visitJoints(A& archive, Table& table) {
  archive.size(table.joints);
  for (auto& r : table.joints) visitJoint(archive, r);
  archive.size(table.couplings);
  for (auto& r : table.couplings) visitCoupling(archive, r);
}

}  // namespace abut::inline v0_1
