// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

/// An unevaluated sum high + low with |low| <= ulp(high)/2: about 106 bits.
struct DoubleDouble {
  double high;
  double low;
};

/// a + b exactly (Knuth).
inline DoubleDouble twoSum(double a, double b) {
  const double sum = a + b;
  const double partOfB = sum - a;
  return {sum, (a - (sum - partOfB)) + (b - partOfB)};
}

/// a + b exactly for |a| >= |b| or a = 0 (Dekker).
inline DoubleDouble quickTwoSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a * b exactly, barring overflow and underflow (Veltkamp's splitting, Dekker's product).
inline DoubleDouble twoProduct(double a, double b) {
  constexpr double kSplitter = 134217729.0;  // 2^27 + 1
  const double scaledA = kSplitter * a, scaledB = kSplitter * b;
  const double highA = scaledA - (scaledA - a), lowA = a - highA;
  const double highB = scaledB - (scaledB - b), lowB = b - highB;
  const double product = a * b;
  return {product, (((highA * highB - product) + highA * lowB) + lowA * highB) + lowA * lowB};
}

}  // namespace abut::inline v0_1
