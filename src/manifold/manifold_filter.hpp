// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <abut/manifold/persistent_manifold.hpp>

namespace abut::inline v0_1 {

/// Looks at the manifolds of an update of a ContactManifoldCache before their points become its
/// contacts, and may clear PersistentPoint::emitted: what is left out stays known. It changes
/// nothing else, and what it does follows from these manifolds alone.
class ManifoldFilter {
public:
  ManifoldFilter() = default;
  ManifoldFilter(const ManifoldFilter&) = delete;
  ManifoldFilter& operator=(const ManifoldFilter&) = delete;
  virtual ~ManifoldFilter() = default;
  /// Sorted by key.
  virtual void look(std::span<PersistentManifold> manifolds) = 0;
};

}  // namespace abut::inline v0_1
