// SPDX-License-Identifier: MIT
#include "solver/lean_batch.hpp"

#include "math/pack_wide.hpp"
#include "solver/batch_passes.hpp"
#include "solver/manifold_kernel.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {
namespace {

/// What rounding leaves of a difference between numbers that are equal, as a part of them.
constexpr double kRounding = 1e-12;
/// The same for the part of an arm across the normal: places lose digits far from the origin.
constexpr double kAcross = 1e-9;

/// Whether a body answers alike in all directions.
bool isIsotropic(const BodyMobility& m) {
  const Mat3& i = m.inverseInertia;
  const double most = kRounding * i.x.x;
  return m.inverseMass.x == m.inverseMass.y && m.inverseMass.x == m.inverseMass.z &&
         absOf(i.x.x - i.y.y) <= most && absOf(i.x.x - i.z.z) <= most && absOf(i.x.y) <= most &&
         absOf(i.x.z) <= most && absOf(i.y.z) <= most;
}

bool isStraightBelow(const Vec3& arm, const Vec3& normal) {
  const Vec3 across = arm - normal * dot(normal, arm);
  return squaredNorm(across) <= kAcross * kAcross * squaredNorm(arm);
}

ABUT_ALWAYS_INLINE Pack4d inverseOr(const Pack4d& x, const Pack4d& other) {
  const Pack4d zero = splat(0.0), one = splat(1.0);
  return select(zero < x, one / select(zero < x, x, one), other);
}

template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> linearOf(const BatchBody* b, const std::uint32_t (&i)[4]) {
  return gather(b, i, &BatchBody::linearXy, &BatchBody::linearZ, static_cast<const P*>(nullptr));
}
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> angularOf(const BatchBody* b, const std::uint32_t (&i)[4]) {
  return gather(b, i, &BatchBody::angularXy, &BatchBody::angularZ, static_cast<const P*>(nullptr));
}

/// Velocities of the bodies of a batch, and what it makes of them.
template <class P>
struct LeanVelocities {
  Vec3Pack<P> linear1, angular1, linear2, angular2;

  ABUT_ALWAYS_INLINE LeanVelocities(const LeanBatch& batch, const BatchBody* b)
      : linear1(linearOf<P>(b, batch.body1)),
        angular1(angularOf<P>(b, batch.body1)),
        linear2(linearOf<P>(b, batch.body2)),
        angular2(angularOf<P>(b, batch.body2)) {}

  ABUT_ALWAYS_INLINE void store(const LeanBatch& batch, BatchBody* b) const {
    const unsigned still1 = batch.still & 0xfu, still2 = batch.still >> 4u;
    scatter(linear1, b, batch.body1, &BatchBody::linearXy, &BatchBody::linearZ, still1);
    scatter(angular1, b, batch.body1, &BatchBody::angularXy, &BatchBody::angularZ, still1);
    scatter(linear2, b, batch.body2, &BatchBody::linearXy, &BatchBody::linearZ, still2);
    scatter(angular2, b, batch.body2, &BatchBody::angularXy, &BatchBody::angularZ, still2);
  }
  /// Velocity of 1 over 2 at the point along the tangents t and b.
  ABUT_ALWAYS_INLINE void slips(const LeanBatch& batch, const Vec3Pack<P>& t, const Vec3Pack<P>& b,
                                P (&u)[2]) const {
    const Vec3Pack<P> over = linear1 - linear2;
    const Vec3Pack<P> turn = angular1 * load<P>(batch.arm1) - angular2 * load<P>(batch.arm2);
    u[0] = (dot(t, over) + dot(b, turn)) + load<P>(batch.slideOffset[0]);
    u[1] = (dot(b, over) - dot(t, turn)) + load<P>(batch.slideOffset[1]);
  }
  /// A push and friction along the tangents t and b.
  ABUT_ALWAYS_INLINE void act(const LeanBatch& batch, const Vec3Pack<P>& n, const Vec3Pack<P>& t,
                              const Vec3Pack<P>& b, const P& push, const P& along0,
                              const P& along1) {
    const Vec3Pack<P> impulse = n * push + (t * along0 + b * along1);
    const Vec3Pack<P> lever = b * along0 - t * along1;
    linear1 += impulse * load<P>(batch.inverseMass1);
    linear2 -= impulse * load<P>(batch.inverseMass2);
    angular1 += lever * load<P>(batch.turn1);
    angular2 -= lever * load<P>(batch.turn2);
  }
};

/// One batch, as sweepBatch().
template <class P, bool kSome, bool kLags>
ABUT_ALWAYS_INLINE unsigned sweepLean(LeanBatch& batch, BatchBody* bodies, double beta,
                                      unsigned without, const SweepTerms& terms) {
  const P zero = PackTraits<P>::splat(0.0), one = PackTraits<P>::splat(1.0);
  const Visited<P, kSome> visited(without);
  const Carrier<P, kSome, kLags> carrier{visited, beta};
  P shift, slide[2], slideShift[2];
  const P impulse = carrier.start(batch.impulse[0], batch.direction[0], batch.change[0], shift);
  for (int k = 0; k < 2; ++k) {
    slide[k] =
        carrier.start(batch.slide[k], batch.slideDirection[k], batch.slideChange[k], slideShift[k]);
  }
  LeanVelocities<P> v(batch, bodies);
  const LeanVelocities<P> was = v;
  const Vec3Pack<P> n = load<P>(batch.normal), t = load<P>(batch.tangent), b = cross(n, t);
  const P u = dot(n, v.linear1 - v.linear2) - load<P>(batch.bound[0]);
  const P next = maxOf(zero, impulse - load<P>(batch.inverse) * u);
  const P change = next - impulse;
  carrier.end(shift, change, batch.direction[0], batch.change[0]);
  visited.store(batch.impulse[0], next);
  const P moves = absOf(change) + absOf(kLags ? load<P>(batch.direction[0]) : shift);
  P slip[2];
  v.slips(batch, t, b, slip);
  const P stick = load<P>(batch.stick), limit = load<P>(batch.friction) * next;
  P next0 = slide[0] - stick * slip[0], next1 = slide[1] - stick * slip[1];
  const P squares = next0 * next0 + next1 * next1;
  const auto slides = limit * limit < squares;
  if (anyOf(slides)) {
    const P length = sqrtOf(squares);
    const P scale = select(slides, limit / select(zero < length, length, one), one);
    next0 = next0 * scale;
    next1 = next1 * scale;
  }
  const P change0 = next0 - slide[0], change1 = next1 - slide[1];
  visited.store(batch.slide[0], next0);
  visited.store(batch.slide[1], next1);
  carrier.end(slideShift[0], change0, batch.slideDirection[0], batch.slideChange[0]);
  carrier.end(slideShift[1], change1, batch.slideDirection[1], batch.slideChange[1]);
  const P changes = change * change + (change0 * change0 + change1 * change1);
  storeTerms(terms, visited.orZero(changes),
             visited.orZero(next * next + (next0 * next0 + next1 * next1)));
  v.act(batch, n, t, b, change, change0, change1);
  if constexpr (kSome) {
    visited.keep(v.linear1, was.linear1);
    visited.keep(v.angular1, was.angular1);
    visited.keep(v.linear2, was.linear2);
    visited.keep(v.angular2, was.angular2);
  }
  v.store(batch, bodies);
  return bitsOf(zero < next + moves);
}

/// Solves the normals once, on displacements.
template <class P>
ABUT_ALWAYS_INLINE void projectLean(LeanBatch& batch, BatchBody* bodies) {
  const P zero = PackTraits<P>::splat(0.0);
  Vec3Pack<P> linear1 = linearOf<P>(bodies, batch.body1);
  Vec3Pack<P> linear2 = linearOf<P>(bodies, batch.body2);
  const Vec3Pack<P> n = load<P>(batch.normal);
  const P impulse = load<P>(batch.impulse[0]);
  const P u = dot(n, linear1 - linear2) - load<P>(batch.bound[0]);
  if (!anyOf((zero < impulse) | (u < zero))) return;
  const P next = maxOf(zero, impulse - load<P>(batch.inverse) * u);
  PackTraits<P>::store(batch.impulse[0], next);
  const Vec3Pack<P> push = n * (next - impulse);
  linear1 += push * load<P>(batch.inverseMass1);
  linear2 -= push * load<P>(batch.inverseMass2);
  const unsigned still1 = batch.still & 0xfu, still2 = batch.still >> 4u;
  scatter(linear1, bodies, batch.body1, &BatchBody::linearXy, &BatchBody::linearZ, still1);
  scatter(linear2, bodies, batch.body2, &BatchBody::linearXy, &BatchBody::linearZ, still2);
}

template <class P>
ABUT_ALWAYS_INLINE void warmStartLean(const LeanBatch& batch, BatchBody* bodies) {
  LeanVelocities<P> v(batch, bodies);
  const Vec3Pack<P> n = load<P>(batch.normal), t = load<P>(batch.tangent);
  v.act(batch, n, t, cross(n, t), load<P>(batch.impulse[0]), load<P>(batch.slide[0]),
        load<P>(batch.slide[1]));
  v.store(batch, bodies);
}

template <class P>
ABUT_ALWAYS_INLINE bool beginProjectionLean(LeanBatch& batch, const BatchBody* bodies, double dt,
                                            double share, NormalMiss& miss) {
  const P zero = PackTraits<P>::splat(0.0);
  const Vec3Pack<P> over = linearOf<P>(bodies, batch.body1) - linearOf<P>(bodies, batch.body2);
  const P bound = load<P>(batch.bound[0]);
  const P u = dot(load<P>(batch.normal), over) - bound;
  PackTraits<P>::store(miss.least, minOf(load<P>(miss.least), u));
  noteMiss(missOf(u, load<P>(batch.impulse[0]), zero), batch.row, batch.lanes, miss);
  const P end = load<P>(batch.separation) +
                ((u + bound) + load<P>(batch.normalOffset)) * PackTraits<P>::splat(dt);
  const P beyond = -end - load<P>(batch.slop);
  PackTraits<P>::store(batch.bound[0], select(zero < beyond, beyond * PackTraits<P>::splat(share),
                                              minOf(zero, -end)));
  PackTraits<P>::store(batch.impulse[0], zero);
  return anyOf(zero < beyond);
}

template <class P>
ABUT_ALWAYS_INLINE void workLean(const LeanBatch& batch, const BatchBody* bodies, Pack4d& work) {
  const LeanVelocities<P> v(batch, bodies);
  const Vec3Pack<P> n = load<P>(batch.normal), t = load<P>(batch.tangent);
  P slip[2];
  v.slips(batch, t, cross(n, t), slip);
  const P u = dot(n, v.linear1 - v.linear2) + load<P>(batch.normalOffset);
  PackTraits<P>::store(work, load<P>(batch.impulse[0]) * u + (load<P>(batch.slide[0]) * slip[0] +
                                                              load<P>(batch.slide[1]) * slip[1]));
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE void warmStartLeanWide(const LeanBatch& batch, BatchBody* bodies) {
  warmStartLean<Wide4d>(batch, bodies);
}
ABUT_WIDE bool beginProjectionLeanWide(LeanBatch& batch, const BatchBody* bodies, double dt,
                                       double share, NormalMiss& miss) {
  return beginProjectionLean<Wide4d>(batch, bodies, dt, share, miss);
}
ABUT_WIDE void workLeanWide(const LeanBatch& batch, const BatchBody* bodies, Pack4d& work) {
  workLean<Wide4d>(batch, bodies, work);
}
template <bool kLags>
ABUT_WIDE unsigned sweepSomeLeanWide(LeanBatch& batch, BatchBody* bodies, double beta,
                                     unsigned without, const SweepTerms& terms) {
  return sweepLean<Wide4d, true, kLags>(batch, bodies, beta, without, terms);
}
template <bool kLags>
ABUT_WIDE void sweepLeanWide(LeanBatch* batches, std::span<BatchSlot> slots, const SlotSweep& how,
                             SweepTerms terms) {
  const double beta = how.momentum.beta;
  for (BatchSlot& slot : slots) {
    const SlotTurn turn(slot, how.all);
    if (turn.hasLanes()) {
      LeanBatch& batch = batches[slot.index];
      turn.end(slot,
               turn.isWhole()
                   ? sweepLean<Wide4d, false, kLags>(batch, how.bodies, beta, 0, terms)
                   : sweepSomeLeanWide<kLags>(batch, how.bodies, beta, turn.without(), terms));
    } else {
      turn.passOver(slot, terms);
    }
    advance(terms);
  }
}
ABUT_WIDE void projectLeanWide(LeanBatch& batch, BatchBody* bodies) {
  projectLean<Wide4d>(batch, bodies);
}
#endif

}  // namespace

bool cannotMove(const BodyMobility& m) {
  return m.inverseMass == Vec3{} && m.inverseInertia.x == Vec3{} && m.inverseInertia.y == Vec3{} &&
         m.inverseInertia.z == Vec3{};
}

Answer answerOf(const BodyMobility& mobility) {
  if (cannotMove(mobility)) return Answer::None;
  return isIsotropic(mobility) ? Answer::Alike : Answer::Other;
}

bool isLean(const ManifoldRow& row, Answer answer1, Answer answer2) {
  if (row.count != 1 || answer1 == Answer::Other || answer2 == Answer::Other) return false;
  return (answer1 == Answer::None || isStraightBelow(row.points[0].arm1, row.normal)) &&
         (answer2 == Answer::None || isStraightBelow(row.points[0].arm2, row.normal));
}

void LeanBatch::prepare(std::span<const ManifoldRow> rows, const std::uint32_t* first, int count,
                        std::span<const BodyMobility> bodies, const BatchBody* now,
                        std::uint32_t idle) {
  lanes = count;
  still = 0;
  Vec3x4 offset{}, carried{};
  Pack4d inertia1{}, inertia2{};
  for (int lane = 0; lane < 4; ++lane) {
    body1[lane] = body2[lane] = placeOf(idle);
    if (lane >= count) {
      still |= 0x11u << static_cast<unsigned>(lane);
      continue;
    }
    const ManifoldRow& r = rows[first[lane]];
    row[lane] = first[lane];
    Vec3 given = r.offset;
    const BodyMobility &m1 = bodies[r.body1], &m2 = bodies[r.body2];
    if (cannotMove(m1)) {
      const BodyVelocity v = toVelocity(now[r.body1]);
      given += v.linear + cross(v.angular, r.points[0].arm1);
      still |= 0x1u << static_cast<unsigned>(lane);
    } else {
      body1[lane] = placeOf(r.body1);
      setLane(arm1, lane, dot(r.normal, r.points[0].arm1));
    }
    if (cannotMove(m2)) {
      const BodyVelocity v = toVelocity(now[r.body2]);
      given -= v.linear + cross(v.angular, r.points[0].arm2);
      still |= 0x10u << static_cast<unsigned>(lane);
    } else {
      body2[lane] = placeOf(r.body2);
      setLane(arm2, lane, dot(r.normal, r.points[0].arm2));
    }
    setLane(inverseMass1, lane, m1.inverseMass.x);
    setLane(inverseMass2, lane, m2.inverseMass.x);
    setLane(inertia1, lane, m1.inverseInertia.x.x);
    setLane(inertia2, lane, m2.inverseInertia.x.x);
    setLane(normal, lane, r.normal);
    setLane(tangent, lane, anyPerpendicular(r.normal));
    setLane(offset, lane, given);
    setLane(carried, lane, r.tangentImpulse);
    setLane(friction, lane, r.friction);
    setLane(slop, lane, r.slop);
    setLane(bound[0], lane, r.points[0].bound);
    setLane(separation, lane, r.points[0].separation);
    setLane(impulse[0], lane, r.points[0].normalImpulse);
  }
  const Vec3x4 second = cross(normal, tangent);
  normalOffset = dot(normal, offset);
  bound[0] = bound[0] - normalOffset;
  slideOffset[0] = dot(tangent, offset);
  slideOffset[1] = dot(second, offset);
  slide[0] = dot(tangent, carried);
  slide[1] = dot(second, carried);
  turn1 = inertia1 * arm1;
  turn2 = inertia2 * arm2;
  const Pack4d mass = inverseMass1 + inverseMass2;
  inverse = inverseOr(mass, splat(1.0));
  stick = inverseOr(mass + (turn1 * arm1 + turn2 * arm2), splat(0.0));
}

void LeanBatch::warmStart(BatchBody* bodies) const {
#if ABUT_HAS_WIDE
  if (kHasWide) return warmStartLeanWide(*this, bodies);
#endif
  warmStartLean<Pack4d>(*this, bodies);
}

void LeanBatch::sweep(LeanBatch* batches, std::span<BatchSlot> slots, const SlotSweep& how,
                      SweepTerms terms) {
#if ABUT_HAS_WIDE
  if (kHasWide) {
    return how.momentum.lags ? sweepLeanWide<true>(batches, slots, how, terms)
                             : sweepLeanWide<false>(batches, slots, how, terms);
  }
#endif
  const double beta = how.momentum.beta;
  for (BatchSlot& slot : slots) {
    const SlotTurn turn(slot, how.all);
    if (turn.hasLanes()) {
      LeanBatch& batch = batches[slot.index];
      const unsigned without = turn.without();
      turn.end(slot, how.momentum.lags
                         ? sweepLean<Pack4d, true, true>(batch, how.bodies, beta, without, terms)
                         : sweepLean<Pack4d, true, false>(batch, how.bodies, beta, without, terms));
    } else {
      turn.passOver(slot, terms);
    }
    advance(terms);
  }
}

bool LeanBatch::beginProjection(const BatchBody* bodies, double dt, double share,
                                NormalMiss& miss) {
#if ABUT_HAS_WIDE
  if (kHasWide) return beginProjectionLeanWide(*this, bodies, dt, share, miss);
#endif
  return beginProjectionLean<Pack4d>(*this, bodies, dt, share, miss);
}

void LeanBatch::project(BatchBody* bodies) {
#if ABUT_HAS_WIDE
  if (kHasWide) return projectLeanWide(*this, bodies);
#endif
  projectLean<Pack4d>(*this, bodies);
}

Pack4d LeanBatch::work(const BatchBody* bodies) const {
  Pack4d sum;
#if ABUT_HAS_WIDE
  if (kHasWide) {
    workLeanWide(*this, bodies, sum);
    return sum;
  }
#endif
  workLean<Pack4d>(*this, bodies, sum);
  return sum;
}

void LeanBatch::shrink(double keep) {
  impulse[0] = impulse[0] * keep;
  for (int k = 0; k < 2; ++k) slide[k] = slide[k] * keep;
}

void LeanBatch::reload(std::span<const ManifoldRow> rows) {
  const Pack4d zero = splat(0.0);
  change[0] = direction[0] = zero;
  for (int k = 0; k < 2; ++k) slideChange[k] = slideDirection[k] = zero;
  Vec3x4 carried{};
  for (int lane = 0; lane < lanes; ++lane) {
    const ManifoldRow& r = rows[row[lane]];
    setLane(impulse[0], lane, r.points[0].normalImpulse);
    setLane(carried, lane, r.tangentImpulse);
  }
  slide[0] = dot(tangent, carried);
  slide[1] = dot(cross(normal, tangent), carried);
}

void LeanBatch::store(std::span<ManifoldRow> rows) const {
  const Vec3x4 second = cross(normal, tangent);
  for (int lane = 0; lane < lanes; ++lane) {
    ManifoldRow& r = rows[row[lane]];
    r.points[0].normalImpulse = impulse[0][lane];
    r.tangentImpulse =
        getLane(tangent, lane) * slide[0][lane] + getLane(second, lane) * slide[1][lane];
    r.twistImpulse = 0.0;
  }
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
