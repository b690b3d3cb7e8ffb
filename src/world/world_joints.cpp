// SPDX-License-Identifier: MIT
#include <string>

#include <abut/math/convert.hpp>

#include "world/change.hpp"

namespace abut {
namespace {

Status unknownJoint(const char* call, ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         std::string("World::") + call + ": no joint " + std::to_string(id), id);
}

void wakeBodies(WorldState& s, const JointDescription& d) {
  for (const ObjectId id : {d.body1, d.body2}) {
    if (id != kNoObject) wakeUp(s, s.bodies.indexOf(id));
  }
}

}  // namespace

Status World::addJoint(const JointDescription& description, ObjectId& id) {
  WorldState& s = *state_;
  return changeWorld(s, "addJoint", [&]() -> Status {
    ObjectId given = kNoObject;
    const Status status = s.joints.add(description, s.bodies, given);
    if (!status) return status;
    const JointDescription& d = s.joints.joints[s.joints.find(given)].description;
    wakeBodies(s, d);
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

Status World::removeJoint(ObjectId id) {
  WorldState& s = *state_;
  return changeWorld(s, "removeJoint", [&]() -> Status {
    const std::size_t i = s.joints.find(id);
    if (i == s.joints.joints.size()) return unknownJoint("removeJoint", id);
    wakeBodies(s, s.joints.joints[i].description);
    s.joints.remove(i);
    return {};
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

Status World::getJoint(ObjectId id, JointDescription& joint) const {
  const std::size_t i = state_->joints.find(id);
  if (i == state_->joints.joints.size()) return unknownJoint("getJoint", id);
  joint = state_->joints.joints[i].description;
  return {};
}

Status World::getJointState(ObjectId id, JointState& state) const {
  const FloatEnvironment environment;
  const WorldState& s = *state_;
  const std::size_t i = s.joints.find(id);
  if (i == s.joints.joints.size()) return unknownJoint("getJointState", id);
  const JointRecord& joint = s.joints.joints[i];
  state = {};
  readAxes(s.bodies, joint, state);
  state.work = joint.work;
  for (const JointShown& shown : s.shown.joints) {
    if (shown.joint != id || !(shown.duration > 0.0)) continue;
    state.force = toEigen(shown.impulse / shown.duration);
    state.torque = toEigen(shown.moment / shown.duration);
    state.stepWork = shown.work;
    for (std::size_t a = 0; a < state.driveForce.size(); ++a) {
      state.driveForce[a] = shown.drive[a] / shown.duration;
    }
  }
  return {};
}

Status World::setJointDrive(ObjectId id, int axis, const JointDrive& drive) {
  WorldState& s = *state_;
  return changeWorld(s, "setJointDrive", [&]() -> Status {
    const Status status = s.joints.setDrive(id, axis, drive);
    if (status) wakeBodies(s, s.joints.joints[s.joints.find(id)].description);
    return status;
  });
}

Status World::addCoupling(const CouplingDescription& description, ObjectId& id) {
  WorldState& s = *state_;
  return changeWorld(s, "addCoupling", [&]() -> Status {
    const Status status = s.joints.addCoupling(description, id);
    if (!status) return status;
    for (const ObjectId joint : {description.joint1, description.joint2}) {
      wakeBodies(s, s.joints.joints[s.joints.find(joint)].description);
      s.joints.joints[s.joints.find(joint)].isFresh = true;
    }
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
    const CouplingDescription d = s.joints.couplings[i].description;
    s.joints.couplings.erase(s.joints.couplings.begin() + static_cast<std::ptrdiff_t>(i));
    for (const ObjectId joint : {d.joint1, d.joint2}) {
      wakeBodies(s, s.joints.joints[s.joints.find(joint)].description);
    }
    return {};
  });
}

std::span<const JointEvent> World::getJointEvents() const {
  return state_->shown.jointEvents;
}

}  // namespace abut
