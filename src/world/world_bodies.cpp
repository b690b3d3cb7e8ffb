// SPDX-License-Identifier: MIT
//
// How bodies come and go, and how calls between steps move them.
#include <abut/math/convert.hpp>
#include <abut/world/world_bodies.hpp>

#include "dynamics/describe_body.hpp"
#include "integration/paths.hpp"
#include "math/unit_quat.hpp"
#include "world/change.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kMaxLoad = 1e30;  // [N], [N m]: beyond every mass and speed that bodies may have.

/// Puts a body elsewhere; all is sound.
Status putAt(WorldState& s, std::size_t i, const Vec3& position, const Quat& q) {
  const ObjectId id = s.bodies.ids[i];
  BodyFacts& f = s.bodies.facts[i];
  const Quat turn = normalized(q);
  const Mat3 r = toMatrix(turn);
  const Vec3 center = position + r * f.center;
  const Pose shapePose = compose({r, center - r * f.center}, *f.shapePose);
  Status status = wakeUp(s, i, f.type == BodyType::Dynamic ? nullptr : &shapePose);
  if (!status) return status;
  const BookedChange books(s, i);
  s.bodies.orientation[i] = turn;
  s.bodies.position[i] = center;
  f.path.clear();
  s.bodies.refreshMobility(i);
  s.queries.changed();
  s.joints.refresh(id);
  s.cache.forgetObject(id);
  return status;
}

/// Gives a body a velocity; all is sound.
Status setMotion(WorldState& s, std::size_t i, const BodyVelocity& velocity) {
  Status status;
  if (s.bodies.facts[i].type == BodyType::Dynamic) status = wakeUp(s, i);
  if (!status) return status;
  const BookedChange books(s, i);
  s.bodies.velocity[i] = velocity;
  // What hangs at a body that moves as prescribed follows it in the step.
  if (s.bodies.facts[i].type == BodyType::Dynamic) s.joints.refresh(s.bodies.ids[i]);
  return status;
}

Status addLoad(WorldState& s, const BodyCall& call, std::size_t i, const Vec3& force,
               const Vec3& torque) {
  const Vec3 newForce = s.bodies.force[i] + force;
  const Vec3 newTorque = s.bodies.torque[i] + torque;
  Status status = call.requireVector("sum of forces", newForce, kMaxLoad);
  if (status) status = call.requireVector("sum of torques", newTorque, kMaxLoad);
  if (!status) return status;
  if (newForce != Vec3{} || newTorque != Vec3{}) status = wakeUp(s, i);
  if (!status) return status;
  s.bodies.force[i] = newForce;
  s.bodies.torque[i] = newTorque;
  return status;
}

/// The box of a body that was added last, and what sleeps where it is wakes.
Status settleIn(WorldState& s, std::size_t i) {
  const BodyFacts& f = s.bodies.facts[i];
  const Pose pose = s.bodies.shapePoseOf(i);
  Status status;
  if (f.shape) status = s.detector.addBox(f.id, f.shape->computeAabb(pose));
  const Sleepers::Around around{i, pose};
  if (status && f.type != BodyType::Dynamic) status = s.wake({}, {&around, 1});
  return status;
}

/// As if the body that was added last had never been.
void takeBack(WorldState& s, std::size_t i) noexcept {
  if (s.bodies.facts[i].shape) s.detector.removeBox(s.bodies.ids[i]);
  s.bodies.undoAdd();
}

}  // namespace

Status WorldBodies::addBody(const BodyDescription& description,
                            const std::vector<BodyShape>& shapes, ObjectId& id) {
  WorldState& s = state_.asItIs();
  return changeWorld(s, "addBody", [&]() -> Status {
    const ObjectId given = description.id == kNoObject ? s.nextId : description.id;
    Status status = checkNewId("World::addBody", given);
    if (!status) return status;
    // Ids that the world gives are new on all ranks.
    if (s.ranks != nullptr && description.id != kNoObject && s.ranks->isKnown(s, given)) {
      return BodyCall{"addBody", given}.refuse(StatusCode::DuplicateObject, "it is there already");
    }
    BodyLabels label;
    label.set(given, {description.name, description.userData});
    status = s.bodies.add(description, shapes, s.materials, given, s.steps);
    if (!status) return status;
    const std::size_t i = s.bodies.size() - 1;
    try {
      status = settleIn(s, i);
    } catch (...) {
      takeBack(s, i);
      throw;
    }
    if (!status) {
      takeBack(s, i);
      return status;
    }
    bool stays = true;
    try {
      stays = s.ranks == nullptr || s.ranks->takeNew(s, i);
    } catch (...) {
      takeBack(s, i);
      throw;
    }
    if (s.steps > 0) s.total.forces += heldEnergy(s, i);
    if (given >= s.nextId) s.nextId = given + 1;
    s.queries.changed();
    id = given;
    if (!stays) takeBack(s, i);
    if (stays || s.ranks->hasAllLabels) s.labels.take(label);
    s.isSettled.store(s.bodies.isSettled(), std::memory_order_relaxed);
    return {};
  });
}

Status WorldBodies::addBody(const BodyDescription& description, std::shared_ptr<const Shape> shape,
                            MaterialId material, ObjectId& id) {
  return addBody(description, {{std::move(shape), Pose{}, material}}, id);
}

ObjectId WorldBodies::addBody(const BodyDescription& description,
                              const std::vector<BodyShape>& shapes) {
  ObjectId id = kNoObject;
  addBody(description, shapes, id).orThrow();
  return id;
}

ObjectId WorldBodies::addBody(const BodyDescription& description,
                              std::shared_ptr<const Shape> shape, MaterialId material) {
  ObjectId id = kNoObject;
  addBody(description, {{std::move(shape), Pose{}, material}}, id).orThrow();
  return id;
}

Status WorldBodies::removeBody(ObjectId id) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "removeBody", id, [&](const BodyCall& /*call*/, std::size_t i) -> Status {
    const Status status = s.wake({&id, 1});
    if (!status) return status;
    if (s.steps > 0) s.total.forces -= heldEnergy(s, i);
    if (s.bodies.facts[i].shape) s.detector.removeBox(id);
    s.labels.remove(id);
    s.bodies.drop(i);  // Contacts, joints and what it sensed go when bodies are put in order.
    s.isSettled.store(false, std::memory_order_relaxed);
    s.queries.changed();
    return {};
  });
}

std::size_t WorldBodies::numBodies() const {
  return state_.asItIs().bodies.numBodies();
}

std::span<const ObjectId> WorldBodies::bodies() const {
  return state_->bodies.ids;
}

Status WorldBodies::getMotion(ObjectId id, BodyMotion& motion) const try {
  const FloatEnvironment environment;
  const BodyTable& bodies = state_.asItIs().bodies;
  const std::size_t i = bodies.find(id);
  if (i == bodies.size()) return BodyCall{"getMotion", id}.unknown();
  motion = motionOf(bodies, i);
  return {};
} catch (...) {
  return statusOfException();
}

BodyMotion WorldBodies::motion(ObjectId id) const {
  BodyMotion motion;
  getMotion(id, motion).orThrow();
  return motion;
}

Status WorldBodies::getMass(ObjectId id, MassProperties& mass) const try {
  const BodyTable& bodies = state_.asItIs().bodies;
  const std::size_t i = bodies.find(id);
  if (i == bodies.size()) return BodyCall{"getMass", id}.unknown();
  mass = massOf(bodies.facts[i]);
  return {};
} catch (...) {
  return statusOfException();
}

MassProperties WorldBodies::mass(ObjectId id) const {
  MassProperties mass;
  getMass(id, mass).orThrow();
  return mass;
}

Status WorldBodies::setVelocity(ObjectId id, const Eigen::Vector3d& linear,
                                const Eigen::Vector3d& angular) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "setVelocity", id, [&](const BodyCall& call, std::size_t i) {
    Status status = call.requireVector("linear", toVec3(linear), kMaxBodySpeed);
    if (status) status = call.requireVector("angular", toVec3(angular), kMaxBodySpin);
    if (!status) return status;
    BodyFacts& f = s.bodies.facts[i];
    if (f.type == BodyType::Static) {
      return call.refuse(StatusCode::OutOfRange, "it is static; make it kinematic to move it");
    }
    const BodyVelocity target{toVec3(linear), toVec3(angular)}, before = s.bodies.velocity[i];
    if (f.type == BodyType::Kinematic) f.drive.edit();  // Memory for what follows.
    status = setMotion(s, i, f.drive->isLimited ? s.bodies.velocity[i] : target);
    if (!status) return status;
    if (Drive* drive = f.drive.find()) drive->target = target;
    f.path.clear();
    const bool isNew = before.linear != target.linear || before.angular != target.angular;
    if (f.type != BodyType::Kinematic || f.drive->wasSet || !isNew) return status;
    f.drive.edit().wasSet = true;
    f.drive.edit().before = before;
    return status;
  });
}

Status WorldBodies::setPose(ObjectId id, const Eigen::Vector3d& position, const Quat& q) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "setPose", id, [&](const BodyCall& call, std::size_t i) {
    const Status status = call.requireVector("position", toVec3(position), kMaxBodyCoordinate);
    if (!status) return status;
    if (!isUnit(q)) {
      const double length2 = squaredNorm(q);
      return call.refuse(
          isFinite(length2) ? StatusCode::NotARotation : StatusCode::NonFinite,
          "expected a quaternion of unit length, got squared length " + toText(length2));
    }
    return putAt(s, i, toVec3(position), q);
  });
}

Status WorldBodies::setPose(ObjectId id, const Pose& pose) {
  Pose sound;
  const Status status = toPose(toEigen(pose), sound);
  if (!status) return BodyCall{"setPose", id}.refuse(status.getCode(), status.getMessage());
  return setPose(id, toEigen(sound.translation), toQuat(sound.rotation));
}

Status WorldBodies::setPath(ObjectId id, std::span<const PathPoint> path) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "setPath", id, [&](const BodyCall& call, std::size_t i) {
    if (s.bodies.facts[i].type != BodyType::Kinematic) {
      return call.refuse(StatusCode::OutOfRange, "only a kinematic body can follow a path");
    }
    Status status = checkPath(path);
    if (!status) return call.refuse(status.getCode(), status.getMessage());
    std::vector<PathPoint> points(path.begin(), path.end());
    for (PathPoint& p : points) p.orientation = normalized(p.orientation);
    if (!points.empty()) {
      const PlaceOnPath place = placeAt(points, s.time);
      status = putAt(s, i, place.position, place.orientation);
      if (!status) return status;
    }
    BodyFacts& f = s.bodies.facts[i];
    if (!f.drive->isLimited) s.bodies.velocity[i] = {};
    if (Drive* drive = f.drive.find()) drive->target = {};
    f.path = std::move(points);
    return status;
  });
}

Status WorldBodies::applyForce(ObjectId id, const Eigen::Vector3d& force,
                               const Eigen::Vector3d& torque) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "applyForce", id, [&](const BodyCall& call, std::size_t i) {
    return addLoad(s, call, i, toVec3(force), toVec3(torque));
  });
}

Status WorldBodies::applyForceAt(ObjectId id, const Eigen::Vector3d& force,
                                 const Eigen::Vector3d& point) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "applyForceAt", id, [&](const BodyCall& call, std::size_t i) {
    const Status status = call.requireVector("point", toVec3(point), kMaxBodyCoordinate);
    if (!status) return status;
    const Vec3 torque = cross(toVec3(point) - s.bodies.position[i], toVec3(force));
    return addLoad(s, call, i, toVec3(force), torque);
  });
}

Status WorldBodies::applyImpulse(ObjectId id, const Eigen::Vector3d& impulse,
                                 const Eigen::Vector3d& point) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "applyImpulse", id, [&](const BodyCall& call, std::size_t i) {
    Status status = call.requireDynamic(s.bodies.facts[i]);
    if (status) status = call.requireVector("point", toVec3(point), kMaxBodyCoordinate);
    if (!status) return status;
    const BodyMobility& m = s.bodies.mobility[i];
    const Vec3 p = toVec3(impulse);
    const Vec3 moment = cross(toVec3(point) - s.bodies.position[i], p);
    BodyVelocity v = s.bodies.velocity[i];
    v.linear = v.linear + Vec3{p.x * m.inverseMass.x, p.y * m.inverseMass.y, p.z * m.inverseMass.z};
    v.angular = v.angular + m.inverseInertia * moment;
    status = call.requireVector("velocity after it", v.linear, kMaxBodySpeed);
    if (status) status = call.requireVector("spin after it", v.angular, kMaxBodySpin);
    return status && p != Vec3{} ? setMotion(s, i, v) : status;
  });
}

bool WorldBodies::isAsleep(ObjectId id) const {
  const BodyTable& bodies = state_.asItIs().bodies;
  const std::size_t i = bodies.find(id);
  return i < bodies.size() && bodies.rest[i].isAsleep();
}

Status WorldBodies::wake(ObjectId id) {
  WorldState& s = state_.asItIs();
  return changeBody(s, "wake", id,
                    [&](const BodyCall& /*call*/, std::size_t i) { return wakeUp(s, i); });
}

}  // namespace abut::inline v0_1
