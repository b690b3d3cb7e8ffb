// SPDX-License-Identifier: MIT
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>

#include "world/state.hpp"

namespace abut {
namespace {

Status unknownJoint(const char* call, ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         std::string("World::") + call + ": no joint " + std::to_string(id), id);
}

void wakeBodies(WorldState& s, const JointDescription& d) {
  for (const ObjectId id : {d.body1, d.body2}) {
    if (id == kNoObject) continue;
    s.wake(id);
    s.bodies.rest[s.bodies.indexOf(id)].still = 0.0;
  }
}

/// Rates of a joint's axes, by the present motion of its bodies.
void readRates(const WorldState& s, const JointRecord& joint, JointState& state) {
  const JointDescription& d = joint.description;
  Placement place[2];
  Vec6 velocity[2] = {};
  const ObjectId ids[2] = {d.body1, d.body2};
  for (int k = 0; k < 2; ++k) {
    if (ids[k] == kNoObject) continue;
    const std::size_t b = s.bodies.indexOf(ids[k]);
    place[k] = {s.bodies.position[b], toMatrix(s.bodies.orientation[b])};
    velocity[k] = toVec6(s.bodies.velocity[b].linear, s.bodies.velocity[b].angular);
  }
  double stretch = 0.0;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    if (joint.model.rows[r].kind == RowKind::Stretch) stretch = 2.0 * joint.memory.position[r];
  }
  JointRates rates;
  RowPositions positions;
  rowRates(joint.model, place[0], place[1], stretch, rates);
  rowPositions(joint.model, place[0], place[1], positions);
  for (int r = 0; r < joint.model.numRows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const JointRow& row = joint.model.rows[at];
    if (!isAxisKind(row.kind)) continue;
    const double known = joint.memory.position[at];
    state.position[row.axis] = isTurnKind(row.kind) ? unwound(positions[at], known) : positions[at];
    state.rate[row.axis] = dot(rates.j1.row[r], velocity[0]) + dot(rates.j2.row[r], velocity[1]);
  }
}

}  // namespace

Status World::addJoint(const JointDescription& description, ObjectId& id) {
  const FloatEnvironment environment;
  if (Status locked = state_->mayChange("addJoint"); !locked) return locked;
  WorldState& s = *state_;
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
}

ObjectId World::addJoint(const JointDescription& description) {
  ObjectId id = kNoObject;
  addJoint(description, id).orThrow();
  return id;
}

Status World::removeJoint(ObjectId id) {
  const FloatEnvironment environment;
  if (Status locked = state_->mayChange("removeJoint"); !locked) return locked;
  WorldState& s = *state_;
  const std::size_t i = s.joints.find(id);
  if (i == s.joints.joints.size()) return unknownJoint("removeJoint", id);
  wakeBodies(s, s.joints.joints[i].description);
  s.joints.remove(i);
  return {};
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
  readRates(s, joint, state);
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
  const FloatEnvironment environment;
  if (Status locked = state_->mayChange("setJointDrive"); !locked) return locked;
  WorldState& s = *state_;
  const Status status = s.joints.setDrive(id, axis, drive);
  if (status) wakeBodies(s, s.joints.joints[s.joints.find(id)].description);
  return status;
}

Status World::addCoupling(const CouplingDescription& description, ObjectId& id) {
  const FloatEnvironment environment;
  if (Status locked = state_->mayChange("addCoupling"); !locked) return locked;
  WorldState& s = *state_;
  const Status status = s.joints.addCoupling(description, id);
  if (!status) return status;
  for (const ObjectId joint : {description.joint1, description.joint2}) {
    wakeBodies(s, s.joints.joints[s.joints.find(joint)].description);
    s.joints.joints[s.joints.find(joint)].isFresh = true;
  }
  return {};
}

Status World::removeCoupling(ObjectId id) {
  if (Status locked = state_->mayChange("removeCoupling"); !locked) return locked;
  WorldState& s = *state_;
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
}

std::span<const JointEvent> World::getJointEvents() const {
  return state_->shown.jointEvents;
}

}  // namespace abut
