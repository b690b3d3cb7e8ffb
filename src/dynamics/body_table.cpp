// SPDX-License-Identifier: MIT
#include "dynamics/body_table.hpp"

#include <algorithm>
#include <string>

#include <abut/math/convert.hpp>

#include "core/assert.hpp"
#include "dynamics/body_mass.hpp"

namespace abut {
namespace {

double halfWidthOf(const Shape& shape) {
  const Aabb box = shape.computeLocalAabb();
  const Vec3 size = toVec3(box.max_) - toVec3(box.min_);
  return 0.5 * minOf(minOf(size.x, size.y), size.z);
}

}  // namespace

std::size_t BodyTable::find(ObjectId id) const {
  if (ids.empty()) return 0;
  // Ids given one after the other are found at once.
  const std::uint64_t offset = id - ids.front();
  const auto guess = static_cast<std::size_t>(offset);
  if (offset < ids.size() && ids[guess] == id) return guess;
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  return at != ids.end() && *at == id ? static_cast<std::size_t>(at - ids.begin()) : size();
}

std::size_t BodyTable::indexOf(ObjectId id) const {
  const std::size_t i = find(id);
  ABUT_CHECK(i < size());
  return i;
}

Pose BodyTable::poseOf(std::size_t i) const {
  const Mat3 r = toMatrix(orientation[i]);
  return {r, position[i] - r * facts[i].center};
}

Pose BodyTable::shapePoseOf(std::size_t i) const {
  return compose(poseOf(i), facts[i].shapePose);
}

Mat3 BodyTable::inertiaOf(std::size_t i) const {
  const Mat3 r = toMatrix(orientation[i]);
  return r * (facts[i].inertia.tensor * transpose(r));
}

void BodyTable::refreshMobility(std::size_t i) {
  const BodyFacts& f = facts[i];
  mobility[i] = {{0.0, 0.0, 0.0}, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
  if (f.type != BodyType::Dynamic) return;
  const double inverse = 1.0 / f.mass;
  mobility[i].inverseMass = {(f.locks & kLockX) != 0 ? 0.0 : inverse,
                             (f.locks & kLockY) != 0 ? 0.0 : inverse,
                             (f.locks & kLockZ) != 0 ? 0.0 : inverse};
  mobility[i].inverseInertia = lockedInverse(inertiaOf(i), f.locks);
}

double BodyTable::kineticEnergy(std::size_t i) const {
  if (facts[i].type != BodyType::Dynamic) return 0.0;
  const BodyVelocity& v = velocity[i];
  return 0.5 * (facts[i].mass * squaredNorm(v.linear) + dot(v.angular, inertiaOf(i) * v.angular));
}

Status BodyTable::add(const BodyDescription& d, std::vector<BodyShape> shapes,
                      const MaterialTable& materials, ObjectId id) {
  const auto at = std::lower_bound(facts.begin(), facts.end(), id,
                                   [](const BodyFacts& f, ObjectId i) { return f.id < i; });
  if (at != facts.end() && at->id == id) {
    return Status::failure(StatusCode::DuplicateObject,
                           "body " + std::to_string(id) + ": there is one with this id already",
                           id);
  }
  BodyFacts f;
  f.id = id;
  Status status = makeFacts(d, std::move(shapes), materials, f);
  if (!status) return status;
  if (f.shape) f.halfWidth = halfWidthOf(*f.shape);
  const std::ptrdiff_t i = at - facts.begin();
  const Quat q = normalized(d.orientation);
  const Vec3 center = toVec3(d.position) + toMatrix(q) * f.center;
  BodyVelocity v{toVec3(d.linearVelocity), toVec3(d.angularVelocity)};
  if (d.type == BodyType::Static) v = {};
  f.drive.target = v;
  facts.insert(facts.begin() + i, std::move(f));
  ids.insert(ids.begin() + i, id);
  position.insert(position.begin() + i, center);
  orientation.insert(orientation.begin() + i, q);
  velocity.insert(velocity.begin() + i, v);
  mobility.insert(mobility.begin() + i, BodyMobility{});
  force.insert(force.begin() + i, Vec3{});
  torque.insert(torque.begin() + i, Vec3{});
  rest.insert(rest.begin() + i, BodyRest{});
  softness.insert(softness.begin() + i, 0.0);
  if (facts[static_cast<std::size_t>(i)].isFiltered()) ++filtered;
  refreshMobility(static_cast<std::size_t>(i));
  return {};
}

void BodyTable::append(BodyFacts newFacts, const Vec3& center, const Quat& turn,
                       const BodyVelocity& v) {
  if (newFacts.shape) newFacts.halfWidth = halfWidthOf(*newFacts.shape);
  ids.push_back(newFacts.id);
  facts.push_back(std::move(newFacts));
  position.push_back(center);
  orientation.push_back(turn);
  velocity.push_back(v);
  mobility.emplace_back();
  force.emplace_back();
  torque.emplace_back();
  rest.emplace_back();
  softness.push_back(0.0);
  if (facts.back().isFiltered()) ++filtered;
  refreshMobility(size() - 1);
}

void BodyTable::remove(std::size_t index) {
  const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(index);
  if (filtered > 0) {
    forgetExclusions(ids[index]);
    if (facts[index].isFiltered()) --filtered;
  }
  facts.erase(facts.begin() + i);
  ids.erase(ids.begin() + i);
  position.erase(position.begin() + i);
  orientation.erase(orientation.begin() + i);
  velocity.erase(velocity.begin() + i);
  mobility.erase(mobility.begin() + i);
  force.erase(force.begin() + i);
  torque.erase(torque.begin() + i);
  rest.erase(rest.begin() + i);
  softness.erase(softness.begin() + i);
}

void BodyTable::takeMass(std::size_t i, const BodyFacts& from) {
  const Vec3 shift = toMatrix(orientation[i]) * (from.center - facts[i].center);
  position[i] = position[i] + shift;
  velocity[i].linear = velocity[i].linear + cross(velocity[i].angular, shift);
  BodyFacts& own = facts[i];
  own.center = from.center;
  own.type = from.type;
  own.mass = from.mass;
  own.inertia = from.inertia;
  own.locks = from.locks;
  refreshMobility(i);
}

void markMovingBodies(const BodyTable& bodies, std::vector<std::uint8_t>& moves) {
  moves.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    moves[i] = bodies.facts[i].type == BodyType::Dynamic ? 1 : 0;
  }
}

/// A body that goes is excluded from nothing any more.
void BodyTable::forgetExclusions(ObjectId id) {
  for (BodyFacts& f : facts) {
    if (f.id >= id) break;
    const auto at = std::lower_bound(f.excluded.begin(), f.excluded.end(), id);
    if (at == f.excluded.end() || *at != id) continue;
    f.excluded.erase(at);
    if (!f.isFiltered()) --filtered;
  }
}

std::size_t BodyTable::numSensors() const {
  if (filtered == 0) return 0;
  return static_cast<std::size_t>(
      std::count_if(facts.begin(), facts.end(), [](const BodyFacts& f) { return f.sensor; }));
}

bool BodyTable::isExcluded(ObjectId a, ObjectId b) const {
  const ObjectPair pair = ObjectPair::of(a, b);
  const std::vector<ObjectId>& list = facts[indexOf(pair.first)].excluded;
  return std::binary_search(list.begin(), list.end(), pair.second);
}

bool BodyTable::passesFilters(std::size_t i, std::size_t j) const {
  const BodyFacts &f = facts[i < j ? i : j], &g = facts[i < j ? j : i];
  if (!BodyFilter::allows(f.filter, g.filter)) return false;
  return f.excluded.empty() || !std::binary_search(f.excluded.begin(), f.excluded.end(), g.id);
}

void BodyTable::dropForbidden(std::vector<ObjectPair>& pairs) const {
  if (filtered == 0) return;
  std::erase_if(pairs, [this](const ObjectPair& p) {
    return !mayTouch(indexOf(p.first), indexOf(p.second));
  });
}

}  // namespace abut
