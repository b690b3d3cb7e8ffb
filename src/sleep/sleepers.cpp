// SPDX-License-Identifier: MIT
#include "sleep/sleepers.hpp"

#include <algorithm>
#include <optional>

#include <abut/math/convert.hpp>

#include "constraints/contact_site.hpp"

namespace abut::inline v0_1 {
namespace {

bool contains(std::span<const ObjectId> sorted, ObjectId id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

/// Both sorted lists as they are once the pairs of some bodies went from one to the other.
void moveTouches(std::span<const ObjectId> bodies, std::span<const Touch> from,
                 std::span<const Touch> to, std::vector<Touch>& newFrom,
                 std::vector<Touch>& newTo) {
  newFrom.clear();
  newTo.assign(to.begin(), to.end());
  const auto middle = static_cast<std::ptrdiff_t>(newTo.size());
  for (const Touch& t : from) {
    const bool stays = !contains(bodies, t.pair.first) && !contains(bodies, t.pair.second);
    (stays ? newFrom : newTo).push_back(t);
  }
  std::inplace_merge(newTo.begin(), newTo.begin() + middle, newTo.end(),
                     [](const Touch& a, const Touch& b) { return a.pair < b.pair; });
}

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

bool sameMaterial(const PairMaterial& a, const PairMaterial& b) {
  return a.friction == b.friction && a.restitution == b.restitution &&
         a.rollingResistance == b.rollingResistance && a.spinningResistance == b.spinningResistance;
}

bool sameTable(const MaterialTable& a, const MaterialTable& b) {
  return a.size() == b.size() &&
         std::equal(a.getPairs().begin(), a.getPairs().end(), b.getPairs().begin(),
                    b.getPairs().end(), [](const auto& x, const auto& y) {
                      return x.first == y.first && sameMaterial(x.second, y.second);
                    });
}

/// The items of both lists, by pair, of the same pair those awake first. If those asleep are there
/// and those awake come where others were, only these are written. `found` is a buffer.
template <class Item>
void mergeInto(std::span<const Item> awake, std::span<const Item> asleep, bool isSame,
               std::vector<std::uint32_t>& found, std::vector<std::uint32_t>& places,
               std::vector<Item>& all) {
  const auto before = [](const Item& a, const Item& b) {
    return a.object1 != b.object1 ? a.object1 < b.object1 : a.object2 < b.object2;
  };
  found.resize(awake.size());
  auto at = asleep.begin();
  for (std::size_t i = 0; i < awake.size(); ++i) {
    at = std::lower_bound(at, asleep.end(), awake[i], before);
    found[i] = static_cast<std::uint32_t>(i + static_cast<std::size_t>(at - asleep.begin()));
  }
  if (isSame && found == places) {
    for (std::size_t i = 0; i < awake.size(); ++i) all[found[i]] = awake[i];
    return;
  }
  all.resize(awake.size() + asleep.size());
  std::merge(awake.begin(), awake.end(), asleep.begin(), asleep.end(), all.begin(), before);
  places = found;
}

}  // namespace

void Sleepers::reset() {
  fresh_ = false;
  box_step_ = 0.0;
  has_woken_ = false;
  rest_before_.clear();
  stopped_.clear();
}

Status Sleepers::placeBoxes(SleepScene& w, double dt) {
  box_step_ = dt;
  return w.detector.placeSleepers(w.in, dt);
}

void Sleepers::refresh(const SleepScene& w) {
  if (fresh_) return;
  ids_.clear();
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (w.bodies.rest[i].isAsleep()) ids_.push_back(w.bodies.ids[i]);
  }
  if (!w.bodies.isSettled()) std::sort(ids_.begin(), ids_.end());
  findIslands(w.asleep.cache, w.joints);
  findContacts(w);
  event_step_ = 0.0;
  fresh_ = true;
}

/// Islands by their smallest member.
void Sleepers::findIslands(const ContactManifoldCache& cache, const JointTable& joints) {
  islands_.resize(ids_.size());
  marked_.assign(ids_.size(), 0);
  for (std::uint32_t i = 0; i < islands_.size(); ++i) islands_[i] = i;
  const auto placeOf = [this](ObjectId id) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
    return at != ids_.end() && *at == id ? static_cast<std::size_t>(at - ids_.begin())
                                         : ids_.size();
  };
  const auto join = [&](ObjectId first, ObjectId second) {
    const std::size_t i = placeOf(first), j = placeOf(second);
    if (i == ids_.size() || j == ids_.size()) return;
    const std::uint32_t a = rootOf(islands_, static_cast<std::uint32_t>(i));
    const std::uint32_t b = rootOf(islands_, static_cast<std::uint32_t>(j));
    islands_[std::max(a, b)] = std::min(a, b);
  };
  for (const PersistentContact& c : cache.getContacts()) join(c.pair.first, c.pair.second);
  for (const JointRecord& j : joints.joints) join(j.description.body1, j.description.body2);
  for (const CouplingRecord& c : joints.couplings) {
    const auto heldBy = [&](ObjectId joint) {
      const JointDescription& d = joints.joints[joints.find(joint)].description;
      return placeOf(d.body1) < ids_.size() ? d.body1 : d.body2;
    };
    join(heldBy(c.description.joint1), heldBy(c.description.joint2));
  }
  for (std::uint32_t i = 0; i < islands_.size(); ++i) islands_[i] = rootOf(islands_, i);
}

/// Contacts as they were published when their bodies fell asleep.
void Sleepers::findContacts(const SleepScene& w) {
  ++version_;
  contacts_.clear();
  greatest_depth_ = 0.0;
  for (const PersistentContact& c : w.asleep.cache.getContacts()) {
    const std::size_t i = w.bodies.indexOf(c.pair.first), j = w.bodies.indexOf(c.pair.second);
    const ManifoldKey& key = w.asleep.cache.getManifolds()[c.manifold].key;
    const double dt = maxOf(w.bodies.rest[i].step, w.bodies.rest[j].step);
    WorldContact out;
    out.object1 = c.pair.first;
    out.object2 = c.pair.second;
    out.position = c.contact.position;
    out.normal = c.contact.normal;
    out.depth = c.contact.depth;
    out.normalForce = c.normalImpulse / dt;
    out.frictionForce = toEigen(toVec3(c.tangentImpulse) / dt);
    out.friction = w.in.materials
                       .between(materialOf(w.bodies.facts[i], key.subShape1),
                                materialOf(w.bodies.facts[j], key.subShape2))
                       .friction;
    out.island = kNoIsland;
    out.id = c.id;
    contacts_.push_back(out);
    greatest_depth_ = maxOf(greatest_depth_, out.depth);
  }
}

/// Pairs asleep go on touching, with the forces they had.
void Sleepers::findEvents(std::span<const Touch> touching, double dt) {
  if (event_step_ == dt) return;
  ++version_;
  contact_events_.clear();
  std::size_t k = 0;
  for (const Touch& t : touching) {
    const auto pairOf = [this](std::size_t c) {
      return ObjectPair{contacts_[c].object1, contacts_[c].object2};
    };
    while (k < contacts_.size() && pairOf(k) < t.pair) ++k;
    ContactEvent event;
    event.kind = ContactEvent::Kind::Persist;
    event.object1 = t.pair.first;
    event.object2 = t.pair.second;
    event.since = t.since;
    Vec3 impulse;
    for (; k < contacts_.size() && pairOf(k) == t.pair; ++k) {
      const WorldContact& c = contacts_[k];
      impulse += (toVec3(c.normal) * c.normalForce + toVec3(c.frictionForce)) * dt;
      event.normalImpulse += c.normalForce * dt;
    }
    event.impulse = toEigen(impulse);
    contact_events_.push_back(event);
  }
  event_step_ = dt;
}

/// Marks the island of a body asleep; false if it was marked or the body is not asleep.
bool Sleepers::mark(ObjectId id) {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (at == ids_.end() || *at != id) return false;
  std::uint8_t& marked = marked_[islands_[static_cast<std::size_t>(at - ids_.begin())]];
  const bool isNew = marked == 0;
  marked = 1;
  return isNew;
}

/// All that can fail comes before the first change.
void Sleepers::wakeMarked(SleepScene& w) {
  waking_.clear();
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if (marked_[islands_[k]] != 0) waking_.push_back(ids_[k]);
  }
  if (waking_.empty()) return;
  moveTouches(waking_, w.asleep.touching, w.touching, other_asleep_, other_awake_);
  w.asleep.cache.moveObjects(waking_, w.cache);
  w.touching.swap(other_awake_);
  w.asleep.touching.swap(other_asleep_);
  for (const ObjectId id : waking_) {
    const std::size_t i = w.bodies.indexOf(id);
    w.bodies.rest[i] = {0.0, 0.0, true};
    if (w.bodies.facts[i].shape) w.detector.wakeBox(id, Detector::restingBox(w.in, i, box_step_));
  }
  has_woken_ = true;
  fresh_ = false;
}

/// The same.
void Sleepers::lieDown(SleepScene& w, std::span<const ObjectId> bodies) {
  if (bodies.empty()) return;
  std::vector<Touch> awake, asleep;  // What undo() needs stays where it is.
  moveTouches(bodies, w.touching, w.asleep.touching, awake, asleep);
  w.cache.moveObjects(bodies, w.asleep.cache);
  w.touching.swap(awake);
  w.asleep.touching.swap(asleep);
  for (const ObjectId id : bodies) {
    const std::size_t i = w.bodies.indexOf(id);
    if (w.bodies.facts[i].shape) w.detector.restBox(id, Detector::restingBox(w.in, i, box_step_));
  }
  fresh_ = false;
}

void Sleepers::undo(SleepScene& w) noexcept {
  if (rest_before_.size() == w.bodies.rest.size()) w.bodies.rest.swap(rest_before_);
  rest_before_.clear();
  fresh_ = false;
  if (!has_woken_) return;
  has_woken_ = false;
  w.asleep.cache.undoMove(w.cache);
  w.touching.swap(other_awake_);
  w.asleep.touching.swap(other_asleep_);
  w.detector.forgetBoxes();
}

Status Sleepers::wake(SleepScene& w, std::span<const ObjectId> bodies,
                      std::span<const Around> around) {
  fresh_ = fresh_ && !has_marks_;
  refresh(w);
  if (ids_.empty()) return {};
  has_marks_ = true;
  for (const Around& a : around) {
    const Status status = markAround(w, a);
    if (!status) return status;
  }
  for (const ObjectId id : bodies) {
    if (mark(id)) continue;
    for (const PersistentContact& c : w.asleep.cache.getContacts()) {
      if (c.pair.first == id) mark(c.pair.second);
      if (c.pair.second == id) mark(c.pair.first);
    }
  }
  wakeMarked(w);
  has_marks_ = has_woken_ = false;  // No step takes it back.
  return {};
}

/// Marks the islands that touch a body at a pose of its shape.
Status Sleepers::markAround(SleepScene& w, const Around& around) {
  const std::size_t body = around.body;
  const Pose& pose = around.pose;
  const BodyFacts& f = w.bodies.facts[body];
  if (!f.shape) return {};
  if (!w.detector.knowsBoxes()) {
    const Status placed = w.detector.placeAtRest(w.in, box_step_);
    if (!placed) return placed;
  }
  Aabb box = f.shape->computeAabb(pose);
  box.expand(w.in.detectionMargin);
  Status status = w.detector.asleep.overlap(box, near_);
  CollisionOption option;
  option.margin = w.in.detectionMargin;
  for (std::size_t k = 0; k < near_.size() && status; ++k) {
    const std::size_t j = w.bodies.indexOf(near_[k]);
    if (!w.bodies.mayTouch(body, j)) continue;
    result_.clear();
    status = collide({f.shape.get(), pose, f.id},
                     {w.bodies.facts[j].shape.get(), w.bodies.shapePoseOf(j), near_[k]}, option,
                     result_);
    if (result_.numManifolds() > 0) mark(near_[k]);
  }
  return status;
}

void Sleepers::markForMaterials(const SleepScene& w) {
  if (ids_.empty() || sameTable(w.asleep.materials, w.in.materials)) return;
  for (const PersistentManifold& m : w.asleep.cache.getManifolds()) {
    const BodyFacts& f = w.bodies.facts[w.bodies.indexOf(m.key.pair.first)];
    const BodyFacts& g = w.bodies.facts[w.bodies.indexOf(m.key.pair.second)];
    const MaterialId a = materialOf(f, m.key.subShape1), b = materialOf(g, m.key.subShape2);
    if (sameMaterial(w.asleep.materials.between(a, b), w.in.materials.between(a, b))) continue;
    mark(m.key.pair.first);
    mark(m.key.pair.second);
  }
}

/// The bodies of a marked island count as moving.
void Sleepers::moveMarked(SleepScene& w, const StepMotion& motion, std::uint32_t island) {
  for (std::size_t m = 0; m < ids_.size(); ++m) {
    if (islands_[m] != island) continue;
    const std::size_t b = w.bodies.indexOf(ids_[m]);
    w.detector.place(w.in, motion, b, w.in.dt);
    if (w.bodies.facts[b].shape) moving_.push_back(static_cast<std::uint32_t>(b));
  }
}

/// Islands that have contacts with a body that moves wake, and what wakes counts as moving.
Status Sleepers::wakeForMotion(SleepScene& w, const StepMotion& motion) {
  moving_.clear();
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    const bool moves = w.bodies.facts[i].type == BodyType::Dynamic
                           ? !w.bodies.rest[i].isAsleep()
                           : w.in.isDriven(i, motion.startVelocity[i]);
    if (moves && w.bodies.facts[i].shape) moving_.push_back(static_cast<std::uint32_t>(i));
  }
  for (std::uint32_t k = 0; k < marked_.size(); ++k) {
    if (marked_[k] != 0) moveMarked(w, motion, k);
  }
  CollisionOption option;
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const std::uint32_t i = moving_[k];
    const BodyFacts& f = w.bodies.facts[i];
    Aabb box = f.shape->computeAabb(w.detector.getFound().placed[i].pose);
    box.expand(w.detector.getFound().margins[i]);
    Status status = w.detector.asleep.overlap(box, near_);
    if (!status) return status;
    for (const ObjectId id : near_) {
      const std::size_t at =
          static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
      if (marked_[islands_[at]] != 0) continue;
      const std::size_t j = w.bodies.indexOf(id);
      if (!w.bodies.mayTouch(i, j)) continue;
      w.detector.place(w.in, motion, j, w.in.dt);
      option.margin = w.in.speculative
                          ? w.detector.getFound().margins[i] + w.detector.getFound().margins[j]
                          : 0.0;
      result_.clear();
      status = collide({f.shape.get(), w.detector.getFound().placed[i].pose, f.id},
                       {w.bodies.facts[j].shape.get(), w.detector.getFound().placed[j].pose, id},
                       option, result_);
      if (!status) return status;
      if (result_.numManifolds() == 0) continue;
      mark(id);
      moveMarked(w, motion, islands_[at]);
    }
  }
  wakeMarked(w);
  return {};
}

Status Sleepers::beginStep(SleepScene& w, const StepMotion& motion) {
  const double dt = w.in.dt;
  has_woken_ = false;
  fresh_ = fresh_ && !has_marks_;
  refresh(w);
  rest_before_ = w.bodies.rest;
  Status status;
  if (dt != box_step_) status = placeBoxes(w, dt);
  w.detector.asleep.prepare();
  if (!status || ids_.empty()) return status;
  has_marks_ = true;
  markForMaterials(w);
  status = wakeForMotion(w, motion);
  has_marks_ = !status;
  if (!status || !has_woken_) return status;
  refresh(w);
  for (std::size_t k = 0; k < waking_.size() && status; ++k) {
    const std::size_t i = w.bodies.indexOf(waking_[k]);
    if (w.bodies.facts[i].shape) status = w.detector.updateBox(w.in, i);
  }
  return status;
}

void Sleepers::endStep(SleepScene& w, double dt, SleepShown shown) {
  publish(w, dt, shown);
  report(w, shown);
  std::optional<OwnMaterials> table;
  if (!sameTable(w.asleep.materials, w.in.materials)) table.emplace(w.in.materials);
  lieDown(w, stopped_);
  // From here on nothing fails.
  if (table) w.asleep.materials = std::move(*table);
  for (BodyRest& rest : w.bodies.rest) rest.woken = false;
  rest_before_.clear();
  has_woken_ = false;
}

/// The contacts and events of what sleeps among those of what is awake.
void Sleepers::publish(const SleepScene& w, double dt, SleepShown& shown) {
  if (ids_.empty()) return;
  findEvents(w.asleep.touching, dt);
  ShownWithSleepers& all = shown.all;
  const bool isSame = all.version == version_;
  all.version = 0;  // Until it holds what it is to hold.
  mergeInto<WorldContact>(shown.contacts, contacts_, isSame, places_, all.contactPlaces,
                          all.contacts);
  mergeInto<ContactEvent>(shown.events, contact_events_, isSame, places_, all.eventPlaces,
                          all.events);
  all.version = version_;
  all.isUsed = true;
  shown.report.contacts = all.contacts.size();
  shown.report.greatestDepth = maxOf(shown.report.greatestDepth, greatest_depth_);
}

void Sleepers::report(const SleepScene& w, SleepShown& shown) const {
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    const BodyRest& rest = w.bodies.rest[i];
    if (rest.isAsleep()) ++shown.report.asleep;
    if (rest.woken) {
      shown.sleepEvents.push_back({w.bodies.ids[i], SleepEvent::Kind::WakeUp});
    } else if (contains(stopped_, w.bodies.ids[i])) {
      shown.sleepEvents.push_back({w.bodies.ids[i], SleepEvent::Kind::FallAsleep});
    }
  }
}

}  // namespace abut::inline v0_1
