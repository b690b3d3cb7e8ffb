// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace abut::inline v0_1 {

/// Beyond every impulse: what a limit, or a motor without one, can give.
inline constexpr double kUnlimitedImpulse = 1e100;

/// What gives the impulse at a rate where it is not one number.
enum class JumpKind : std::uint8_t { Friction, Motor, Limit };

/// The impulse of an axis over a step as a law of its mean rate u; it never rises with u:
///   free - slope u + clamp(servo - servoSlope u, -servoLimit, servoLimit) + jumps,
/// where a jump gives `high` below its rate `at`, `low` above it and anything between there: dry
/// friction, a motor that keeps a speed, an end of the way.
struct AxisLaw {
  struct Jump {
    double at = 0.0, low = 0.0, high = 0.0;
    JumpKind kind = JumpKind::Limit;
  };
  double free = 0.0, slope = 0.0;
  double servo = 0.0, servoSlope = 0.0;
  double servoLimit = kUnlimitedImpulse;
  std::array<Jump, 5> jumps{};  ///< Two of friction, motor, the two limits.
  int numJumps = 0;

  void add(const Jump& jump) { jumps[static_cast<std::size_t>(numJumps++)] = jump; }
  /// Whether it is zero everywhere.
  [[nodiscard]] bool isEmpty() const;
  [[nodiscard]] double servoAt(double u) const;
  /// Everything but the jumps.
  [[nodiscard]] double smoothAt(double u) const;
};

/// A point of a law, and the law near it: impulse - slope (u - rate), or any impulse at the rate.
struct AxisPoint {
  double rate = 0.0, impulse = 0.0;
  double slope = 0.0;
  bool isHeld = false;
};

/// Where the law meets the line on which the rate answers the impulse, through a given point:
/// u = rate + response (impulse - given impulse), response > 0. There is one such point.
AxisPoint meet(const AxisLaw& law, double rate, double impulse, double response);

/// The parts of an impulse that the law gave at a rate. What several jumps at that rate could have
/// given is first friction's, then the motor's, then the limit's.
struct AxisParts {
  double servo = 0.0, friction = 0.0, motor = 0.0, limit = 0.0;
};
AxisParts partsOf(const AxisLaw& law, const AxisPoint& point);

}  // namespace abut::inline v0_1
