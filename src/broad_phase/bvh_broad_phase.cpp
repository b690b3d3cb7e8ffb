// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/core/float_environment.hpp>

#include "broad_phase/box_store.hpp"
#include "broad_phase/curve_order.hpp"
#include "broad_phase/pair_search.hpp"
#include "broad_phase/size_classes.hpp"
#include "core/guard.hpp"

namespace abut::inline v0_1 {
namespace {

/// Parts of the search, and objects, that a thread takes at once.
constexpr std::size_t kTaskGrain = 8;
constexpr std::uint32_t kObjectGrain = 64;

double middle(double lo, double hi) {
  return clampTo(lo, -kWildCoordinate, kWildCoordinate) * 0.5 +
         clampTo(hi, -kWildCoordinate, kWildCoordinate) * 0.5;
}

/// A place in the midst of the boxes, so that floats relative to it are precise: the median in each
/// coordinate of a few boxes' centres. Only speed depends on it.
Vec3 chooseOrigin(const std::vector<Box>& boxes) {
  constexpr std::size_t kSamples = 31;
  double x[kSamples], y[kSamples], z[kSamples];
  const std::size_t count = std::min(kSamples, boxes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Box& box = boxes[i * boxes.size() / count];
    x[i] = middle(box.lo.x, box.hi.x);
    y[i] = middle(box.lo.y, box.hi.y);
    z[i] = middle(box.lo.z, box.hi.z);
  }
  for (double* values : {x, y, z}) std::sort(values, values + count);
  return {x[count / 2], y[count / 2], z[count / 2]};
}

}  // namespace

struct BvhBroadPhase::Impl {
  BoxStore store;
  bool fresh = true;  // The trees stand for the boxes in the store.
  Vec3 origin;
  SizeClasses classes;
  CurveOrder curve;
  BoxTree trees[SizeClasses::kNumClasses];
  std::vector<PairTask> tasks;
  std::vector<PairList> lists;  // Of each part of the tasks.
  PairSorter sorter;

  void build();
  void plan();
  void search(const PairTask& task, PairSearch& search) const;
  template <typename Accept, typename Found>
  void visit(Accept&& accept, Found&& found) const {
    for (const BoxTree& tree : trees) tree.visit(origin, accept, found);
  }
};

void BvhBroadPhase::Impl::build() {
  if (fresh) return;
  store.order();
  const std::vector<Box>& boxes = store.getBoxes();
  if (!boxes.empty()) origin = chooseOrigin(boxes);
  classes.assign(boxes, origin);
  for (int c = 0; c < SizeClasses::kNumClasses; ++c) {
    trees[c].build(curve.sort(classes.getSlots(c), classes.getFloats()), classes.getFloats());
  }
  fresh = true;
}

/// All parts of the search for pairs.
void BvhBroadPhase::Impl::plan() {
  tasks.clear();
  for (std::uint32_t c = 0; c < SizeClasses::kNumClasses; ++c) {
    PairSearch::plan(trees[c], c, tasks);
    const auto objects = static_cast<std::uint32_t>(trees[c].getSlots().size());
    for (std::uint32_t smaller = 0; smaller < c; ++smaller) {
      if (trees[smaller].empty()) continue;
      for (std::uint32_t first = 0; first < objects; first += kObjectGrain) {
        tasks.push_back({c, smaller, first, std::min(first + kObjectGrain, objects)});
      }
    }
  }
}

void BvhBroadPhase::Impl::search(const PairTask& task, PairSearch& search) const {
  const BoxTree& tree = trees[task.tree];
  if (task.tree == task.other) {
    return search.within(tree, task.tree == SizeClasses::kWildClass, task);
  }
  for (std::uint32_t i = task.first; i < task.second; ++i) {
    const std::uint32_t slot = tree.getSlots()[i];
    search.between(slot, classes.getFloats()[slot], trees[task.other]);
  }
}

BvhBroadPhase::BvhBroadPhase() : impl_(std::make_unique<Impl>()) {}
BvhBroadPhase::~BvhBroadPhase() = default;

Status BvhBroadPhase::add(ObjectId id, const Aabb& box) try {
  const FloatEnvironment environment;
  Status status = impl_->store.add(id, box);
  if (status) impl_->fresh = false;
  return status;
} catch (...) {
  return statusOfException();
}

Status BvhBroadPhase::update(ObjectId id, const Aabb& box) try {
  const FloatEnvironment environment;
  bool changed = false;
  Status status = impl_->store.update(id, box, changed);
  if (changed) impl_->fresh = false;
  return status;
} catch (...) {
  return statusOfException();
}

Status BvhBroadPhase::remove(ObjectId id) try {
  Status status = impl_->store.remove(id);
  if (status) impl_->fresh = false;
  return status;
} catch (...) {
  return statusOfException();
}

void BvhBroadPhase::clear() {
  impl_->store.clear();
  impl_->fresh = false;
}

void BvhBroadPhase::reset() {
  impl_ = std::make_unique<Impl>();
}

std::size_t BvhBroadPhase::size() const {
  return impl_->store.size();
}

bool BvhBroadPhase::contains(ObjectId id) const {
  return impl_->store.contains(id);
}

Status BvhBroadPhase::getBox(ObjectId id, Aabb& box) const try {
  return impl_->store.getBox(id, box);
} catch (...) {
  return statusOfException();
}

void BvhBroadPhase::prepare() {
  const FloatEnvironment environment;
  impl_->build();
}

void BvhBroadPhase::computePotentialPairs(std::vector<ObjectPair>& pairs) {
  computePotentialPairs(pairs, nullptr);
}

void BvhBroadPhase::computePotentialPairs(std::vector<ObjectPair>& pairs, TaskRunner* tasks,
                                          std::size_t limit) {
  const FloatEnvironment environment;
  Impl& impl = *impl_;
  impl.build();
  impl.plan();
  // One list where one thread does all of it.
  const std::size_t grain = tasks == nullptr ? impl.tasks.size() + 1 : kTaskGrain;
  const std::size_t lists = (impl.tasks.size() + grain - 1) / grain;
  if (impl.lists.size() < lists) impl.lists.resize(lists);
  forChunks(tasks, impl.tasks.size(), grain, [&](std::size_t begin, std::size_t end) {
    PairList& list = impl.lists[begin / grain];
    list.clear(limit);
    PairSearch search(impl.store.getBoxes(), list);
    for (std::size_t i = begin; i < end; ++i) impl.search(impl.tasks[i], search);
  });
  impl.sorter.run(std::span(impl.lists).first(lists), impl.store.getIds(), tasks, limit, pairs);
  for (PairList& list : impl.lists) list.trim();
}

Status BvhBroadPhase::overlap(const Aabb& aabb, std::vector<ObjectId>& ids) const try {
  const FloatEnvironment environment;
  const Box box = toBox(aabb);
  Status status = checkBox("BroadPhase::overlap", box, kNoObject);
  if (!status) return status;
  const Impl& impl = *impl_;
  if (!impl.fresh) {
    impl.store.overlapLinear(box, ids);
    return status;
  }
  ids.clear();
  impl.visit([&](const Box& bounds) { return overlaps(box, bounds); },
             [&](std::uint32_t slot) {
               if (overlaps(box, impl.store.getBoxes()[slot]))
                 ids.push_back(impl.store.getIds()[slot]);
             });
  std::sort(ids.begin(), ids.end());
  return status;
} catch (...) {
  return statusOfException();
}

Status BvhBroadPhase::raycast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                              double maxFraction, std::vector<RayCandidate>& candidates) const try {
  const FloatEnvironment environment;
  const Sweep ray{
      toBox({origin, origin}), {direction.x(), direction.y(), direction.z()}, maxFraction};
  Status status = checkSweep("BroadPhase::raycast", ray, false);
  if (!status) return status;
  const Impl& impl = *impl_;
  if (!impl.fresh) {
    impl.store.raycastLinear(ray, candidates);
    return status;
  }
  candidates.clear();
  double entry = 0.0;
  impl.visit([&](const Box& bounds) { return sweepHits(ray, bounds, entry); },
             [&](std::uint32_t slot) {
               if (sweepHits(ray, impl.store.getBoxes()[slot], entry))
                 candidates.push_back({entry, impl.store.getIds()[slot]});
             });
  std::sort(candidates.begin(), candidates.end(), candidateLess);
  return status;
} catch (...) {
  return statusOfException();
}

Status BvhBroadPhase::sweep(const Aabb& box, const Eigen::Vector3d& displacement,
                            std::vector<ObjectId>& ids) const try {
  const FloatEnvironment environment;
  const Sweep sweep{toBox(box), {displacement.x(), displacement.y(), displacement.z()}, 1.0};
  Status status = checkSweep("BroadPhase::sweep", sweep, true);
  if (!status) return status;
  const Impl& impl = *impl_;
  if (!impl.fresh) {
    impl.store.sweepLinear(sweep, ids);
    return status;
  }
  ids.clear();
  double entry = 0.0;
  impl.visit([&](const Box& bounds) { return sweepHits(sweep, bounds, entry); },
             [&](std::uint32_t slot) {
               if (sweepHits(sweep, impl.store.getBoxes()[slot], entry))
                 ids.push_back(impl.store.getIds()[slot]);
             });
  std::sort(ids.begin(), ids.end());
  return status;
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
