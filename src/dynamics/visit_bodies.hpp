// SPDX-License-Identifier: MIT
#pragma once

#include <abut/dynamics/material_fields.hpp>

#include "dynamics/body_record.hpp"

namespace abut::inline v0_1 {

// The part of a world's state that materials and bodies are: see visitState().

/// Counts of materials and of pairs: springs follow the other fields of each.
inline constexpr std::uint64_t kHasSprings = std::uint64_t{1} << 63;

/// Of a Material or PairMaterial.
template <typename A, typename M>
void visitMaterial(A& archive, M& m, bool springs) {
  const auto visit = [&](const OptionInfo& /*info*/, auto& value) { archive(value); };
  forEachRigidField(m, visit);
  if (springs) forEachSpringField(m, visit);
}

/// A count and its flag.
template <typename A>
void visitCount(A& archive, std::uint64_t& count, bool& springs) {
  if (springs) count |= kHasSprings;
  archive(count);
  springs = (count & kHasSprings) != 0;
  count &= ~kHasSprings;
}

template <typename A, typename Table>
void visitMaterials(A& archive, Table& table) {
  std::uint64_t count = table.size();
  bool springs = table.hasStiffness();
  visitCount(archive, count, springs);
  for (std::uint64_t i = 0; i < count && archive.ok(); ++i) {
    Material m;
    if constexpr (!A::kReads) m = table.get(static_cast<MaterialId>(i));
    visitMaterial(archive, m, springs);
    if constexpr (A::kReads) archive.takeMaterial(i, m, table);
  }
}

template <typename A, typename Table>
void visitMaterialPairs(A& archive, Table& table, bool springs) {
  if constexpr (A::kReads) {
    std::uint64_t count = 0;
    springs = false;
    visitCount(archive, count, springs);
    for (std::uint64_t i = 0; i < count && archive.ok(); ++i) {
      MaterialId a = 0, b = 0;
      PairMaterial pair;
      archive(a, b);
      visitMaterial(archive, pair, springs);
      archive.take(table.setPair(a, b, pair));
    }
  } else {
    std::uint64_t count = table.getPairs().size();
    visitCount(archive, count, springs);
    for (const auto& [ids, pair] : table.getPairs()) {
      archive(ids.first, ids.second);
      visitMaterial(archive, pair, springs);
    }
  }
}

/// Of a kinematic body whose drive has limits.
template <typename A, typename Drive>
void visitDrive(A& archive, Drive& d) {
  archive(d.maxForce, d.maxTorque, d.mass, d.inertia.tensor, d.inertia.inverse);
  archive(d.target.linear, d.target.angular);
  if constexpr (A::kReads) d.isLimited = true;
}

template <typename A, typename Record>
void visitFilter(A& archive, Record& r) {
  auto& f = r.facts;
  if ((r.hasShape & kHasFilter) != 0) {
    auto group = static_cast<std::uint32_t>(f.filter.group);
    archive(f.filter.category, f.filter.mask, group);
    if constexpr (A::kReads) f.filter.group = static_cast<std::int32_t>(group);
  }
  if ((r.hasShape & kHasExclusions) != 0) {
    archive.size(f.excluded);
    for (auto& id : f.excluded) archive(id);
  }
  if constexpr (A::kReads) f.sensor = (r.hasShape & kIsSensor) != 0;
}

template <typename A, typename Record>
void visitBody(A& archive, Record& r, bool sleeping) {
  auto& f = r.facts;
  archive(f.id, f.origin, f.type, f.locks, f.mass, f.inertia.tensor, f.inertia.inverse, f.center);
  Pose shapePose = *f.shapePose;
  archive(f.gravityScale, f.surfaceVelocity, r.hasShape, f.shapeDigest, shapePose);
  if constexpr (A::kReads) f.shapePose.set(shapePose);
  if ((r.hasShape & kIsSoft) != 0) archive(r.softness);
  visitFilter(archive, r);
  if ((r.hasShape & (kIsLimited | kWasSet)) != 0) {
    auto& drive = f.drive.edit();
    if ((r.hasShape & kIsLimited) != 0) visitDrive(archive, drive);
    if ((r.hasShape & kWasSet) != 0) archive(drive.before.linear, drive.before.angular);
    if constexpr (A::kReads) drive.wasSet = (r.hasShape & kWasSet) != 0;
  }
  archive.size(f.materials);
  for (auto& m : f.materials) archive(m);
  archive.size(f.path);
  for (auto& p : f.path) archive(p.time, p.position, p.orientation);
  archive(r.position, r.orientation, r.velocity.linear, r.velocity.angular, r.force, r.torque);
  if (sleeping) archive(r.rest.still, r.rest.step, r.rest.woken);
}

template <typename A, typename Table>
void visitBodies(A& archive, Table& bodies, bool sleeping) {
  std::uint64_t count = bodies.size();
  archive(count);
  for (std::uint64_t i = 0; i < count && archive.ok(); ++i) {
    BodyRecord record;
    if constexpr (!A::kReads) record = recordOf(bodies, static_cast<std::size_t>(i));
    visitBody(archive, record, sleeping);
    if constexpr (A::kReads) archive.takeBody(record, bodies);
  }
}

}  // namespace abut::inline v0_1
