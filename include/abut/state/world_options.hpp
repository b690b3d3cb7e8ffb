// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <Eigen/Core>

#include <abut/core/tasks.hpp>
#include <abut/solver/contact_solver.hpp>

namespace abut::inline v0_1 {

/// How a step turns contacts into motion.
enum class StepScheme : std::uint8_t {
  /// Impacts apart from forces, friction at every point, positions by the mean of the velocities
  /// before and after: of second order, with contact forces to the solver's tolerance.
  Exact,
  /// One solve for impacts and forces, friction as one force and one couple for each manifold,
  /// bodies in contact moved by their new velocity: for many bodies at a fixed frame rate. Of first
  /// order; a bounce turns within a step of the surface, not at it.
  RealTime,
};
inline constexpr int kLastScheme = 1;  ///< The greatest value.
/// Their words in scene files.
inline constexpr std::array<std::string_view, 4> kSchemeWords{"exact", "realTime"};

/// Greatest WorldOptions::substeps.
inline constexpr int kMaxSubsteps = 1000;

/// What a step may take, which bounds its memory too; a step that would take more is not made, and
/// fails with LimitExceeded and the counts. 0: no limit. No part of the state: snapshots do not
/// hold it, and restoring leaves it.
struct WorldLimits {
  std::size_t pairs = 0;     ///< Pairs of bodies whose boxes meet.
  std::size_t contacts = 0;  ///< Points of contact.
  /// Memory [B] by the counts of bodies, pairs and contacts: an estimate from above, at most a few
  /// times what is taken. Shapes, joints and the host's own lists are not in it.
  std::size_t bytes = 0;
};

struct WorldOptions {
  StepScheme scheme = StepScheme::Exact;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< [m/s^2]
  SolverOptions solver;
  /// Contacts are looked for within this distance [m] beyond what motion covers in a step.
  double detectionMargin = 0.01;
  /// Contacts count before they touch, so that nothing overlaps: an approach is slowed to what
  /// closes the gap in the step. If false, a contact counts once the shapes touch or overlap.
  bool speculative = true;
  /// Baumgarte's error reduction: approach ends with a separation of this share of the overlap per
  /// step. It adds energy that no law of physics accounts for, and exists for comparison; 0 is off.
  double baumgarte = 0.0;
  /// Overlap up to this depth [m] is left alone; beyond it a share is taken out in each step, by
  /// displacement, never through the velocity.
  double correctionSlop = 1e-6;
  double correctionShare = 0.2;
  /// Longest step accepted [s].
  double maxStep = 1.0;
  /// A step is made of so many full ones, 1 to kMaxSubsteps, each detecting contacts anew: motion
  /// is that of so many calls with a fraction of dt, bit for bit. Forces given for the step act in
  /// all of them. Reports and accounts are of the step as a whole; contacts are all that there were
  /// in it, each with the mean of its force and where it was last.
  int substeps = 1;
  /// Where contacts move through a step of the exact scheme and stick throughout, make it once as a
  /// whole and once in halves, and take from both what is of fourth order, (4 halves - whole) / 3:
  /// for what turns and rolls, at three times the cost. Steps in which a contact begins, ends or
  /// slides stay as they are. The ledger books what the combination adds as `integrator`.
  /// The real-time scheme refuses it.
  bool extrapolates = false;
  /// Islands whose bodies have all hardly moved for a time fall asleep: they stop, and cost next to
  /// nothing until something touches them, a call changes one of them or what they rest on, or the
  /// materials of a pair of theirs change. What touches a body or surface that is driven does not
  /// fall asleep. Off by default: it ends motion that is slow but real.
  bool sleeping = false;
  double sleepAfter = 0.5;  ///< That time [s], > 0; at least four steps in any case.
  /// Hardly: no point of a body is faster than this share of what gravity adds to its velocity in a
  /// step, 0 to 1. A body that is free to fall leaves such speeds behind within a step. realTime()
  /// has 0.3, above the jitter that its tolerance leaves in heaps.
  double sleepSpeed = 1e-3;
  WorldLimits limits;
  /// Who does the work of steps; none is the thread that calls step(). It outlives the world or its
  /// replacement by World::setTasks(). No part of the state: no bit depends on it.
  TaskRunner* tasks = nullptr;

  /// For many bodies at a frame rate: StepScheme::RealTime, impulses to 1e-4 in at most 60 sweeps
  /// (30 for what moves), overlap up to 1 mm left alone. Contacts in such a step never add energy,
  /// converged or not.
  static WorldOptions realTime();
};

}  // namespace abut::inline v0_1
