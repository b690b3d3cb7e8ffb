// SPDX-License-Identifier: MIT
#include "solver/manifold_batch.hpp"

#include "math/pack_wide.hpp"
#include "solver/batch_passes.hpp"
#include "solver/lean_batch.hpp"
#include "solver/manifold_kernel.hpp"

namespace abut::inline v0_1 {
namespace {

/// Pull of the points' impulses towards what they were, as a part of each
/// point's own response: a manifold of four points on rigid bodies leaves their
/// shares open, and shares that wander keep the sweeps from settling (a pyramid
/// of 465 cubes: 39 sweeps a step at 1e-3, 10 at 0.1).
constexpr double kKeepShares = 0.1;

void setLane(Symmetric3x4& m, int lane, const Mat3& value) {
  setLane(m.xx, lane, value.x.x);
  setLane(m.xy, lane, value.x.y);
  setLane(m.xz, lane, value.x.z);
  setLane(m.yy, lane, value.y.y);
  setLane(m.yz, lane, value.y.z);
  setLane(m.zz, lane, value.z.z);
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");
#endif

}  // namespace

BatchBody toBatchBody(const BodyVelocity& v) {
  return {Double2{v.linear.x, v.linear.y}, Double2{v.linear.z, 0.0},
          Double2{v.angular.x, v.angular.y}, Double2{v.angular.z, 0.0}};
}

BodyVelocity toVelocity(const BatchBody& b) {
  return {{b.linearXy[0], b.linearXy[1], b.linearZ[0]},
          {b.angularXy[0], b.angularXy[1], b.angularZ[0]}};
}

template <int K>
void ManifoldBatch<K>::prepare(std::span<const ManifoldRow> rows, const std::uint32_t* first,
                               int count, std::span<const BodyMobility> bodies,
                               std::uint32_t idle) {
  lanes = count;
  still = 0;
  Vec3x4 from[K] = {}, offset{}, carried{};
  for (int lane = 0; lane < 4; ++lane) {
    body1[lane] = body2[lane] = placeOf(idle);
    if (lane >= count) {
      still |= 0x11u << static_cast<unsigned>(lane);
      continue;
    }
    const ManifoldRow& r = rows[first[lane]];
    row[lane] = first[lane];
    body1[lane] = placeOf(r.body1);
    body2[lane] = placeOf(r.body2);
    if (cannotMove(bodies[r.body1])) still |= 0x1u << static_cast<unsigned>(lane);
    if (cannotMove(bodies[r.body2])) still |= 0x10u << static_cast<unsigned>(lane);
    setLane(inverseMass1, lane, bodies[r.body1].inverseMass);
    setLane(inverseMass2, lane, bodies[r.body2].inverseMass);
    setLane(inverseInertia1, lane, bodies[r.body1].inverseInertia);
    setLane(inverseInertia2, lane, bodies[r.body2].inverseInertia);
    setLane(normal, lane, r.normal);
    setLane(tangent[0], lane, anyPerpendicular(r.normal));
    setLane(offset, lane, r.offset);
    setLane(friction, lane, r.friction);
    setLane(slop, lane, r.slop);
    const Vec3 centre = centre1Of(r, K);
    setLane(arm1, lane, centre);
    setLane(arm2, lane, centre2Of(r, K));
    for (int i = 0; i < K; ++i) {
      setLane(from[i], lane, r.points[i].arm1 - centre);
      setLane(bound[i], lane, r.points[i].bound);
      setLane(separation[i], lane, r.points[i].separation);
      setLane(impulse[i], lane, r.points[i].normalImpulse);
    }
    setLane(carried, lane, r.tangentImpulse);
    setLane(twist, lane, r.twistImpulse);
  }
  tangent[1] = cross(normal, tangent[0]);
  normalOffset = dot(normal, offset);
  for (int i = 0; i < K; ++i) {
    const Vec3x4 lever = cross(from[i], normal);
    along0[i] = dot(tangent[0], lever);
    along1[i] = dot(tangent[1], lever);
    radius[i] = sqrtOf(along0[i] * along0[i] + along1[i] * along1[i]);
    bound[i] = bound[i] - normalOffset;
  }
  prepareAnswers(offset, carried);
}

#if ABUT_HAS_WIDE
template <int K, bool kLags>
ABUT_WIDE unsigned sweepSomeWide(ManifoldBatch<K>& batch, BatchBody* bodies, double beta,
                                 unsigned without, const SweepTerms& terms) {
  return sweepBatch<Wide4d, K, true, kLags>(batch, bodies, beta, without, terms);
}
template <int K, bool kLags>
ABUT_WIDE void sweepWide(ManifoldBatch<K>* batches, std::span<BatchSlot> slots,
                         const SlotSweep& how, SweepTerms terms) {
  const double beta = how.momentum.beta;
  for (BatchSlot& slot : slots) {
    const SlotTurn turn(slot, how.all);
    if (turn.hasLanes()) {
      ManifoldBatch<K>& batch = batches[slot.index];
      turn.end(slot, turn.isWhole()
                         ? sweepBatch<Wide4d, K, false, kLags>(batch, how.bodies, beta, 0, terms)
                         : sweepSomeWide<K, kLags>(batch, how.bodies, beta, turn.without(), terms));
    } else {
      turn.passOver(slot, terms);
    }
    advance(terms);
  }
}
template <int K>
ABUT_WIDE void projectWide(ManifoldBatch<K>& batch, BatchBody* bodies) {
  projectBatch<Wide4d, K>(batch, bodies);
}
template <int K>
ABUT_WIDE void prepareWide(ManifoldBatch<K>& batch, const Vec3x4& offset, const Vec3x4& carried) {
  prepareNormalsOf<Wide4d, K>(batch, K > 1 ? kKeepShares : 0.0);
  prepareFrictionOf<Wide4d, K>(batch, offset, carried);
}
template <int K>
ABUT_WIDE void warmStartWide(const ManifoldBatch<K>& batch, BatchBody* bodies) {
  warmStartBatch<Wide4d, K>(batch, bodies);
}
template <int K>
ABUT_WIDE bool beginProjectionWide(ManifoldBatch<K>& batch, const BatchBody* bodies, double dt,
                                   double share, NormalMiss& miss) {
  return beginProjectionOf<Wide4d, K>(batch, bodies, dt, share, miss);
}
template <int K>
ABUT_WIDE void workWide(const ManifoldBatch<K>& batch, const BatchBody* bodies, Pack4d& work) {
  workOf<Wide4d, K>(batch, bodies, work);
}
#endif

template <int K>
void ManifoldBatch<K>::prepareAnswers(const Vec3x4& offset, const Vec3x4& carried) {
#if ABUT_HAS_WIDE
  if (kHasWide) return prepareWide<K>(*this, offset, carried);
#endif
  prepareNormalsOf<Pack4d, K>(*this, K > 1 ? kKeepShares : 0.0);
  prepareFrictionOf<Pack4d, K>(*this, offset, carried);
}

template <int K>
void ManifoldBatch<K>::warmStart(BatchBody* bodies) const {
#if ABUT_HAS_WIDE
  if (kHasWide) return warmStartWide<K>(*this, bodies);
#endif
  warmStartBatch<Pack4d, K>(*this, bodies);
}

template <int K>
void ManifoldBatch<K>::sweep(ManifoldBatch* batches, std::span<BatchSlot> slots,
                             const SlotSweep& how, SweepTerms terms) {
#if ABUT_HAS_WIDE
  if (kHasWide) {
    return how.momentum.lags ? sweepWide<K, true>(batches, slots, how, terms)
                             : sweepWide<K, false>(batches, slots, how, terms);
  }
#endif
  const double beta = how.momentum.beta;
  for (BatchSlot& slot : slots) {
    const SlotTurn turn(slot, how.all);
    if (turn.hasLanes()) {
      ManifoldBatch& batch = batches[slot.index];
      const unsigned without = turn.without();
      turn.end(slot,
               how.momentum.lags
                   ? sweepBatch<Pack4d, K, true, true>(batch, how.bodies, beta, without, terms)
                   : sweepBatch<Pack4d, K, true, false>(batch, how.bodies, beta, without, terms));
    } else {
      turn.passOver(slot, terms);
    }
    advance(terms);
  }
}

template <int K>
bool ManifoldBatch<K>::beginProjection(const BatchBody* bodies, double dt, double share,
                                       NormalMiss& miss) {
#if ABUT_HAS_WIDE
  if (kHasWide) return beginProjectionWide<K>(*this, bodies, dt, share, miss);
#endif
  return beginProjectionOf<Pack4d, K>(*this, bodies, dt, share, miss);
}

template <int K>
void ManifoldBatch<K>::project(BatchBody* bodies) {
#if ABUT_HAS_WIDE
  if (kHasWide) return projectWide<K>(*this, bodies);
#endif
  projectBatch<Pack4d, K>(*this, bodies);
}

template <int K>
Pack4d ManifoldBatch<K>::work(const BatchBody* bodies) const {
  Pack4d sum;
#if ABUT_HAS_WIDE
  if (kHasWide) {
    workWide<K>(*this, bodies, sum);
    return sum;
  }
#endif
  workOf<Pack4d, K>(*this, bodies, sum);
  return sum;
}

template <int K>
void ManifoldBatch<K>::shrink(double keep) {
  for (int i = 0; i < K; ++i) impulse[i] = impulse[i] * keep;
  for (int k = 0; k < 2; ++k) slide[k] = slide[k] * keep;
  twist = twist * keep;
}

template <int K>
void ManifoldBatch<K>::reload(std::span<const ManifoldRow> rows) {
  const Pack4d zero = splat(0.0);
  for (int i = 0; i < K; ++i) change[i] = direction[i] = zero;
  for (int k = 0; k < 2; ++k) slideChange[k] = slideDirection[k] = zero;
  twistChange = twistDirection = zero;
  Vec3x4 carried{};
  for (int lane = 0; lane < lanes; ++lane) {
    const ManifoldRow& r = rows[row[lane]];
    for (int i = 0; i < K; ++i) setLane(impulse[i], lane, r.points[i].normalImpulse);
    setLane(carried, lane, r.tangentImpulse);
    setLane(twist, lane, r.twistImpulse);
  }
  for (int k = 0; k < 2; ++k) slide[k] = dot(tangent[k], carried);
}

template <int K>
void ManifoldBatch<K>::store(std::span<ManifoldRow> rows) const {
  for (int lane = 0; lane < lanes; ++lane) {
    ManifoldRow& r = rows[row[lane]];
    for (int i = 0; i < K; ++i) r.points[i].normalImpulse = impulse[i][lane];
    r.tangentImpulse =
        getLane(tangent[0], lane) * slide[0][lane] + getLane(tangent[1], lane) * slide[1][lane];
    r.twistImpulse = twist[lane];
  }
}

template struct ManifoldBatch<1>;
template struct ManifoldBatch<2>;
template struct ManifoldBatch<3>;
template struct ManifoldBatch<4>;

}  // namespace abut::inline v0_1
