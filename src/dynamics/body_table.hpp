// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include <abut/dynamics/body.hpp>
#include <abut/dynamics/mobility.hpp>
#include <abut/dynamics/path.hpp>

#include "core/seldom.hpp"
#include "dynamics/local_inertia.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// The drive of a kinematic body that has limits.
struct Drive {
  bool isLimited = false;
  bool lags = false;  ///< In this step it is not where its path is; set anew in every step.
  Vec3 maxForce{kNoLimit, kNoLimit, kNoLimit};   ///< Along the world axes [N].
  Vec3 maxTorque{kNoLimit, kNoLimit, kNoLimit};  ///< About them [N m].
  double mass = 0.0;                             ///< [kg]
  LocalInertia inertia;                          ///< Body frame, about its origin.
  BodyVelocity target;                           ///< How it is to move, unless along a path.
  bool wasSet = false;  ///< The velocity of a kinematic body was set since the last step.
  BodyVelocity before;  ///< Then: how it moved until it was.
};

/// What of a body does not change while it moves.
struct BodyFacts {
  ObjectId id = kNoObject;
  BodyType type = BodyType::Dynamic;
  std::uint8_t locks = kLockNone;
  double mass = 0.0;     ///< [kg]; 0 unless dynamic.
  LocalInertia inertia;  ///< Body frame, about the centre of mass.
  Vec3 center;           ///< Centre of mass, body frame [m].
  double gravityScale = 1.0;
  Vec3 surfaceVelocity;                ///< World [m/s].
  std::shared_ptr<const Shape> shape;  ///< Null for a body that touches nothing.
  Seldom<Pose> shapePose;              ///< Shape's frame in the body's frame.
  double halfWidth = 0.0;              ///< Least half width of the shape's own box [m].
  std::vector<PathPoint> path;         ///< Of a kinematic body; empty for a given velocity.
  Seldom<Drive> drive;                 ///< Of a kinematic body.
  std::uint64_t shapeDigest = 0;       ///< Of the shape's geometry; 0 without one.
  std::vector<MaterialId> materials;   ///< One, or one for each child of a compound.
  BodyFilter filter;
  bool sensor = false;
  std::vector<ObjectId> excluded;  ///< Greater ids that it may not touch, sorted.
  std::uint64_t origin = 0;        ///< See originOf().

  /// Whether something is said about what it may touch.
  [[nodiscard]] bool isFiltered() const {
    return sensor || !excluded.empty() || filter != BodyFilter{};
  }
};

/// Whether a body rests, in worlds whose islands fall asleep.
struct BodyRest {
  double still = 0.0;  ///< For how long it has hardly moved [s].
  double step = 0.0;   ///< Length of the step in which it fell asleep [s]; 0: awake.
  bool woken = false;  ///< It woke up, and no step has reported it yet.

  [[nodiscard]] bool isAsleep() const { return step > 0.0; }
};

/// All bodies, sorted by id, state in columns. Indices change when bodies come and go.
///
/// A body that comes before others, or goes, costs no more than a search: it gets a row at the end,
/// or leaves a row without a body, until settle() sorts the rows. Everybody but find(), add() and
/// drop() is to meet a table that is settled.
struct BodyTable {
  std::vector<BodyFacts> facts;
  std::vector<ObjectId> ids;      ///< As in the facts, for searching.
  std::vector<Vec3> position;     ///< Centre of mass, world [m].
  std::vector<Quat> orientation;  ///< Body to world.
  std::vector<BodyVelocity> velocity;
  std::vector<BodyMobility> mobility;  ///< Under the present orientation.
  std::vector<Vec3> force, torque;     ///< Applied until the next step [N, N m].
  std::vector<BodyRest> rest;
  /// Compliance that contacts of the body's island needed last (SolverReport::nextSoftness); 0:
  /// none.
  std::vector<double> softness;
  /// What ranks of pairs come from in place of ids: origins, told apart where bodies share one, the
  /// first by id has it as it is. Follows from ids and origins; made by mark().
  std::vector<std::uint64_t> marks;
  std::size_t filtered = 0;  ///< Number of bodies with something said about what they may touch.

  [[nodiscard]] std::size_t size() const { return facts.size(); }
  /// Index of a body, or size() if there is none.
  [[nodiscard]] std::size_t find(ObjectId id) const;
  /// Index of a body that is there; it is a bug of the library if it is not.
  [[nodiscard]] std::size_t indexOf(ObjectId id) const;
  /// Pose of the body's frame.
  [[nodiscard]] Pose poseOf(std::size_t i) const;
  /// Pose of the body's shape.
  [[nodiscard]] Pose shapePoseOf(std::size_t i) const;
  /// Recomputes the mobility from the orientation.
  void refreshMobility(std::size_t i);
  /// Inertia about the centre of mass, world frame.
  [[nodiscard]] Mat3 inertiaOf(std::size_t i) const;
  /// Kinetic energy [J]; 0 unless dynamic.
  [[nodiscard]] double kineticEnergy(std::size_t i) const;

  /// Checks a description and adds it to a world that has made this many steps. On failure, and
  /// where memory runs out, nothing changes.
  Status add(const BodyDescription& description, const std::vector<BodyShape>& shapes,
             const MaterialTable& materials, ObjectId id, std::uint64_t steps);
  /// Takes the body out that was added last, with nothing in between.
  void undoAdd() noexcept;
  /// Takes a body out; its row is left until settle().
  void drop(std::size_t i) noexcept;
  /// Bodies dropped since the last settle(), ascending; some may be back.
  [[nodiscard]] std::vector<ObjectId> droppedIds() const;
  /// Whether rows are sorted by id and each is that of a body.
  [[nodiscard]] bool isSettled() const { return unsorted_ == 0 && dropped_ == 0; }
  /// Number of bodies.
  [[nodiscard]] std::size_t numBodies() const { return size() - dropped_; }
  /// Sorts the rows. Where memory runs out it throws, and nothing changes.
  void settle();
  /// Makes the marks, if bodies came or went. Where memory runs out it throws, and nothing changes.
  void mark();
  /// Adds a body whose id is above all others and whose facts are known to be sound.
  void append(BodyFacts newFacts, const Vec3& center, const Quat& turn, const BodyVelocity& v);
  /// Takes over type, mass, centre, inertia and locks from facts that are sound; the body stays
  /// where it is and moves as it does.
  void takeMass(std::size_t i, const BodyFacts& from);

  [[nodiscard]] std::size_t numSensors() const;
  /// Whether two bodies, given by index in any order, may touch with force.
  [[nodiscard]] bool mayTouch(std::size_t i, std::size_t j) const {
    return filtered == 0 || (!facts[i].sensor && !facts[j].sensor && passesFilters(i, j));
  }
  /// The same without regard to sensors.
  [[nodiscard]] bool passesFilters(std::size_t i, std::size_t j) const;
  [[nodiscard]] bool isExcluded(ObjectId a, ObjectId b) const;
  /// Removes the pairs of bodies that may not touch with force.
  void dropForbidden(std::vector<ObjectPair>& pairs) const;
  /// Bodies that go, ascending, are excluded from nothing any more. settle() does that of those
  /// that were here.
  void forgetExclusions(std::span<const ObjectId> gone) noexcept;

private:
  void makeRoom();
  /// visit(column, the other's) for each column: the one list of them.
  template <typename Visit>
  void forColumns(BodyTable& other, Visit visit);
  template <typename Visit>
  void forColumns(Visit visit);

  std::size_t unsorted_ = 0, dropped_ = 0;  // Rows at the end; rows without a body.
  bool is_marked_ = true;                   // Marks are those of the bodies that are there.
  std::map<ObjectId, std::uint32_t> tail_;  // Bodies in unsorted rows.
};

/// Whether two bodies may meet, in any order, without regard to sensors.
[[nodiscard]] bool passFilters(const BodyFacts& a, const BodyFacts& b);

/// Says where and when a body was put into a world: a hash of the bits of its pose and of the
/// number of steps made until then, not of its id. Bodies that come together to one place have the
/// same.
[[nodiscard]] std::uint64_t originOf(const Vec3& position, const Quat& orientation,
                                     std::uint64_t steps);

/// Of each body: whether it is dynamic.
void markMovingBodies(const BodyTable& bodies, std::vector<std::uint8_t>& moves);

}  // namespace abut::inline v0_1
