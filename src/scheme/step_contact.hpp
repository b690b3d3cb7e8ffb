// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/dynamics/material.hpp>
#include <abut/solver/contact_solver.hpp>

#include "core/stable_order.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {

struct StepInput;
struct StepMotion;
struct StepProblem;

inline constexpr std::uint32_t kNoHit = 0xffffffffu;

/// Of a contact of bodies that meet within the step.
struct Meeting {
  std::uint32_t hit = kNoHit;  ///< Of Detection::fastHits, if it is of one.
  bool isExpected = false;     ///< After blows of the step: whether it closes is looked at.
  double reach = 0.0;          ///< The bodies may be so far apart before [m].
  bool isSpent = false;        ///< Was thrown back, and the bodies may meet again elsewhere.
  bool isOver = false;  ///< They met, or did not, and are apart at the end: it does not count.
};

/// Work of impulses on what accelerations added to velocities before them [J].
struct LateWork {
  double normal = 0.0, friction = 0.0;
};

/// Blows of a contact within the step, and what they leave to its end.
struct LaterBlows {
  Vec3 impulses;           ///< Sum of them times their times in the step [N s^2].
  bool isInParts = false;  ///< Something of its island comes to rest within the step.
  LateWork work;           ///< Of an island in parts.
  double endBound = 0.0;   ///< Of an island in parts: least speed of parting at the end [m/s].
};

/// A contact of this step between bodies given by index.
struct StepContact {
  std::uint32_t body1 = 0, body2 = 0;
  PairMaterial material;
  double depth = 0.0;
  SolverContact row;  ///< For the solver; body indices are the table's.
  Vec3 carry;         ///< Impulse and couple along them with which a driver that accelerates takes
  Vec3 carryCouple;   ///< along what lies on it; part of the step's force [N s, N m s].
  Vec3 impact;        ///< Impulse along normal and tangents before forces act [N s].
  Vec3 impulse;       ///< Impulse over the step [N s].
  LaterBlows later;
  double open = 0.0;  ///< Gap at the beginning along the row, which may be that of its impact [m].
  bool located = false;  ///< The row is that of the time at which it closes in the step.
  bool rests = false;    ///< It bounced to rest in this step.
  bool waits = false;    ///< Whether it closes is for the geometry at the end of the step to say.
  Vec3 impactCouple;     ///< Against rolling and spinning, about normal and tangents [N m s].
  Vec3 couple;           ///< The same over the step.
  Vec3 lastCouple;       ///< In the last step, if a heap kept it.
  double late = 0.0;     ///< Time in the step at which fast bodies meet [s]; depth is that of then.
  Meeting meeting;
  Vec3 position;            ///< World [m]; of contacts that are not in the cache.
  double pull = 0.0;        ///< Acceleration along the normal by the step's forces [m/s^2].
  double driverWork = 0.0;  ///< Of drivers through it, over the step [J].
  double released = 0.0;    ///< Energy that it had stored, if it gives way [J].
  std::uint32_t cacheIndex = 0;
  std::uint64_t order = 0;  ///< Rank in the colouring: rankOf() its bodies.
};

/// Rate at which the forces of the step part the bodies of a contact along its normal [m/s^2].
double normalAcceleration(const StepInput& in, const StepContact& contact);

/// Contacts at the first hits of fast bodies, added to a list that is then sorted by pair: of those
/// that the stage of joints moves, or of all others.
void addFastContacts(const StepProblem& problem, const StepMotion& motion, bool jointed,
                     StableOrder<StepContact>& sorter, std::vector<StepContact>& contacts);

/// When each body is hit, for bodies of those hits; empty if there are none.
void findLateTimes(const StepProblem& problem, std::vector<double>& lateTime);

}  // namespace abut::inline v0_1
