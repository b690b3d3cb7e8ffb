// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <abut/dynamics/mobility.hpp>

#include "math/vec3_pack.hpp"
#include "solver/manifold_row.hpp"

namespace abut::inline v0_1 {

/// Velocity of a body where the batches find it: one cache line, the fourth
/// numbers unused.
struct alignas(64) BatchBody {
  Double2 linearXy, linearZ, angularXy, angularZ;
};

BatchBody toBatchBody(const BodyVelocity& v);
BodyVelocity toVelocity(const BatchBody& b);

/// By how much of their last way impulses and velocities are carried on before a sweep.
struct Momentum {
  double beta = 0.0;
  /// The way is that of the sweep before the last one: conjugate directions. Sweeps along a chain
  /// come closer so; a heap, where contacts come and go, follows the last sweep better.
  bool lags = true;
};

/// Where a sweep over the four rows of a batch writes: squares of the changes of impulses, and of
/// the impulses, four numbers each.
struct SweepTerms {
  double *change, *size;
};

/// A batch among those of its kind, and which of its lanes have their turn.
struct BatchSlot {
  std::uint32_t points, index;  ///< Of the batch; no points: a lean one.
  std::uint32_t used = 0;       ///< Of each lane a byte: 0x80 if there is a row.
  std::uint32_t passOver = 0;   ///< Of each lane a byte: sweeps for which it is left out.
};

/// A sweep over slots of one kind.
struct SlotSweep {
  BatchBody* bodies;
  Momentum momentum;
  bool all;  ///< Every lane, or all but those that have not pushed and wait for their turn.
};

/// What normal velocities still miss when projection begins.
struct NormalMiss {
  Pack4d least;           ///< The least of them, less their bounds, lane by lane [m/s].
  double most = 0.0;      ///< Greatest distance from what the impulses call for [m/s],
  std::uint32_t row = 0;  ///< where it is; of several the first.
};

/// Where a body lies among others, in parts of eight bytes, as addresses are computed.
inline std::uint32_t placeOf(std::uint32_t body) {
  return body * static_cast<std::uint32_t>(sizeof(BatchBody) / 8);
}

/// Which rows four lanes hold, and between which bodies.
struct BatchLanes {
  std::uint32_t body1[4], body2[4];  ///< As placeOf() says.
  std::uint32_t row[4];              ///< Where the lanes come from.
  int lanes;
  /// Bits of bodies 1, then of bodies 2, that nothing moves: they are read, never written, since
  /// batches on other threads read them too.
  unsigned still;
};

/// How the two bodies of each lane answer to impulses at the points' centre.
struct BatchResponse {
  Vec3x4 normal, tangent[2];          ///< A frame, right-handed.
  Vec3x4 arm1, arm2;                  ///< From the centres of mass to the points' centre [m].
  Vec3x4 inverseMass1, inverseMass2;  ///< Along the world axes.
  Symmetric3x4 inverseInertia1, inverseInertia2;
};

/// Friction of each lane: one force in the plane and one couple about the normal.
struct BatchFriction {
  Pack4d friction, slideOffset[2];
  Pack4d stick11, stick12, stick22;  ///< Inverse of the tangential response.
  Pack4d proximal;                   ///< One over its largest eigenvalue.
  Pack4d slide[2], slideChange[2], slideDirection[2];
  Pack4d twistMass, twist, twistChange, twistDirection;
};

/// What impulses along the normal, and couples, of each lane do to what its friction sees: so their
/// bodies need not be moved before friction is known, and one wrench does for all.
template <bool kTwists>
struct BatchCoupling;
template <>
struct BatchCoupling<false> {
  Pack4d slipOfPush[2];  ///< Slip along the tangents by an impulse along the normal.
};
template <>
struct BatchCoupling<true> {
  Pack4d slipOfPush[2];
  Pack4d slipOfTilt[2][2];  ///< The same by couples about the tangents,
  Pack4d slipOfTwist[2];    ///< and about the normal.
  Pack4d turnOfPush;        ///< Turn about the normal by an impulse along it,
  Pack4d turnOfTilt[2];     ///< and by couples about the tangents.
};

/// Four manifolds of K points that share no moving body, prepared for sweeps.
/// Lanes that are not used hold no body's mass and stay at zero. What a lane
/// becomes depends on its row and on its two bodies alone: which rows share a
/// batch changes no bit.
template <int K>
struct ManifoldBatch : BatchLanes, BatchResponse, BatchFriction, BatchCoupling<(K > 1)> {
  /// Of a symmetric matrix, by rows of its lower half.
  static constexpr int kEntries = K * (K + 1) / 2;

  /// Bits of lanes in which some point does not push; in the others the inverse
  /// is that of the whole matrix.
  unsigned partly;

  /// (point - centre) x normal = tangent[0] along0 + tangent[1] along1, the
  /// same for both bodies: a point's normal velocity is that of the centre and
  /// the turn about the tangents.
  Pack4d along0[K], along1[K];
  Pack4d inverse[kEntries];  ///< Of the response of those points that push; rows
                             ///< of others are 0.
  Pack4d bound[K];
  Pack4d impulse[K], change[K], direction[K];

  Pack4d radius[K];  ///< Of the points about their centre [m].

  // Not read by every sweep.
  Pack4d matrix[kEntries];  ///< The points' response to normal impulses,
                            ///< regularised.
  Pack4d separation[K], normalOffset, slop;

  /// Fills the lanes of a new batch, all zero, from rows[first[0..count)];
  /// `idle` is a body that never moves.
  void prepare(std::span<const ManifoldRow> rows, const std::uint32_t* first, int count,
               std::span<const BodyMobility> bodies, std::uint32_t idle);
  /// Applies the impulses as they are.
  void warmStart(BatchBody* bodies) const;
  /// Of each of the slots, one after the other: carries impulses on, then solves each manifold
  /// once, in all lanes that have their turn; the others keep what they have, and their terms are
  /// zero. Terms of the slots follow each other. Lanes in which no point pushes wait from then on.
  static void sweep(ManifoldBatch* batches, std::span<BatchSlot> slots, const SlotSweep& how,
                    SweepTerms terms);
  /// Turns the batch to displacements: from the separations that the velocities
  /// will have led to after dt, `share` of what is deeper than the slop is to be
  /// taken out. True if there is any.
  bool beginProjection(const BatchBody* bodies, double dt, double share, NormalMiss& miss);
  /// Normals alone, on displacements.
  void project(BatchBody* bodies);
  /// Impulses times the present relative velocities, lane by lane [J].
  [[nodiscard]] Pack4d work(const BatchBody* bodies) const;
  /// Takes a share of the impulses away again, velocities apart.
  void shrink(double keep);
  /// Takes the impulses of the rows again, as if no sweep had been.
  void reload(std::span<const ManifoldRow> rows);
  /// Writes the impulses back.
  void store(std::span<ManifoldRow> rows) const;

private:
  void prepareAnswers(const Vec3x4& offset, const Vec3x4& carried);
};

extern template struct ManifoldBatch<1>;
extern template struct ManifoldBatch<2>;
extern template struct ManifoldBatch<3>;
extern template struct ManifoldBatch<4>;

}  // namespace abut::inline v0_1
