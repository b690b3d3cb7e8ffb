// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/status.hpp>

#include "dynamics/body_table.hpp"
#include "joints/mechanism.hpp"

namespace abut::inline v0_1 {

/// A joint of a world.
struct JointRecord {
  JointDescription description;  ///< Frames in the bodies; lengths known.
  JointModel model;              ///< Follows from the description and the bodies.
  JointMemory memory;
  JointWork work;       ///< Since it was added [J].
  bool isFresh = true;  ///< A call changed it or the motion of its bodies since the last step.
};

/// A coupling of a world.
struct CouplingRecord {
  CouplingDescription description;  ///< With its offset.
  double force = 0.0;               ///< Mean of the last step, along position 2.
};

/// All joints and couplings, each sorted by id.
struct JointTable {
  std::vector<JointRecord> joints;
  std::vector<CouplingRecord> couplings;
  ObjectId nextJoint = 1, nextCoupling = 1;

  /// Whether there ever were any.
  [[nodiscard]] bool isUsed() const { return nextJoint > 1 || nextCoupling > 1; }
  /// Index of a joint, or joints.size(); of a coupling, or couplings.size().
  [[nodiscard]] std::size_t find(ObjectId id) const;
  [[nodiscard]] std::size_t findCoupling(ObjectId id) const;
  /// The first joint that has no other dynamic body than this one, or kNoObject.
  [[nodiscard]] ObjectId findHeldByOnly(ObjectId body, const BodyTable& bodies) const;
  /// Pairs of bodies that joints keep from touching, sorted.
  [[nodiscard]] std::span<const ObjectPair> apart() const { return apart_; }

  /// Checks and adds; on failure nothing changes.
  Status add(const JointDescription& description, const BodyTable& bodies, ObjectId& id);
  Status addCoupling(const CouplingDescription& description, ObjectId& id);
  Status setDrive(ObjectId id, int axis, const JointDrive& drive);
  /// Removes a joint and its couplings.
  void remove(std::size_t joint);
  /// The same of all joints that these events tell of, ascending by id.
  void removeBroken(std::span<const JointEvent> events);
  /// Removes all joints of some bodies, sorted by id.
  void removeOf(std::span<const ObjectId> bodies);
  /// Notes that a call changed the motion of a body.
  void refresh(ObjectId body);
  /// Derives what is not part of the state.
  void deriveAll(const BodyTable& bodies);

private:
  /// A body of a joint.
  struct End {
    ObjectId body = kNoObject, joint = kNoObject;

    friend auto operator<=>(const End&, const End&) = default;
  };

  template <typename Goes>
  void removeIf(Goes goes);
  void derivePairs();
  void addPairs(const JointDescription& d);
  [[nodiscard]] std::span<const End> endsAt(ObjectId body) const;

  // Both sorted; they follow from the descriptions.
  std::vector<ObjectPair> apart_;
  std::vector<End> ends_;  ///< Without those at the world.
};

/// Whether a description can be of a joint between these bodies. The message names what is wrong.
Status checkJoint(const JointDescription& description, const BodyTable& bodies);
Status checkDrive(const JointDrive& drive, const std::string& where, ObjectId joint);
/// The same joint with frames in the bodies and the length of a rod.
JointDescription resolved(const JointDescription& description, const BodyTable& bodies);

/// Whether joints and couplings that were read can be, each after the one before by id; derives
/// what is not read. Fails with what is wrong.
Status checkRestored(const BodyTable& bodies, JointTable& table);

/// Positions and rates of a joint's axes, by the present motion of its bodies.
void readAxes(const BodyTable& bodies, const JointRecord& joint, JointState& state);

}  // namespace abut::inline v0_1
