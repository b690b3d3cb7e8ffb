// SPDX-License-Identifier: MIT
#include "sleep/sleepers.hpp"

#include <algorithm>

#include <abut/math/convert.hpp>

#include "constraints/contact_site.hpp"

namespace abut {
namespace {

bool contains(std::span<const ObjectId> sorted, ObjectId id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

/// Hands the pairs of some bodies from one sorted list to another.
void moveTouches(std::span<const ObjectId> bodies, std::vector<Touch>& from, std::vector<Touch>& to,
                 std::vector<Touch>& scratch) {
  const auto stays = [&](const Touch& t) {
    return !contains(bodies, t.pair.first) && !contains(bodies, t.pair.second);
  };
  scratch.assign(to.begin(), to.end());
  const auto middle = static_cast<std::ptrdiff_t>(scratch.size());
  for (const Touch& t : from) {
    if (!stays(t)) scratch.push_back(t);
  }
  std::inplace_merge(scratch.begin(), scratch.begin() + middle, scratch.end(),
                     [](const Touch& a, const Touch& b) { return a.pair < b.pair; });
  to.swap(scratch);
  std::erase_if(from, [&](const Touch& t) { return !stays(t); });
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

}  // namespace

void Sleepers::reset() {
  fresh_ = false;
  boxStep_ = 0.0;
  woken_.clear();
  stopped_.clear();
}

Status Sleepers::placeBoxes(SleepScene& w, double dt) {
  w.detector.asleep.clear();
  boxStep_ = dt;
  Status status;
  for (std::size_t i = 0; i < w.bodies.size() && status; ++i) {
    const BodyFacts& f = w.bodies.facts[i];
    if (!w.bodies.rest[i].isAsleep() || !f.shape) continue;
    status = w.detector.asleep.add(f.id, Detector::restingBox(w.in, i, dt));
  }
  w.detector.asleep.prepare();
  return status;
}

void Sleepers::refresh(const SleepScene& w) {
  if (fresh_) return;
  fresh_ = true;
  ids_.clear();
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (w.bodies.rest[i].isAsleep()) ids_.push_back(w.bodies.ids[i]);
  }
  findIslands(w.asleep.cache, w.joints);
  findContacts(w);
  eventStep_ = 0.0;
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
  contacts_.clear();
  greatestDepth_ = 0.0;
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
    greatestDepth_ = maxOf(greatestDepth_, out.depth);
  }
}

/// Pairs asleep go on touching, with the forces they had.
void Sleepers::findEvents(std::span<const Touch> touching, double dt) {
  if (eventStep_ == dt) return;
  eventStep_ = dt;
  contactEvents_.clear();
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
    contactEvents_.push_back(event);
  }
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

void Sleepers::wakeMarked(SleepScene& w) {
  waking_.clear();
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if (marked_[islands_[k]] != 0) waking_.push_back(ids_[k]);
  }
  if (waking_.empty()) return;
  for (const ObjectId id : waking_) {
    const std::size_t i = w.bodies.indexOf(id);
    woken_.push_back({static_cast<std::uint32_t>(i), w.bodies.rest[i]});
    w.bodies.rest[i] = {0.0, 0.0, true};
    if (!w.bodies.facts[i].shape) continue;
    w.detector.asleep.remove(id).orThrow();
    w.detector.awake.add(id, Detector::restingBox(w.in, i, boxStep_)).orThrow();
  }
  w.asleep.cache.moveObjects(waking_, w.cache);
  moveTouches(waking_, w.asleep.touching, w.touching, otherTouching_);
  fresh_ = false;
  refresh(w);
}

void Sleepers::lieDown(SleepScene& w, std::span<const ObjectId> bodies) {
  if (bodies.empty()) return;
  for (const ObjectId id : bodies) {
    const std::size_t i = w.bodies.indexOf(id);
    if (!w.bodies.facts[i].shape) continue;
    w.detector.awake.remove(id).orThrow();
    w.detector.asleep.add(id, Detector::restingBox(w.in, i, boxStep_)).orThrow();
  }
  w.cache.moveObjects(bodies, w.asleep.cache);
  moveTouches(bodies, w.touching, w.asleep.touching, otherTouching_);
  fresh_ = false;
}

void Sleepers::undo(SleepScene& w) {
  waking_.clear();
  for (const Woken& b : woken_) {
    w.bodies.rest[b.body] = b.rest;
    waking_.push_back(w.bodies.ids[b.body]);
  }
  woken_.clear();
  std::sort(waking_.begin(), waking_.end());
  lieDown(w, waking_);
}

void Sleepers::wake(SleepScene& w, std::span<const ObjectId> bodies) {
  refresh(w);
  if (ids_.empty()) return;
  for (const ObjectId id : bodies) {
    if (mark(id)) continue;
    for (const PersistentContact& c : w.asleep.cache.getContacts()) {
      if (c.pair.first == id) mark(c.pair.second);
      if (c.pair.second == id) mark(c.pair.first);
    }
  }
  wakeMarked(w);
}

Status Sleepers::wakeAround(SleepScene& w, std::size_t body) {
  refresh(w);
  const BodyFacts& f = w.bodies.facts[body];
  if (ids_.empty() || !f.shape) return {};
  const Pose pose = w.bodies.shapePoseOf(body);
  Status status = w.detector.asleep.overlap(Detector::restingBox(w.in, body, 0.0), near_);
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
  wakeMarked(w);
  return status;
}

void Sleepers::wakeForMaterials(SleepScene& w) {
  if (ids_.empty() || sameTable(w.asleep.materials, w.in.materials)) return;
  for (const PersistentManifold& m : w.asleep.cache.getManifolds()) {
    const BodyFacts& f = w.bodies.facts[w.bodies.indexOf(m.key.pair.first)];
    const BodyFacts& g = w.bodies.facts[w.bodies.indexOf(m.key.pair.second)];
    const MaterialId a = materialOf(f, m.key.subShape1), b = materialOf(g, m.key.subShape2);
    if (sameMaterial(w.asleep.materials.between(a, b), w.in.materials.between(a, b))) continue;
    mark(m.key.pair.first);
    mark(m.key.pair.second);
  }
  wakeMarked(w);
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
  CollisionOption option;
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const std::uint32_t i = moving_[k];
    const BodyFacts& f = w.bodies.facts[i];
    Aabb box = f.shape->computeAabb(w.detector.getFound().shapePoses[i]);
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
      status = collide({f.shape.get(), w.detector.getFound().shapePoses[i], f.id},
                       {w.bodies.facts[j].shape.get(), w.detector.getFound().shapePoses[j], id},
                       option, result_);
      if (!status) return status;
      if (result_.numManifolds() == 0) continue;
      mark(id);
      for (std::size_t m = 0; m < ids_.size(); ++m) {
        if (islands_[m] != islands_[at]) continue;
        const std::size_t b = w.bodies.indexOf(ids_[m]);
        w.detector.place(w.in, motion, b, w.in.dt);
        if (w.bodies.facts[b].shape) moving_.push_back(static_cast<std::uint32_t>(b));
      }
    }
  }
  wakeMarked(w);
  return {};
}

Status Sleepers::beginStep(SleepScene& w, const StepMotion& motion) {
  const double dt = w.in.dt;
  woken_.clear();
  refresh(w);
  Status status;
  if (dt != boxStep_) status = placeBoxes(w, dt);
  w.detector.asleep.prepare();
  if (status) wakeForMaterials(w);
  for (const Woken& b : woken_) w.detector.place(w.in, motion, b.body, w.in.dt);
  if (status && !ids_.empty()) status = wakeForMotion(w, motion);
  for (std::size_t k = 0; k < woken_.size() && status; ++k) {
    if (w.bodies.facts[woken_[k].body].shape) status = w.detector.updateBox(w.in, woken_[k].body);
  }
  return status;
}

void Sleepers::endStep(SleepScene& w, double dt, SleepShown shown) {
  publish(w, dt, shown);
  lieDown(w, stopped_);
  report(w, shown);
  if (!sameTable(w.asleep.materials, w.in.materials)) w.asleep.materials = w.in.materials;
}

/// The contacts and events of what sleeps among those of what is awake.
void Sleepers::publish(const SleepScene& w, double dt, SleepShown& shown) {
  if (ids_.empty()) return;
  findEvents(w.asleep.touching, dt);
  const auto before = [](const auto& a, const auto& b) {
    return a.object1 != b.object1 ? a.object1 < b.object1 : a.object2 < b.object2;
  };
  mergedContacts_.resize(shown.contacts.size() + contacts_.size());
  std::merge(shown.contacts.begin(), shown.contacts.end(), contacts_.begin(), contacts_.end(),
             mergedContacts_.begin(), before);
  shown.contacts.swap(mergedContacts_);
  mergedEvents_.resize(shown.events.size() + contactEvents_.size());
  std::merge(shown.events.begin(), shown.events.end(), contactEvents_.begin(), contactEvents_.end(),
             mergedEvents_.begin(), before);
  shown.events.swap(mergedEvents_);
  shown.report.contacts = shown.contacts.size();
  shown.report.greatestDepth = maxOf(shown.report.greatestDepth, greatestDepth_);
}

void Sleepers::report(SleepScene& w, SleepShown& shown) {
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    BodyRest& rest = w.bodies.rest[i];
    if (rest.isAsleep()) ++shown.report.asleep;
    if (rest.woken) {
      shown.sleepEvents.push_back({w.bodies.ids[i], SleepEvent::Kind::WakeUp});
      rest.woken = false;
    } else if (contains(stopped_, w.bodies.ids[i])) {
      shown.sleepEvents.push_back({w.bodies.ids[i], SleepEvent::Kind::FallAsleep});
    }
  }
}

}  // namespace abut
