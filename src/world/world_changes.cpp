// SPDX-License-Identifier: MIT
//
// Changes of what bodies are, between steps. Each is checked in full before the first thing
// changes.
#include <algorithm>

#include <abut/math/convert.hpp>

#include "dynamics/body_mass.hpp"
#include "world/change.hpp"

namespace abut {
namespace {

/// Contacts of a body that are forbidden now go, and bodies asleep that may touch it now wake.
/// Boxes are sound, so that looking at them cannot fail.
void refilter(WorldState& s, std::size_t i) {
  wakeUp(s, i);
  std::vector<ObjectPair> gone;
  for (const PersistentManifold& m : s.cache.getManifolds()) {
    const ObjectPair& pair = m.key.pair;
    if (pair.first != s.bodies.ids[i] && pair.second != s.bodies.ids[i]) continue;
    if (!gone.empty() && gone.back() == pair) continue;
    if (!s.bodies.mayTouch(s.bodies.indexOf(pair.first), s.bodies.indexOf(pair.second))) {
      gone.push_back(pair);
    }
  }
  for (const ObjectPair& pair : gone) s.cache.forgetPair(pair);
  if (s.bodies.facts[i].type != BodyType::Dynamic) s.wakeAround(i).orThrow();
}

/// Changes the facts that say what a body may touch.
template <typename Change>
void changeFilter(WorldState& s, std::size_t i, Change change) {
  BodyFacts& f = s.bodies.facts[i];
  const bool before = f.isFiltered();
  change(f);
  if (before && !f.isFiltered()) --s.bodies.filtered;
  if (!before && f.isFiltered()) ++s.bodies.filtered;
}

/// Makes a change of a pair of bodies, given by index, smaller id first.
template <typename Change>
Status changePair(WorldState& s, const char* name, ObjectId a, ObjectId b, Change change) {
  return changeWorld(s, name, [&]() -> Status {
    if (a == b) {
      return BodyCall{name, a}.refuse(StatusCode::SelfPair,
                                      "a body never touches itself; give two");
    }
    const ObjectPair pair = ObjectPair::of(a, b);
    const std::size_t i = s.bodies.find(pair.first), j = s.bodies.find(pair.second);
    if (i == s.bodies.size()) return BodyCall{name, pair.first}.unknown();
    if (j == s.bodies.size()) return BodyCall{name, pair.second}.unknown();
    return change(i, j);
  });
}

Status requireMaterial(const BodyCall& call, const MaterialTable& materials, MaterialId material) {
  if (materials.contains(material)) return {};
  return call.refuse(StatusCode::UnknownObject, "no material " + std::to_string(material));
}

/// Type, mass and inertia; joints and books follow.
void takeFacts(WorldState& s, std::size_t i, const BodyFacts& facts) {
  const BookedChange books(s, i);
  wakeUp(s, i);
  if (facts.type == BodyType::Static) s.bodies.velocity[i] = {};
  s.bodies.takeMass(i, facts);
  s.joints.deriveAll(s.bodies);
  s.joints.refresh(s.bodies.ids[i]);
}

}  // namespace

Status WorldBodies::setGravity(const Eigen::Vector3d& gravity) {
  WorldState& s = *state_;
  return changeWorld(s, "setGravity", [&]() -> Status {
    WorldOptions options = s.options;
    options.gravity = gravity;
    try {
      requireSound(options);
    } catch (const Error& error) {
      return Status::failure(error.getCode(), std::string("World::setGravity: ") + error.what());
    }
    double change = 0.0;
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      wakeUp(s, i);
      change -= heldEnergy(s, i);
    }
    s.options.gravity = gravity;
    for (std::size_t i = 0; i < s.bodies.size(); ++i) change += heldEnergy(s, i);
    if (s.steps > 0) s.total.forces += change;
    return {};
  });
}

Status WorldBodies::setGravityScale(ObjectId id, double scale) {
  WorldState& s = *state_;
  return changeBody(s, "setGravityScale", id, [&](const BodyCall& call, std::size_t i) -> Status {
    if (!isFinite(scale)) return call.refuse(StatusCode::NonFinite, "got " + toText(scale));
    const BookedChange books(s, i);
    wakeUp(s, i);
    s.bodies.facts[i].gravityScale = scale;
    return {};
  });
}

Status WorldBodies::setMass(ObjectId id, const MassProperties& mass) {
  WorldState& s = *state_;
  return changeBody(s, "setMass", id, [&](const BodyCall& call, std::size_t i) {
    Status status = call.requireDynamic(s.bodies.facts[i]);
    BodyFacts f = s.bodies.facts[i];
    if (status) status = changeMass(mass, s.materials, f);
    if (status) takeFacts(s, i, f);
    return status;
  });
}

Status WorldBodies::setType(ObjectId id, BodyType type, const MassProperties& mass) {
  WorldState& s = *state_;
  return changeBody(s, "setType", id, [&](const BodyCall& call, std::size_t i) -> Status {
    if (type > BodyType::Dynamic) return call.refuse(StatusCode::OutOfRange, "no such type");
    if (type != BodyType::Dynamic) {
      const ObjectId joint = s.joints.findHeldByOnly(id, s.bodies);
      if (joint != kNoObject) {
        return call.refuse(StatusCode::OutOfRange,
                           "joint " + std::to_string(joint) +
                               " would hold no dynamic body; remove the joint first");
      }
    }
    BodyFacts f = s.bodies.facts[i];
    f.type = type;
    f.mass = 0.0;
    f.inertia = {};
    f.center = {};
    if (type != BodyType::Dynamic) f.locks = kLockNone;
    const Status status = changeMass(mass, s.materials, f);
    if (!status) return status;
    takeFacts(s, i, f);
    s.bodies.facts[i].path.clear();
    s.bodies.force[i] = s.bodies.torque[i] = {};
    s.bodies.softness[i] = 0.0;
    s.cache.forgetObject(id);
    if (type != BodyType::Dynamic) s.wakeAround(i).orThrow();
    return {};
  });
}

Status WorldBodies::setMaterial(ObjectId id, MaterialId material) {
  WorldState& s = *state_;
  return changeBody(s, "setMaterial", id, [&](const BodyCall& call, std::size_t i) {
    const Status status = requireMaterial(call, s.materials, material);
    if (!status) return status;
    wakeUp(s, i);
    for (MaterialId& m : s.bodies.facts[i].materials) m = material;
    return status;
  });
}

Status WorldBodies::setMaterial(ObjectId id, std::size_t shape, MaterialId material) {
  WorldState& s = *state_;
  return changeBody(s, "setMaterial", id, [&](const BodyCall& call, std::size_t i) {
    const Status status = requireMaterial(call, s.materials, material);
    if (!status) return status;
    std::vector<MaterialId>& own = s.bodies.facts[i].materials;
    if (shape >= own.size()) {
      return call.refuse(StatusCode::OutOfRange, "no shape " + std::to_string(shape) + "; it has " +
                                                     std::to_string(own.size()));
    }
    wakeUp(s, i);
    own[shape] = material;
    return status;
  });
}

Status WorldBodies::setSurfaceVelocity(ObjectId id, const Eigen::Vector3d& velocity) {
  WorldState& s = *state_;
  return changeBody(s, "setSurfaceVelocity", id, [&](const BodyCall& call, std::size_t i) {
    const Status status = call.requireVector("velocity", toVec3(velocity), kMaxBodySpeed);
    if (!status) return status;
    wakeUp(s, i);
    s.bodies.facts[i].surfaceVelocity = toVec3(velocity);
    return status;
  });
}

Status WorldBodies::setLocks(ObjectId id, std::uint8_t locks) {
  WorldState& s = *state_;
  return changeBody(s, "setLocks", id, [&](const BodyCall& call, std::size_t i) -> Status {
    const Status status = call.requireDynamic(s.bodies.facts[i]);
    if (!status) return status;
    if (locks > (kLockTranslation | kLockRotation)) {
      return call.refuse(StatusCode::OutOfRange, "expected BodyLock bits");
    }
    const BookedChange books(s, i);
    wakeUp(s, i);
    s.bodies.facts[i].locks = locks;
    s.bodies.refreshMobility(i);
    BodyVelocity& v = s.bodies.velocity[i];
    double* const parts[] = {&v.linear.x,  &v.linear.y,  &v.linear.z,
                             &v.angular.x, &v.angular.y, &v.angular.z};
    for (int k = 0; k < 6; ++k) {
      if ((locks & (1 << k)) != 0) *parts[k] = 0.0;
    }
    return {};
  });
}

Status WorldBodies::setFilter(ObjectId id, const BodyFilter& filter) {
  WorldState& s = *state_;
  return changeBody(s, "setFilter", id, [&](const BodyCall& /*call*/, std::size_t i) -> Status {
    changeFilter(s, i, [&](BodyFacts& f) { f.filter = filter; });
    refilter(s, i);
    return {};
  });
}

Status WorldBodies::setSensor(ObjectId id, bool sensor) {
  WorldState& s = *state_;
  return changeBody(s, "setSensor", id, [&](const BodyCall& /*call*/, std::size_t i) -> Status {
    changeFilter(s, i, [&](BodyFacts& f) { f.sensor = sensor; });
    if (!sensor) std::erase_if(s.sensed, [id](const Sensed& t) { return t.sensor == id; });
    refilter(s, i);
    return {};
  });
}

Status WorldBodies::excludePair(ObjectId body1, ObjectId body2) {
  WorldState& s = *state_;
  return changePair(s, "excludePair", body1, body2, [&](std::size_t i, std::size_t j) -> Status {
    if (s.bodies.isExcluded(body1, body2)) return {};
    const ObjectId other = s.bodies.ids[j];
    changeFilter(s, i, [&](BodyFacts& f) {
      f.excluded.insert(std::lower_bound(f.excluded.begin(), f.excluded.end(), other), other);
    });
    refilter(s, i);
    wakeUp(s, j);
    return {};
  });
}

Status WorldBodies::includePair(ObjectId body1, ObjectId body2) {
  WorldState& s = *state_;
  return changePair(s, "includePair", body1, body2, [&](std::size_t i, std::size_t j) -> Status {
    if (!s.bodies.isExcluded(body1, body2)) {
      return BodyCall{"includePair", body1}.refuse(
          StatusCode::UnknownObject,
          "it is not excluded from touching body " + std::to_string(body2));
    }
    const ObjectId other = s.bodies.ids[j];
    changeFilter(s, i, [&](BodyFacts& f) { std::erase(f.excluded, other); });
    refilter(s, i);
    refilter(s, j);
    return {};
  });
}

}  // namespace abut
