// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/manifold/contact_manifold_cache.hpp>

#include "dynamics/own_materials.hpp"
#include "events/touch.hpp"

namespace abut::inline v0_1 {

/// What is kept of bodies asleep, apart from that of bodies awake.
struct SleepState {
  ContactManifoldCache cache;   ///< Their contacts, with impulses.
  std::vector<Touch> touching;  ///< Their pairs that touched, sorted.
  /// Materials as they were in the last step: where they have changed since, bodies wake.
  OwnMaterials materials;
};

}  // namespace abut::inline v0_1
