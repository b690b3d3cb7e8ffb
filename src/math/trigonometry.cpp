// SPDX-License-Identifier: MIT
#include "math/trigonometry.hpp"

#include <cmath>
#include <limits>

#include "math/double_double.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPiLow = 0x1.1a62633145c07p-53;  // pi = kPi + kPiLow to 107 bits.

/// angle - k pi/2 for 0 <= k < 2^30, to about 2^-115.
///
/// pi/2 is cut into four parts of 23 bits and a rest: the products with k are exact for the four,
/// and the first two differences too, because all terms are multiples of 2^-53 below 1.
/// A double below 2^30 comes no closer to a multiple of pi/2 than about 2^-60, so more than 53 bits
/// of the remainder are right.
DoubleDouble reduce(double angle, double k) {
  constexpr double kPart1 = 0x1.921fb4p+0, kPart2 = 0x1.4442dp-24, kPart3 = 0x1.84698p-48;
  constexpr double kPart4 = 0x1.3198ap-69, kRest = 0x1.701b839a25205p-92;
  const double coarse = (angle - k * kPart1) - k * kPart2;
  DoubleDouble r = twoSum(coarse, -(k * kPart3));
  const double low3 = r.low;
  r = twoSum(r.high, -(k * kPart4));
  r = twoSum(r.high, low3 + r.low);
  const double low4 = r.low;
  r = twoSum(r.high, -(k * kRest));
  return twoSum(r.high, low4 + r.low);
}

/// sin(r + low) for |r| <= pi/4. Taylor's series; the first term left out is r^19/19! < 1e-19.
double sinKernel(double r, double low) {
  constexpr double kS3 = -1.0 / 6.0, kS5 = 1.0 / 120.0, kS7 = -1.0 / 5040.0;
  constexpr double kS9 = 1.0 / 362880.0, kS11 = -1.0 / 39916800.0, kS13 = 1.0 / 6227020800.0;
  constexpr double kS15 = -1.0 / 1307674368000.0, kS17 = 1.0 / 355687428096000.0;
  const double z = r * r;
  const double tail = kS5 + z * (kS7 + z * (kS9 + z * (kS11 + z * (kS13 + z * (kS15 + z * kS17)))));
  const double cubic = r * z;
  return r + (cubic * kS3 + (cubic * (z * tail) + (low - 0.5 * (z * low))));
}

/// cos(r + low) for |r| <= pi/4. The first term left out is r^20/20! < 1e-20.
double cosKernel(double r, double low) {
  constexpr double kC4 = 1.0 / 24.0, kC6 = -1.0 / 720.0, kC8 = 1.0 / 40320.0;
  constexpr double kC10 = -1.0 / 3628800.0, kC12 = 1.0 / 479001600.0;
  constexpr double kC14 = -1.0 / 87178291200.0, kC16 = 1.0 / 20922789888000.0;
  constexpr double kC18 = -1.0 / 6402373705728000.0;
  const DoubleDouble square = twoProduct(r, r);
  const double z = square.high, half = 0.5 * z;
  const double tail =
      kC4 + z * (kC6 + z * (kC8 + z * (kC10 + z * (kC12 + z * (kC14 + z * (kC16 + z * kC18))))));
  const DoubleDouble head = quickTwoSum(1.0, -half);
  return head.high + (head.low + (z * z * tail - (0.5 * square.low + r * low)));
}

/// atan(a/b) for 0 <= a <= b, b > 0, added to or taken from a base angle.
///
/// With c the multiple of 1/8 next to a/b: atan(a/b) = atan(c) + atan(u), u = (a - c b)/(b + c a),
/// |u| <= 1/16. The quotient is corrected by its remainder, so only the last addition rounds.
double addAtan(DoubleDouble base, double sign, DoubleDouble a, DoubleDouble b) {
  constexpr DoubleDouble kAtanOfEighths[9] = {
      {0.0, 0.0},
      {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
      {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
      {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
      {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
      {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
      {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
      {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
      {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
  };
  // 1/3, 1/5, ...: the first term left out is u^15/15 < 2^-59 |u|.
  constexpr double kA3 = -1.0 / 3.0, kA5 = 1.0 / 5.0, kA7 = -1.0 / 7.0, kA9 = 1.0 / 9.0;
  constexpr double kA11 = -1.0 / 11.0, kA13 = 1.0 / 13.0;

  const int eighths = static_cast<int>(clampTo(8.0 * (a.high / b.high) + 0.5, 0.0, 8.0));
  const double c = 0.125 * eighths;
  const DoubleDouble cb = twoProduct(c, b.high), ca = twoProduct(c, a.high);
  const DoubleDouble difference = twoSum(a.high, -cb.high), sum = twoSum(b.high, ca.high);
  const double numeratorLow = difference.low + ((a.low - c * b.low) - cb.low);
  const double denominatorLow = sum.low + ((b.low + c * a.low) + ca.low);

  const double u = difference.high / sum.high;
  const DoubleDouble back = twoProduct(u, sum.high);
  const double remainder =
      ((difference.high - back.high) - back.low) + (numeratorLow - u * denominatorLow);
  const double uLow = remainder / sum.high;

  const double z = u * u;
  const double tail = z * (kA3 + z * (kA5 + z * (kA7 + z * (kA9 + z * (kA11 + z * kA13)))));
  const DoubleDouble first = twoSum(base.high, sign * kAtanOfEighths[eighths].high);
  const DoubleDouble total = twoSum(first.high, sign * u);
  const double low = kAtanOfEighths[eighths].low + (u * tail + (uLow - z * uLow));
  return total.high + ((first.low + total.low) + (base.low + sign * low));
}

/// Angle in [0, pi] of the point (x, y), y >= 0, not both zero, |x| and |y| within 2^(+-510).
double angleOf(DoubleDouble x, DoubleDouble y) {
  const bool negative = x.high < 0.0;
  const DoubleDouble ax = negative ? DoubleDouble{-x.high, -x.low} : x;
  if (y.high > ax.high) {
    return addAtan({0.5 * kPi, 0.5 * kPiLow}, negative ? 1.0 : -1.0, ax, y);
  }
  return negative ? addAtan({kPi, kPiLow}, -1.0, y, ax) : addAtan({0.0, 0.0}, 1.0, y, ax);
}

}  // namespace

SinCos sinCos(double angle) {
  // Below this x^2/6 is under 2^-56, so the series' first terms are exact to rounding.
  constexpr double kTiny = 0x1p-27;
  constexpr double kLargest = 1e9;
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  const double a = absOf(angle);
  if (a < kTiny) return {angle, 1.0};
  if (!(a <= kLargest)) return {kNaN, kNaN};
  if (a <= 0.25 * kPi) return {sinKernel(angle, 0.0), cosKernel(angle, 0.0)};
  const int k = static_cast<int>(a * kTwoOverPi + 0.5);
  const DoubleDouble r = reduce(a, k);
  const double s = sinKernel(r.high, r.low), c = cosKernel(r.high, r.low);
  SinCos result{};
  switch (k & 3) {
    case 0:
      result = {s, c};
      break;
    case 1:
      result = {c, -s};
      break;
    case 2:
      result = {-s, -c};
      break;
    default:
      result = {-c, s};
      break;
  }
  if (angle < 0.0) result.sin = -result.sin;
  return result;
}

double atan2Of(double y, double x) {
  // Below this ratio t the next term, t^3/3, is under 2^-55 t: atan(t) is t.
  constexpr double kTinyRatio = 0x1p-27;
  constexpr double kLarge = 0x1p500, kSmall = 0x1p-400, kScale = 0x1p600;
  if (!isFinite(x) || !isFinite(y)) return kNaN;
  if (x == 0.0 && y == 0.0) return 0.0;
  double ax = absOf(x), ay = absOf(y);
  const bool negativeY = std::signbit(y);
  double angle = 0.0;
  if (ay < kTinyRatio * ax) {
    const double t = ay / ax;
    angle = x < 0.0 ? kPi - (t - kPiLow) : t;
  } else if (ax < kTinyRatio * ay) {
    const double t = x / ay;
    angle = 0.5 * kPi - (t - 0.5 * kPiLow);
  } else {
    const double larger = maxOf(ax, ay);
    double scale = 1.0;
    if (larger > kLarge) scale = 1.0 / kScale;
    if (larger < kSmall) scale = kScale;
    ax *= scale;
    ay *= scale;
    angle = angleOf({x < 0.0 ? -ax : ax, 0.0}, {ay, 0.0});
  }
  return negativeY ? -angle : angle;
}

double acosOf(double cosine) {
  const double c = clampTo(cosine, -1.0, 1.0);
  if (!(c == c)) return kNaN;
  if (c == 1.0) return 0.0;
  if (c == -1.0) return kPi;
  // acos(c) is the angle of the point (c, s), s^2 = (1 - c)(1 + c), with s as a DoubleDouble.
  const DoubleDouble below = twoSum(1.0, -c), above = twoSum(1.0, c);
  const DoubleDouble product = twoProduct(below.high, above.high);
  const double productLow = product.low + (below.high * above.low + below.low * above.high);
  const double s = std::sqrt(product.high);
  const DoubleDouble square = twoProduct(s, s);
  const double sLow = (((product.high - square.high) - square.low) + productLow) / (2.0 * s);
  return angleOf({c, 0.0}, {s, sLow});
}

}  // namespace abut::inline v0_1
