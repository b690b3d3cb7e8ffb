// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/core/float_environment.hpp>
#include <abut/events/contact_event_tracker.hpp>

#include "core/guard.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMaxLength = 1e6;
/// What fills z where every pair is watched and there are fewer than nzMax [m].
constexpr double kFar = 1e12;

std::string nameOf(const ObjectPair& pair) {
  return "pair " + std::to_string(pair.first) + "/" + std::to_string(pair.second);
}

template <typename Item>
const Item* findPair(const std::vector<Item>& items, const ObjectPair& pair) {
  const auto at = std::lower_bound(items.begin(), items.end(), pair,
                                   [](const Item& i, const ObjectPair& p) { return i.pair < p; });
  return at != items.end() && at->pair == pair ? &*at : nullptr;
}

}  // namespace

struct ContactEventTracker::Impl {
  /// What of an object stays the same until the next initialize().
  struct Known {
    ObjectId id;
    double radius;
  };

  ContactEventOptions options;
  double closeDistance = 0.0;
  BvhBroadPhase broadPhase;
  std::vector<ObjectPair> ignored;  // Sorted.
  std::vector<Known> known;         // Sorted by id.
  std::vector<std::uint32_t>
      table;  // Index by id, less the first id; empty where ids lie far apart.
  std::vector<TrackedContact> contacts;
  std::vector<LastContact> lastContacts;
  std::vector<PairKey> closest;
  std::vector<TrackedPair> near;
  std::vector<double> roots;

  // Buffers: filled first, exchanged when nothing can fail any more.
  std::vector<ObjectPair> pairs;
  std::vector<TrackedPair> measured;
  std::vector<PairKey> keys;
  std::vector<TrackedContact> nextContacts;

  std::size_t indexOf(ObjectId id) const {
    if (!table.empty()) {
      const ObjectId place = id - known.front().id;
      return place < table.size() ? table[static_cast<std::size_t>(place)] : known.size();
    }
    const auto at = std::lower_bound(known.begin(), known.end(), id,
                                     [](const Known& k, ObjectId i) { return k.id < i; });
    return at != known.end() && at->id == id ? static_cast<std::size_t>(at - known.begin())
                                             : known.size();
  }
  double zEpsOf(std::size_t i, std::size_t j) const {
    const double smaller = minOf(known[i].radius, known[j].radius);
    return options.zEps + (isFinite(smaller) ? options.zEpsRelative * smaller : 0.0);
  }

  void makeTable();
  Status learn(std::span<const TrackedObject> objects);
  Status checkSame(std::span<const TrackedObject> objects) const;
  Status measure(std::span<const TrackedObject> objects, const ObjectPair& pair, bool contact,
                 TrackedPair& result) const;
  Status measureClose(std::span<const TrackedObject> objects, bool withContacts);
  Status setFlags(std::span<const TrackedObject> objects, double time, bool initial,
                  ContactResponseSource* source, std::vector<ContactChange>* changes);
  Status tooMany(std::size_t count, const ObjectPair& last, const double* time) const;
  Status checkRoom() const;
  void watch();
  void fillRoots();
};

Status ContactEventTracker::Impl::tooMany(std::size_t count, const ObjectPair& last,
                                          const double* time) const {
  const std::string when = time != nullptr ? ", t = " + toText(*time) + " s" : "";
  return Status::failure(StatusCode::LimitExceeded,
                         "ContactEventTracker" + when + ": " + std::to_string(count) +
                             " pairs in contact, nzMax is " + std::to_string(options.nzMax) +
                             "; the last is " + nameOf(last) + "; raise nzMax",
                         last.first);
}

/// If contacts fill z, a pair that begins to touch could not be seen: that is an error at once.
Status ContactEventTracker::Impl::checkRoom() const {
  if (contacts.size() < options.nzMax) return {};
  for (const TrackedPair& p : measured) {
    if (p.distanceWithHysteresis <= 0.0) return tooMany(contacts.size() + 1, p.pair, nullptr);
  }
  return {};
}

/// Ids in a narrow range are looked up, others searched.
void ContactEventTracker::Impl::makeTable() {
  constexpr std::size_t kSpread = 4;
  table.clear();
  if (known.empty()) return;
  const ObjectId range = known.back().id - known.front().id;
  if (range / kSpread > known.size()) return;
  table.assign(static_cast<std::size_t>(range + 1), static_cast<std::uint32_t>(known.size()));
  for (std::size_t i = 0; i < known.size(); ++i) {
    table[static_cast<std::size_t>(known[i].id - known.front().id)] = static_cast<std::uint32_t>(i);
  }
}

/// Ids and sizes of the objects, and how far to look.
Status ContactEventTracker::Impl::learn(std::span<const TrackedObject> objects) {
  std::vector<Known> next;
  double largest = 0.0;
  for (const TrackedObject& object : objects) {
    const ObjectId id = object.placed.id;
    if (object.placed.shape == nullptr) {
      return Status::failure(
          StatusCode::NullObject,
          "ContactEventTracker: object " + std::to_string(id) + " has no shape; leave it out", id);
    }
    if (id == kNoObject || (!next.empty() && next.back().id >= id)) {
      return Status::failure(StatusCode::OutOfRange,
                             "ContactEventTracker: object " + std::to_string(id) +
                                 ": expected ids above 0, ascending; sort the objects by id",
                             id);
    }
    const double radius = object.placed.shape->boundingRadius();
    if (isFinite(radius) && object.canMove) largest = maxOf(largest, radius);
    next.push_back({id, radius});
  }
  known.swap(next);
  makeTable();
  closeDistance = options.closeDistance != 0.0 ? minOf(options.closeDistance, kFar)
                                               : maxOf(largest, kMinShapeSize);
  broadPhase.clear();
  for (const TrackedObject& object : objects) {
    Status status = broadPhase.add(object.placed.id, Aabb());
    if (!status) return status;
  }
  return {};
}

Status ContactEventTracker::Impl::checkSame(std::span<const TrackedObject> objects) const {
  bool same = objects.size() == known.size();
  for (std::size_t i = 0; same && i < known.size(); ++i) {
    same = objects[i].placed.id == known[i].id && objects[i].placed.shape != nullptr;
  }
  if (same) return {};
  return Status::failure(StatusCode::UnknownObject,
                         "ContactEventTracker: expected the " + std::to_string(known.size()) +
                             " objects of initialize(), got " + std::to_string(objects.size()) +
                             " or other ids; call initialize() when objects come or go");
}

Status ContactEventTracker::Impl::measure(std::span<const TrackedObject> objects,
                                          const ObjectPair& pair, bool contact,
                                          TrackedPair& result) const {
  const std::size_t i = indexOf(pair.first), j = indexOf(pair.second);
  result.pair = pair;
  Status status = distance(objects[i].placed, objects[j].placed, result.closest);
  if (!status) return status;
  if (result.closest.status == QueryStatus::IterationLimit || !isFinite(result.closest.distance)) {
    return Status::failure(StatusCode::NotConverged,
                           "ContactEventTracker: " + nameOf(pair) +
                               ": the distance did not converge; check the poses, or round the "
                               "shapes",
                           pair.first);
  }
  result.distanceOrg = result.closest.distance;
  result.distanceWithHysteresis =
      contact ? result.distanceOrg : minOf(result.distanceOrg + 2.0 * zEpsOf(i, j), closeDistance);
  return {};
}

/// Pairs whose boxes come within the close distance, measured as pairs without contact; by pair.
Status ContactEventTracker::Impl::measureClose(std::span<const TrackedObject> objects,
                                               bool withContacts) {
  for (const TrackedObject& object : objects) {
    Aabb box = object.placed.shape->computeAabb(object.placed.pose);
    if (closeDistance < kFar) {
      box.expand(0.5 * closeDistance);
    } else {
      box = Aabb::infinite();
    }
    Status status = broadPhase.update(object.placed.id, box);
    if (!status) return status;
  }
  broadPhase.computePotentialPairs(pairs);
  measured.clear();
  for (const ObjectPair& pair : pairs) {
    const TrackedObject& a = objects[indexOf(pair.first)];
    const TrackedObject& b = objects[indexOf(pair.second)];
    if (!a.canMove && !b.canMove) continue;
    if (a.placed.shape->getType() == ShapeType::Plane &&
        b.placed.shape->getType() == ShapeType::Plane) {
      continue;
    }
    if (std::binary_search(ignored.begin(), ignored.end(), pair)) continue;
    if (!withContacts && findPair(contacts, pair) != nullptr) continue;
    Status status = measure(objects, pair, false, measured.emplace_back());
    if (!status) return status;
    if (measured.back().distanceWithHysteresis >= closeDistance) measured.pop_back();
  }
  return {};
}

/// Makes the measured pairs without contact the watched ones: the closest that z has room for.
void ContactEventTracker::Impl::watch() {
  if (!contacts.empty()) {
    const auto touches = [this](const TrackedPair& p) {
      return findPair(contacts, p.pair) != nullptr;
    };
    measured.erase(std::remove_if(measured.begin(), measured.end(), touches), measured.end());
  }
  keys.clear();
  for (const TrackedPair& p : measured) keys.push_back({p.distanceWithHysteresis, p.pair});
  std::sort(keys.begin(), keys.end());
  const std::size_t room = options.nzMax - contacts.size();
  if (keys.size() > room) {
    keys.resize(room);
    const auto tooFar = [this](const TrackedPair& p) {
      return keys.empty() || keys.back() < PairKey{p.distanceWithHysteresis, p.pair};
    };
    measured.erase(std::remove_if(measured.begin(), measured.end(), tooFar), measured.end());
  }
  closest.swap(keys);
  near.swap(measured);
}

void ContactEventTracker::Impl::fillRoots() {
  roots.assign(options.nzMax, closeDistance);
  std::size_t i = 0;
  for (const TrackedContact& c : contacts) roots[i++] = c.distanceWithHysteresis;
  for (const PairKey& k : closest) roots[i++] = k.distanceWithHysteresis;
}

/// The contact flags, by the rules at the head of the class.
Status ContactEventTracker::Impl::setFlags(std::span<const TrackedObject> objects, double time,
                                           bool initial, ContactResponseSource* source,
                                           std::vector<ContactChange>* changes) {
  Status status = measureClose(objects, true);
  if (!status) return status;
  nextContacts.clear();
  std::vector<ContactChange> found;
  for (const TrackedContact& c : contacts) {
    TrackedContact next = c;
    status = measure(objects, c.pair, true, next);
    if (!status) return status;
    if (next.distanceWithHysteresis < 0.0) {
      const LastContact* last = findPair(lastContacts, c.pair);
      if (last != nullptr) next.response = last->response;
      nextContacts.push_back(next);
    } else {
      found.push_back({false, next, next.response});
    }
  }
  for (const TrackedPair& p : measured) {
    if (findPair(contacts, p.pair) != nullptr) continue;
    const double zEps = zEpsOf(indexOf(p.pair.first), indexOf(p.pair.second));
    const bool crossed = initial || p.distanceWithHysteresis <= 0.0;
    if (!crossed || !(p.distanceOrg < -zEps)) continue;
    TrackedContact next;
    static_cast<TrackedPair&>(next) = p;
    next.distanceWithHysteresis = p.distanceOrg;
    next.response.beginTime = time;
    if (source != nullptr) {
      status = source->respond(next, next.response);
      if (!status) return status;
    }
    nextContacts.push_back(next);
    found.push_back({true, next, next.response});
  }
  if (nextContacts.size() > options.nzMax) {
    return tooMany(nextContacts.size(), nextContacts.back().pair, &time);
  }
  const auto byPair = [](const TrackedContact& a, const TrackedContact& b) {
    return a.pair < b.pair;
  };
  std::sort(nextContacts.begin(), nextContacts.end(), byPair);
  contacts.swap(nextContacts);
  lastContacts.clear();
  for (const TrackedContact& c : contacts) lastContacts.push_back({c.pair, c.response});
  if (changes != nullptr) {
    std::sort(found.begin(), found.end(), [](const ContactChange& a, const ContactChange& b) {
      return a.state.pair < b.state.pair;
    });
    changes->swap(found);
  }
  return {};
}

ContactEventTracker::ContactEventTracker(const ContactEventOptions& options)
    : impl_(std::make_unique<Impl>()) {
  requireInRange("ContactEventOptions::zEps", options.zEps, 1e-15, kMaxLength, "m");
  requireInRange("ContactEventOptions::zEpsRelative", options.zEpsRelative, 0.0, 1.0, "1");
  requireInRange("ContactEventOptions::closeDistance", options.closeDistance, 0.0, kInfinity, "m");
  if (options.nzMax == 0) {
    throw Error(StatusCode::OutOfRange, "ContactEventOptions::nzMax: expected at least 1, got 0");
  }
  impl_->options = options;
  impl_->closeDistance = minOf(options.closeDistance, kFar);
}
ContactEventTracker::~ContactEventTracker() = default;
ContactEventTracker::ContactEventTracker(ContactEventTracker&&) noexcept = default;
ContactEventTracker& ContactEventTracker::operator=(ContactEventTracker&&) noexcept = default;

Status ContactEventTracker::ignorePair(ObjectId object1, ObjectId object2) try {
  if (object1 == kNoObject || object2 == kNoObject) {
    return Status::failure(StatusCode::OutOfRange,
                           "ContactEventTracker::ignorePair: expected ids above 0");
  }
  if (object1 == object2) {
    return Status::failure(
        StatusCode::SelfPair,
        "ContactEventTracker::ignorePair: both objects are " + std::to_string(object1), object1);
  }
  const ObjectPair pair = ObjectPair::of(object1, object2);
  const auto at = std::lower_bound(impl_->ignored.begin(), impl_->ignored.end(), pair);
  if (at == impl_->ignored.end() || *at != pair) impl_->ignored.insert(at, pair);
  return {};
} catch (...) {
  return statusOfException();
}

Status ContactEventTracker::initialize(std::span<const TrackedObject> objects, double time,
                                       ContactResponseSource* source) try {
  const FloatEnvironment environment;
  // Built aside: a failure leaves the tracker as it was.
  auto next = std::make_unique<Impl>();
  next->options = impl_->options;
  next->ignored = impl_->ignored;
  Status status = next->learn(objects);
  if (status) status = next->setFlags(objects, time, true, source, nullptr);
  if (!status) return status;
  next->watch();
  next->fillRoots();
  impl_ = std::move(next);
  return {};
} catch (...) {
  return statusOfException();
}

Status ContactEventTracker::updateRoots(std::span<const TrackedObject> objects) try {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  Status status = s.checkSame(objects);
  if (status) status = s.measureClose(objects, false);
  if (status) status = s.checkRoom();
  s.nextContacts = s.contacts;
  for (std::size_t i = 0; status && i < s.contacts.size(); ++i) {
    status = s.measure(objects, s.contacts[i].pair, true, s.nextContacts[i]);
  }
  if (!status) return status;
  s.contacts.swap(s.nextContacts);
  s.watch();
  s.fillRoots();
  return {};
} catch (...) {
  return statusOfException();
}

Status ContactEventTracker::updateValues(std::span<const TrackedObject> objects) try {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  Status status = s.checkSame(objects);
  s.nextContacts = s.contacts;
  s.measured = s.near;
  for (std::size_t i = 0; status && i < s.nextContacts.size(); ++i) {
    status = s.measure(objects, s.contacts[i].pair, true, s.nextContacts[i]);
  }
  for (std::size_t i = 0; status && i < s.measured.size(); ++i) {
    status = s.measure(objects, s.near[i].pair, false, s.measured[i]);
  }
  if (!status) return status;
  s.contacts.swap(s.nextContacts);
  s.near.swap(s.measured);
  return {};
} catch (...) {
  return statusOfException();
}

Status ContactEventTracker::handleEvent(std::span<const TrackedObject> objects, double time,
                                        std::vector<ContactChange>& changes,
                                        ContactResponseSource* source) try {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  Status status = s.checkSame(objects);
  if (status) status = s.setFlags(objects, time, false, source, &changes);
  if (!status) return status;
  s.watch();
  s.fillRoots();
  return {};
} catch (...) {
  return statusOfException();
}

std::span<const double> ContactEventTracker::getRoots() const {
  return impl_->roots;
}

std::array<double, 2> ContactEventTracker::getAggregateRoots() const {
  double release = -impl_->closeDistance;
  if (!impl_->contacts.empty()) release = -kInfinity;
  for (const TrackedContact& c : impl_->contacts) {
    release = maxOf(release, c.distanceWithHysteresis);
  }
  const double approach =
      impl_->closest.empty() ? impl_->closeDistance : impl_->closest.front().distanceWithHysteresis;
  return {release, approach};
}

std::span<const TrackedContact> ContactEventTracker::getContacts() const {
  return impl_->contacts;
}
std::span<const LastContact> ContactEventTracker::getLastContacts() const {
  return impl_->lastContacts;
}
std::span<const PairKey> ContactEventTracker::getClosestPairs() const {
  return impl_->closest;
}
std::span<const TrackedPair> ContactEventTracker::getNearPairs() const {
  return impl_->near;
}
const TrackedContact* ContactEventTracker::findContact(ObjectId object1, ObjectId object2) const {
  return findPair(impl_->contacts, ObjectPair::of(object1, object2));
}
double ContactEventTracker::zEpsOf(const ObjectPair& pair) const {
  const std::size_t i = impl_->indexOf(pair.first), j = impl_->indexOf(pair.second);
  return i < impl_->known.size() && j < impl_->known.size() ? impl_->zEpsOf(i, j) : 0.0;
}
double ContactEventTracker::getCloseDistance() const {
  return impl_->closeDistance;
}

}  // namespace abut::inline v0_1
