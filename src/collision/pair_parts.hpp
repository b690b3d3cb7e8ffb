// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>
#include <abut/core/tasks.hpp>
#include <abut/math/types.hpp>

#include "manifold/raw_contacts.hpp"

namespace abut::inline v0_1 {

/// A pair that took a search to prove apart.
struct PairApart {
  ObjectPair pair;
  Vec3 direction;  ///< Unit, from object 2 to object 1: along it they are apart by the margin.
};

/// What came of a part of the pairs, in their order. `Fast` is what is kept of fast pairs.
template <class Fast>
struct PairsFound {
  RawContacts manifolds;
  std::vector<ObjectPair> recycled;
  std::vector<Fast> fast;
  std::vector<PairApart> apart;

  /// Empty; manifolds are in a room, if there is one.
  void start(StageRoom* room) {
    manifolds.start(room, manifolds.size() + manifolds.size() / 16,
                    manifolds.numPoints() + manifolds.numPoints() / 16);
    clearLists();
  }
  void clear() {
    manifolds.clear();
    clearLists();
  }

private:
  void clearLists() {
    apart.clear();
    recycled.clear();
    fast.clear();
  }
};

/// Goes through pairs in parts, on as many threads as there are, and joins what they find in the
/// order of the pairs.
template <class Fast>
class PairParts {
public:
  /// Calls visit(begin, end, found), which returns a Status, for parts of [0, count); `all` becomes
  /// what they found. Fails with the failure of the first pair that failed.
  template <class Visit>
  Status run(std::size_t count, TaskRunner* tasks, StageRoom* room, PairsFound<Fast>& all,
             Visit&& visit) {
    all.start(room);
    if (tasks == nullptr || count <= kGrain) return visit(std::size_t{0}, count, all);
    const std::size_t parts = (count + kGrain - 1) / kGrain;
    if (parts_.size() < parts) parts_.resize(parts);
    forChunks(tasks, count, kGrain, [&](std::size_t begin, std::size_t end) {
      Part& part = parts_[begin / kGrain];
      part.found.clear();
      part.status = visit(begin, end, part.found);
    });
    std::size_t total = 0, points = 0;
    for (std::size_t i = 0; i < parts; ++i) {
      Part& part = parts_[i];
      if (!part.status) return part.status;
      part.first = total;
      part.firstPoint = points;
      total += part.found.manifolds.size();
      points += part.found.manifolds.numPoints();
      all.recycled.insert(all.recycled.end(), part.found.recycled.begin(),
                          part.found.recycled.end());
      all.fast.insert(all.fast.end(), part.found.fast.begin(), part.found.fast.end());
      all.apart.insert(all.apart.end(), part.found.apart.begin(), part.found.apart.end());
    }
    all.manifolds.resize(total, points);
    forChunks(tasks, parts, 1, [&](std::size_t i, std::size_t) {
      const Part& part = parts_[i];
      all.manifolds.put(part.found.manifolds, part.first, part.firstPoint);
    });
    return {};
  }

private:
  /// Pairs that a thread takes at once.
  static constexpr std::size_t kGrain = 64;

  struct Part {
    PairsFound<Fast> found;
    Status status;
    std::size_t first = 0, firstPoint = 0;  ///< Of its manifolds and points among all.
  };

  std::vector<Part> parts_;
};

}  // namespace abut::inline v0_1
