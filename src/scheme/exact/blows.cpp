// SPDX-License-Identifier: MIT
#include "scheme/exact/blows.hpp"

#include "math/closing.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr int kBlowsPerContact = 200;
/// Bounces of a contact within a step before it rests, for a restitution below 1: of e^8 times its
/// first speed there is next to nothing left.
constexpr int kBouncesOfOne = 8;
/// Times within this part are one.
constexpr double kSameTime = 1.0 + 1e-9;

bool isClosed(const BlowRow& row) {
  return row.takesPart && row.late == 0.0 && row.gap <= kTouchingGap;
}

/// Whether a blow can change a body's velocity.
bool answers(const BodyMobility& m) {
  constexpr Mat3 kNone{Vec3{}, Vec3{}, Vec3{}};
  return m.inverseMass != Vec3{} || m.inverseInertia != kNone;
}

}  // namespace

/// The time until something happens, at most the one given: a contact that approaches closes, one
/// that touches and approaches is thrown back now, one that was thrown up comes down again.
double Blows::untilNext(double most) const {
  double next = most;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const BlowRow& row = rows[k];
    if (!row.takesPart || row.late > 0.0) continue;
    if (row.gap > kTouchingGap) {
      next = minOf(next, timeToClose(row.gap, speed_[k], row.pull, next));
    } else if (speed_[k] < -row.slowest) {
      next = 0.0;
    } else if (speed_[k] > row.slowest && row.pull < 0.0) {
      next = minOf(next, 2.0 * speed_[k] / -row.pull);
    }
  }
  return next;
}

/// Acceleration with which the bodies of a contact part along its normal.
double Blows::pullOf(std::size_t k) const {
  const SolverContact& c = contacts[k];
  const BodyVelocity &a = rates_[c.body1], &b = rates_[c.body2];
  return dot(c.normal,
             (a.linear - b.linear) + (cross(a.angular, c.arm1) - cross(b.angular, c.arm2)));
}

/// Where a body is so much later, if nothing strikes it.
BodyVelocity Blows::wayAfter(std::size_t b, double by,
                             std::span<const BodyVelocity> velocities) const {
  return {ways_[b].linear + (velocities[b].linear + rates_[b].linear * (0.5 * by)) * by,
          ways_[b].angular + (velocities[b].angular + rates_[b].angular * (0.5 * by)) * by};
}

/// Flight between events.
void Blows::advance(double by, std::span<BodyVelocity> velocities) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    BlowRow& row = rows[k];
    const double end = speed_[k] + row.pull * by;
    if (row.late == 0.0) {
      if (row.takesPart && row.gap <= kTouchingGap && speed_[k] > row.slowest) row.open = true;
      row.gap += (speed_[k] + 0.5 * row.pull * by) * by;
      if (row.gap > kTouchingGap) {
        row.open = true;
      } else if (row.takesPart && end < 0.0) {
        row.gap = 0.0;  // What closes now is closed; what touched and parts stays apart.
      }
    }
    speed_[k] = end;
  }
  for (std::size_t b = 0; b < velocities.size(); ++b) {
    ways_[b] = wayAfter(b, by, velocities);
    velocities[b].linear += rates_[b].linear * by;
    velocities[b].angular += rates_[b].angular * by;
    gained[b].linear += rates_[b].linear * by;
    gained[b].angular += rates_[b].angular * by;
  }
}

/// A round contact that closes now: what is not there yet is predicted again, what was thrown back
/// may be so again in the same direction.
void Blows::lookAtRound(std::uint32_t k, BlowGeometry& geometry, std::span<const Vec3> impulses) {
  BlowRow& row = rows[k];
  if (impulses[k] != Vec3{}) {
    row.isOver = !geometry.isSame(k, ways_, contacts[k]);
  } else {
    geometry.look(k, ways_, contacts[k], row.gap);
    row.isOver = row.gap > kTouchingGap && ++row.looks >= kMaxBlowLooks;
  }
  if (row.isOver) row.takesPart = false;
}

/// Contacts that close now take their geometry of now, before their first blow.
void Blows::lookAgain(std::span<const BodyMobility> mobility, BlowGeometry& geometry,
                      std::span<const Vec3> impulses, std::span<const BodyVelocity> velocities) {
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    BlowRow& row = rows[k];
    if (row.isRound && isClosed(row) && row.open) {
      lookAtRound(k, geometry, impulses);
      prepareAgain(mobility, velocities, k);
      continue;
    }
    if (!isClosed(row) || !row.open || row.looks >= kMaxBlowLooks || impulses[k] != Vec3{})
      continue;
    ++row.looks;
    geometry.look(k, ways_, contacts[k], row.gap);
    prepareAgain(mobility, velocities, k);
  }
}

/// What follows from the geometry of a contact.
void Blows::prepareAgain(std::span<const BodyMobility> mobility,
                         std::span<const BodyVelocity> velocities, std::size_t k) {
  prepareContact({mobility, contacts}, k, prepared[k]);
  speed_[k] = relativeVelocity(prepared[k], velocities).x;
  rows[k].pull = pullOf(k);
}

/// A blow takes bodies off their courses: what they were to meet later on them, they may meet
/// elsewhere, at another time or not at all.
void Blows::leaveCourses(std::span<const BodyMobility> mobility, double time,
                         BlowGeometry& geometry, std::span<const BodyVelocity> velocities) {
  struck_.assign(mobility.size(), 0);
  for (const std::uint32_t k : tied_) {
    for (const std::uint32_t b : {contacts[k].body1, contacts[k].body2}) {
      if (!answers(mobility[b])) continue;
      firstBlow[b] = minOf(firstBlow[b], time);
      if (struck_[b] == 0) nodes.push_back({b, time, ways_[b], velocities[b], rates_[b].linear});
      struck_[b] = 1;
    }
  }
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    BlowRow& row = rows[k];
    if (!(row.late > 0.0) || (struck_[contacts[k].body1] | struck_[contacts[k].body2]) == 0)
      continue;
    if (row.isRound) {
      // What is expected is so after the blows of the step, and looked at when its time has come.
      row.isOver = row.isOver || !row.isExpected;
      if (row.isOver) row.takesPart = false;
      continue;
    }
    row.late = 0.0;
    geometry.leaveCourse(k, ways_, contacts[k], row.gap);
    prepareAgain(mobility, velocities, k);
  }
}

/// Contacts that were expected now are looked at, whether they close or not.
void Blows::meetExpected(std::span<const BodyMobility> mobility, double time,
                         BlowGeometry& geometry, std::span<const BodyVelocity> velocities) {
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    BlowRow& row = rows[k];
    if (!row.isExpected || row.isOver || !(row.late > 0.0) || !(row.late <= time * kSameTime))
      continue;
    row.late = 0.0;
    if (row.isRound) {
      geometry.meet(k, ways_, contacts[k], row.gap);
      row.isOver = row.gap > row.near;
      if (row.isOver) row.takesPart = false;
    } else {
      geometry.leaveCourse(k, ways_, contacts[k], row.gap);
    }
    prepareAgain(mobility, velocities, k);
  }
}

void Blows::findGroup(double time) {
  double fastest = 0.0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    BlowRow& row = rows[k];
    if (row.late > 0.0 && row.late <= time * kSameTime) row.late = 0.0;
    if (isClosed(row) && speed_[k] < -row.slowest) fastest = minOf(fastest, speed_[k]);
  }
  bool isStopped = false;  // None that approaches fastest is thrown back.
  tied_.clear();
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    const BlowRow& row = rows[k];
    if (!isClosed(row) || !(speed_[k] < -row.slowest)) continue;
    if (!(speed_[k] <= fastest * (1.0 - kTiedSpeeds))) continue;
    isStopped = (tied_.empty() || isStopped) && row.isSpent;
    tied_.push_back(k);
  }
  if (!isStopped || !has_rested_) return;
  // What is only stopped is so together with all that it is passed on to.
  tied_.clear();
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    if (isClosed(rows[k]) && rows[k].isSpent) tied_.push_back(k);
  }
}

/// What closed slower than a blow is, and is pulled, rests.
void Blows::settle() {
  for (BlowRow& row : rows) {
    if (!isClosed(row) || !row.open || !(row.pull < 0.0)) continue;
    row.rests = true;
    row.open = false;
    has_rested_ = has_changed_ = true;
  }
}

/// What a blow left slower than another one is, and is pulled, rests too: its flights are over.
void Blows::restAfterBlow() {
  for (const std::uint32_t k : tied_) {
    BlowRow& row = rows[k];
    if (!isClosed(row) || !(row.pull < 0.0) || absOf(speed_[k]) > row.slowest) continue;
    row.rests = true;
    has_rested_ = has_changed_ = true;
  }
}

/// What the blows of a group leave of their contacts. One that bounced often is thrown back no
/// more, only stopped, and rests if that leaves it at rest.
void Blows::noteBlows(double time, std::span<const Vec3> exchanged, std::span<Vec3> impulses) {
  for (std::size_t i = 0; i < tied_.size(); ++i) {
    const std::uint32_t k = tied_[i];
    BlowRow& row = rows[k];
    impulses[k] += exchanged[i];
    delayed[k] += exchanged[i] * time;
    const Vec3 gain = relativeVelocity(prepared[k], gained) - prepared[k].offset;
    delayedWork[k].normal += exchanged[i].x * gain.x;
    delayedWork[k].friction += exchanged[i].y * gain.y + exchanged[i].z * gain.z;
    // What rests is struck through what lies on it, again and again, without parting.
    const bool counts = has_rested_ || (row.open && row.pull < 0.0);
    row.open = false;
    if (row.isSpent || !counts || !(restitution[k] < 1.0)) continue;
    row.isSpent = ++row.bounces + 1 == kBouncesOfOne;
    if (row.isSpent) restitution[k] = 0.0;
  }
  has_changed_ = has_changed_ || has_rested_;
}

/// How bodies go on from now, given what rests on what.
void Blows::carry(std::span<const BodyMobility> mobility, double time,
                  std::span<const BodyVelocity> velocities) {
  has_changed_ = false;
  touching_.clear();
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    BlowRow& row = rows[k];
    const bool touches = row.late == 0.0 && !row.isOver && row.gap <= kTouchingGap &&
                         absOf(speed_[k]) <= row.slowest;
    row.rests = false;
    if (touches) touching_.push_back(k);
  }
  const auto forces = support_.find(mobility, contacts, touching_, freeAcceleration, carried_);
  for (std::size_t i = 0; i < touching_.size(); ++i) rows[touching_[i]].rests = forces[i].x > 0.0;
  for (std::uint32_t b = 0; b < rates_.size(); ++b) {
    if (carried_[b].linear == rates_[b].linear && carried_[b].angular == rates_[b].angular)
      continue;
    rates_[b] = carried_[b];
    if (answers(mobility[b])) nodes.push_back({b, time, ways_[b], velocities[b], rates_[b].linear});
  }
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].pull = pullOf(k);
}

Blows::Report Blows::run(std::span<const BodyMobility> mobility, double dt, BlowGeometry& geometry,
                         std::span<Vec3> impulses, std::span<BodyVelocity> velocities) {
  const int limit = kBlowsPerContact * static_cast<int>(rows.size());
  prepareContacts({mobility, contacts}, prepared);
  delayed.assign(rows.size(), Vec3{});
  delayedWork.assign(rows.size(), LateWork{});
  gained.assign(velocities.size(), BodyVelocity{});
  rates_.resize(velocities.size());
  for (std::size_t b = 0; b < rates_.size(); ++b) rates_[b] = {acceleration[b], Vec3{}};
  has_rested_ = has_changed_ = false;
  ways_.assign(velocities.size(), BodyVelocity{});
  firstBlow.assign(velocities.size(), dt);
  nodes.clear();
  tied_.clear();
  speed_.resize(rows.size());
  Report report;
  for (int count = 0;; ++count) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      speed_[k] = relativeVelocity(prepared[k], velocities).x;
    }
    restAfterBlow();
    if (has_changed_) carry(mobility, report.time, velocities);
    double next = untilNext(dt - report.time);
    for (const BlowRow& row : rows) {
      if (row.takesPart && row.late > 0.0) next = minOf(next, maxOf(0.0, row.late - report.time));
    }
    if (next >= dt - report.time) break;
    if (count == limit) {
      report.gaveUp = true;
      break;
    }
    if (next > 0.0) {
      advance(next, velocities);
      report.time += next;
      lookAgain(mobility, geometry, impulses, velocities);
    }
    meetExpected(mobility, report.time, geometry, velocities);
    findGroup(report.time);
    if (tied_.empty()) {
      settle();
      continue;
    }
    const auto exchanged = group_.throwBack({mobility, contacts}, prepared, restitution, tied_,
                                            velocities, report.work);
    noteBlows(report.time, exchanged, impulses);
    leaveCourses(mobility, report.time, geometry, velocities);
  }
  report.rested = has_rested_;
  ends.resize(ways_.size());
  for (std::size_t b = 0; b < velocities.size(); ++b) {
    ends[b] = wayAfter(b, dt - report.time, velocities);
  }
  return report;
}

}  // namespace abut::inline v0_1
