// SPDX-License-Identifier: MIT
#include "integration/rigid_rotation.hpp"

#include "math/pack_wide.hpp"
#include "math/vec3_pack.hpp"
#include "math/wide_vec3.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {
namespace {

/// Turn per sub-step [rad] at which the sixth-order error, (w h)^7 / 1e5, is below 1e-11.
constexpr double kMaxTurn = 0.125;
/// Turns below this leave no gyroscopic effect that a double can hold.
constexpr double kMinTurn = 1e-9;
/// The fixed point contracts by about w h per iteration, so this many reach rounding.
constexpr int kMaxIterations = 40;
constexpr int kMaxSubsteps = 10000;
constexpr double kRounding = 1e-16;

/// Butcher's coefficients of the three-stage Gauss method, s = sqrt(15).
struct GaussTableau {
  Pack4d column[3];  ///< Of the matrix: by what a node's rate moves the three of them.
  double b[3];
};

GaussTableau gaussTableau() {
  const double s = std::sqrt(15.0);
  return {{makePack(5.0 / 36.0, 5.0 / 36.0 + s / 24.0, 5.0 / 36.0 + s / 30.0, 0.0),
           makePack(2.0 / 9.0 - s / 15.0, 2.0 / 9.0, 2.0 / 9.0 + s / 15.0, 0.0),
           makePack(5.0 / 36.0 - s / 30.0, 5.0 / 36.0 - s / 24.0, 5.0 / 36.0, 0.0)},
          {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0}};
}

/// Rotation vector, body frame, from the angular velocities at the Gauss nodes: the sixth-order
/// Magnus expansion of Blanes, Casas, Oteo and Ros for R' = R [w].
Vec3 magnus(const Vec3 (&w)[3], double h) {
  const double root15 = std::sqrt(15.0);
  // For the transpose, which obeys Y' = -[w] Y.
  const Vec3 a1 = w[1] * -h;
  const Vec3 a2 = (w[2] - w[0]) * (-h * root15 / 3.0);
  const Vec3 a3 = ((w[2] - w[1] * 2.0) + w[0]) * (-h * 10.0 / 3.0);
  const Vec3 c1 = cross(a1, a2);
  const Vec3 c2 = cross(a1, a3 * 2.0 + c1) * (-1.0 / 60.0);
  const Vec3 omega =
      (a1 + a3 * (1.0 / 12.0)) + cross((c1 - a1 * 20.0) - a3, a2 + c2) * (1.0 / 240.0);
  return -omega;
}

template <int kNode>
ABUT_ALWAYS_INLINE Pack4d ofNode(const Pack4d& a) {
  return splat(a[kNode]);
}
#if ABUT_HAS_WIDE
template <int kNode>
ABUT_ALWAYS_INLINE Wide4d ofNode(const Wide4d& a) {
  return {__builtin_shufflevector(a.v, a.v, kNode, kNode, kNode, kNode)};
}
#endif
/// What one node has, in all lanes.
template <int kNode, class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> ofNode(const Vec3Pack<P>& a) {
  return {ofNode<kNode>(a.x), ofNode<kNode>(a.y), ofNode<kNode>(a.z)};
}

/// A sub-step from a momentum on, in all lanes.
struct SubStep {
  Vec3x4 inverse[3];  ///< Columns of the inverse of the inertia.
  Vec3x4 momentum;
  Pack4d h;
  Pack4d enough;  ///< Momenta that change by no more in an iteration are found.
};

Vec3x4 inAllLanes(const Vec3& v) {
  return {splat(v.x), splat(v.y), splat(v.z)};
}

/// Momenta at the Gauss nodes, and how they change: a node in each of the first three lanes.
template <class P>
struct Nodes {
  Vec3Pack<P> momentum, rate;

  /// All at the beginning.
  explicit ABUT_ALWAYS_INLINE Nodes(const SubStep& s)
      : momentum(load<P>(s.momentum)), rate(cross(momentum, spins(s))) {}
  /// Angular velocities.
  [[nodiscard]] ABUT_ALWAYS_INLINE Vec3Pack<P> spins(const SubStep& s) const {
    return (load<P>(s.inverse[0]) * momentum.x + load<P>(s.inverse[1]) * momentum.y) +
           load<P>(s.inverse[2]) * momentum.z;
  }
  /// Takes the momenta on from the beginning by the rates.
  ABUT_ALWAYS_INLINE void follow(const SubStep& s, const GaussTableau& g) {
    const Vec3Pack<P> by0 = ofNode<0>(rate) * load<P>(g.column[0]);
    const Vec3Pack<P> by1 = ofNode<1>(rate) * load<P>(g.column[1]);
    const Vec3Pack<P> by2 = ofNode<2>(rate) * load<P>(g.column[2]);
    momentum = load<P>(s.momentum) + ((by0 + by1) + by2) * load<P>(s.h);
  }
};

/// Angular velocities at the nodes, and the rates of the momentum there.
template <class P>
ABUT_ALWAYS_INLINE void solveNodes(const SubStep& s, const GaussTableau& g, Vec3x4& spins,
                                   Vec3x4& rates) {
  Nodes<P> nodes(s);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    nodes.follow(s, g);
    const Vec3Pack<P> next = cross(nodes.momentum, nodes.spins(s));
    const Vec3Pack<P> off = next - nodes.rate;
    nodes.rate = next;
    if (!anyOf(load<P>(s.enough) < sqrtOf(dot(off, off)) * load<P>(s.h))) break;
  }
  nodes.follow(s, g);
  const Vec3Pack<P> w = nodes.spins(s);
  PackTraits<P>::store(spins.x, w.x);
  PackTraits<P>::store(spins.y, w.y);
  PackTraits<P>::store(spins.z, w.z);
  PackTraits<P>::store(rates.x, nodes.rate.x);
  PackTraits<P>::store(rates.y, nodes.rate.y);
  PackTraits<P>::store(rates.z, nodes.rate.z);
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE void solveNodesWide(const SubStep& s, const GaussTableau& g, Vec3x4& spins,
                              Vec3x4& rates) {
  solveNodes<Wide4d>(s, g, spins, rates);
}
#endif

void solveNodes(const SubStep& s, const GaussTableau& g, Vec3x4& spins, Vec3x4& rates) {
#if ABUT_HAS_WIDE
  if (kHasWide) return solveNodesWide(s, g, spins, rates);
#endif
  solveNodes<Pack4d>(s, g, spins, rates);
}

void subStep(const LocalInertia& inertia, const GaussTableau& g, double h, Quat& q,
             Vec3& momentum) {
  const Mat3& i = inertia.inverse;
  Vec3x4 spins, rates;
  solveNodes({{inAllLanes(i.x), inAllLanes(i.y), inAllLanes(i.z)},
              inAllLanes(momentum),
              splat(h),
              splat(kRounding * norm(momentum))},
             g, spins, rates);
  const Vec3 w[3] = {getLane(spins, 0), getLane(spins, 1), getLane(spins, 2)};
  momentum +=
      ((getLane(rates, 0) * g.b[0] + getLane(rates, 1) * g.b[1]) + getLane(rates, 2) * g.b[2]) * h;
  q = normalized(q * quatFromRotationVector(magnus(w, h)));
}

bool isIsotropic(const Mat3& m) {
  return m.x.x == m.y.y && m.y.y == m.z.z && m.x.y == 0.0 && m.x.z == 0.0 && m.y.z == 0.0;
}

ABUT_ALWAYS_INLINE void rotate(const LocalInertia& inertia, double h, Quat& q, Vec3& w) {
  const double turn = norm(w) * absOf(h);
  if (turn == 0.0) return;
  if (turn < kMinTurn || isIsotropic(inertia.tensor)) {
    q = normalized(quatFromRotationVector(w * h) * q);
    return;
  }
  const Mat3 start = toMatrix(q);
  Vec3 p = inertia.tensor * transposeTimes(start, w);
  const Vec3 momentum = start * p;
  const double wanted = turn / kMaxTurn;
  const int count = wanted >= kMaxSubsteps ? kMaxSubsteps : 1 + static_cast<int>(wanted);
  const GaussTableau tableau = gaussTableau();
  for (int i = 0; i < count; ++i) subStep(inertia, tableau, h / count, q, p);
  // The smallest rotation that takes the momentum back to where it was.
  const Vec3 now = toMatrix(q) * p;
  const Vec3 correction = cross(now, momentum) / squaredNorm(momentum);
  q = normalized(quatFromRotationVector(correction) * q);
  const Mat3 end = toMatrix(q);
  const auto rateOf = [&](const Vec3& l) {
    return end * (inertia.inverse * transposeTimes(end, l));
  };
  w = rateOf(momentum);
  // One refinement: what is left of the matrix products' rounding would add up over the steps.
  w += rateOf(momentum - end * (inertia.tensor * transposeTimes(end, w)));
}

#if ABUT_HAS_WIDE
ABUT_WIDE_WHOLE void rotateWide(const LocalInertia& inertia, double h, Quat& q, Vec3& w) {
  rotate(inertia, h, q, w);
}
#endif

}  // namespace

void rotateFreely(const LocalInertia& inertia, double h, Quat& q, Vec3& w) {
#if ABUT_HAS_WIDE
  if (kHasWide) return rotateWide(inertia, h, q, w);
#endif
  rotate(inertia, h, q, w);
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
