// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/math/convert.hpp>

#include "core/room.hpp"
#include "manifold/emit.hpp"
#include "manifold/manifold_filter.hpp"
#include "manifold/merge_all.hpp"
#include "manifold/raw_groups.hpp"

namespace abut::inline v0_1 {

struct ContactManifoldCache::Moved {
  Slots<PersistentManifold> manifolds, passed;
  Slots<ContactPlace> contacts;
  std::vector<ObjectPair> touching;
};

struct ContactManifoldCache::Scratch {
  RawContacts packed;  // What a caller gave.
  RawGroups raw;
  ManifoldMerge merge;
  ContactEmitter emitter;
  // What an update makes, until nothing can fail any more; then what was there before it.
  Slots<PersistentManifold> next, nextPassed;
  Slots<ContactPlace> nextContacts;
  std::vector<ObjectPair> nextTouching, nextBegun, nextEnded;
  Moved before;  // What was there before the last moveObjects().
};

namespace {

bool isSortedStrictly(std::span<const ObjectPose> poses) {
  return std::adjacent_find(
             poses.begin(), poses.end(),
             [](const ObjectPose& a, const ObjectPose& b) { return a.id >= b.id; }) == poses.end();
}

Status checkOrder(std::span<const ObjectPose> poses, std::span<const ObjectPair> recycled) {
  if (!isSortedStrictly(poses)) {
    return Status::failure(
        StatusCode::OutOfRange,
        "ContactManifoldCache::update: poses must be sorted by id, each id once");
  }
  if (!std::is_sorted(recycled.begin(), recycled.end())) {
    return Status::failure(StatusCode::OutOfRange,
                           "ContactManifoldCache::update: recycled pairs must be sorted");
  }
  for (const ObjectPair& pair : recycled) {
    if (findPose(poses, pair.first) == nullptr || findPose(poses, pair.second) == nullptr) {
      return Status::failure(StatusCode::UnknownObject,
                             "ContactManifoldCache::update: no pose was given for a recycled pair "
                             "of objects " +
                                 std::to_string(pair.first) + " and " + std::to_string(pair.second),
                             pair.first);
    }
  }
  return {};
}

void findBegunAndEnded(std::span<const ObjectPair> before, std::span<const ObjectPair> after,
                       TaskRunner* tasks, std::vector<ObjectPair>& begun,
                       std::vector<ObjectPair>& ended) {
  if (tasks == nullptr) {
    // Both at once: most pairs are in both lists, side by side.
    auto old = before.begin();
    for (const ObjectPair& now : after) {
      while (old != before.end() && *old < now) ended.push_back(*old++);
      if (old != before.end() && *old == now) {
        ++old;
      } else {
        begun.push_back(now);
      }
    }
    ended.insert(ended.end(), old, before.end());
    return;
  }
  forChunks(tasks, 2, 1, [&](std::size_t which, std::size_t) {
    const auto &from = which == 0 ? after : before, &without = which == 0 ? before : after;
    std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                        std::back_inserter(which == 0 ? begun : ended));
  });
}

Status overLimit(std::size_t found, std::size_t limit) {
  return Status::failure(
      StatusCode::LimitExceeded,
      "ContactManifoldCache: " + std::to_string(found) +
          " manifolds are in contact but maxPairs is " + std::to_string(limit) +
          "; the deepest were kept. Raise maxPairs, or set it to 0 for no limit");
}

}  // namespace

ContactManifoldCache::ContactManifoldCache() : scratch_(std::make_unique<Scratch>()) {}
ContactManifoldCache::ContactManifoldCache(const ContactManifoldCacheOptions& options)
    : options_(options), scratch_(std::make_unique<Scratch>()) {
  options.validate().orThrow();
}
ContactManifoldCache::~ContactManifoldCache() = default;
ContactManifoldCache::ContactManifoldCache(ContactManifoldCache&&) noexcept = default;
ContactManifoldCache& ContactManifoldCache::operator=(ContactManifoldCache&&) noexcept = default;

ContactManifoldCache::ContactManifoldCache(const ContactManifoldCache& other)
    : ContactManifoldCache() {
  *this = other;
}

ContactManifoldCache& ContactManifoldCache::operator=(const ContactManifoldCache& other) {
  if (this == &other) return *this;
  options_ = other.options_;
  manifolds_ = other.manifolds_;
  passed_ = other.passed_;
  contacts_ = other.contacts_;
  touching_ = other.touching_;
  begun_ = other.begun_;
  ended_ = other.ended_;
  frame_ = other.frame_;
  undoable_ = false;
  return *this;
}

Status ContactManifoldCache::setOptions(const ContactManifoldCacheOptions& options) {
  Status status = options.validate();
  if (status) options_ = options;
  return status;
}

CacheReport ContactManifoldCache::update(std::span<const ContactManifold> raw,
                                         std::span<const ObjectPose> poses,
                                         std::span<const ObjectPair> recycled, TaskRunner* tasks) {
  scratch_->packed.clear();
  scratch_->packed.add(raw);
  return update(scratch_->packed, poses, recycled, tasks);
}

CacheReport ContactManifoldCache::update(const RawContacts& raw, std::span<const ObjectPose> poses,
                                         std::span<const ObjectPair> recycled, TaskRunner* tasks,
                                         ManifoldFilter* filter) {
  const FloatEnvironment environment;
  CacheReport report;
  undoable_ = false;
  if (!options_.enabled) {
    passThrough(raw, report);
    return report;
  }
  report.status = checkOrder(poses, recycled);
  if (report.status) report.status = scratch_->raw.collect(raw, poses, options_, tasks);
  if (!report.status) return report;

  if (options_.maxPairs != 0) {
    const std::size_t found = scratch_->raw.size();
    report.pairsOverLimit = scratch_->raw.limit(options_.maxPairs);
    if (report.pairsOverLimit != 0) report.status = overLimit(found, options_.maxPairs);
  }
  Scratch& s = *scratch_;
  s.nextPassed.clear();
  s.merge.run({s.raw, manifolds_.view(), poses, recycled, options_, frame_ + 1}, tasks, s.next,
              report);
  if (filter != nullptr) filter->look({s.next.begin(), s.next.size()});
  s.nextContacts.fit(contacts_.size());
  fitRoom(touching_.size(), s.nextTouching);
  s.emitter.run(s.next.view(), tasks, s.nextContacts, s.nextTouching);
  s.nextBegun.clear();
  s.nextEnded.clear();
  findBegunAndEnded(touching_, s.nextTouching, tasks, s.nextBegun, s.nextEnded);
  // From here on nothing fails.
  swapWithNext();
  begun_.swap(s.nextBegun);
  ended_.swap(s.nextEnded);
  ++frame_;
  report.contactsEmitted = contacts_.size();
  undoable_ = true;
  return report;
}

void ContactManifoldCache::swapWithNext() noexcept {
  manifolds_.swap(scratch_->next);
  passed_.swap(scratch_->nextPassed);
  contacts_.swap(scratch_->nextContacts);
  touching_.swap(scratch_->nextTouching);
}

void ContactManifoldCache::undoUpdate() noexcept {
  if (!undoable_) return;
  undoable_ = false;
  swapWithNext();
  --frame_;
  begun_.clear();
  ended_.clear();
}

void ContactManifoldCache::passThrough(const RawContacts& raw, CacheReport& report) {
  Slots<ContactPlace>& contacts = scratch_->nextContacts;
  Slots<PersistentManifold>& passed = scratch_->nextPassed;
  contacts.clear();
  passed.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    for (const ContactPoint& contact : raw.pointsOf(raw[i])) {
      contacts.append() = {static_cast<std::uint32_t>(passed.size()), 0};
      PersistentManifold& out = passed.append();
      out = {};
      out.key.pair = {raw[i].object1, raw[i].object2};
      out.points[0].contact = contact;
      out.count = 1;
    }
  }
  contacts_.swap(contacts);
  passed_.swap(passed);
  manifolds_.clear();
  touching_.clear();
  begun_.clear();
  ended_.clear();
  report.contactsEmitted = contacts_.size();
}

/// After manifolds were taken out: there is room for the contacts of the others.
void ContactManifoldCache::emitContacts() {
  scratch_->emitter.run(manifolds_.view(), nullptr, contacts_, touching_);
}

Status ContactManifoldCache::restore(std::span<const PersistentManifold> manifolds,
                                     std::uint32_t frame) {
  const auto isSound = [this](const PersistentManifold& m) {
    if (m.count > options_.maxPointsPerPair || m.type > ContactType::Unknown) return false;
    if (!(m.key.pair.first < m.key.pair.second) || !isFinite(m.normal1)) return false;
    const Pose& was = m.detected;
    if (!isFinite(was.rotation.x) || !isFinite(was.rotation.y) || !isFinite(was.rotation.z) ||
        !isFinite(was.translation)) {
      return false;
    }
    for (const PersistentPoint& p : m.getPoints()) {
      const ContactPoint& c = p.contact;
      if (!isFinite(toVec3(c.position)) || !isFinite(toVec3(c.normal)) || !isFinite(c.depth) ||
          !isFinite(p.local1) || !isFinite(p.local2) || !isFinite(toVec3(p.tangentImpulse)) ||
          !isFinite(p.couple) || !isFinite(p.normalImpulse) || p.normalImpulse < 0.0 ||
          !(p.friction >= 0.0) || c.feature1.kind > Feature::Kind::Face ||
          c.feature2.kind > Feature::Kind::Face) {
        return false;
      }
    }
    return true;
  };
  for (std::size_t i = 0; i < manifolds.size(); ++i) {
    if (isSound(manifolds[i]) && (i == 0 || manifolds[i - 1].key < manifolds[i].key)) continue;
    return Status::failure(StatusCode::BadData, "ContactManifoldCache::restore: manifold " +
                                                    std::to_string(i) +
                                                    " is impossible or out of order");
  }
  Scratch& s = *scratch_;
  s.next.clear();
  s.nextPassed.clear();
  for (const PersistentManifold& m : manifolds) s.next.append() = m;
  s.emitter.run(s.next.view(), nullptr, s.nextContacts, s.nextTouching);
  clear();
  swapWithNext();
  frame_ = frame;
  return {};
}

bool ContactManifoldCache::canRecycle(ObjectPair pair, const Pose& pose1, const Pose& pose2) const {
  if (!options_.enabled || options_.recycleDistance == 0.0) return false;
  return hasHardlyMoved(findFirst(pair), pair, pose1, pose2, true);
}

std::size_t ContactManifoldCache::findFirst(ObjectPair pair) const {
  const auto begin = std::lower_bound(
      manifolds_.begin(), manifolds_.end(), pair,
      [](const PersistentManifold& m, const ObjectPair& p) { return m.key.pair < p; });
  return static_cast<std::size_t>(begin - manifolds_.begin());
}

bool ContactManifoldCache::canRecycle(ObjectPair pair, const Pose& pose1, const Pose& pose2,
                                      std::size_t& cursor, bool flatOnly) const {
  if (!options_.enabled || options_.recycleDistance == 0.0) return false;
  while (cursor < manifolds_.size() && manifolds_[cursor].key.pair < pair) ++cursor;
  return hasHardlyMoved(cursor, pair, pose1, pose2, flatOnly);
}

/// Whether all manifolds of a pair, from the first on, may be recycled; false if there is none.
bool ContactManifoldCache::hasHardlyMoved(std::size_t first, ObjectPair pair, const Pose& pose1,
                                          const Pose& pose2, bool flatOnly) const {
  const PersistentManifold* begin = manifolds_.begin() + first;
  if (begin == manifolds_.end() || begin->key.pair != pair) return false;
  const auto isFit = [flatOnly](const PersistentManifold& m) {
    return m.framesSinceSeen == 0 && (m.type == ContactType::Face || !flatOnly);
  };
  if (!isFit(*begin)) return false;
  // As in relative(); what went too far need not be turned.
  const Vec3 place = transposeTimes(pose1.rotation, pose2.translation - pose1.translation);
  if (norm(place - begin->detected.translation) > options_.recycleDistance) return false;
  const Mat3 turned = transposeTimes(pose1.rotation, pose2.rotation);
  // sin a >= a (1 - a^2/6) bounds the angle from its sine.
  const double a = options_.recycleAngle, maxSine = a * (1.0 - a * a / 6.0);
  for (auto m = begin; m != manifolds_.end() && m->key.pair == pair; ++m) {
    if (!isFit(*m)) return false;
    if (norm(place - m->detected.translation) > options_.recycleDistance) return false;
    const Mat3 turn = transposeTimes(m->detected.rotation, turned);
    const Vec3 axis{turn.y.z - turn.z.y, turn.z.x - turn.x.z, turn.x.y - turn.y.x};
    const double trace = (turn.x.x + turn.y.y) + turn.z.z;
    if (trace < 1.0 || 0.5 * norm(axis) > maxSine) return false;
  }
  return true;
}

Status ContactManifoldCache::setImpulse(std::size_t i, double normal,
                                        const Eigen::Vector3d& tangent, double friction,
                                        const Vec3& couple) {
  if (i >= contacts_.size() || !options_.enabled) {
    return Status::failure(StatusCode::OutOfRange,
                           "ContactManifoldCache::setImpulse: contact " + std::to_string(i) +
                               " of " + std::to_string(options_.enabled ? contacts_.size() : 0));
  }
  if (!isFinite(normal) || !isFinite(toVec3(tangent)) || !isFinite(friction) || !isFinite(couple)) {
    return Status::failure(StatusCode::NonFinite,
                           "ContactManifoldCache::setImpulse: contact " + std::to_string(i) +
                               ": expected finite numbers, got normal " + toText(normal) +
                               ", friction " + toText(friction) + ", couple (" + toText(couple.x) +
                               ", " + toText(couple.y) + ", " + toText(couple.z) + ")",
                           getContacts().pairOf(i).first);
  }
  if (normal < 0.0 || friction < 0.0) {
    return Status::failure(StatusCode::OutOfRange,
                           "ContactManifoldCache::setImpulse: contact " + std::to_string(i) +
                               ": expected normal and friction >= 0, got " + toText(normal) +
                               " and " + toText(friction),
                           getContacts().pairOf(i).first);
  }
  storeImpulse(i, normal, tangent, friction);
  manifolds_[contacts_[i].manifold].points[contacts_[i].point].couple = couple;
  return {};
}

std::size_t ContactManifoldCache::forgetObject(ObjectId object) {
  return forgetObjects({&object, 1});
}

std::size_t ContactManifoldCache::forgetObjects(std::span<const ObjectId> objects) {
  const auto isOf = [objects](const ObjectPair& p) {
    return std::binary_search(objects.begin(), objects.end(), p.first) ||
           std::binary_search(objects.begin(), objects.end(), p.second);
  };
  undoable_ = false;
  const std::size_t forgotten =
      manifolds_.eraseIf([&](const PersistentManifold& m) { return isOf(m.key.pair); });
  if (forgotten != 0) emitContacts();
  return forgotten;
}

std::size_t ContactManifoldCache::moveObjects(std::span<const ObjectId> objects,
                                              ContactManifoldCache& to) {
  const auto isOne = [&](ObjectId id) {
    return std::binary_search(objects.begin(), objects.end(), id);
  };
  const auto goes = [&](const PersistentManifold& m) {
    return isOne(m.key.pair.first) || isOne(m.key.pair.second);
  };
  Moved mine, theirs;
  Slots<PersistentManifold>&left = mine.manifolds, &merged = theirs.manifolds;
  std::size_t moved = 0;
  auto there = to.manifolds_.begin();
  for (const PersistentManifold& m : manifolds_) {
    if (!goes(m)) {
      left.append() = m;
      continue;
    }
    if (m.framesSinceSeen != 0) continue;
    while (there != to.manifolds_.end() && there->key < m.key) merged.append() = *there++;
    merged.append() = m;
    ++moved;
  }
  while (there != to.manifolds_.end()) merged.append() = *there++;
  for (Moved* m : {&mine, &theirs}) {
    scratch_->emitter.run(m->manifolds.view(), nullptr, m->contacts, m->touching);
  }
  // From here on nothing fails.
  scratch_->before = std::move(mine);
  to.scratch_->before = std::move(theirs);
  swapWithBefore();
  to.swapWithBefore();
  return moved;
}

void ContactManifoldCache::swapWithBefore() noexcept {
  Moved& before = scratch_->before;
  undoable_ = false;
  manifolds_.swap(before.manifolds);
  passed_.swap(before.passed);
  contacts_.swap(before.contacts);
  touching_.swap(before.touching);
}

void ContactManifoldCache::undoMove(ContactManifoldCache& to) noexcept {
  swapWithBefore();
  to.swapWithBefore();
}

std::size_t ContactManifoldCache::forgetPair(ObjectPair pair) {
  undoable_ = false;
  const std::size_t forgotten =
      manifolds_.eraseIf([&](const PersistentManifold& m) { return m.key.pair == pair; });
  if (forgotten != 0) emitContacts();
  return forgotten;
}

void ContactManifoldCache::renewBuffers() {
  scratch_ = std::make_unique<Scratch>();
  undoable_ = false;
}

void ContactManifoldCache::clear() {
  undoable_ = false;
  manifolds_.clear();
  passed_.clear();
  contacts_.clear();
  touching_.clear();
  begun_.clear();
  ended_.clear();
}

}  // namespace abut::inline v0_1
