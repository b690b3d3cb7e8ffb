// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <abut/dynamics/material_fields.hpp>
#include <abut/world/option_list.hpp>

#include "math/archive.hpp"
#include "world/persistent_state.hpp"
#include "world/visit_drive.hpp"
#include "world/visit_joints.hpp"

namespace abut {

// What the future of a world depends on, apart from the geometry of shapes, which their digests
// stand for. The same walk writes a snapshot, reads it and makes the hash, so that the hash covers
// what a snapshot holds. A field that steps read and that is not here breaks restore(); the sizes
// below change when one is added.
#if defined(__x86_64__) && defined(__linux__)
static_assert(sizeof(PersistentPoint) == 176, "a new field belongs into visitPoint()");
#endif

/// A body's columns and facts as one record.
struct BodyRecord {
  BodyFacts facts;
  std::uint64_t hasShape = 0;
  Vec3 position;
  Quat orientation;
  BodyVelocity velocity;
  Vec3 force, torque;
  BodyRest rest;
  double softness = 0.0;
};

/// BodyRecord::hasShape: whether it has one, whether its softness follows, its filter, the bodies
/// that it is excluded from, its drive's limits; whether it is a sensor.
inline constexpr std::uint64_t kHasShape = 1, kIsSoft = 2, kHasFilter = 4, kHasExclusions = 8,
                               kIsSensor = 16, kIsLimited = 32, kAllOfBody = 63;
/// Softness beyond this no solve asks for.
inline constexpr double kSoftest = 1e3;

inline BodyRecord recordOf(const BodyTable& bodies, std::size_t i) {
  BodyRecord r;
  r.facts = bodies.facts[i];
  r.softness = bodies.softness[i];
  r.hasShape = (r.facts.shape ? kHasShape : 0) | (r.softness > 0.0 ? kIsSoft : 0) |
               (r.facts.filter != BodyFilter{} ? kHasFilter : 0) |
               (!r.facts.excluded.empty() ? kHasExclusions : 0) | (r.facts.sensor ? kIsSensor : 0) |
               (r.facts.drive.isLimited ? kIsLimited : 0);
  r.position = bodies.position[i];
  r.orientation = bodies.orientation[i];
  r.velocity = bodies.velocity[i];
  r.force = bodies.force[i];
  r.torque = bodies.torque[i];
  r.rest = bodies.rest[i];
  return r;
}

/// Options that most worlds leave alone take room only where they are used.
inline constexpr std::uint64_t kSleeps = 0x100, kAccepts = 0x200, kHasJoints = 0x400,
                               kSchemes = 0xff;
inline constexpr int kSubstepShift = 16;

template <typename A, typename Options>
void visitOptions(A& archive, Options& o, bool& hasJoints) {
  std::uint64_t kinds = static_cast<std::uint64_t>(o.scheme) | (o.sleeping ? kSleeps : 0) |
                        (hasJoints ? kHasJoints : 0) |
                        (o.solver.acceptable != SolverOptions{}.acceptable ? kAccepts : 0) |
                        (static_cast<std::uint64_t>(o.substeps - 1) << kSubstepShift);
  archive(kinds);
  if constexpr (A::kReads) {
    const std::uint64_t more = kinds >> kSubstepShift;  // Substeps beyond the first.
    const std::uint64_t known =
        kSchemes | kSleeps | kAccepts | kHasJoints | (more << kSubstepShift);
    if (more >= kMaxSubsteps || (kinds & known) != kinds || (kinds & kSchemes) > 1) archive.fail();
    o.scheme = static_cast<StepScheme>(kinds & kSchemes);
    o.sleeping = (kinds & kSleeps) != 0;
    hasJoints = (kinds & kHasJoints) != 0;
    o.substeps = more < kMaxSubsteps ? static_cast<int>(more) + 1 : 1;
  }
  forEachOption(o, [&](const OptionInfo& info, auto& value) {
    if (info.key == "scheme" || info.key == "sleeping" || info.key == "substeps") return;  // Above.
    const bool forSleep = info.key == "sleepAfter" || info.key == "sleepSpeed";
    if (info.key == "acceptable" && (kinds & kAccepts) == 0) return;
    if (o.sleeping || !forSleep) archive(value);
  });
}

template <typename A, typename Account>
void visitAccount(A& archive, Account& a) {
  archive(a.kineticBefore, a.kineticAfter, a.potentialBefore, a.potentialAfter, a.drivers, a.forces,
          a.impact, a.friction, a.correction, a.integrator);
}

/// Of a Material or PairMaterial.
template <typename A, typename M>
void visitMaterial(A& archive, M& m) {
  forEachField(m, [&](const OptionInfo& /*info*/, auto& value) { archive(value); });
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
  archive(f.id, f.type, f.locks, f.mass, f.inertia.tensor, f.inertia.inverse, f.center);
  archive(f.gravityScale, f.surfaceVelocity, r.hasShape, f.shapeDigest, f.shapePose);
  if ((r.hasShape & kIsSoft) != 0) archive(r.softness);
  visitFilter(archive, r);
  if ((r.hasShape & kIsLimited) != 0) visitDrive(archive, f.drive);
  archive.size(f.materials);
  for (auto& m : f.materials) archive(m);
  archive.size(f.path);
  for (auto& p : f.path) archive(p.time, p.position, p.orientation);
  archive(r.position, r.orientation, r.velocity.linear, r.velocity.angular, r.force, r.torque);
  if (sleeping) archive(r.rest.still, r.rest.step, r.rest.woken);
}

template <typename A, typename Point>
void visitPoint(A& archive, Point& p) {
  auto& c = p.contact;
  archive(c.position, c.normal, c.depth, c.feature1.kind, c.feature1.index, c.feature2.kind,
          c.feature2.index);
  archive(p.local1, p.local2, p.normalImpulse, p.tangentImpulse, p.friction, p.id, p.age,
          p.emitted);
}

template <typename A, typename Manifold>
void visitManifold(A& archive, Manifold& m, StepScheme scheme) {
  archive(m.key.pair.first, m.key.pair.second, m.key.subShape1, m.key.subShape2, m.key.ordinal);
  archive(m.count, m.type, m.framesSinceSeen, m.lastUpdateFrame, m.detected);
  if (scheme == StepScheme::RealTime) archive(m.normal1);  // The exact scheme recycles nothing.
  for (std::size_t i = 0; i < m.count && i < PersistentManifold::kMaxPoints; ++i) {
    visitPoint(archive, m.points[i]);
  }
}

template <typename A, typename Touch>
void visitTouch(A& archive, Touch& t) {
  archive(t.pair.first, t.pair.second, t.since);
}

template <typename A, typename Table>
void visitMaterials(A& archive, Table& table) {
  std::uint64_t count = table.size();
  archive(count);
  for (std::uint64_t i = 0; i < count && archive.ok(); ++i) {
    Material m;
    if constexpr (!A::kReads) m = table.get(static_cast<MaterialId>(i));
    visitMaterial(archive, m);
    if constexpr (A::kReads) archive.takeMaterial(i, m, table);
  }
}

template <typename A, typename Table>
void visitMaterialPairs(A& archive, Table& table) {
  if constexpr (A::kReads) {
    std::uint64_t count = 0;
    archive(count);
    for (std::uint64_t i = 0; i < count && archive.ok(); ++i) {
      MaterialId a = 0, b = 0;
      PairMaterial pair;
      archive(a, b);
      visitMaterial(archive, pair);
      archive.take(table.setPair(a, b, pair));
    }
  } else {
    const std::uint64_t count = table.getPairs().size();
    archive(count);
    for (const auto& [ids, pair] : table.getPairs()) {
      archive(ids.first, ids.second);
      visitMaterial(archive, pair);
    }
  }
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

template <typename A, typename Cache, typename Touches>
void visitContacts(A& archive, StepScheme scheme, std::uint32_t frame, Cache& cache,
                   Touches& touching) {
  if constexpr (A::kReads) {
    std::vector<PersistentManifold> manifolds;
    archive.size(manifolds);
    for (std::size_t i = 0; i < manifolds.size() && archive.ok(); ++i) {
      visitManifold(archive, manifolds[i], scheme);
    }
    archive.takeContacts(manifolds, frame, cache);
  } else {
    const std::uint64_t count = cache.getManifolds().size();
    archive(count);
    for (const PersistentManifold& m : cache.getManifolds()) visitManifold(archive, m, scheme);
  }
  archive.size(touching);
  for (auto& t : touching) visitTouch(archive, t);
}

/// The one list of what the state is.
template <typename A, typename State>
void visitState(A& archive, State& s) {
  bool hasJoints = s.joints.isUsed();
  visitOptions(archive, s.options, hasJoints);
  archive(s.nextId, s.time, s.steps, s.lastStep);
  visitAccount(archive, s.total);
  visitMaterials(archive, s.materials);
  visitMaterialPairs(archive, s.materials);
  visitBodies(archive, s.bodies, s.options.sleeping);
  if (s.bodies.numSensors() > 0) {
    archive.size(s.sensed);
    for (auto& t : s.sensed) archive(t.sensor, t.body, t.since);
  }
  if constexpr (A::kReads) archive.checkFilters(s);
  std::uint32_t frame = s.cache.getFrame();
  archive(frame);
  visitContacts(archive, s.options.scheme, frame, s.cache, s.touching);
  if (hasJoints) visitJoints(archive, s);
  if (!s.options.sleeping) return;
  if constexpr (A::kReads) archive.beginSleepers(s);
  visitMaterialPairs(archive, s.asleep.materials);
  visitContacts(archive, s.options.scheme, 0, s.asleep.cache, s.asleep.touching);
}

}  // namespace abut
