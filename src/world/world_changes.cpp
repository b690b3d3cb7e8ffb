// SPDX-License-Identifier: MIT
//
// Changes of bodies between steps. Each is checked in full before the first thing changes.
#include <algorithm>
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/world_bodies.hpp>

#include "dynamics/body_mass.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

Status refuse(const char* call, StatusCode code, ObjectId id, const std::string& what) {
  return Status::failure(
      code, std::string("World::") + call + ": body " + std::to_string(id) + ": " + what, id);
}

Status unknown(const char* call, ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         std::string("World::") + call + ": no body " + std::to_string(id), id);
}

Status checkVector(const char* call, const char* what, ObjectId id, const Vec3& v, double most) {
  for (const double x : {v.x, v.y, v.z}) {
    if (absOf(x) <= most) continue;
    return refuse(
        call, isFinite(x) ? StatusCode::OutOfRange : StatusCode::NonFinite, id,
        std::string(what) + ": expected numbers up to " + toText(most) + ", got " + toText(x));
  }
  return {};
}

Status requireDynamic(const char* call, const BodyFacts& f) {
  if (f.type == BodyType::Dynamic) return {};
  return refuse(call, StatusCode::OutOfRange, f.id,
                "only a dynamic body has this; make it one by setType()");
}

/// Kinetic energy and that in the world's gravity [J].
double energyOf(const WorldState& s, std::size_t i) {
  const BodyFacts& f = s.bodies.facts[i];
  if (f.type != BodyType::Dynamic) return 0.0;
  const double weight = f.mass * f.gravityScale;
  return s.bodies.kineticEnergy(i) - dot(toVec3(s.options.gravity) * weight, s.bodies.position[i]);
}

/// Books what a call adds to the energy of a body. Books begin with the first step.
class BookedChange {
public:
  BookedChange(WorldState& s, std::size_t body) : s_(s), body_(body), before_(energyOf(s, body)) {}
  ~BookedChange() {
    if (s_.steps > 0) s_.total.forces += energyOf(s_, body_) - before_;
  }
  BookedChange(const BookedChange&) = delete;
  BookedChange& operator=(const BookedChange&) = delete;

private:
  WorldState& s_;
  std::size_t body_;
  double before_;
};

/// Wakes a body, all that are asleep with it, and those that rest on it.
void wakeUp(WorldState& s, std::size_t i) {
  s.wake(s.bodies.ids[i]);
  s.bodies.rest[i].still = 0.0;
}

/// After something was said about what a body may touch: contacts that are forbidden now go, and
/// bodies asleep that may touch it now wake. Boxes are sound, so that looking at them cannot fail.
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

/// Puts the centre of mass elsewhere in a body that stays where it is and moves as it does.
void moveCenter(BodyTable& bodies, std::size_t i, const Vec3& center) {
  const Vec3 shift = toMatrix(bodies.orientation[i]) * (center - bodies.facts[i].center);
  BodyVelocity& v = bodies.velocity[i];
  bodies.position[i] = bodies.position[i] + shift;
  v.linear = v.linear + cross(v.angular, shift);
  bodies.facts[i].center = center;
}

/// Takes over type, mass and inertia; the body stays where it is and moves as it does.
void takeFacts(BodyTable& bodies, std::size_t i, const BodyFacts& f) {
  moveCenter(bodies, i, f.center);
  BodyFacts& own = bodies.facts[i];
  own.type = f.type;
  own.mass = f.mass;
  own.inertia = f.inertia;
  own.locks = f.locks;
  bodies.refreshMobility(i);
}

}  // namespace

Status WorldBodies::applyForceAt(ObjectId id, const Eigen::Vector3d& force,
                                 const Eigen::Vector3d& point) {
  const FloatEnvironment environment;
  const WorldState& s = *state_;
  if (Status locked = s.mayChange("applyForceAt"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("applyForceAt", id);
  Status status = checkVector("applyForceAt", "point", id, toVec3(point), kMaxBodyCoordinate);
  if (!status) return status;
  const Vec3 torque = cross(toVec3(point) - s.bodies.position[i], toVec3(force));
  return applyForce(id, force, toEigen(torque));
}

Status WorldBodies::applyImpulse(ObjectId id, const Eigen::Vector3d& impulse,
                                 const Eigen::Vector3d& point) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("applyImpulse"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("applyImpulse", id);
  Status status = requireDynamic("applyImpulse", s.bodies.facts[i]);
  if (status) {
    status = checkVector("applyImpulse", "point", id, toVec3(point), kMaxBodyCoordinate);
  }
  if (!status) return status;
  const BodyMobility& m = s.bodies.mobility[i];
  const Vec3 p = toVec3(impulse);
  const Vec3 moment = cross(toVec3(point) - s.bodies.position[i], p);
  BodyVelocity v = s.bodies.velocity[i];
  v.linear = v.linear + Vec3{p.x * m.inverseMass.x, p.y * m.inverseMass.y, p.z * m.inverseMass.z};
  v.angular = v.angular + m.inverseInertia * moment;
  status = checkVector("applyImpulse", "velocity after it", id, v.linear, kMaxBodySpeed);
  if (status) status = checkVector("applyImpulse", "spin after it", id, v.angular, kMaxBodySpin);
  if (!status || p == Vec3{}) return status;
  const BookedChange books(s, i);
  wakeUp(s, i);
  s.bodies.velocity[i] = v;
  s.joints.refresh(id);
  return {};
}

Status WorldBodies::setGravity(const Eigen::Vector3d& gravity) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setGravity"); !locked) return locked;
  WorldOptions options = s.options;
  options.gravity = gravity;
  try {
    requireSound(options);
  } catch (const Error& error) {
    return Status::failure(error.getCode(), std::string("World::setGravity: ") + error.what());
  }
  for (const ObjectId id : s.bodies.ids) s.wake(id);
  double change = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) change -= energyOf(s, i);
  s.options.gravity = gravity;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    change += energyOf(s, i);
    s.bodies.rest[i].still = 0.0;
  }
  if (s.steps > 0) s.total.forces += change;
  return {};
}

Status WorldBodies::setGravityScale(ObjectId id, double scale) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setGravityScale"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setGravityScale", id);
  if (!isFinite(scale)) {
    return refuse("setGravityScale", StatusCode::NonFinite, id, "got " + toText(scale));
  }
  const BookedChange books(s, i);
  wakeUp(s, i);
  s.bodies.facts[i].gravityScale = scale;
  return {};
}

Status WorldBodies::setMass(ObjectId id, const MassProperties& mass) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setMass"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setMass", id);
  Status status = requireDynamic("setMass", s.bodies.facts[i]);
  if (!status) return status;
  BodyFacts f = s.bodies.facts[i];
  status = changeMass(mass, s.materials, f);
  if (!status) return status;
  const BookedChange books(s, i);
  wakeUp(s, i);
  takeFacts(s.bodies, i, f);
  s.joints.deriveAll(s.bodies);
  s.joints.refresh(id);
  return {};
}

Status WorldBodies::setType(ObjectId id, BodyType type, const MassProperties& mass) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setType"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setType", id);
  if (type > BodyType::Dynamic) {
    return refuse("setType", StatusCode::OutOfRange, id, "no such type");
  }
  BodyFacts f = s.bodies.facts[i];
  f.type = type;
  f.mass = 0.0;
  f.inertia = {};
  f.center = {};
  if (type != BodyType::Dynamic) f.locks = kLockNone;
  const Status status = changeMass(mass, s.materials, f);
  if (!status) return status;
  const BookedChange books(s, i);
  wakeUp(s, i);
  if (type == BodyType::Static) s.bodies.velocity[i] = {};
  takeFacts(s.bodies, i, f);
  s.joints.deriveAll(s.bodies);
  s.joints.refresh(id);
  s.bodies.facts[i].path.clear();
  s.bodies.force[i] = s.bodies.torque[i] = {};
  s.bodies.softness[i] = 0.0;
  s.cache.forgetObject(id);
  if (type != BodyType::Dynamic) s.wakeAround(i).orThrow();
  return {};
}

Status WorldBodies::setMaterial(ObjectId id, MaterialId material) {
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setMaterial"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setMaterial", id);
  if (!s.materials.contains(material)) {
    return refuse("setMaterial", StatusCode::UnknownObject, id,
                  "no material " + std::to_string(material));
  }
  const FloatEnvironment environment;
  wakeUp(s, i);
  for (MaterialId& m : s.bodies.facts[i].materials) m = material;
  return {};
}

Status WorldBodies::setMaterial(ObjectId id, std::size_t shape, MaterialId material) {
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setMaterial"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setMaterial", id);
  std::vector<MaterialId>& own = s.bodies.facts[i].materials;
  if (!s.materials.contains(material)) {
    return refuse("setMaterial", StatusCode::UnknownObject, id,
                  "no material " + std::to_string(material));
  }
  if (shape >= own.size()) {
    return refuse("setMaterial", StatusCode::OutOfRange, id,
                  "no shape " + std::to_string(shape) + "; it has " + std::to_string(own.size()));
  }
  const FloatEnvironment environment;
  wakeUp(s, i);
  own[shape] = material;
  return {};
}

Status WorldBodies::setSurfaceVelocity(ObjectId id, const Eigen::Vector3d& velocity) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setSurfaceVelocity"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setSurfaceVelocity", id);
  const Status status =
      checkVector("setSurfaceVelocity", "velocity", id, toVec3(velocity), kMaxBodySpeed);
  if (!status) return status;
  wakeUp(s, i);
  s.bodies.facts[i].surfaceVelocity = toVec3(velocity);
  return {};
}

Status WorldBodies::setLocks(ObjectId id, std::uint8_t locks) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setLocks"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setLocks", id);
  const Status status = requireDynamic("setLocks", s.bodies.facts[i]);
  if (!status) return status;
  if (locks > (kLockTranslation | kLockRotation)) {
    return refuse("setLocks", StatusCode::OutOfRange, id, "expected BodyLock bits");
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
}

Status WorldBodies::setFilter(ObjectId id, const BodyFilter& filter) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setFilter"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setFilter", id);
  changeFilter(s, i, [&](BodyFacts& f) { f.filter = filter; });
  refilter(s, i);
  return {};
}

Status WorldBodies::setSensor(ObjectId id, bool sensor) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setSensor"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setSensor", id);
  changeFilter(s, i, [&](BodyFacts& f) { f.sensor = sensor; });
  if (!sensor) std::erase_if(s.sensed, [id](const Sensed& t) { return t.sensor == id; });
  refilter(s, i);
  return {};
}

namespace {

/// The bodies of a pair, smaller id first.
Status findPair(const char* call, const BodyTable& bodies, ObjectId a, ObjectId b,
                std::size_t& first, std::size_t& second) {
  if (a == b) {
    return refuse(call, StatusCode::SelfPair, a, "a body never touches itself; give two");
  }
  const ObjectPair pair = ObjectPair::of(a, b);
  first = bodies.find(pair.first);
  second = bodies.find(pair.second);
  if (first == bodies.size()) return unknown(call, pair.first);
  return second == bodies.size() ? unknown(call, pair.second) : Status();
}

}  // namespace

Status WorldBodies::excludePair(ObjectId body1, ObjectId body2) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("excludePair"); !locked) return locked;
  std::size_t i = 0, j = 0;
  const Status status = findPair("excludePair", s.bodies, body1, body2, i, j);
  if (!status || s.bodies.isExcluded(body1, body2)) return status;
  const ObjectId other = s.bodies.ids[j];
  changeFilter(s, i, [&](BodyFacts& f) {
    f.excluded.insert(std::lower_bound(f.excluded.begin(), f.excluded.end(), other), other);
  });
  refilter(s, i);
  wakeUp(s, j);
  return {};
}

Status WorldBodies::includePair(ObjectId body1, ObjectId body2) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("includePair"); !locked) return locked;
  std::size_t i = 0, j = 0;
  const Status status = findPair("includePair", s.bodies, body1, body2, i, j);
  if (!status) return status;
  if (!s.bodies.isExcluded(body1, body2)) {
    return refuse("includePair", StatusCode::UnknownObject, body1,
                  "it is not excluded from touching body " + std::to_string(body2));
  }
  const ObjectId other = s.bodies.ids[j];
  changeFilter(s, i, [&](BodyFacts& f) { std::erase(f.excluded, other); });
  refilter(s, i);
  refilter(s, j);
  return {};
}

}  // namespace abut
