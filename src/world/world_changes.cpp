// SPDX-License-Identifier: MIT
//
// Changes of what bodies are, between steps. Each is checked in full before the first thing
// changes.
#include <algorithm>
#include <utility>

#include <abut/math/convert.hpp>

#include "dynamics/body_mass.hpp"
#include "dynamics/gravity_scale.hpp"
#include "math/exact_sum.hpp"
#include "world/change.hpp"

namespace abut::inline v0_1 {
namespace {

/// What is said about what a body may touch.
struct Filtering {
  BodyFilter filter;
  bool sensor = false;
  std::vector<ObjectId> excluded;

  explicit Filtering(const BodyFacts& f)
      : filter(f.filter), sensor(f.sensor), excluded(f.excluded) {}
};

/// Exchanges it with that of a body.
void swapFiltering(BodyTable& bodies, std::size_t i, Filtering& other) noexcept {
  BodyFacts& f = bodies.facts[i];
  if (f.isFiltered()) --bodies.filtered;
  std::swap(f.filter, other.filter);
  std::swap(f.sensor, other.sensor);
  f.excluded.swap(other.excluded);
  if (f.isFiltered()) ++bodies.filtered;
}

/// Changes what is said about what a body may touch. It wakes, and so do `woken` bodies and those
/// asleep that touch what of `around` is not dynamic; contacts of all these that are forbidden go.
Status refilter(WorldState& s, std::size_t body, Filtering& filtering,
                std::span<const std::size_t> woken, std::span<const std::size_t> around) {
  const BodyTable& bodies = s.bodies;
  std::vector<ObjectId> ids;
  for (const std::size_t i : woken) ids.push_back(bodies.ids[i]);
  std::vector<Sleepers::Around> places;
  for (const std::size_t i : around) {
    if (bodies.facts[i].type != BodyType::Dynamic) places.push_back({i, bodies.shapePoseOf(i)});
  }
  std::vector<ObjectPair> gone;
  gone.reserve(s.cache.getManifolds().size() + s.asleep.cache.getManifolds().size());
  swapFiltering(s.bodies, body, filtering);
  Status status;
  try {
    status = s.wake(ids, places);
  } catch (...) {
    swapFiltering(s.bodies, body, filtering);
    throw;
  }
  if (!status) {
    swapFiltering(s.bodies, body, filtering);
    return status;
  }
  // From here on nothing fails.
  for (const std::size_t i : woken) s.bodies.rest[i].still = 0.0;
  for (const PersistentManifold& m : s.cache.getManifolds()) {
    const ObjectPair& pair = m.key.pair;
    if (pair.first != bodies.ids[body] && pair.second != bodies.ids[body]) continue;
    if (!gone.empty() && gone.back() == pair) continue;
    if (!bodies.mayTouch(bodies.indexOf(pair.first), bodies.indexOf(pair.second))) {
      gone.push_back(pair);
    }
  }
  for (const ObjectPair& pair : gone) s.cache.forgetPair(pair);
  return status;
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

/// Pose of a body's shape once it has other facts: the body stays where it is.
Pose poseWith(const BodyTable& bodies, std::size_t i, const BodyFacts& facts) {
  const Mat3 r = toMatrix(bodies.orientation[i]);
  const Vec3 center = bodies.position[i] + r * (facts.center - bodies.facts[i].center);
  return compose({r, center - r * facts.center}, *facts.shapePose);
}

Status requireMaterial(const BodyCall& call, const MaterialTable& materials, MaterialId material) {
  if (materials.contains(material)) return {};
  return call.refuse(StatusCode::UnknownObject, "no material " + std::to_string(material));
}

/// Type, mass and inertia; joints and books follow. The body is awake.
void takeFacts(WorldState& s, std::size_t i, const BodyFacts& facts) {
  const BookedChange books(s, i);
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
    const Status status = s.wake(s.bodies.ids);
    if (!status) return status;
    if (s.ranks != nullptr) s.ranks->refresh(s);
    ExactSum change;
    const StepInput in = s.inputOf(0.0);
    const auto addHeld = [&](double sign) {
      for (std::size_t i = 0; i < s.bodies.size(); ++i) {
        if (in.counts(i)) change.add(sign * heldEnergy(s, i));
      }
    };
    addHeld(-1.0);
    s.options.gravity = gravity;
    addHeld(1.0);
    for (BodyRest& rest : s.bodies.rest) rest.still = 0.0;
    ExactSum* const sums[] = {&change};
    if (in.division != nullptr) addOverRanks(in.halo()->comm, sums);
    if (s.steps > 0) s.total.forces += change.value();
    return {};
  });
}

Status WorldBodies::setGravityScale(ObjectId id, double scale) {
  WorldState& s = *state_;
  return changeBody(s, "setGravityScale", id, [&](const BodyCall& call, std::size_t i) -> Status {
    if (!isGravityScale(scale)) {
      return call.refuse(
          isFinite(scale) ? StatusCode::OutOfRange : StatusCode::NonFinite,
          "expected a number up to " + toText(kMaxGravityScale) + ", got " + toText(scale));
    }
    const Status status = wakeUp(s, i);
    if (!status) return status;
    const BookedChange books(s, i);
    s.bodies.facts[i].gravityScale = scale;
    return status;
  });
}

Status WorldBodies::setMass(ObjectId id, const MassProperties& mass) {
  WorldState& s = *state_;
  return changeBody(s, "setMass", id, [&](const BodyCall& call, std::size_t i) {
    Status status = call.requireDynamic(s.bodies.facts[i]);
    BodyFacts f = s.bodies.facts[i];
    if (status) status = changeMass(mass, s.materials, f);
    if (status) status = wakeUp(s, i);
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
    Status status = changeMass(mass, s.materials, f);
    if (!status) return status;
    const Pose pose = poseWith(s.bodies, i, f);
    status = wakeUp(s, i, type == BodyType::Dynamic ? nullptr : &pose);
    if (!status) return status;
    takeFacts(s, i, f);
    s.bodies.facts[i].path.clear();
    s.bodies.force[i] = s.bodies.torque[i] = {};
    s.bodies.softness[i] = 0.0;
    s.cache.forgetObject(id);
    return {};
  });
}

Status WorldBodies::setMaterial(ObjectId id, MaterialId material) {
  WorldState& s = *state_;
  return changeBody(s, "setMaterial", id, [&](const BodyCall& call, std::size_t i) {
    Status status = requireMaterial(call, s.materials, material);
    if (status) status = wakeUp(s, i);
    if (!status) return status;
    for (MaterialId& m : s.bodies.facts[i].materials) m = material;
    return status;
  });
}

Status WorldBodies::setMaterial(ObjectId id, std::size_t shape, MaterialId material) {
  WorldState& s = *state_;
  return changeBody(s, "setMaterial", id, [&](const BodyCall& call, std::size_t i) {
    Status status = requireMaterial(call, s.materials, material);
    if (!status) return status;
    std::vector<MaterialId>& own = s.bodies.facts[i].materials;
    if (shape >= own.size()) {
      return call.refuse(StatusCode::OutOfRange, "no shape " + std::to_string(shape) + "; it has " +
                                                     std::to_string(own.size()));
    }
    status = wakeUp(s, i);
    if (status) own[shape] = material;
    return status;
  });
}

Status WorldBodies::setSurfaceVelocity(ObjectId id, const Eigen::Vector3d& velocity) {
  WorldState& s = *state_;
  return changeBody(s, "setSurfaceVelocity", id, [&](const BodyCall& call, std::size_t i) {
    Status status = call.requireVector("velocity", toVec3(velocity), kMaxBodySpeed);
    if (status) status = wakeUp(s, i);
    if (status) s.bodies.facts[i].surfaceVelocity = toVec3(velocity);
    return status;
  });
}

Status WorldBodies::setLocks(ObjectId id, std::uint8_t locks) {
  WorldState& s = *state_;
  return changeBody(s, "setLocks", id, [&](const BodyCall& call, std::size_t i) -> Status {
    Status status = call.requireDynamic(s.bodies.facts[i]);
    if (!status) return status;
    if (locks > (kLockTranslation | kLockRotation)) {
      return call.refuse(StatusCode::OutOfRange, "expected BodyLock bits");
    }
    status = wakeUp(s, i);
    if (!status) return status;
    const BookedChange books(s, i);
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
    Filtering filtering(s.bodies.facts[i]);
    filtering.filter = filter;
    return refilter(s, i, filtering, {&i, 1}, {&i, 1});
  });
}

Status WorldBodies::setSensor(ObjectId id, bool sensor) {
  WorldState& s = *state_;
  return changeBody(s, "setSensor", id, [&](const BodyCall& /*call*/, std::size_t i) -> Status {
    Filtering filtering(s.bodies.facts[i]);
    filtering.sensor = sensor;
    const Status status = refilter(s, i, filtering, {&i, 1}, {&i, 1});
    if (status && !sensor) {
      std::erase_if(s.sensed, [id](const Sensed& t) { return t.sensor == id; });
    }
    return status;
  });
}

Status WorldBodies::excludePair(ObjectId body1, ObjectId body2) {
  WorldState& s = *state_;
  return changePair(s, "excludePair", body1, body2, [&](std::size_t i, std::size_t j) -> Status {
    if (s.bodies.isExcluded(body1, body2)) return {};
    const ObjectId other = s.bodies.ids[j];
    Filtering filtering(s.bodies.facts[i]);
    std::vector<ObjectId>& list = filtering.excluded;
    list.insert(std::lower_bound(list.begin(), list.end(), other), other);
    const std::size_t both[] = {i, j};
    return refilter(s, i, filtering, both, {both, 1});
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
    Filtering filtering(s.bodies.facts[i]);
    std::erase(filtering.excluded, s.bodies.ids[j]);
    const std::size_t both[] = {i, j};
    return refilter(s, i, filtering, both, both);
  });
}

}  // namespace abut::inline v0_1
