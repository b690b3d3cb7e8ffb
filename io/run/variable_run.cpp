// SPDX-License-Identifier: MIT
#include "io/run/variable_run.hpp"

#include <algorithm>
#include <cstring>

#include <abut/math/convert.hpp>

#include "io/core/text.hpp"
#include "io/run/energy.hpp"

namespace abut::inline v0_1::io {
namespace {

double dot(const Vec3& a, const Vec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 plus(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

EventKind kindOf(HybridEventKind kind) {
  switch (kind) {
    case HybridEventKind::ContactBegin:
      return EventKind::Begin;
    case HybridEventKind::ContactEnd:
      return EventKind::End;
    case HybridEventKind::ForceVanishes:
      return EventKind::ForceVanishes;
    case HybridEventKind::ForceReturns:
      return EventKind::ForceReturns;
    case HybridEventKind::StickBegin:
      return EventKind::Stick;
    case HybridEventKind::SlipBegin:
      return EventKind::Slip;
    case HybridEventKind::Impact:
      break;
  }
  return EventKind::Impact;
}

/// FNV-1a, as World::hash().
class Fnv {
public:
  void add(std::uint64_t v) {
    for (int i = 0; i < 64; i += 8) hash_ = (hash_ ^ ((v >> i) & 0xff)) * 1099511628211u;
  }
  void add(double v) {
    const double plain = v == 0.0 ? 0.0 : v;  // -0 is 0.
    std::uint64_t bits = 0;
    std::memcpy(&bits, &plain, sizeof bits);
    add(bits);
  }
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  [[nodiscard]] std::uint64_t get() const { return hash_; }

private:
  std::uint64_t hash_ = 14695981039346656037u;
};

}  // namespace

Status SceneRun::change(const RunChange& /*change*/) {
  return Status::failure(StatusCode::OutOfRange,
                         "a run with a variable step cannot be changed on its way; give the scene "
                         "a fixed step");
}

VariableRun::VariableRun(const Scene& scene)
    : scene_(scene), world_(buildWorld(scene)), header_(makeHeader(scene, world_)) {}

bool VariableRun::advance() {
  const bool last = step_ + 1 >= scene_.numSteps;
  const double due =
      last ? std::max(scene_.duration, getTime()) : scene_.step * static_cast<double>(step_ + 1);
  const Status status = advanceTo(due);
  if (!status) {
    fault_ = concat(withNames(status.getMessage(), scene_), "; state kept");
    return false;
  }
  ++step_;
  return true;
}

void VariableRun::capture(Frame& frame) {
  frame.step = step_;
  frame.time = getTime();
  frame.bodies.clear();
  for (const BodyRecord& body : header_.bodies) {
    BodyMotion motion;
    getMotion(body.id, motion).orThrow();
    frame.bodies.push_back({toVec3(motion.centerOfMass), motion.orientation,
                            toVec3(motion.linearVelocity), toVec3(motion.angularVelocity)});
  }
  frame.drivers.clear();
  frame.report = {};
  captureContacts(frame);
  captureEvents(frame);
  closeBooks(frame);
  const long steps = getStatistics().steps;
  frame.report.sweeps = static_cast<int>(std::min(steps - steps_seen_, 1'000'000'000L));
  steps_seen_ = steps;
  frame.hash = hash();
}

void VariableRun::captureContacts(Frame& frame) {
  frame.contacts.clear();
  for (const HybridContact& contact : contactsNow()) {
    frame.contacts.push_back(contactFrame(contact, frame));
    ContactFrame& now = frame.contacts.back();
    // Numbered within their pair: all there is to tell them apart.
    if (frame.contacts.size() > 1) {
      const ContactFrame& before = frame.contacts[frame.contacts.size() - 2];
      if (before.object1 == now.object1 && before.object2 == now.object2) now.id = before.id + 1;
    }
    frame.report.greatestDepth = std::max(frame.report.greatestDepth, contact.depth);
  }
  frame.report.contacts = frame.contacts.size();
  if (!scene_.record.hasContacts(frame.step)) frame.contacts.clear();
}

ContactFrame VariableRun::contactFrame(const HybridContact& contact, const Frame& frame) {
  ContactFrame out;
  out.object1 = contact.pair.first;
  out.object2 = contact.pair.second;
  out.position = contact.position;
  out.normal = contact.normal;
  out.depth = contact.depth;
  out.normalForce = contact.normalForce;
  out.frictionForce = contact.friction;
  out.island = kNoIsland;
  const Vec3 position = toVec3(out.position), normal = toVec3(out.normal);
  const auto surface = [&](ObjectId id) {
    const auto index = static_cast<std::size_t>(findBody(scene_, id) - scene_.bodies.data());
    const BodyFrame& b = frame.bodies[index];
    const Vec3 own = toVec3(scene_.bodies[index].description.surfaceVelocity);
    return plus(plus(b.linearVelocity, cross(b.angularVelocity, minus(position, b.position))), own);
  };
  const Vec3 u = minus(surface(out.object1), surface(out.object2));
  const double along = dot(u, normal);
  out.slip = {u.x - along * normal.x, u.y - along * normal.y, u.z - along * normal.z};
  const auto materialOf = [&](ObjectId id) { return findBody(scene_, id)->shapes[0].material; };
  // Of the bodies' first shapes: which shape touches is not told.
  const MaterialId a = materialOf(out.object1), b = materialOf(out.object2);
  out.friction = world_.materials().between(a, b).friction;
  return out;
}

void VariableRun::captureEvents(Frame& frame) {
  frame.events.clear();
  const std::vector<HybridEvent>& all = getRecord().events;
  for (; events_seen_ < all.size(); ++events_seen_) {
    const HybridEvent& e = all[events_seen_];
    EventFrame out;
    out.kind = kindOf(e.kind);
    out.object1 = e.pair.first;
    out.object2 = e.pair.second;
    out.time = e.touchTime;
    out.impulse = toVec3(e.impulse);
    frame.events.push_back(out);
  }
}

void VariableRun::closeBooks(Frame& frame) {
  const HeldEnergy held = heldEnergy(scene_, header_, frame);
  const double kinetic = held.kinetic, potential = held.potential + storedEnergy();
  const double impact = impactWork();
  if (!has_books_) {
    books_.kineticBefore = books_.kineticAfter = kinetic;
    books_.potentialBefore = books_.potentialAfter = potential;
    has_books_ = true;
  }
  frame.stepEnergy = {};
  frame.stepEnergy.kineticBefore = books_.kineticAfter;
  frame.stepEnergy.potentialBefore = books_.potentialAfter;
  frame.stepEnergy.kineticAfter = books_.kineticAfter = kinetic;
  frame.stepEnergy.potentialAfter = books_.potentialAfter = potential;
  frame.stepEnergy.impact = impact - books_.impact;
  books_.impact = impact;
  frame.totalEnergy = books_;
}

std::uint64_t VariableRun::hash() const {
  Fnv fnv;
  fnv.add(getTime());
  for (const BodyRecord& body : header_.bodies) {
    BodyMotion motion;
    getMotion(body.id, motion).orThrow();
    fnv.add(body.id);
    fnv.add(toVec3(motion.centerOfMass));
    const Quat& q = motion.orientation;
    for (const double v : {q.w, q.x, q.y, q.z}) fnv.add(v);
    fnv.add(toVec3(motion.linearVelocity));
    fnv.add(toVec3(motion.angularVelocity));
  }
  for (const ObjectPair& pair : touchingPairs()) {
    fnv.add(pair.first);
    fnv.add(pair.second);
  }
  return fnv.get();
}

}  // namespace abut::inline v0_1::io
