// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "solver/manifold_batch.hpp"

namespace abut::inline v0_1 {

/// Four contacts of one point each, between bodies that answer alike in all directions and are
/// touched straight below their centres: spheres, on anything that does not move or on each other.
/// A push then turns no body and leaves the slip as it is, so that one wrench does for push and
/// friction: half the numbers of a ManifoldBatch<1>, and two thirds of its work.
///
/// Bodies that cannot move are no bodies here: what they do at the point stands in the bounds.
/// Else as ManifoldBatch.
struct LeanBatch : BatchLanes {
  Vec3x4 normal, tangent;             ///< The second tangent is their cross product.
  Pack4d inverseMass1, inverseMass2;  ///< [1/kg]
  Pack4d arm1, arm2;                  ///< From the centres to the point, along the normal [m].
  Pack4d turn1, turn2;                ///< Arm over the moment of inertia [1/(kg m)].
  Pack4d inverse, stick;              ///< Of the response along the normal, and across it.
  Pack4d friction, slideOffset[2];
  Pack4d bound[1];
  Pack4d impulse[1], change[1], direction[1];
  Pack4d slide[2], slideChange[2], slideDirection[2];

  // Not read by every sweep.
  Pack4d separation, normalOffset, slop;

  /// Fills the lanes of a new batch, all zero. Velocities of bodies that cannot move are in `now`.
  void prepare(std::span<const ManifoldRow> rows, const std::uint32_t* first, int count,
               std::span<const BodyMobility> bodies, const BatchBody* now, std::uint32_t idle);
  void warmStart(BatchBody* bodies) const;
  static void sweep(LeanBatch* batches, std::span<BatchSlot> slots, const SlotSweep& how,
                    SweepTerms terms);
  bool beginProjection(const BatchBody* bodies, double dt, double share, NormalMiss& miss);
  void project(BatchBody* bodies);
  [[nodiscard]] Pack4d work(const BatchBody* bodies) const;
  void shrink(double keep);
  void reload(std::span<const ManifoldRow> rows);
  void store(std::span<ManifoldRow> rows) const;
};

/// How a body answers to impulses.
enum class Answer : std::uint8_t {
  None,   ///< Nothing moves it.
  Alike,  ///< Alike in all directions.
  Other
};
Answer answerOf(const BodyMobility& mobility);

/// Whether a row between bodies that answer so may be one of a LeanBatch.
bool isLean(const ManifoldRow& row, Answer answer1, Answer answer2);
inline bool isLean(const ManifoldRow& row, std::span<const BodyMobility> bodies) {
  return isLean(row, answerOf(bodies[row.body1]), answerOf(bodies[row.body2]));
}

/// Whether nothing moves a body.
bool cannotMove(const BodyMobility& mobility);

}  // namespace abut::inline v0_1
