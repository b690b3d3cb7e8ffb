// SPDX-License-Identifier: MIT
#include "solver/manifold_batch.hpp"

#include "math/pack_wide.hpp"
#include "solver/lean_batch.hpp"
#include "solver/manifold_kernel.hpp"

namespace abut {
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

/// 1/x where x is positive, else 0.
Pack4d inverseOrZero(const Pack4d& x) {
  const Pack4d zero = splat(0.0), one = splat(1.0);
  return select(zero < x, one / select(zero < x, x, one), zero);
}

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
    body1[lane] = body2[lane] = idle;
    if (lane >= count) {
      still |= 0x11u << static_cast<unsigned>(lane);
      continue;
    }
    const ManifoldRow& r = rows[first[lane]];
    row[lane] = first[lane];
    body1[lane] = r.body1;
    body2[lane] = r.body2;
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
    const Vec3 centre = centreOf(r.arm1, K);
    setLane(arm1, lane, centre);
    setLane(arm2, lane, centreOf(r.arm2, K));
    for (int i = 0; i < K; ++i) {
      setLane(from[i], lane, r.arm1[i] - centre);
      setLane(bound[i], lane, r.bound[i]);
      setLane(separation[i], lane, r.separation[i]);
      setLane(impulse[i], lane, r.normalImpulse[i]);
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
  prepareNormals();
  prepareFriction(offset, carried);
}

/// The response of the points' normal velocities to their impulses, and its
/// inverse.
template <int K>
void ManifoldBatch<K>::prepareNormals() {
  // Of a push through the centre and of couples about the tangents, to each
  // other.
  const Vec3x4 lever1 = cross(arm1, normal), lever2 = cross(arm2, normal);
  const Vec3x4 axes1[3] = {lever1, tangent[0], tangent[1]};
  const Vec3x4 axes2[3] = {lever2, tangent[0], tangent[1]};
  Pack4d response[6];
  for (int i = 0; i < 3; ++i) {
    const Vec3x4 turn1 = times<Pack4d>(inverseInertia1, axes1[i]);
    const Vec3x4 turn2 = times<Pack4d>(inverseInertia2, axes2[i]);
    for (int j = i; j < 3; ++j) {
      response[entryOf(i, j)] = dot(axes1[j], turn1) + dot(axes2[j], turn2);
    }
  }
  response[0] += dot(normal, scaled(inverseMass1, normal) + scaled(inverseMass2, normal));
  const Pack4d zero = splat(0.0), one = splat(1.0);
  for (int i = 0; i < K; ++i) {
    const Pack4d of[3] = {one, along0[i], along1[i]};
    const Pack4d row0 = rowTimes<3>(response, 0, of), row1 = rowTimes<3>(response, 1, of),
                 row2 = rowTimes<3>(response, 2, of);
    for (int j = 0; j <= i; ++j) {
      matrix[entryOf(i, j)] = (row0 + row1 * along0[j]) + row2 * along1[j];
    }
    Pack4d& own = matrix[entryOf(i, i)];
    // A contact between bodies that cannot give way carries nothing.
    own = select(zero < own, own + own * splat(K > 1 ? kKeepShares : 0.0), one);
  }
  invert<K>(matrix, inverse, zero, one);
  partly = 0;
}

template <int K>
void ManifoldBatch<K>::prepareFriction(const Vec3x4& offset, const Vec3x4& carried) {
  Vec3x4 lever1[2], lever2[2];
  for (int k = 0; k < 2; ++k) {
    lever1[k] = cross(arm1, tangent[k]);
    lever2[k] = cross(arm2, tangent[k]);
    slideOffset[k] = dot(tangent[k], offset);
    slide[k] = dot(tangent[k], carried);
  }
  const auto response = [&](int a, int b) {
    const Vec3x4 linear = scaled(inverseMass1, tangent[b]) + scaled(inverseMass2, tangent[b]);
    return dot(tangent[a], linear) + (dot(lever1[a], times<Pack4d>(inverseInertia1, lever1[b])) +
                                      dot(lever2[a], times<Pack4d>(inverseInertia2, lever2[b])));
  };
  const Pack4d s11 = response(0, 0), s12 = response(0, 1), s22 = response(1, 1);
  const Pack4d det = inverseOrZero(s11 * s22 - s12 * s12);
  stick11 = s22 * det;
  stick12 = -(s12 * det);
  stick22 = s11 * det;
  const Pack4d half = (s11 + s22) * 0.5, gap = (s11 - s22) * 0.5;
  proximal = inverseOrZero(half + sqrtOf(gap * gap + s12 * s12));
  twistMass = inverseOrZero(
      dot(normal, times<Pack4d>(inverseInertia1, normal) + times<Pack4d>(inverseInertia2, normal)));
}

template <int K>
void ManifoldBatch<K>::warmStart(BatchBody* bodies) const {
  Velocities<Pack4d> v(*this, bodies);
  v.push(*this, impulse);
  v.rub(*this, slide, twist);
  v.store(*this, bodies);
}

#if ABUT_HAS_WIDE
namespace {
const bool kHasWide = __builtin_cpu_supports("avx2");
}
template <int K, bool kLags>
ABUT_WIDE unsigned sweepWide(ManifoldBatch<K>& batch, BatchBody* bodies, double beta,
                             SweepTerms& terms) {
  return sweepBatch<Wide4d, K, false, kLags>(batch, bodies, beta, 0, terms);
}
template <int K, bool kLags>
ABUT_WIDE unsigned sweepSomeWide(ManifoldBatch<K>& batch, BatchBody* bodies, double beta,
                                 unsigned without, SweepTerms& terms) {
  return sweepBatch<Wide4d, K, true, kLags>(batch, bodies, beta, without, terms);
}
template <int K>
ABUT_WIDE void projectWide(ManifoldBatch<K>& batch, BatchBody* bodies) {
  projectBatch<Wide4d, K>(batch, bodies);
}
#endif

template <int K>
unsigned ManifoldBatch<K>::sweep(BatchBody* bodies, const Momentum& momentum, unsigned without,
                                 SweepTerms& terms) {
  const double beta = momentum.beta;
#if ABUT_HAS_WIDE
  if (kHasWide && momentum.lags) {
    return without == 0 ? sweepWide<K, true>(*this, bodies, beta, terms)
                        : sweepSomeWide<K, true>(*this, bodies, beta, without, terms);
  }
  if (kHasWide) {
    return without == 0 ? sweepWide<K, false>(*this, bodies, beta, terms)
                        : sweepSomeWide<K, false>(*this, bodies, beta, without, terms);
  }
#endif
  return momentum.lags ? sweepBatch<Pack4d, K, true, true>(*this, bodies, beta, without, terms)
                       : sweepBatch<Pack4d, K, true, false>(*this, bodies, beta, without, terms);
}

template <int K>
bool ManifoldBatch<K>::beginProjection(const BatchBody* bodies, double dt, double share,
                                       Pack4d& least) {
  const Velocities<Pack4d> v(*this, bodies);
  Pack4d u[K];
  v.normals(*this, u);
  const Pack4d zero = splat(0.0);
  Mask4 deep{};
  for (int i = 0; i < K; ++i) {
    least = minOf(least, u[i]);
    const Pack4d end = separation[i] + ((u[i] + bound[i]) + normalOffset) * dt;
    const Pack4d beyond = -end - slop;
    deep = deep | (zero < beyond);
    bound[i] = select(zero < beyond, beyond * share, minOf(zero, -end));
    impulse[i] = zero;
  }
  return anyOf(deep);
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
  const Velocities<Pack4d> v(*this, bodies);
  Pack4d u[K];
  v.normals(*this, u);
  Pack4d slip[2];
  v.slips(*this, slip);
  Pack4d sum = slide[0] * slip[0] + slide[1] * slip[1];
  for (int i = 0; i < K; ++i) sum += impulse[i] * ((u[i] + bound[i]) + normalOffset);
  if constexpr (K > 1) sum += twist * dot(normal, v.angular1 - v.angular2);
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
    for (int i = 0; i < K; ++i) setLane(impulse[i], lane, r.normalImpulse[i]);
    setLane(carried, lane, r.tangentImpulse);
    setLane(twist, lane, r.twistImpulse);
  }
  for (int k = 0; k < 2; ++k) slide[k] = dot(tangent[k], carried);
}

template <int K>
void ManifoldBatch<K>::store(std::span<ManifoldRow> rows) const {
  for (int lane = 0; lane < lanes; ++lane) {
    ManifoldRow& r = rows[row[lane]];
    for (int i = 0; i < K; ++i) r.normalImpulse[i] = impulse[i][lane];
    r.tangentImpulse =
        getLane(tangent[0], lane) * slide[0][lane] + getLane(tangent[1], lane) * slide[1][lane];
    r.twistImpulse = twist[lane];
  }
}

template struct ManifoldBatch<1>;
template struct ManifoldBatch<2>;
template struct ManifoldBatch<3>;
template struct ManifoldBatch<4>;

}  // namespace abut
