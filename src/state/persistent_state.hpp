// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/ledger/ledger.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/state/world_options.hpp>

#include "dynamics/body_table.hpp"
#include "dynamics/own_materials.hpp"
#include "events/sensed.hpp"
#include "events/touch.hpp"
#include "joints/joint_table.hpp"
#include "sleep/sleep_state.hpp"

namespace abut::inline v0_1 {

/// All that the future of a world depends on, and nothing else: what a snapshot holds and the hash
/// covers (visitState() is the walk through it). A step changes it when nothing can fail any more;
/// a copy is a world to go back to.
struct PersistentState {
  WorldOptions options;
  OwnMaterials materials;
  BodyTable bodies;
  JointTable joints;
  ObjectId nextId = 1;
  double time = 0.0;
  std::uint64_t steps = 0;
  double lastStep = 0.0;
  ContactManifoldCache cache;   ///< Contacts of bodies awake.
  std::vector<Touch> touching;  ///< Pairs that touched in the last step, sorted; of bodies awake.
  std::vector<Sensed> sensed;   ///< Bodies that are in sensors, sorted by (sensor, body).
  EnergyAccount total;
  SleepState asleep;
};

/// Throws abut::Error for an option that is out of its range.
void requireInRange(const WorldOptions& options);

}  // namespace abut::inline v0_1
