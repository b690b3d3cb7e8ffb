// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/tasks.hpp>

#include "manifold/merge.hpp"

namespace abut::inline v0_1 {

/// What ManifoldMerge merges.
struct MergeInput {
  const RawGroups& raw;
  std::span<const PersistentManifold> old;  ///< Sorted by key.
  std::span<const ObjectPose> poses;        ///< Sorted by id.
  std::span<const ObjectPair> recycled;     ///< Sorted.
  const ContactManifoldCacheOptions& options;
  std::uint32_t frame = 0;
};

/// All manifolds of an update, from those of the last and what the narrow phase saw; sorted by key.
///
/// Both lists are cut at the same pairs, so that their parts are merged on as many threads as there
/// are. Where manifolds are limited in number they are merged one after the other.
class ManifoldMerge {
public:
  void run(const MergeInput& input, TaskRunner* tasks, Slots<PersistentManifold>& next,
           CacheReport& report);

private:
  /// Groups and earlier manifolds of the same pairs.
  struct Part {
    std::size_t firstGroup = 0, endGroup = 0, firstOld = 0, endOld = 0;
    std::size_t firstRecycled = 0;
    std::size_t firstOut = 0, numOut = 0;
    CacheReport report;
    MergeScratch scratch;
  };

  void cut(const MergeInput& input);
  static void count(const MergeInput& input, Part& part);
  template <class Append>
  static void merge(const MergeInput& input, Part& part, std::size_t room, Append&& append);
  void closeGaps(Slots<PersistentManifold>& next) const;

  std::vector<Part> parts_;
  std::size_t num_parts_ = 0;
};

}  // namespace abut::inline v0_1
