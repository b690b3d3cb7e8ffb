// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/ledger/ledger.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/world/world.hpp>

#include "dynamics/body_table.hpp"
#include "events/touch.hpp"

namespace abut {

/// What is kept of bodies asleep, apart from that of bodies awake.
struct SleepState {
  ContactManifoldCache cache;   ///< Their contacts, with impulses.
  std::vector<Touch> touching;  ///< Their pairs that touched, sorted.
  /// Materials as they were in the last step: where they have changed since, bodies wake.
  MaterialTable materials;
};

/// All that the future of a world depends on, and nothing else: what a snapshot holds and the hash
/// covers (visitState() is the walk through it). A step changes it when nothing can fail any more;
/// a copy is a world to go back to.
struct PersistentState {
  WorldOptions options;
  MaterialTable materials;
  BodyTable bodies;
  ObjectId nextId = 1;
  double time = 0.0;
  std::uint64_t steps = 0;
  double lastStep = 0.0;
  ContactManifoldCache cache;   ///< Contacts of bodies awake.
  std::vector<Touch> touching;  ///< Pairs that touched in the last step, sorted; of bodies awake.
  EnergyAccount total;
  SleepState asleep;
};

}  // namespace abut
