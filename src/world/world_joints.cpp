// SPDX-License-Identifier: MIT
#include <string>

#include <abut/math/convert.hpp>

#include "world/change.hpp"

namespace abut::inline v0_1 {
namespace {

Status unknownJoint(const char* call, ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         std::string("World::") + call + ": no joint " + std::to_string(id), id);
}

/// Wakes the bodies of joints. Where it throws, nothing has changed.
Status wakeBodies(WorldState& s, std::span<const ObjectId> joints) {
  std::vector<ObjectId> ids;
  for (const ObjectId joint : joints) {
    const JointDescription& d = s.joints.joints[s.joints.find(joint)].description;
    for (const ObjectId id : {d.body1, d.body2}) {
      if (id != kNoObject) ids.push_back(id);
    }
  }
  const Status status = s.wake(ids);
  if (!status) return status;
  for (const ObjectId id : ids) s.bodies.rest[s.bodies.indexOf(id)].still = 0.0;
  return status;
}

/// Makes a change and wakes the bodies of joints; `undo` takes it back where that fails.
template <typename Undo>
Status wakeOr(WorldState& s, std::span<const ObjectId> joints, Undo undo) {
  Status status;
  try {
    status = wakeBodies(s, joints);
  } catch (...) {
    undo();
    throw;
  }
  if (!status) undo();
  return status;
}

}  // namespace

Status World::addJoint(const JointDescription& description, ObjectId& id) {
  WorldState& s = *state_;
  return changeWorld(s, "addJoint", [&]() -> Status {
    ObjectId given = kNoObject;
    const ObjectId next = s.joints.nextJoint;
    Status status = s.joints.add(description, s.bodies, given);
    if (!status) return status;
    status = wakeOr(s, {&given, 1}, [&] {
      s.joints.remove(s.joints.find(given));
      s.joints.nextJoint = next;
    });
    if (!status) return status;
    const JointDescription& d = s.joints.joints[s.joints.find(given)].description;
    if (!d.collide && d.body1 != kNoObject && d.body2 != kNoObject) {
      s.cache.forgetPair(ObjectPair::of(d.body1, d.body2));
    }
    id = given;
    return {};
  });
}

ObjectId World::addJoint(const JointDescription& description) {
  ObjectId id = kNoObject;
  addJoint(description, id).orThrow();
  return id;
}

JointDescription World::joint(ObjectId id) const {
  JointDescription joint;
  getJoint(id, joint).orThrow();
  return joint;
}

JointState World::jointState(ObjectId id) const {
  JointState state;
  getJointState(id, state).orThrow();
  return state;
}

ObjectId World::addCoupling(const CouplingDescription& description) {
  ObjectId id = kNoObject;
  addCoupling(description, id).orThrow();
  return id;
}

Status World::removeJoint(ObjectId id) {
  WorldState& s = *state_;
  return changeWorld(s, "removeJoint", [&]() -> Status {
    const std::size_t i = s.joints.find(id);
    if (i == s.joints.joints.size()) return unknownJoint("removeJoint", id);
    const Status status = wakeBodies(s, {&id, 1});
    if (status) s.joints.remove(i);
    return status;
  });
}

std::size_t World::numJoints() const {
  return state_->joints.joints.size();
}

std::vector<ObjectId> World::getJointIds() const {
  std::vector<ObjectId> ids;
  for (const JointRecord& j : state_->joints.joints) ids.push_back(j.description.id);
  return ids;
}

Status World::getJoint(ObjectId id, JointDescription& joint) const try {
  const std::size_t i = state_->joints.find(id);
  if (i == state_->joints.joints.size()) return unknownJoint("getJoint", id);
  joint = state_->joints.joints[i].description;
  return {};
} catch (...) {
  return statusOfException();
}

Status World::getJointState(ObjectId id, JointState& state) const try {
  const FloatEnvironment environment;
  const WorldState& s = *state_;
  const std::size_t i = s.joints.find(id);
  if (i == s.joints.joints.size()) return unknownJoint("getJointState", id);
  const JointRecord& joint = s.joints.joints[i];
  state = {};
  readAxes(s.bodies, joint, state);
  state.work = joint.work;
  const JointShown* shown = findShown(s.shown.joints, id);
  if (shown == nullptr || !(shown->duration > 0.0)) return {};
  state.force = toEigen(shown->impulse / shown->duration);
  state.torque = toEigen(shown->moment / shown->duration);
  state.stepWork = shown->work;
  for (std::size_t a = 0; a < state.driveForce.size(); ++a) {
    state.driveForce[a] = shown->drive[a] / shown->duration;
  }
  return {};
} catch (...) {
  return statusOfException();
}

Status World::setJointDrive(ObjectId id, int axis, const JointDrive& drive) {
  WorldState& s = *state_;
  return changeWorld(s, "setJointDrive", [&]() -> Status {
    const std::size_t i = s.joints.find(id);
    const JointDescription before =
        i < s.joints.joints.size() ? s.joints.joints[i].description : JointDescription();
    const Status status = s.joints.setDrive(id, axis, drive);
    if (!status) return status;
    return wakeOr(s, {&id, 1}, [&] { s.joints.joints[i].description = before; });
  });
}

Status World::addCoupling(const CouplingDescription& description, ObjectId& id) {
  WorldState& s = *state_;
  return changeWorld(s, "addCoupling", [&]() -> Status {
    ObjectId given = kNoObject;
    const ObjectId next = s.joints.nextCoupling;
    Status status = s.joints.addCoupling(description, given);
    if (!status) return status;
    const ObjectId joints[] = {description.joint1, description.joint2};
    status = wakeOr(s, joints, [&] {
      const auto at = static_cast<std::ptrdiff_t>(s.joints.findCoupling(given));
      s.joints.couplings.erase(s.joints.couplings.begin() + at);
      s.joints.nextCoupling = next;
    });
    if (!status) return status;
    for (const ObjectId joint : joints) s.joints.joints[s.joints.find(joint)].isFresh = true;
    id = given;
    return {};
  });
}

Status World::removeCoupling(ObjectId id) {
  WorldState& s = *state_;
  return changeWorld(s, "removeCoupling", [&]() -> Status {
    const std::size_t i = s.joints.findCoupling(id);
    if (i == s.joints.couplings.size()) {
      return Status::failure(StatusCode::UnknownObject,
                             "World::removeCoupling: no coupling " + std::to_string(id), id);
    }
    const CouplingDescription& d = s.joints.couplings[i].description;
    const ObjectId joints[] = {d.joint1, d.joint2};
    const Status status = wakeBodies(s, joints);
    if (!status) return status;
    s.joints.couplings.erase(s.joints.couplings.begin() + static_cast<std::ptrdiff_t>(i));
    return status;
  });
}

std::span<const JointEvent> World::getJointEvents() const {
  return state_->shown.jointEvents;
}

}  // namespace abut::inline v0_1
