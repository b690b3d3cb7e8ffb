// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

inline constexpr double kPi = 3.14159265358979323846;

// Own elementary functions, from + - * / and sqrt alone: the C library's differ between machines
// and even between CPUs of one machine type. Error below 0.8 ulp (see tests/unit/math).
// NaN and infinity give NaN.

struct SinCos {
  double sin;
  double cos;
};

/// Sine and cosine of an angle [rad], |angle| <= 1e9; NaN beyond. Odd and even to the bit.
SinCos sinCos(double angle);
/// Angle of the point (x, y) [rad], in [-pi, pi]; 0 for (0, 0).
double atan2Of(double y, double x);
/// Angle in [0, pi] with the given cosine; arguments are clamped to [-1, 1].
double acosOf(double cosine);

}  // namespace abut::inline v0_1
