// SPDX-License-Identifier: MIT
#pragma once

#include <abut/state/option_list.hpp>

#include "dynamics/visit_bodies.hpp"
#include "joints/visit_joints.hpp"
#include "ledger/visit_account.hpp"
#include "manifold/visit_manifolds.hpp"
#include "math/archive.hpp"
#include "state/persistent_state.hpp"

namespace abut::inline v0_1 {

// What the future of a world depends on, apart from the geometry of shapes, which their digests
// stand for. The same walk writes a snapshot, reads it and makes the hash, so that the hash covers
// what a snapshot holds. A field that steps read and that no walk visits breaks restore().

/// Options that most worlds leave alone take room only where they are used.
inline constexpr std::uint64_t kSleeps = 0x100, kAccepts = 0x200, kHasJoints = 0x400,
                               kExtrapolates = 0x800, kSchemes = 0xff;
inline constexpr int kSubstepShift = 16;
/// Contacts gave way: the account of compliance follows.
inline constexpr std::uint64_t kGaveWay = 0x1000;
/// Materials have a stiffness: the accounts of springs follow.
inline constexpr std::uint64_t kHoldsEnergy = 0x2000;
/// Contacts resist turning, and heaps keep the couples.
inline constexpr std::uint64_t kKeepsCouples = 0x4000;

/// What a state has that not all have.
struct StateParts {
  bool hasJoints = false, gaveWay = false, holdsEnergy = false, keepsCouples = false;
};

template <typename A, typename Options>
void visitOptions(A& archive, Options& o, StateParts& parts) {
  std::uint64_t kinds = static_cast<std::uint64_t>(o.scheme) | (o.sleeping ? kSleeps : 0) |
                        (parts.hasJoints ? kHasJoints : 0) | (o.extrapolates ? kExtrapolates : 0) |
                        (o.solver.acceptable != SolverOptions{}.acceptable ? kAccepts : 0) |
                        (static_cast<std::uint64_t>(o.substeps - 1) << kSubstepShift);
  if (parts.gaveWay) kinds |= kGaveWay;
  if (parts.holdsEnergy) kinds |= kHoldsEnergy;
  if (parts.keepsCouples) kinds |= kKeepsCouples;
  archive(kinds);
  if constexpr (A::kReads) {
    const std::uint64_t more = kinds >> kSubstepShift;  // Substeps beyond the first.
    const std::uint64_t known = kSchemes | kSleeps | kAccepts | kHasJoints | kExtrapolates |
                                kGaveWay | kHoldsEnergy | kKeepsCouples | (more << kSubstepShift);
    if (more >= kMaxSubsteps || (kinds & known) != kinds || (kinds & kSchemes) > kLastScheme) {
      archive.fail();
    }
    o.scheme = static_cast<StepScheme>(kinds & kSchemes);
    o.sleeping = (kinds & kSleeps) != 0;
    o.extrapolates = (kinds & kExtrapolates) != 0;
    parts.hasJoints = (kinds & kHasJoints) != 0;
    parts.gaveWay = (kinds & kGaveWay) != 0;
    parts.holdsEnergy = (kinds & kHoldsEnergy) != 0;
    parts.keepsCouples = (kinds & kKeepsCouples) != 0;
    if (parts.keepsCouples && o.scheme != StepScheme::Exact) archive.fail();
    o.substeps = more < kMaxSubsteps ? static_cast<int>(more) + 1 : 1;
  }
  forEachOption(o, [&](const OptionInfo& info, auto& value) {
    const bool isAbove = info.key == "scheme" || info.key == "sleeping" || info.key == "substeps" ||
                         info.key == "extrapolates";
    if (isAbove) return;
    const bool forSleep = info.key == "sleepAfter" || info.key == "sleepSpeed";
    if (info.key == "acceptable" && (kinds & kAccepts) == 0) return;
    if (o.sleeping || !forSleep) archive(value);
  });
}

template <typename A, typename Touches>
void visitTouching(A& archive, Touches& touching) {
  archive.size(touching);
  for (auto& t : touching) archive(t.pair.first, t.pair.second, t.since);
}

/// The one list of what the state is.
template <typename A, typename State>
void visitState(A& archive, State& s) {
  StateParts parts{
      .hasJoints = s.joints.isUsed(),
      .gaveWay = s.total.compliance != 0.0,
      .holdsEnergy = s.materials.hasStiffness(),
      .keepsCouples = s.options.scheme == StepScheme::Exact && s.materials.hasResistance()};
  visitOptions(archive, s.options, parts);
  archive(s.nextId, s.time, s.steps, s.lastStep);
  visitAccount(archive, s.total);
  if (parts.gaveWay) archive(s.total.compliance);
  if (parts.holdsEnergy) archive(s.total.elasticBefore, s.total.elasticAfter, s.total.dampers);
  visitMaterials(archive, s.materials);
  visitMaterialPairs(archive, s.materials, parts.holdsEnergy);
  if constexpr (A::kReads) {
    // Parts that materials call for are there.
    const bool lacksCouples =
        s.options.scheme == StepScheme::Exact && s.materials.hasResistance() && !parts.keepsCouples;
    if (lacksCouples || (s.materials.hasStiffness() && !parts.holdsEnergy)) archive.fail();
    s.materials.recall(parts.keepsCouples, parts.holdsEnergy);
  }
  visitBodies(archive, s.bodies, s.options.sleeping);
  std::size_t sensors = 0;
  if constexpr (A::kReads) {
    sensors = archive.numSensors();
  } else {
    sensors = s.bodies.numSensors();
  }
  if (sensors > 0) {
    archive.size(s.sensed);
    for (auto& t : s.sensed) archive(t.sensor, t.body, t.since);
  }
  if constexpr (A::kReads) archive.checkFilters(s);
  std::uint32_t frame = s.cache.getFrame();
  archive(frame);
  const ContactParts contacts{.recycles = s.options.scheme == StepScheme::RealTime,
                              .turns = parts.keepsCouples};
  visitManifolds(archive, contacts, frame, s.cache);
  visitTouching(archive, s.touching);
  if (parts.hasJoints) {
    archive(s.joints.nextJoint, s.joints.nextCoupling);
    visitJointAccount(archive, s.total);
    visitJoints(archive, s.joints);
    if constexpr (A::kReads) archive.takeJoints(s.bodies, s.joints);
  }
  if (!s.options.sleeping) return;
  if constexpr (A::kReads) archive.beginSleepers(s);
  visitMaterialPairs(archive, s.asleep.materials, parts.holdsEnergy);
  visitManifolds(archive, contacts, 0, s.asleep.cache);
  visitTouching(archive, s.asleep.touching);
}

}  // namespace abut::inline v0_1
