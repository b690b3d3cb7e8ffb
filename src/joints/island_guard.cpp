// SPDX-License-Identifier: MIT
//
// What is done where a step's equations are not solved, and what no step may do: gain energy.
#include "joints/cayley.hpp"
#include "joints/jointed_island.hpp"

namespace abut::inline v0_1 {
namespace {

/// Gains below this share of what forces would add in the step from rest, or of the energy and the
/// work that pass through the island, are rounding and the solver's tolerance.
constexpr double kOfFall = 1e-10, kOfKinetic = 1e-13;
/// Part of the kinetic energy that a step gives at most for the lift of its position correction:
/// what deep overlap asks for beyond it is the correction's own work.
constexpr double kMostForLift = 0.2;

/// A body becomes slower. A drive that stalls goes on along the axes that it holds: returns the
/// kinetic energy that it keeps by that [J].
double slowDown(MechanismBody& b, double factor) {
  b.velocity *= factor;
  b.spin *= factor;
  if (b.locks == 0 || dot(b.carried, b.carried) == 0.0) return 0.0;
  const double slow = kineticEnergy(b);
  b.velocity += linearPart(b.carried) * (1.0 - factor);
  b.spin += angularPart(b.carried) * (1.0 - factor);
  return kineticEnergy(b) - slow;
}

}  // namespace

JointedIsland::Balance JointedIsland::balance() const {
  Balance sum;
  for (std::size_t i = 0; i < count_; ++i) {
    for (const MechanismBody& b : mechanisms_[i].bodies) sum.kinetic += kineticEnergy(b);
    for (const MechanismJoint& j : mechanisms_[i].joints) {
      const JointEnergy e = energyOf(j);
      sum.kinetic += e.armatures;
      sum.springs += e.springs;
    }
  }
  return sum;
}

/// Of forces, motors and what moves as prescribed, drives that stall along other axes included.
double JointedIsland::workFromOutside() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t k = 0; k < ends_[i].size(); ++k) {
      const MechanismBody &b = ends_[i][k], &start = starts_[i][k];
      if (!b.isMobile) continue;
      sum += dot(b.force, b.position - start.position) + dot(b.torque, b.turn - start.turn);
      sum += b.held - start.held;
    }
    for (const MechanismJoint& j : mechanisms_[i].joints) {
      sum += j.outcome.work.motors + j.outcome.drivers;
    }
  }
  for (const JointedContact& c : contacts) {
    const auto given = [](const JointedContact::Side& s) {
      return s.mechanism == kWorldBody ? s.given.linear + cross(s.given.angular, s.arm) : Vec3{};
    };
    const Vec3 u = inFrame(c, (given(c.side1) - given(c.side2)) + c.offset);
    sum -= dot(c.impulse + c.impact, u);
    const auto turning = [](const JointedContact::Side& s) {
      return s.mechanism == kWorldBody ? s.given.angular : Vec3{};
    };
    sum -= dot(c.couple + c.impactCouple, inFrame(c, turning(c.side1) - turning(c.side2)));
  }
  return sum;
}

/// Change of the energy less what came from outside, and below which it is none.
JointedIsland::Gain JointedIsland::gainSince(const IslandSetting& setting,
                                             const Balance& before) const {
  const Balance after = balance();
  const double work = workFromOutside();
  double fall = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    for (const MechanismBody& b : mechanisms_[i].bodies) {
      if (b.isMobile) fall += squaredNorm(b.force) * (setting.dt * setting.dt / b.mass);
    }
  }
  const double springs = after.springs - before.springs;
  Gain gain;
  gain.kinetic = after.kinetic;
  gain.energy = ((after.kinetic - before.kinetic) + springs) - work;
  gain.small = kOfFall * fall +
               kOfKinetic * ((after.kinetic + before.kinetic) + (before.springs + absOf(work)));
  return gain;
}

/// All velocities become slower alike, which joints allow, so that this energy is gone.
void JointedIsland::takeEnergy(double energy, double kinetic) {
  if (!(energy > 0.0) || !(kinetic > 0.0)) return;
  if (is_free_) return takeFromWithin(energy);
  const double factor = std::sqrt(maxOf(0.0, 1.0 - energy / kinetic));
  taken_ += (1.0 - factor * factor) * kinetic;
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::vector<MechanismBody>* bodies : {&mechanisms_[i].bodies, &ends_[i]}) {
      for (MechanismBody& b : *bodies) {
        if (!b.isMobile) continue;
        const double kept = slowDown(b, factor);
        if (bodies == &ends_[i]) taken_ -= kept;
      }
    }
    for (MechanismJoint& j : mechanisms_[i].joints) {
      for (double& rate : j.memory.rotor) rate *= factor;
    }
  }
}

/// Whether something of the island moves as prescribed.
bool JointedIsland::isDriven() const {
  for (std::size_t i = 0; i < count_; ++i) {
    for (const MechanismBody& b : starts_[i]) {
      if (dot(b.carried, b.carried) > 0.0) return true;
      const bool moves = b.nextPosition != b.position || b.nextOrientation != b.orientation;
      if (!b.isMobile && moves) return true;
    }
  }
  for (const JointedContact& c : contacts) {
    if (c.offset != Vec3{}) return true;
    for (const JointedContact::Side& s : {c.side1, c.side2}) {
      if (s.given.linear != Vec3{} || s.given.angular != Vec3{}) return true;
    }
  }
  return false;
}

/// Bodies stay where they are, and rest.
void JointedIsland::hold() {
  for (std::size_t i = 0; i < count_; ++i) {
    Mechanism& m = mechanisms_[i];
    for (std::size_t k = 0; k < m.bodies.size(); ++k) {
      MechanismBody& b = m.bodies[k];
      if (!b.isMobile) continue;
      b = starts_[i][k];
      b.excess = -kineticEnergy(b);
      b.velocity = b.spin = {};
    }
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      MechanismJoint& j = m.joints[k];
      j.outcome.work = {};
      j.outcome.held = j.outcome.drivers = 0.0;
      j.outcome.armature = -start_armatures_[i][k];
      j.memory.rotor.fill(0.0);
      j.memory.position = saved_[i].joints[k].memory.position;
    }
    readPositions(m);
    ends_[i] = m.bodies;
  }
  for (JointedContact& c : contacts) {
    c.meanVelocity = c.impactVelocity = c.meanTurning = c.impactTurning = {};
  }
}

/// Bodies end with no more energy than they had, forces, motors and drivers apart: what the step
/// has no right to is taken from their velocities. Where these do not have so much, bodies that
/// nothing drives have crept uphill by what the solver's tolerance left, and stay where they were.
void JointedIsland::limitGain(const IslandSetting& setting, const Balance& before) {
  const Gain gain = gainSince(setting, before);
  loss_left_ = maxOf(0.0, -gain.energy);
  if (!(gain.energy > gain.small)) return;
  if (gain.energy > gain.kinetic && !isDriven()) {
    hold();
    loss_left_ = before.kinetic;
    return;
  }
  takeEnergy(gain.energy, gain.kinetic);
}

/// Lift that the correction of positions may have: what the step lost, and a part of the kinetic
/// energy.
double JointedIsland::mostLift() const {
  return loss_left_ + kMostForLift * balance().kinetic;
}

void JointedIsland::payForLift(double lift) {
  takeEnergy(lift - loss_left_, balance().kinetic);
  loss_left_ = maxOf(0.0, loss_left_ - maxOf(0.0, lift));
}

/// Forces act at once.
void JointedIsland::kick(double dt) {
  for (std::size_t i = 0; i < count_; ++i) {
    for (MechanismBody& b : mechanisms_[i].bodies) {
      if (!b.isMobile) continue;
      const double before = kineticEnergy(b);
      const Mat3 r = toMatrix(b.orientation);
      Vec3 dv = b.force * (dt / b.mass);
      Vec3 dw = r * (inverse(b.inertia) * transposeTimes(r, b.torque * dt));
      if ((b.locks & 1) != 0) dv.x = 0.0;
      if ((b.locks & 2) != 0) dv.y = 0.0;
      if ((b.locks & 4) != 0) dv.z = 0.0;
      if ((b.locks & 8) != 0) dw.x = 0.0;
      if ((b.locks & 16) != 0) dw.y = 0.0;
      if ((b.locks & 32) != 0) dw.z = 0.0;
      b.velocity += dv;
      b.spin += dw;
      b.excess += kineticEnergy(b) - before;
    }
  }
}

/// Bodies move by their velocities, and then so that joints are closed. Forces do their work on
/// that way.
void JointedIsland::move(double dt) {
  for (std::size_t i = 0; i < count_; ++i) {
    Mechanism& m = mechanisms_[i];
    saved_[i].bodies = m.bodies;
    for (MechanismBody& b : m.bodies) {
      if (b.isMobile) {
        displace(b, toVec6(b.velocity, b.spin) * dt);
      } else {
        b.position = b.nextPosition;
        b.orientation = b.nextOrientation;
      }
    }
    readPositions(m);
    stepper_.closeGaps(m);
    for (std::size_t k = 0; k < m.bodies.size(); ++k) {
      MechanismBody& b = m.bodies[k];
      if (!b.isMobile) continue;
      const Vec3 turn = saved_[i].bodies[k].spin * dt;
      b.turn += turn;
      b.excess -= dot(b.force, b.position - saved_[i].bodies[k].position) + dot(b.torque, turn);
    }
  }
}

/// Velocities that joints, limits and contacts allow where bodies are, then a move by them: an
/// answer of first order that needs no iteration over places.
void JointedIsland::project(const IslandSetting& setting, ContactSolver& solver) {
  for (JointedContact& c : contacts) {
    c.impulse = c.meanVelocity = c.couple = c.meanTurning = {};
  }
  is_stepped_.assign(count_, 0);
  kick(setting.dt);
  for (std::size_t i = 0; i < count_; ++i) saved_[i] = mechanisms_[i];
  if (solveVelocities(setting, solver, false)) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      contacts[k].impulse = rows_.impulses[k];
      contacts[k].meanVelocity = (start_at_[k] + startVelocity(contacts[k])) * 0.5;
    }
    for (std::size_t k = 0; k < rows_.couples.size(); ++k) {
      const Vec3 now = startTurning(contacts[rows_.couples[k].contact]);
      Vec3& at = start_at_[rows_.firstCouple() + k];
      at += rows_.couples[k].isSpin ? Vec3{0.0, now.x, 0.0} : Vec3{0.0, now.y, now.z};
    }
    readCouples(start_at_, 0.5);
  } else {
    goBack();
  }
  move(setting.dt);
}

}  // namespace abut::inline v0_1
