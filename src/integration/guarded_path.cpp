// SPDX-License-Identifier: MIT
#include "integration/guarded_path.hpp"

namespace abut::inline v0_1 {
namespace {

/// The part of [begin, end] that is over at a time.
double partOf(double begin, double end, double time) {
  return end > begin ? clampTo((time - begin) / (end - begin), 0.0, 1.0) : 0.0;
}

Quat turnedBy(const Vec3& turn, const Quat& q) {
  return normalized(quatFromRotationVector(turn) * q);
}

/// A part of a course, of which ways and turns begin and end at their own fractions.
Course partOf(const Course& c, double way0, double way1, double turn0, double turn1) {
  const Mat3 r = c.turn == Vec3{} ? Mat3{} : toMatrix(quatFromRotationVector(c.turn * turn0));
  const Vec3 center = c.center + c.way * way0;
  return {center,
          c.way * (way1 - way0),
          c.turn * (turn1 - turn0),
          {r * c.start.rotation, center + r * (c.start.translation - c.center)}};
}

}  // namespace

Course GuardedPath::between(double begin, double end) const {
  if (begin >= carried) {
    const double a = partOf(carried, 1.0, minOf(begin, dropped)),
                 b = partOf(carried, 1.0, minOf(end, dropped));
    return partOf(carry, a, b, a, b);
  }
  if (end <= from) {
    const double a = partOf(0.0, from, begin), b = partOf(0.0, from, end);
    return partOf(first, a, b, a, b);
  }
  return partOf(last, partOf(from, 1.0, minOf(begin, goes)), partOf(from, 1.0, minOf(end, goes)),
                partOf(from, 1.0, minOf(begin, turns)), partOf(from, 1.0, minOf(end, turns)));
}

void GuardedPath::addTimes(std::vector<double>& times) const {
  for (const double time : {from, turns, goes, carried, dropped}) times.push_back(time);
}

bool GuardedPath::turnsAfter(double time) const {
  if (isCarriedAt(time)) return carry.turn != Vec3{};
  return time < from || (turns > time && last.turn != Vec3{});
}

bool GuardedPath::goesAfter(double time) const {
  return isCarriedAt(time) || time < from || (goes > time && last.way != Vec3{}) ||
         turnsAfter(time);
}

void GuardedPath::stopTurning(double time) {
  if (time < from) return stop(time);
  turns = minOf(turns, time);
}

void GuardedPath::stop(double time) {
  dropped = minOf(dropped, maxOf(time, carried));
  if (time < from) {
    const Course whole = first;
    const Quat orientation = orientationAt(time);
    first = between(0.0, time);
    const double part = partOf(0.0, from, time);
    last = {whole.center + whole.way * part, {}, {}, whole.at(part)};
    startOrientation = orientation;
    turn = {};
    from = time;
  }
  turns = minOf(turns, time);
  goes = minOf(goes, time);
}

void GuardedPath::goAlong(double time, const Course& with) {
  const Vec3 position = positionAt(time);
  const Quat orientation = orientationAt(time);
  const Course here = between(time, time);
  stop(time);
  const Vec3 end = (with.center + with.way) +
                   toMatrix(quatFromRotationVector(with.turn)) * (position - with.center);
  carry = {position, end - position, with.turn, here.start};
  carryOrientation = orientation;
  carried = time;
  dropped = 1.0;
}

Vec3 GuardedPath::positionAt(double time) const {
  if (time > carried || (time == carried && time < 1.0))
    return carry.center + carry.way * partOf(carried, 1.0, minOf(time, dropped));
  if (time < from) return first.center + first.way * partOf(0.0, from, time);
  return last.center + last.way * partOf(from, 1.0, minOf(time, goes));
}

Quat GuardedPath::orientationAt(double time) const {
  if (time > carried || (time == carried && time < 1.0))
    return turnedBy(carry.turn * partOf(carried, 1.0, minOf(time, dropped)), carryOrientation);
  if (time < from) {
    const double rest = 1.0 - partOf(0.0, from, time);
    return turnedBy(first.turn * -rest, startOrientation);
  }
  return turnedBy(turn * partOf(from, 1.0, minOf(time, turns)), startOrientation);
}

}  // namespace abut::inline v0_1
