// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/core/status.hpp>

#include "broad_phase/near_pairs.hpp"
#include "collision/detection.hpp"
#include "collision/pair_parts.hpp"
#include "dynamics/step_input.hpp"
#include "dynamics/step_motion.hpp"

namespace abut::inline v0_1 {

/// Which bodies of a world meet in a step: boxes widened by what motion covers, pairs, contacts of
/// each pair within the margin, and first hits of bodies that cover more than their size.
///
/// It holds the boxes of all bodies, those awake apart from those asleep, and what it found last.
/// Bodies that move on their own, by a path or a given velocity, are found by the velocities at the
/// beginning of the step. Failures are those of the shapes' kernels; nothing else is changed.
class Detector {
public:
  /// Boxes of bodies awake, as of a step that asked for them; follows from the bodies.
  BvhBroadPhase awake;
  /// Boxes that bodies asleep have in a step of the present length.
  BvhBroadPhase asleep;

  [[nodiscard]] const Detection& getFound() const { return found_; }

  /// False after forgetBoxes(), and where memory for a box ran out: then placeAtRest() comes first.
  [[nodiscard]] bool knowsBoxes() const { return knows_boxes_; }
  void forgetBoxes() noexcept { knows_boxes_ = false; }
  /// Nothing is left in its buffers.
  void reset();
  /// The boxes of all bodies at rest, for a step of dt; of those asleep alone.
  Status placeAtRest(const StepInput& in, double dt);
  Status placeSleepers(const StepInput& in, double dt);
  /// A body wakes up; a body falls asleep. They do not fail.
  void wakeBox(ObjectId id, const Aabb& box) noexcept { moveBox(id, box, asleep, awake); }
  void restBox(ObjectId id, const Aabb& box) noexcept { moveBox(id, box, awake, asleep); }
  /// A new body, awake.
  Status addBox(ObjectId id, const Aabb& box) {
    return knows_boxes_ ? awake.add(id, box) : Status();
  }
  /// A body awake goes.
  void removeBox(ObjectId id) noexcept;

  /// Where all bodies awake are, and how far they reach.
  Status placeAll(const StepInput& in, const StepMotion& motion);
  /// Where a body is and how far it reaches in a step of dt.
  void place(const StepInput& in, const StepMotion& motion, std::size_t body, double dt);
  /// How far a body reaches in a step of dt, beyond its shape [m].
  [[nodiscard]] static double reachOf(const StepInput& in, const BodyFacts& facts,
                                      const BodyVelocity& velocity, double dt);
  /// Moves the box of a body that was placed.
  Status updateBox(const StepInput& in, std::size_t body);
  /// The box that a body at rest has in a step of dt.
  [[nodiscard]] static Aabb restingBox(const StepInput& in, std::size_t body, double dt);

  static constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);
  /// Pairs whose boxes meet, of bodies that may touch with force. Throws abut::Error(LimitExceeded)
  /// for more than `limit` that meet.
  Status findPairs(const StepInput& in, std::size_t limit);
  /// Their contacts.
  Status findContacts(const StepInput& in, const StepMotion& motion,
                      const ContactManifoldCache& cache);
  /// Bodies that a box may touch on its way, awake or asleep; they are placed.
  Status findNear(const StepInput& in, const StepMotion& motion, const Aabb& box, const Vec3& way,
                  std::vector<ObjectId>& near);

  /// Adds a hit that blows of the step lead to; `taken` says whether the shapes touch there.
  Status addHit(const StepInput& in, FastHit hit, const Pose& pose1, const Pose& pose2,
                bool& taken);
  /// Forgets those hits, and takes back that others do not happen.
  void dropExpected();
  /// These hits, by number, do not happen.
  void dropHits(std::span<const std::uint32_t> hits);

private:
  /// Relative motion beyond this share of the smaller body's radius makes a pair fast.
  static constexpr double kFastShare = 0.5;

  void moveBox(ObjectId id, const Aabb& box, BvhBroadPhase& from, BvhBroadPhase& to) noexcept;

  enum class Recycling : std::uint8_t { None, Flat, All };
  [[nodiscard]] Recycling mayRecycle(const StepInput& in, const ContactManifoldCache& cache,
                                     std::size_t i, std::size_t j) const;
  [[nodiscard]] bool isStillApart(const ObjectPair& pair, std::size_t i, std::size_t j,
                                  double margin, std::size_t& cursor) const;
  /// How far bodies reach is no less than how far they go.
  [[nodiscard]] bool mayBeFast(std::size_t i, std::size_t j) const {
    return !(found_.margins[i] + found_.margins[j] <= kFastShare * minOf(radii_[i], radii_[j]));
  }
  [[nodiscard]] double wayBeside(const StepInput& in, const StepMotion& motion, std::size_t i,
                                 std::size_t j) const;
  [[nodiscard]] bool isFast(const StepInput& in, const StepMotion& motion, std::size_t i,
                            std::size_t j) const;
  Status visitPairs(const StepInput& in, const StepMotion& motion,
                    const ContactManifoldCache& cache, std::size_t begin, std::size_t end,
                    PairsFound<FastPair>& found) const;
  [[nodiscard]] Aabb boxOf(const StepInput& in, std::size_t body) const;
  void noteBox(const StepInput& in, std::size_t body);
  Status updateTree(const StepInput& in);
  void listPoses(const StepInput& in);
  void dropForeign(const StepInput& in);
  Status findFastHits(const StepInput& in, const StepMotion& motion);
  Status castPair(const StepInput& in, const StepMotion& motion, const FastPair& pair);
  Status collidePair(const FastPair& pair, double margin);
  Status detectPairsOfHits(const StepInput& in);
  void findHeldBodies(const StepInput& in, const StepMotion& motion);

  bool knows_boxes_ = true;
  Detection found_;
  PairsFound<FastPair> pairs_found_;
  PairParts<FastPair> parts_;
  NearPairs near_pairs_;
  bool has_new_boxes_ = false;         // Which `awake` does not know of yet.
  std::vector<Aabb> boxes_;            // By body, of those awake.
  std::vector<std::uint8_t> present_;  // By body: whether it is awake and has a shape.
  std::vector<double> slack_;          // By body: see NearPairs.
  std::vector<double> radii_;          // By body: of the shape about its origin [m].
  std::vector<PairApart> apart_;       // Of the last step, sorted: where to look first, no more.
  std::vector<double> first_;          // By body: when it first hits [s].
  std::vector<std::uint8_t> held_;     // By body: whether ordinary contacts hold it.
  std::vector<FastHit> hits_;          // All of the step.
  std::vector<ObjectId> near_;
  CollisionResult ordinary_;  // Of a fast pair.
};

}  // namespace abut::inline v0_1
