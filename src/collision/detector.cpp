// SPDX-License-Identifier: MIT
#include "collision/detector.hpp"

#include <algorithm>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "dynamics/index_near.hpp"
#include "narrow_phase/dispatch/apart.hpp"
#include "narrow_phase/dispatch/collide_sound.hpp"

namespace abut::inline v0_1 {
namespace {

/// Bodies that a thread takes at once.
constexpr std::size_t kBodyGrain = 128;

/// The normal of a pair's first manifold, as body 1 has turned since it was detected; false if
/// there is none. `cursor` goes along with the pairs.
bool findNormal(const ContactManifoldCache& cache, ObjectPair pair, const Pose& pose1,
                std::size_t& cursor, Vec3& normal) {
  const std::span<const PersistentManifold> known = cache.getManifolds();
  while (cursor < known.size() && known[cursor].key.pair < pair) ++cursor;
  if (cursor == known.size() || known[cursor].key.pair != pair) return false;
  normal = pose1.rotation * known[cursor].normal1;
  return true;
}

/// Whether the balls around two bodies are farther apart than the margin, so that there is nothing
/// to be found; in boxes that meet this is often so.
bool areBallsApart(const Pose& a, double radiusA, const Pose& b, double radiusB, double margin) {
  constexpr double kRounding = 1e-9;
  const double reach = (radiusA + radiusB) * (1.0 + kRounding) + margin;
  return squaredNorm(a.translation - b.translation) > reach * reach;
}

}  // namespace

/// Where a body's shape is, and how far it reaches in the step.
void Detector::place(const StepInput& in, const StepMotion& motion, std::size_t i, double dt) {
  const BodyFacts& f = in.bodies.facts[i];
  if (!f.shape) return;
  found_.placed[i] = {f.shape.get(), in.bodies.shapePoseOf(i), f.id};
  radii_[i] = f.shape->boundingRadius();
  found_.margins[i] = reachOf(in, f, motion.startVelocity[i], dt);
}

double Detector::reachOf(const StepInput& in, const BodyFacts& f, const BodyVelocity& v,
                         double dt) {
  const double fall = 0.5 * norm(in.gravity) * dt * dt;
  double reach = in.detectionMargin + norm(v.linear) * dt;
  const double spin = norm(v.angular);
  const double radius = f.shape->boundingRadius();
  if (spin > 0.0 && isFinite(radius)) reach += spin * radius * dt;
  if (f.type == BodyType::Dynamic) reach += absOf(f.gravityScale) * fall;
  return reach;
}

/// Pairs of bodies of which none is this rank's own: other ranks have them.
void Detector::dropForeign(const StepInput& in) {
  const auto isOwn = [&in](ObjectId id) {
    const std::size_t i = in.bodies.indexOf(id);
    return in.bodies.facts[i].type == BodyType::Dynamic && in.division->isMine(i);
  };
  std::erase_if(found_.pairs,
                [&](const ObjectPair& p) { return !isOwn(p.first) && !isOwn(p.second); });
}

Aabb Detector::boxOf(const StepInput& in, std::size_t i) const {
  Aabb box = in.bodies.facts[i].shape->computeAabb(found_.placed[i].pose);
  box.expand(found_.margins[i]);
  return box;
}

Status Detector::updateBox(const StepInput& in, std::size_t i) {
  noteBox(in, i);
  return awake.update(in.bodies.ids[i], boxes_[i]);
}

/// The box of a body that was placed. What moves little may have one for long that is wider by
/// what it moves in some steps, but not by its size.
void Detector::noteBox(const StepInput& in, std::size_t i) {
  constexpr double kSteps = 3.0;
  boxes_[i] = boxOf(in, i);
  present_[i] = 1;
  slack_[i] = minOf(kSteps * found_.margins[i], radii_[i]);
}

Status Detector::findPairs(const StepInput& in, std::size_t limit) {
  Status status;
  if (in.division == nullptr && limit == kNoLimit) {
    status = near_pairs_.find({in.bodies.ids, boxes_, present_, slack_}, in.tasks, found_.pairs);
  } else {
    status = updateTree(in);
    if (status) awake.computePotentialPairs(found_.pairs, in.tasks, limit);
  }
  if (!status) return status;
  in.bodies.dropForbidden(found_.pairs);
  if (in.division != nullptr) dropForeign(in);
  return status;
}

/// The box that a body at rest has in a step.
Aabb Detector::restingBox(const StepInput& in, std::size_t i, double dt) {
  const BodyFacts& f = in.bodies.facts[i];
  const double fall = 0.5 * norm(in.gravity) * dt * dt;
  const double own = f.type == BodyType::Dynamic ? absOf(f.gravityScale) * fall : 0.0;
  Aabb box = f.shape->computeAabb(in.bodies.shapePoseOf(i));
  box.expand(in.detectionMargin + own);
  return box;
}

void Detector::reset() {
  knows_boxes_ = has_new_boxes_ = false;
  awake.reset();
  asleep.reset();
  found_ = {};
  pairs_found_ = {};
  parts_ = {};
  near_pairs_.reset();
  boxes_.clear();
  present_.clear();
  slack_.clear();
  first_.clear();
  held_.clear();
  hits_.clear();
  near_.clear();
}

Status Detector::placeAtRest(const StepInput& in, double dt) {
  knows_boxes_ = false;
  awake.clear();
  Status status;
  for (std::size_t i = 0; i < in.bodies.size() && status; ++i) {
    const BodyFacts& f = in.bodies.facts[i];
    if (f.shape && !in.bodies.rest[i].isAsleep()) status = awake.add(f.id, restingBox(in, i, dt));
  }
  return status ? placeSleepers(in, dt) : status;
}

Status Detector::placeSleepers(const StepInput& in, double dt) {
  knows_boxes_ = false;
  asleep.clear();
  Status status;
  for (std::size_t i = 0; i < in.bodies.size() && status; ++i) {
    const BodyFacts& f = in.bodies.facts[i];
    if (f.shape && in.bodies.rest[i].isAsleep()) status = asleep.add(f.id, restingBox(in, i, dt));
  }
  if (!status) return status;
  asleep.prepare();
  knows_boxes_ = true;
  return status;
}

void Detector::moveBox(ObjectId id, const Aabb& box, BvhBroadPhase& from,
                       BvhBroadPhase& to) noexcept {
  if (!knows_boxes_) return;
  try {
    knows_boxes_ = static_cast<bool>(from.remove(id)) && static_cast<bool>(to.add(id, box));
  } catch (...) {  // Out of memory; boxes follow from the bodies and are made anew when needed.
    knows_boxes_ = false;
  }
}

void Detector::removeBox(ObjectId id) noexcept {
  if (!knows_boxes_) return;
  knows_boxes_ = awake.contains(id);  // A message would take memory.
  if (knows_boxes_) knows_boxes_ = static_cast<bool>(awake.remove(id));
}

/// Which contacts of a pair that hardly moved may be those of an earlier step, in real time. They
/// hold all points within twice the margin: with a way of up to one margin, and what the cache
/// allows, in the step, no other point comes to touch. Contacts are no farther from a body's middle
/// than the smaller of the two reaches; where the angle that the cache allows moves them by more
/// than the margin, they are detected anew. Where the way that it allows is not small beside a
/// body, surfaces may bend: then flat contacts only. Not asked of spheres, which are detected in
/// less time.
Detector::Recycling Detector::mayRecycle(const StepInput& in, const ContactManifoldCache& cache,
                                         std::size_t i, std::size_t j) const {
  constexpr double kSmallWay = 4e-3;  // d^2 / 2R is 8e-6 R then.
  const double reach = minOf(radii_[i], radii_[j]);
  const ContactManifoldCacheOptions& options = cache.getOptions();
  if (!(found_.margins[i] + found_.margins[j] <= 3.0 * in.detectionMargin) ||
      !(reach * options.recycleAngle <= 0.5 * in.detectionMargin)) {
    return Recycling::None;
  }
  return options.recycleDistance <= kSmallWay * reach ? Recycling::All : Recycling::Flat;
}

Status Detector::placeAll(const StepInput& in, const StepMotion& motion) {
  const std::size_t n = in.bodies.size();
  found_.margins.resize(n);
  found_.placed.resize(n);
  radii_.resize(n);
  boxes_.resize(n);
  present_.resize(n);
  slack_.resize(n);
  const auto isAwake = [&](std::size_t i) {
    return in.bodies.facts[i].shape && !in.bodies.rest[i].isAsleep();
  };
  forChunks(in.tasks, n, kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      present_[i] = 0;
      if (!isAwake(i)) continue;
      place(in, motion, i, in.dt);
      noteBox(in, i);
    }
  });
  has_new_boxes_ = true;
  return {};
}

/// Gives the boxes of this step to the tree of those awake.
Status Detector::updateTree(const StepInput& in) {
  Status status;
  for (std::size_t i = 0; i < present_.size() && status && has_new_boxes_; ++i) {
    if (present_[i] != 0) status = awake.update(in.bodies.ids[i], boxes_[i]);
  }
  has_new_boxes_ = has_new_boxes_ && !status;
  return status;
}

/// Whether a pair is apart along the direction that the last step found; `cursor` goes along with
/// the pairs. No answer depends on what is remembered: a direction proves it, or does not.
bool Detector::isStillApart(const ObjectPair& pair, std::size_t i, std::size_t j, double margin,
                            std::size_t& cursor) const {
  constexpr double kBeyondRounding = 1e-9;
  while (cursor < apart_.size() && apart_[cursor].pair < pair) ++cursor;
  if (cursor == apart_.size() || apart_[cursor].pair != pair) return false;
  const PlacedShape &a = found_.placed[i], &b = found_.placed[j];
  return areApart(*a.shape, a.pose, *b.shape, b.pose, apart_[cursor].direction,
                  margin + kBeyondRounding * (radii_[i] + radii_[j]));
}

/// The contacts of some pairs. Those of one part are looked up in the cache one after the other.
Status Detector::visitPairs(const StepInput& in, const StepMotion& motion,
                            const ContactManifoldCache& cache, std::size_t begin, std::size_t end,
                            PairsFound<FastPair>& found) const {
  const BodyTable& bodies = in.bodies;
  CollisionOption option;
  thread_local CollisionResult one;  // Of a pair.
  const bool isStandard = FloatEnvironment::isStandardHere();
  std::size_t cursor = 0, apart = 0;
  if (begin != 0) {
    cursor = cache.findFirst(found_.pairs[begin]);
    apart = static_cast<std::size_t>(
        std::lower_bound(apart_.begin(), apart_.end(), found_.pairs[begin],
                         [](const PairApart& a, const ObjectPair& p) { return a.pair < p; }) -
        apart_.begin());
  }
  for (std::size_t k = begin; k < end; ++k) {
    const ObjectPair& pair = found_.pairs[k];
    const std::size_t i = indexNear(bodies, pair.first), j = indexNear(bodies, pair.second);
    const BodyType typeF = bodies.facts[i].type, typeG = bodies.facts[j].type;
    if (typeF != BodyType::Dynamic && typeG != BodyType::Dynamic) continue;
    if (in.keepsApart(pair)) continue;
    option.margin = in.speculative ? found_.margins[i] + found_.margins[j] : 0.0;
    if (in.speculative && mayBeFast(i, j) && isFast(in, motion, i, j)) {
      found.fast.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
      continue;
    }
    const PlacedShape &object1 = found_.placed[i], &object2 = found_.placed[j];
    const ShapeType type1 = object1.shape->getType(), type2 = object2.shape->getType();
    const bool isSearched = isSearchedPair(type1, type2);
    if (isSearched && isStillApart(pair, i, j, option.margin, apart)) {
      found.apart.push_back(apart_[apart]);
      continue;
    }
    if (in.recycles && type1 != ShapeType::Sphere && type2 != ShapeType::Sphere) {
      const Recycling recycling = mayRecycle(in, cache, i, j);
      if (recycling != Recycling::None && cache.canRecycle(pair, object1.pose, object2.pose, cursor,
                                                           recycling == Recycling::Flat)) {
        found.recycled.push_back(pair);
        continue;
      }
    }
    if (areBallsApart(object1.pose, radii_[i], object2.pose, radii_[j], option.margin)) continue;
    one.clear();
    if (isSearched) {
      PairApart proof{pair, {}};
      Vec3 start;
      const bool isKnown = in.recycles && findNormal(cache, pair, object1.pose, cursor, start);
      if (!collideSearched(object1, object2, option.margin, isKnown ? &start : nullptr, one,
                           proof.direction)) {
        found.apart.push_back(proof);
      }
    } else if (!isStandard || !collideAtOnce(object1, object2, option, one)) [[unlikely]] {
      const Status status = collideSound(object1, object2, option, one);
      if (!status) return status;
    }
    found.manifolds.add(one.getManifolds());
  }
  return {};
}

Status Detector::findContacts(const StepInput& in, const StepMotion& motion,
                              const ContactManifoldCache& cache) {
  found_.fastManifolds.clear();
  found_.fastHits.clear();
  const auto exchange = [this] {
    std::swap(found_.manifolds, pairs_found_.manifolds);
    found_.recycled.swap(pairs_found_.recycled);
    found_.fastPairs.swap(pairs_found_.fast);
  };
  exchange();  // The same memory in every step.
  if (in.room != nullptr) in.room->beginStage();
  Status status = parts_.run(found_.pairs.size(), in.tasks, in.room, pairs_found_,
                             [&](std::size_t begin, std::size_t end, PairsFound<FastPair>& found) {
                               return visitPairs(in, motion, cache, begin, end, found);
                             });
  if (in.division != nullptr) status = in.halo()->agree(status);
  if (!status) return status;
  exchange();
  apart_.swap(pairs_found_.apart);
  status = findFastHits(in, motion);
  if (!status) return status;
  listPoses(in);
  return {};
}

/// The poses of all that is awake, by id.
void Detector::listPoses(const StepInput& in) {
  const BodyTable& bodies = in.bodies;
  RoomList<ObjectPose>& poses = found_.cachePoses;
  const auto isThere = [&](std::size_t i) {
    return bodies.facts[i].shape && !bodies.rest[i].isAsleep();
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) count += isThere(i) ? 1 : 0;
  poses.take(in.room, count);
  if (count == bodies.size()) {
    forChunks(in.tasks, count, kBodyGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        poses[i] = {bodies.ids[i], found_.placed[i].pose};
      }
    });
    return;
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (isThere(i)) poses[at++] = {bodies.ids[i], found_.placed[i].pose};
  }
}

Status Detector::findNear(const StepInput& in, const StepMotion& motion, const Aabb& box,
                          const Vec3& way, std::vector<ObjectId>& near) {
  Status status = updateTree(in);
  if (!status) return status;
  awake.prepare();
  status = awake.sweep(box, toEigen(way), near);
  if (!status) return status;
  status = asleep.sweep(box, toEigen(way), near_);
  for (const ObjectId id : near_) place(in, motion, in.bodies.indexOf(id), 0.0);
  near.insert(near.end(), near_.begin(), near_.end());
  return status;
}

}  // namespace abut::inline v0_1
