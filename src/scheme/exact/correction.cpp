// SPDX-License-Identifier: MIT
#include "math/rotation_vector.hpp"
#include "scheme/exact/stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// A bound beyond every displacement [m]: the contact takes no part in the correction.
constexpr double kNoBound = 1e30;

/// Heaps: what is asked for beyond the overlap that is too much, and how exactly its answer is to
/// be known, as parts of the slop: so that what was corrected is left alone in the next step. Of
/// more than that a part will do.
constexpr double kBeyond = 0.1, kOfSlop = 0.05, kOfMost = 0.02;

/// The part of an overlap beyond the slop that is taken out. In heaps it is all of it once it is as
/// small as the slop: corrections without end would keep a heap at rest from resting.
double shareOf(double over, double share, double slop, bool heap) {
  if (!heap) return share * over;
  return maxOf(share * over, minOf(over, slop)) + kBeyond * slop;
}

/// No point of a body is moved by more than this share of its least half width in a step.
constexpr double kShareOfWidth = 0.5;

/// Scales all displacements so that none is longer than `most` [m], and none beyond what the size
/// of its body allows: all by one factor, so that none is pushed into what it was to leave.
void limitDisplacements(const ExactStep& s, double most, LocalProblem& local) {
  double scale = 1.0;
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const BodyFacts& f = s.in.bodies.facts[local.bodies[i]];
    if (f.type != BodyType::Dynamic) continue;
    const BodyVelocity& d = local.velocities[i];
    const double way = norm(d.linear);
    const double asked = maxOf(way, norm(d.angular) * f.shape->boundingRadius());
    const double allowed = kShareOfWidth * f.halfWidth;
    if (way > most) scale = minOf(scale, most / way);
    if (asked > allowed) scale = minOf(scale, allowed / asked);
  }
  if (!(scale < 1.0)) return;
  for (BodyVelocity& d : local.velocities) d = {d.linear * scale, d.angular * scale};
}

}  // namespace

/// Takes a share of the overlap out by displacement, without friction; velocities do not change.
void correctPositions(ExactStep& s, StepBooks& books) {
  LocalProblem& local = s.local;
  const Vec3 gravity = s.in.gravity;
  for (const Island& island : s.contacts.islands) {
    const bool heap = isHeap(island);
    bool deep = false;
    double most = 0.0, sum = 0.0;  // Of what the contacts ask for.
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      StepContact& c = s.contacts.at(island, k);
      const Vec3 m1 = s.in.bodies.mobility[c.body1].inverseMass;
      const Vec3 m2 = s.in.bodies.mobility[c.body2].inverseMass;
      // The overlap of what gives way is its compression.
      const bool canTranslate = (m1 != Vec3{} || m2 != Vec3{}) && !isSpring(c) && !c.meeting.isOver;
      const double slop = s.in.slopOf(c.body1, c.body2);
      const bool tooDeep = canTranslate && c.depth > slop;
      c.row.bound =
          tooDeep ? shareOf(c.depth - slop, s.in.correctionShare, slop, heap) : minOf(0.0, c.depth);
      if (!canTranslate) c.row.bound = -kNoBound;
      deep = deep || tooDeep;
      if (!tooDeep) continue;
      most = maxOf(most, c.row.bound);
      sum += c.row.bound;
    }
    if (!deep) continue;
    s.gather(island);
    for (BodyVelocity& v : local.velocities) v = {};
    for (SolverContact& c : local.contacts) {
      c.friction = 0.0;
      c.offset = {};
    }
    s.tell(ProblemKind::Correction);
    SolverSetting setting;
    setting.tasks = s.in.tasks;
    if (heap) setting.enough = maxOf(kOfSlop * s.in.correctionSlop, kOfMost * most);
    SolverOptions wanted = s.options;
    if (!heap) wanted.acceptable = 0.0;
    // What is pressed shares what cannot be taken out, instead of leaning where it can be.
    const auto ease = [&] {
      return s.presses.ease(local.mobility, local.contacts, local.velocities, kSpareInPress);
    };
    const auto solve = [&] {
      return s.solver.solve({local.mobility, local.contacts}, wanted, setting, local.impulses, {},
                            local.velocities);
    };
    const bool eased = s.presses.isPress(island.firstContact) && ease();
    SolverReport r = solve();
    if (!eased && !heap && !r.converged && ease()) {
      for (BodyVelocity& v : local.velocities) v = {};
      for (Vec3& p : local.impulses) p = {};
      r = solve();
    }
    // No body needs to go farther than all contacts ask for together. Where they ask for what
    // cannot be, as between the jaws of a press, the answer is not to be trusted so far.
    limitDisplacements(s, r.converged ? sum : most, local);
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      const std::uint32_t b = local.bodies[i];
      const BodyFacts& f = s.in.bodies.facts[b];
      if (f.type != BodyType::Dynamic) continue;
      s.motion.newPosition[b] += local.velocities[i].linear;
      const Quat turn = quatFromRotationVector(local.velocities[i].angular);
      s.motion.newOrientation[b] = normalized(turn * s.motion.newOrientation[b]);
      if (r.converged)
        s.motion.endVelocity[b].angular = toMatrix(turn) * s.motion.endVelocity[b].angular;
      books.correction -= f.mass * f.gravityScale * dot(gravity, local.velocities[i].linear);
    }
  }
}

}  // namespace abut::inline v0_1
