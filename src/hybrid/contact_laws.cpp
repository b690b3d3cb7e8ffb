// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/hybrid/contact_laws.hpp>

#include "math/trigonometry.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kLn2 = 0.693147180559945309417;
constexpr double kSqrtHalf = 0.70710678118654752440;

/// Natural logarithm of a positive number of moderate size, from + - * / alone.
double logOf(double x) {
  int exponent = 0;
  for (; x > 2.0 * kSqrtHalf; ++exponent) x *= 0.5;
  for (; x < kSqrtHalf; --exponent) x *= 2.0;
  // ln x = 2 artanh((x - 1)/(x + 1)); the argument is below 0.172, so 15 terms reach rounding.
  const double s = (x - 1.0) / (x + 1.0), s2 = s * s;
  double sum = 0.0;
  for (int i = 29; i >= 1; i -= 2) sum = sum * s2 + 1.0 / i;
  return exponent * kLn2 + 2.0 * s * sum;
}

/// Of an ellipse with axes ratio g = b/a <= 1, m = 1 - g^2: the complete elliptic integral K, and
/// D = (K - E)/m, B = K - D, by the arithmetic-geometric mean; no cancellation towards the circle.
struct EllipticIntegrals {
  double k, d, b;
};
EllipticIntegrals ellipticIntegrals(double g) {
  // c_(n+1) = c_n^2 / (4 a_(n+1)), and (K - E)/K = sum of 2^(n-1) c_n^2; here c^2 is over m.
  const double m = 1.0 - g * g;
  double a = 1.0, b = g, c2 = 1.0, weight = 0.5, sum = 0.5;
  for (int i = 0; i < 12 && c2 > 0.0; ++i) {
    const double next = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = next;
    c2 = c2 * (c2 * m) / (16.0 * a * a);
    weight *= 2.0;
    sum += weight * c2;
  }
  const double k = kPi / (2.0 * a);
  return {k, k * sum, k - k * sum};
}

}  // namespace

double dampingForRestitution(double e) {
  const FloatEnvironment environment;
  e = clampTo(e, kLeastCompliantRestitution, 1.0);
  const double loss = 1.0 - e;
  // Towards e = 1 the relation cancels to third order; k = 1.5 (1-e) (1 + (1-e)) + O((1-e)^3).
  constexpr double kSeries = 1e-4;
  if (loss < kSeries) return environment.keep(1.5 * loss * (1.0 + loss));
  // k (1+e) - ln((1+k)/(1-ek)) rises from 0 to its greatest value at (1-e)/e and falls to minus
  // infinity at 1/e: one root in between.
  double low = loss / e, high = 1.0 / e;
  for (;;) {
    const double k = 0.5 * (low + high);
    if (!(low < k && k < high)) return environment.keep(low);
    const double rest = 1.0 - e * k;
    const bool below = rest > 0.0 && k * (1.0 + e) > logOf(1.0 + k) - logOf(rest);
    (below ? low : high) = k;
  }
}

double contactModulus(double youngsModulus1, double poissonsRatio1, double youngsModulus2,
                      double poissonsRatio2) {
  const FloatEnvironment environment;
  return environment.keep(1.0 / ((1.0 - poissonsRatio1 * poissonsRatio1) / youngsModulus1 +
                                 (1.0 - poissonsRatio2 * poissonsRatio2) / youngsModulus2));
}

double hertzStiffness(double curvature1, double curvature2, double modulus) {
  const FloatEnvironment environment;
  constexpr double kMostRatio = 1e8;
  const double most = maxOf(curvature1, curvature2);
  const double least = maxOf(minOf(curvature1, curvature2), most / kMostRatio);
  // The ellipse's axes: R'/R'' = B / (g^2 D), falling as g = b/a rises to 1.
  const double ratio = most / least;
  // Near the circle the law differs from that of the mean radius by the square of the difference.
  constexpr double kCircle = 1e-8;
  if (ratio < 1.0 + kCircle)
    return environment.keep(4.0 / 3.0 * modulus / std::sqrt(std::sqrt(most * least)));
  double low = 1e-8, high = 1.0;
  for (;;) {
    const double g = 0.5 * (low + high);
    if (!(low < g && g < high)) break;
    const EllipticIntegrals e = ellipticIntegrals(g);
    (e.b > ratio * (g * g) * e.d ? low : high) = g;
  }
  const EllipticIntegrals e = ellipticIntegrals(high);
  // F1^6 = (16/pi^2) B D b/a and F2 = (2/pi) sqrt(b/a) K / F1; the powers of 3/2 are roots of
  // roots.
  const double f1 = std::sqrt(std::sqrt(16.0 / (kPi * kPi) * (e.b * e.d) * high));
  const double k = 2.0 * e.k / kPi;
  const double f2 = k * std::sqrt(k) * (std::sqrt(high) * std::sqrt(std::sqrt(high))) / f1;
  return environment.keep(4.0 / 3.0 * modulus / (std::sqrt(std::sqrt(most * least)) * f2));
}

}  // namespace abut::inline v0_1
