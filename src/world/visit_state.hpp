// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/dynamics/material_fields.hpp>
#include <abut/world/option_list.hpp>

#include "world/archive.hpp"
#include "world/state.hpp"

namespace abut {

/// A body's columns and facts as one record.
struct BodyRecord {
  BodyFacts facts;
  std::uint64_t hasShape = 0;
  Vec3 position;
  Quat orientation;
  BodyVelocity velocity;
  Vec3 force, torque;
  BodyRest rest;
};

/// What the future of a world depends on, apart from the geometry of shapes, which their digests
/// stand for. The same walk writes a snapshot, reads it and makes the hash, so that the hash covers
/// what a snapshot holds. A field that steps read and that is not here breaks restore(); the sizes
/// below change when one is added.
#if defined(__x86_64__) && defined(__linux__)
static_assert(sizeof(PersistentPoint) == 176, "a new field belongs into visitPoint()");
#endif

/// Options that most worlds leave alone take room only where they are used.
inline constexpr std::uint64_t kSleeps = 0x100, kSchemes = 0xff;
inline constexpr int kSubstepShift = 16;

template <typename A, typename Options>
void visitOptions(A& archive, Options& o) {
  std::uint64_t kinds = static_cast<std::uint64_t>(o.scheme) | (o.sleeping ? kSleeps : 0) |
                        (static_cast<std::uint64_t>(o.substeps - 1) << kSubstepShift);
  archive(kinds);
  if constexpr (A::kReads) {
    const std::uint64_t more = kinds >> kSubstepShift;  // Substeps beyond the first.
    const std::uint64_t known = kSchemes | kSleeps | (more << kSubstepShift);
    if (more >= kMaxSubsteps || (kinds & known) != kinds || (kinds & kSchemes) > 1) archive.fail();
    o.scheme = static_cast<StepScheme>(kinds & kSchemes);
    o.sleeping = (kinds & kSleeps) != 0;
    o.substeps = more < kMaxSubsteps ? static_cast<int>(more) + 1 : 1;
  }
  forEachOption(o, [&](const OptionInfo& info, auto& value) {
    if (info.key == "scheme" || info.key == "sleeping" || info.key == "substeps") return;  // Above.
    const bool forSleep = info.key == "sleepAfter" || info.key == "sleepSpeed";
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
void visitBody(A& archive, Record& r, bool sleeping) {
  auto& f = r.facts;
  archive(f.id, f.type, f.locks, f.mass, f.inertia.tensor, f.inertia.inverse, f.center);
  archive(f.gravityScale, f.surfaceVelocity, r.hasShape, f.shapeDigest, f.shapePose);
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

}  // namespace abut
