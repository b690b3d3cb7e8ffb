// SPDX-License-Identifier: MIT
#include "broad_phase/box_store.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Neither NaN nor empty: true for every box that may be stored. No short cuts: the answer is
/// almost always yes.
bool isValid(const Box& box) {
  const Vec3 &lo = box.lo, &hi = box.hi;
  return (lo.x <= hi.x) & (lo.y <= hi.y) & (lo.z <= hi.z) & (lo.x < kInfinity) &
         (lo.y < kInfinity) & (lo.z < kInfinity) & (hi.x > -kInfinity) & (hi.y > -kInfinity) &
         (hi.z > -kInfinity);
}

Status unknown(const char* where, ObjectId id) {
  return Status::failure(
      StatusCode::UnknownObject,
      std::string(where) + ": no object with id " + std::to_string(id) + "; add it first", id);
}

template <typename T>
void makeRoom(std::vector<T>& v) {
  if (v.size() == v.capacity()) v.reserve(v.empty() ? 16 : 2 * v.size());
}

}  // namespace

Status checkBox(const char* where, const Box& box, ObjectId id) {
  if (isValid(box)) return {};
  const double lo[3] = {box.lo.x, box.lo.y, box.lo.z}, hi[3] = {box.hi.x, box.hi.y, box.hi.z};
  int axis = 0;
  while (lo[axis] <= hi[axis] && lo[axis] < kInfinity && hi[axis] > -kInfinity) ++axis;
  const std::string at = std::string(where) + ": box from " + toText(lo[axis]) + " to " +
                         toText(hi[axis]) + " [m] along " + "xyz"[axis];
  if (lo[axis] > hi[axis] && isFinite(lo[axis]) && isFinite(hi[axis])) {
    return Status::failure(StatusCode::OutOfRange, at + " is inverted; expected min <= max", id);
  }
  return Status::failure(StatusCode::NonFinite,
                         at + "; expected numbers (min may be -inf, max may be +inf)", id);
}

Status checkSweep(const char* where, const Sweep& sweep, bool zeroAllowed) {
  Status status = checkBox(where, sweep.box, kNoObject);
  if (!status) return status;
  if (!isFinite(sweep.displacement)) {
    return Status::failure(StatusCode::NonFinite,
                           std::string(where) + ": the direction is not finite");
  }
  if (!zeroAllowed && sweep.displacement == Vec3{}) {
    return Status::failure(
        StatusCode::OutOfRange,
        std::string(where) + ": the direction is zero; expected any other length");
  }
  if (!(sweep.maxFraction >= 0.0)) {
    return Status::failure(
        StatusCode::OutOfRange,
        std::string(where) + ": expected maxFraction >= 0, got " + toText(sweep.maxFraction));
  }
  return {};
}

std::uint32_t BoxStore::slotOf(ObjectId id) const {
  if (next_ < ids_.size() && ids_[next_] == id && id != kNoObject) return next_;
  return index_.find(id);
}

Status BoxStore::add(ObjectId id, const Aabb& aabb) {
  if (id == kNoObject) {
    return Status::failure(StatusCode::OutOfRange, "BroadPhase::add: id 0 means no object");
  }
  if (index_.find(id) != IdIndex::kNone) {
    return Status::failure(
        StatusCode::DuplicateObject,
        "BroadPhase::add: an object with id " + std::to_string(id) + " exists; update it", id);
  }
  const Box box = toBox(aabb);
  if (Status status = checkBox("BroadPhase::add", box, id); !status) return status;
  if (ids_.size() >= IdIndex::kNone) {
    return Status::failure(StatusCode::LimitExceeded, "BroadPhase::add: 2^32 - 1 objects at most",
                           id);
  }
  // All that can throw comes before the first change.
  makeRoom(ids_);
  makeRoom(boxes_);
  index_.reserve(size() + 1);
  const bool inOrder = sorted_ == ids_.size() && (ids_.empty() || ids_.back() < id);
  index_.insert(id, static_cast<std::uint32_t>(ids_.size()));
  ids_.push_back(id);
  boxes_.push_back(box);
  if (inOrder && holes_ == 0) sorted_ = ids_.size();
  return {};
}

Status BoxStore::update(ObjectId id, const Aabb& aabb, bool& changed) {
  const std::uint32_t slot = slotOf(id);
  if (slot == IdIndex::kNone) return unknown("BroadPhase::update", id);
  const Box box = toBox(aabb);
  if (!isValid(box)) return checkBox("BroadPhase::update", box, id);
  changed = !(box == boxes_[slot]);
  boxes_[slot] = box;
  next_ = slot + 1;
  return {};
}

Status BoxStore::remove(ObjectId id) {
  const std::uint32_t slot = index_.find(id);
  if (slot == IdIndex::kNone) return unknown("BroadPhase::remove", id);
  index_.erase(id);
  ids_[slot] = kNoObject;
  ++holes_;
  return {};
}

void BoxStore::clear() {
  ids_.clear();
  boxes_.clear();
  index_.clear();
  sorted_ = holes_ = 0;
  next_ = 0;
}

Status BoxStore::getBox(ObjectId id, Aabb& box) const {
  const std::uint32_t slot = index_.find(id);
  if (slot == IdIndex::kNone) return unknown("BroadPhase::getBox", id);
  const Box& b = boxes_[slot];
  box = Aabb({b.lo.x, b.lo.y, b.lo.z}, {b.hi.x, b.hi.y, b.hi.z});
  return {};
}

void BoxStore::order() {
  if (holes_ == 0 && sorted_ == ids_.size()) return;
  tail_.reserve(ids_.size() - sorted_);  // Throws, if at all, before the first change.
  closeHoles();
  mergeTail();
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    index_.assign(ids_[i], static_cast<std::uint32_t>(i));
  }
}

void BoxStore::closeHoles() {
  if (holes_ == 0) return;
  std::size_t kept = 0, keptSorted = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (i == sorted_) keptSorted = kept;
    if (ids_[i] == kNoObject) continue;
    ids_[kept] = ids_[i];
    boxes_[kept] = boxes_[i];
    ++kept;
  }
  sorted_ = sorted_ == ids_.size() ? kept : keptSorted;
  ids_.resize(kept);
  boxes_.resize(kept);
  holes_ = 0;
}

void BoxStore::mergeTail() {
  tail_.clear();
  for (std::size_t i = sorted_; i < ids_.size(); ++i) tail_.push_back({ids_[i], boxes_[i]});
  std::sort(tail_.begin(), tail_.end(), [](const Item& a, const Item& b) { return a.id < b.id; });
  std::size_t front = sorted_, back = tail_.size();
  for (std::size_t out = ids_.size(); back > 0; --out) {
    if (front > 0 && ids_[front - 1] > tail_[back - 1].id) {
      --front;
      ids_[out - 1] = ids_[front];
      boxes_[out - 1] = boxes_[front];
    } else {
      --back;
      ids_[out - 1] = tail_[back].id;
      boxes_[out - 1] = tail_[back].box;
    }
  }
  sorted_ = ids_.size();
}

void BoxStore::overlapLinear(const Box& box, std::vector<ObjectId>& ids) const {
  ids.clear();
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (ids_[i] != kNoObject && overlaps(box, boxes_[i])) ids.push_back(ids_[i]);
  }
  std::sort(ids.begin(), ids.end());
}

void BoxStore::raycastLinear(const Sweep& ray, std::vector<RayCandidate>& candidates) const {
  candidates.clear();
  RayCandidate candidate;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    candidate.id = ids_[i];
    if (ids_[i] != kNoObject && sweepHits(ray, boxes_[i], candidate.entry)) {
      candidates.push_back(candidate);
    }
  }
  std::sort(candidates.begin(), candidates.end(), candidateLess);
}

void BoxStore::sweepLinear(const Sweep& sweep, std::vector<ObjectId>& ids) const {
  ids.clear();
  double entry;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (ids_[i] != kNoObject && sweepHits(sweep, boxes_[i], entry)) ids.push_back(ids_[i]);
  }
  std::sort(ids.begin(), ids.end());
}

}  // namespace abut::inline v0_1
