// SPDX-License-Identifier: MIT
#include "shapes/exact_orientation.hpp"

namespace abut::inline v0_1 {
namespace {

/// A number as an unevaluated sum of doubles that do not overlap, the smallest first, none zero.
/// J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates, 1997, gives the theorems behind the steps.
struct Expansion {
  static constexpr int kCapacity = 192;  // Three products of 2, 2 and 2 terms, two signs each.
  int count = 0;
  double terms[kCapacity];

  Expansion() {}  // NOLINT: leaves the terms uninitialised.

  void push(double term) {
    if (term != 0.0) terms[count++] = term;
  }
  [[nodiscard]] int sign() const {
    if (count == 0) return 0;
    return terms[count - 1] > 0.0 ? 1 : -1;
  }
};

/// a + b = sum + error, exactly.
inline double twoSum(double a, double b, double& error) {
  const double sum = a + b;
  const double partB = sum - a;
  const double partA = sum - partB;
  error = (a - partA) + (b - partB);
  return sum;
}

/// a = high + low with 26 bits each.
inline void split(double a, double& high, double& low) {
  constexpr double kSplitter = 134217729.0;  // 2^27 + 1
  const double c = kSplitter * a;
  high = c - (c - a);
  low = a - high;
}

/// a b = product + error, exactly.
inline double twoProduct(double a, double b, double& error) {
  const double product = a * b;
  double ah, al, bh, bl;
  split(a, ah, al);
  split(b, bh, bl);
  error = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
  return product;
}

/// e += b.
void grow(Expansion& e, double b) {
  double q = b;
  int kept = 0;
  for (int i = 0; i < e.count; ++i) {
    double error;
    q = twoSum(q, e.terms[i], error);
    if (error != 0.0) e.terms[kept++] = error;
  }
  if (q != 0.0) e.terms[kept++] = q;
  e.count = kept;
}

/// e += a b.
void growByProduct(Expansion& e, double a, double b) {
  double error;
  const double product = twoProduct(a, b, error);
  if (error != 0.0) grow(e, error);
  if (product != 0.0) grow(e, product);
}

/// a - b as at most two terms.
Expansion difference(double a, double b) {
  Expansion result;
  double error;
  const double high = twoSum(a, -b, error);
  result.push(error);
  result.push(high);
  return result;
}

/// a b - c d.
Expansion minor2(const Expansion& a, const Expansion& b, const Expansion& c, const Expansion& d) {
  Expansion result;
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) growByProduct(result, a.terms[i], b.terms[j]);
  }
  for (int i = 0; i < c.count; ++i) {
    for (int j = 0; j < d.count; ++j) growByProduct(result, -c.terms[i], d.terms[j]);
  }
  return result;
}

void growByProduct(Expansion& e, const Expansion& a, const Expansion& b) {
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) growByProduct(e, a.terms[i], b.terms[j]);
  }
}

int exactOrientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Expansion bx = difference(b.x, a.x), by = difference(b.y, a.y), bz = difference(b.z, a.z);
  const Expansion cx = difference(c.x, a.x), cy = difference(c.y, a.y), cz = difference(c.z, a.z);
  const Expansion dx = difference(d.x, a.x), dy = difference(d.y, a.y), dz = difference(d.z, a.z);
  Expansion volume;
  growByProduct(volume, minor2(by, cz, bz, cy), dx);
  growByProduct(volume, minor2(bz, cx, bx, cz), dy);
  growByProduct(volume, minor2(bx, cy, by, cx), dz);
  return volume.sign();
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 ab = b - a, ac = c - a, ad = d - a;
  const double volume = dot(cross(ab, ac), ad);
  const Vec3 p = absOf(ab), q = absOf(ac), r = absOf(ad);
  const double sum = ((p.y * q.z + p.z * q.y) * r.x + (p.z * q.x + p.x * q.z) * r.y) +
                     (p.x * q.y + p.y * q.x) * r.z;
  // Seven roundings on the longest path from the differences to the sum, each of 2^-53.
  constexpr double kFilter = 8.0 * 0x1p-53;
  const double bound = kFilter * sum;
  if (volume > bound) return 1;
  if (volume < -bound) return -1;
  return exactOrientation(a, b, c, d);
}

}  // namespace abut::inline v0_1
