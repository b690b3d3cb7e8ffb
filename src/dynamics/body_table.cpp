// SPDX-License-Identifier: MIT
#include "dynamics/body_table.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <abut/math/convert.hpp>

#include "core/assert.hpp"
#include "core/mixed.hpp"
#include "dynamics/body_mass.hpp"
#include "dynamics/marks.hpp"

namespace abut::inline v0_1 {
namespace {

double halfWidthOf(const Shape& shape) {
  const Aabb box = shape.computeLocalAabb();
  const Vec3 size = toVec3(box.max_) - toVec3(box.min_);
  return 0.5 * minOf(minOf(size.x, size.y), size.z);
}

}  // namespace

std::uint64_t originOf(const Vec3& position, const Quat& orientation, std::uint64_t steps) {
  std::uint64_t h = mixed(steps);
  for (const double x : {position.x, position.y, position.z, orientation.w, orientation.x,
                         orientation.y, orientation.z}) {
    const double place = x + 0.0;  // Zeros of both signs are one place.
    std::uint64_t bits = 0;
    std::memcpy(&bits, &place, sizeof bits);
    h = mixed(h + bits);
  }
  return h >> 1;
}

std::size_t BodyTable::find(ObjectId id) const {
  if (ids.empty()) return 0;
  // Ids given one after the other are found at once.
  const std::uint64_t offset = id - ids.front();
  const auto guess = static_cast<std::size_t>(offset);
  const std::size_t sorted = size() - unsorted_;
  const auto isHere = [&](std::size_t i) {
    return ids[i] == id && (dropped_ == 0 || facts[i].id == id);
  };
  if (offset < sorted && isHere(guess)) return guess;
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(sorted);
  const auto i = static_cast<std::size_t>(std::lower_bound(ids.begin(), end, id) - ids.begin());
  if (i < sorted && isHere(i)) return i;
  if (unsorted_ == 0) return size();
  const auto at = tail_.find(id);
  return at == tail_.end() ? size() : at->second;
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
  return compose(poseOf(i), *facts[i].shapePose);
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

Status BodyTable::add(const BodyDescription& d, const std::vector<BodyShape>& shapes,
                      const MaterialTable& materials, ObjectId id, std::uint64_t steps) {
  if (find(id) != size()) {
    return Status::failure(StatusCode::DuplicateObject,
                           "body " + std::to_string(id) + ": there is one with this id already",
                           id);
  }
  BodyFacts f;
  f.id = id;
  Status status = makeFacts(d, shapes, materials, f);
  if (!status) return status;
  const Quat q = normalized(d.orientation);
  const Vec3 center = toVec3(d.position) + toMatrix(q) * f.center;
  BodyVelocity v{toVec3(d.linearVelocity), toVec3(d.angularVelocity)};
  if (d.type == BodyType::Static) v = {};
  if (f.drive->isLimited) f.drive.edit().target = v;
  f.origin = originOf(toVec3(d.position), q, steps);
  const bool inOrder = unsorted_ == 0 && (ids.empty() || ids.back() < id);
  makeRoom();
  if (!inOrder) tail_.emplace(id, static_cast<std::uint32_t>(size()));
  // From here on nothing fails.
  if (!inOrder) ++unsorted_;
  append(std::move(f), center, q, v);
  return {};
}

template <typename Visit>
void BodyTable::forColumns(BodyTable& other, Visit visit) {
  visit(facts, other.facts);
  visit(ids, other.ids);
  visit(position, other.position);
  visit(orientation, other.orientation);
  visit(velocity, other.velocity);
  visit(mobility, other.mobility);
  visit(force, other.force);
  visit(torque, other.torque);
  visit(rest, other.rest);
  visit(softness, other.softness);
  visit(marks, other.marks);
}

/// The columns alone.
template <typename Visit>
void BodyTable::forColumns(Visit visit) {
  forColumns(*this, [&](auto& column, const auto& /*same*/) { visit(column); });
}

/// For one body more, in all columns.
void BodyTable::makeRoom() {
  forColumns([](auto& column) {
    if (column.size() == column.capacity()) column.reserve(2 * column.size() + 8);
  });
}

void BodyTable::drop(std::size_t i) noexcept {
  if (facts[i].isFiltered()) --filtered;
  if (i >= size() - unsorted_) tail_.erase(ids[i]);
  facts[i] = BodyFacts{};
  ++dropped_;
  is_marked_ = false;
}

void BodyTable::undoAdd() noexcept {
  if (facts.back().isFiltered()) --filtered;
  if (unsorted_ > 0) {
    tail_.erase(ids.back());
    --unsorted_;
  }
  forColumns([](auto& column) { column.pop_back(); });
}

std::vector<ObjectId> BodyTable::droppedIds() const {
  std::vector<ObjectId> gone;
  if (dropped_ == 0) return gone;
  gone.reserve(dropped_);
  for (std::size_t i = 0; i < size(); ++i) {
    if (facts[i].id == kNoObject) gone.push_back(ids[i]);
  }
  std::sort(gone.begin(), gone.end());
  return gone;
}

void BodyTable::settle() {
  if (isSettled()) return;
  const std::vector<ObjectId> gone = droppedIds();
  std::vector<std::uint32_t> order;  // Rows of bodies, by id.
  order.reserve(numBodies());
  auto next = tail_.begin();
  for (std::uint32_t i = 0; i < size() - unsorted_; ++i) {
    if (dropped_ != 0 && facts[i].id == kNoObject) continue;
    for (; next != tail_.end() && next->first < ids[i]; ++next) order.push_back(next->second);
    order.push_back(i);
  }
  for (; next != tail_.end(); ++next) order.push_back(next->second);
  BodyTable sorted;
  sorted.forColumns([&](auto& column) { column.reserve(order.size()); });
  // From here on nothing fails.
  forColumns(sorted, [&](auto& from, auto& to) {
    for (const std::uint32_t i : order) to.push_back(std::move(from[i]));
    from.swap(to);
  });
  tail_.clear();
  unsorted_ = dropped_ = 0;
  if (filtered > 0 && !gone.empty()) forgetExclusions(gone);
}

std::uint64_t markOf(std::uint64_t origin, std::uint64_t before) {
  return before == 0 ? origin : mixed(origin + before);
}

void BodyTable::mark() {
  if (is_marked_) return;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> byOrigin(size());
  for (std::uint32_t i = 0; i < size(); ++i) byOrigin[i] = {facts[i].origin, i};
  std::sort(byOrigin.begin(), byOrigin.end());
  std::uint64_t before = 0;  // Bodies of the same origin with smaller ids.
  for (std::size_t k = 0; k < byOrigin.size(); ++k) {
    const auto [origin, i] = byOrigin[k];
    before = k > 0 && byOrigin[k - 1].first == origin ? before + 1 : 0;
    marks[i] = markOf(origin, before);
  }
  is_marked_ = true;
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
  marks.push_back(facts.back().origin);
  is_marked_ = false;
  if (facts.back().isFiltered()) ++filtered;
  refreshMobility(size() - 1);
}

void BodyTable::takeMass(std::size_t i, const BodyFacts& from) {
  const Vec3 shift = toMatrix(orientation[i]) * (from.center - facts[i].center);
  position[i] = position[i] + shift;
  velocity[i].linear = velocity[i].linear + cross(velocity[i].angular, shift);
  BodyFacts& own = facts[i];
  own.center = from.center;
  own.type = from.type;
  if (Drive* drive = own.drive.find()) drive->wasSet = false;
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

void BodyTable::forgetExclusions(std::span<const ObjectId> gone) noexcept {
  for (BodyFacts& f : facts) {
    if (f.excluded.empty()) continue;
    std::erase_if(f.excluded,
                  [&](ObjectId id) { return std::binary_search(gone.begin(), gone.end(), id); });
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
  return passFilters(facts[i], facts[j]);
}

bool passFilters(const BodyFacts& a, const BodyFacts& b) {
  const BodyFacts &f = a.id < b.id ? a : b, &g = a.id < b.id ? b : a;
  if (!BodyFilter::allows(f.filter, g.filter)) return false;
  return f.excluded.empty() || !std::binary_search(f.excluded.begin(), f.excluded.end(), g.id);
}

void BodyTable::dropForbidden(std::vector<ObjectPair>& pairs) const {
  if (filtered == 0) return;
  std::erase_if(pairs, [this](const ObjectPair& p) {
    return !mayTouch(indexOf(p.first), indexOf(p.second));
  });
}

}  // namespace abut::inline v0_1
