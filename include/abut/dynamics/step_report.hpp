// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// WorldContact::island of bodies that are asleep.
inline constexpr std::uint32_t kNoIsland = 0xffffffffu;

/// A contact of the last step, with the force it carried. Between bodies asleep it is that of the
/// step in which they fell asleep, without slip; its couple is not kept and reads zero.
struct WorldContact {
  ObjectId object1 = kNoObject, object2 = kNoObject;  ///< object1 < object2.
  Eigen::Vector3d position{0., 0., 0.};               ///< World [m], at the beginning of the step.
  Eigen::Vector3d normal{0., 0., 0.};                 ///< From object 2 to object 1.
  double depth = 0.0;                                 ///< [m]; negative: a gap.
  double normalForce = 0.0;  ///< On object 1 along the normal, mean over the step [N].
  Eigen::Vector3d frictionForce{0., 0., 0.};  ///< On object 1 [N].
  /// Against rolling and spinning, on object 1, mean over the step [N m].
  Eigen::Vector3d resistingCouple{0., 0., 0.};
  Eigen::Vector3d impactImpulse{0., 0., 0.};  ///< On object 1, of impacts in the step [N s].
  Eigen::Vector3d slip{0., 0., 0.};           ///< Tangential velocity of 1 over 2 at the end [m/s].
  double friction = 0.0;                      ///< Coulomb's coefficient of this pair.
  std::uint32_t island = 0;  ///< Number among the islands of the step, or kNoIsland.
  std::uint64_t id = 0;      ///< Stays the same while the contact lives.
};

/// What kinematic bodies had to supply in the last step.
struct DriverReport {
  ObjectId body = kNoObject;
  double work = 0.0;                   ///< On the other bodies [J].
  Eigen::Vector3d force{0., 0., 0.};   ///< Mean reaction the driver has to bear [N].
  Eigen::Vector3d torque{0., 0., 0.};  ///< About the body's centre of mass [N m].
  /// It could not follow: a limit of its drive was reached (see BodyDescription::maxForce).
  bool stalled = false;
};

/// A body that fell asleep in the last step, or woke up in it or by a call before it.
struct SleepEvent {
  enum class Kind : std::uint8_t { FallAsleep, WakeUp };

  ObjectId body = kNoObject;
  Kind kind = Kind::FallAsleep;
};

/// How the last step went.
struct StepReport {
  std::size_t contacts = 0;
  std::size_t islands = 0;
  double worstError = 0.0;  ///< Greatest solver error of an island.
  /// Bodies of the contact where that island is farthest from its solution; kNoObject if there is
  /// no error, and in the real-time scheme if the island converged.
  ObjectId worst1 = kNoObject, worst2 = kNoObject;
  /// Whether every island is solved to the tolerance, or to what is acceptable where that takes the
  /// place of it (see SolverOptions), every bound is kept, and no body is crushed.
  bool converged = true;
  /// The greatest error that an island of the step was allowed to count as solved:
  /// SolverOptions::tolerance, or where that was not reached what its size makes acceptable
  /// (SolverOptions::acceptable in heaps, a thousandth of it from 2 contacts on). 0 without
  /// contacts; in the real-time scheme the tolerance. Islands that joints hold do not count.
  double tolerance = 0.0;
  int sweeps = 0, newtonSteps = 0;  ///< Summed over islands.
  // Of the exact scheme.
  double rigidError = 0.0;  ///< worstError as if all contacts were rigid.
  /// Greatest velocity at which a contact still closes that may not, over all solves [m/s].
  double approach = 0.0;
  std::size_t compliantIslands = 0;  ///< Solves that compliant contacts gave the answer of.
  /// Greatest compliance among them (SolverReport::softness); 0: all rigid.
  double softness = 0.0;
  /// Work that restitution was to do in the impacts of the step, sums over contacts of p e |u-| / 2
  /// with the normal impulse p and the approach u-, and what it did, p u+ / 2 [J].
  double restitutionAsked = 0.0, restitutionDelivered = 0.0;
  /// Islands whose impacts were too many to make in order: what still approached was stopped.
  std::size_t unfinishedImpacts = 0;
  /// Islands with contacts that no motion of the bodies can obey, such as jaws that close on one.
  /// There contacts close by the least squares of what cannot be had, under bounded impulses; such
  /// a step has not converged.
  std::size_t presses = 0;
  double pressSpeed = 0.0;  ///< Greatest velocity at which a contact closes there [m/s].
  ObjectId pressed1 = kNoObject, pressed2 = kNoObject;  ///< Its bodies.
  double greatestDepth = 0.0;                           ///< [m]
  std::size_t asleep = 0;                               ///< Bodies that are asleep after the step.
};

}  // namespace abut::inline v0_1
