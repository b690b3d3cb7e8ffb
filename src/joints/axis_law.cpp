// SPDX-License-Identifier: MIT
#include "joints/axis_law.hpp"

#include <limits>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

/// What all jumps give at a rate, from least to most.
struct Range {
  double low = 0.0, high = 0.0;
};

Range jumpsAt(const AxisLaw& law, double u) {
  Range sum;
  for (int i = 0; i < law.numJumps; ++i) {
    const AxisLaw::Jump& j = law.jumps[static_cast<std::size_t>(i)];
    sum.low += u < j.at ? j.high : j.low;
    sum.high += u > j.at ? j.low : j.high;
  }
  return sum;
}

/// Where the line meets the law on a stretch without jumps, whose jumps give `fixed`.
AxisPoint meetSmooth(const AxisLaw& law, double rate, double impulse, double response,
                     double fixed) {
  // u = rate + response (f - s u - impulse) on each of the three parts of the clamped servo.
  const auto cross = [&](double f, double s) {
    AxisPoint p;
    p.slope = s;
    p.rate = (rate + response * (f - impulse)) / (1.0 + response * s);
    p.impulse = f - s * p.rate;
    return p;
  };
  const AxisPoint inside = cross(law.free + fixed + law.servo, law.slope + law.servoSlope);
  const double wanted = law.servo - law.servoSlope * inside.rate;
  if (absOf(wanted) <= law.servoLimit) return inside;
  const double held = wanted > 0.0 ? law.servoLimit : -law.servoLimit;
  return cross(law.free + fixed + held, law.slope);
}

}  // namespace

bool AxisLaw::isEmpty() const {
  return numJumps == 0 && free == 0.0 && slope == 0.0 && servo == 0.0 && servoSlope == 0.0;
}

double AxisLaw::servoAt(double u) const {
  return clampTo(servo - servoSlope * u, -servoLimit, servoLimit);
}

double AxisLaw::smoothAt(double u) const {
  return (free - slope * u) + servoAt(u);
}

AxisPoint meet(const AxisLaw& law, double rate, double impulse, double response) {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  for (int i = 0; i < law.numJumps; ++i) {
    const double at = law.jumps[static_cast<std::size_t>(i)].at;
    const double needed = impulse + (at - rate) / response;
    const double smooth = law.smoothAt(at);
    const Range range = jumpsAt(law, at);
    // The line rises with u and the law falls: below the law the two meet further on.
    if (needed < smooth + range.low) {
      least = maxOf(least, at);
    } else if (needed > smooth + range.high) {
      most = minOf(most, at);
    } else {
      return {at, needed, 0.0, true};
    }
  }
  double fixed = 0.0;
  for (int i = 0; i < law.numJumps; ++i) {
    const AxisLaw::Jump& j = law.jumps[static_cast<std::size_t>(i)];
    fixed += j.at <= least ? j.low : j.high;
  }
  AxisPoint p = meetSmooth(law, rate, impulse, response, fixed);
  p.rate = clampTo(p.rate, least, maxOf(least, most));
  return p;
}

AxisParts partsOf(const AxisLaw& law, const AxisPoint& point) {
  AxisParts parts;
  parts.servo = law.servoAt(point.rate);
  double rest = point.impulse - law.smoothAt(point.rate);
  double* const part[] = {&parts.friction, &parts.motor, &parts.limit};
  for (int i = 0; i < law.numJumps; ++i) {
    const AxisLaw::Jump& j = law.jumps[static_cast<std::size_t>(i)];
    if (point.isHeld && j.at == point.rate) continue;
    const double given = point.rate < j.at ? j.high : j.low;
    *part[static_cast<std::size_t>(j.kind)] += given;
    rest -= given;
  }
  if (!point.isHeld) return parts;
  for (const JumpKind kind : {JumpKind::Friction, JumpKind::Motor, JumpKind::Limit}) {
    for (int i = 0; i < law.numJumps; ++i) {
      const AxisLaw::Jump& j = law.jumps[static_cast<std::size_t>(i)];
      if (j.kind != kind || j.at != point.rate) continue;
      const double given = clampTo(rest, j.low, j.high);
      *part[static_cast<std::size_t>(j.kind)] += given;
      rest -= given;
    }
  }
  return parts;
}

}  // namespace abut::inline v0_1
