// SPDX-License-Identifier: MIT
#include "solver/one_contact.hpp"

namespace abut::inline v0_1 {
namespace {

/// S counts as singular below this part of the tangential block: it is a difference of terms of
/// that size, so no digit of it is left.
constexpr double kSingular = 1e-13;
/// Relative accuracy asked of the sliding solution.
constexpr double kSlipAccuracy = 4e-16;
constexpr int kMaxIterations = 60;

double length2(double x, double y) {
  return std::sqrt(x * x + y * y);
}

/// The sliding solution for a direction d of the friction impulse, or frictionless if friction that
/// way would lock the contact however hard it is pressed.
Vec3 slideAlong(const ContactBlock& w, double qn, double friction, double d1, double d2) {
  const double give = w.a + friction * (w.b1 * d1 + w.b2 * d2);
  if (!(give > kSingular * w.a)) return {-qn / w.a, 0.0, 0.0};
  const double n = -qn / give;
  return {n, friction * n * d1, friction * n * d2};
}

struct Slip {
  double t1, t2, n, length;
};

/// t = -(S + alpha I)^-1 p and the normal impulse that goes with it.
Slip slipAt(const ContactBlock& w, double qn, double p1, double p2, double alpha) {
  const double m11 = w.s11 + alpha, m22 = w.s22 + alpha;
  const double det = m11 * m22 - w.s12 * w.s12;
  const double t1 = -(m22 * p1 - w.s12 * p2) / det, t2 = -(m11 * p2 - w.s12 * p1) / det;
  return {t1, t2, -(qn + (w.b1 * t1 + w.b2 * t2)) / w.a, length2(t1, t2)};
}

/// Finds alpha with |t(alpha)| = friction n(alpha) by Newton's method on friction n / |t| - 1, kept
/// in a bracket: negative at alpha = 0, growing without bound.
Vec3 slide(const ContactBlock& w, double qn, double p1, double p2, double friction, double& start) {
  double low = 0.0, high = -1.0;  // high < 0: not known yet.
  double alpha = start > 0.0 ? start : 0.5 * (w.s11 + w.s22);
  Slip s = slipAt(w, qn, p1, p2, alpha);
  for (int i = 0; i < kMaxIterations; ++i) {
    const double miss = friction * s.n - s.length;
    if (absOf(miss) <= kSlipAccuracy * s.length) break;
    if (miss < 0.0) {
      low = alpha;
    } else {
      high = alpha;
    }
    const double m11 = w.s11 + alpha, m22 = w.s22 + alpha;
    const double det = m11 * m22 - w.s12 * w.s12;
    const double dt1 = -(m22 * s.t1 - w.s12 * s.t2) / det;
    const double dt2 = -(m11 * s.t2 - w.s12 * s.t1) / det;
    const double dn = -(w.b1 * dt1 + w.b2 * dt2) / w.a;
    const double dLength = (s.t1 * dt1 + s.t2 * dt2) / s.length;
    const double slope = friction * (dn * s.length - s.n * dLength) / (s.length * s.length);
    double next = alpha - (friction * s.n / s.length - 1.0) / slope;
    const bool inside = next > low && (high < 0.0 || next < high);
    if (!inside) next = high < 0.0 ? 2.0 * alpha + (w.s11 + w.s22) : 0.5 * (low + high);
    if (next == alpha) break;
    alpha = next;
    s = slipAt(w, qn, p1, p2, alpha);
  }
  start = alpha;
  if (!(s.length > 0.0)) return {-qn / w.a, 0.0, 0.0};
  return slideAlong(w, qn, friction, s.t1 / s.length, s.t2 / s.length);
}

}  // namespace

void finishBlock(ContactBlock& w) {
  if (!(w.a > 0.0)) return;
  w.s11 = w.t11 - w.b1 * w.b1 / w.a;
  w.s12 = w.t12 - w.b1 * w.b2 / w.a;
  w.s22 = w.t22 - w.b2 * w.b2 / w.a;
  const double scale = w.t11 + w.t22;
  const double det = w.s11 * w.s22 - w.s12 * w.s12;
  w.tangentFree = det > kSingular * scale * scale && w.s11 > 0.0 && w.s22 > 0.0;
}

Vec3 times(const ContactBlock& w, const Vec3& r) {
  return {(w.a * r.x + w.b1 * r.y) + w.b2 * r.z, (w.b1 * r.x + w.t11 * r.y) + w.t12 * r.z,
          (w.b2 * r.x + w.t12 * r.y) + w.t22 * r.z};
}

Vec3 solveOneContact(const ContactBlock& w, const Vec3& q, double friction, double& alpha) {
  if (!(q.x < 0.0) || !(w.a > 0.0)) return {};
  if (!(friction > 0.0)) return {-q.x / w.a, 0.0, 0.0};
  const double p1 = q.y - w.b1 * q.x / w.a, p2 = q.z - w.b2 * q.x / w.a;
  const double pLength = length2(p1, p2);
  // Sliding slower than rounding is none.
  if (!(pLength > kSlipAccuracy * (absOf(q.x) + length2(q.y, q.z)))) return {-q.x / w.a, 0.0, 0.0};
  if (!w.tangentFree) {
    // Along some tangent nothing gives way. What slides keeps sliding: against p.
    if (!(w.s11 + w.s22 > kSingular * (w.t11 + w.t22))) {
      return slideAlong(w, q.x, friction, -p1 / pLength, -p2 / pLength);
    }
    return slide(w, q.x, p1, p2, friction, alpha);
  }
  const Slip stick = slipAt(w, q.x, p1, p2, 0.0);
  if (stick.n >= 0.0 && stick.length <= friction * stick.n) return {stick.n, stick.t1, stick.t2};
  return slide(w, q.x, p1, p2, friction, alpha);
}

Vec3 relaxDecoupled(const ContactBlock& w, const Vec3& q, const Vec3& last, double friction) {
  if (!(q.x < 0.0) || !(w.a > 0.0)) return {};
  if (w.tangentFree) {
    const double p1 = q.y - w.b1 * q.x / w.a, p2 = q.z - w.b2 * q.x / w.a;
    const Slip stick = slipAt(w, q.x, p1, p2, 0.0);
    if (stick.n >= 0.0 && stick.length <= friction * stick.n) return {stick.n, stick.t1, stick.t2};
  }
  const double n = maxOf(0.0, -(q.x + (w.b1 * last.y + w.b2 * last.z)) / w.a);
  const double v1 = q.y + w.b1 * n, v2 = q.z + w.b2 * n;
  const double det = w.t11 * w.t22 - w.t12 * w.t12;
  const double scale = w.t11 + w.t22;
  if (!(det > kSingular * scale * scale)) return {n, 0.0, 0.0};
  const double t1 = -(w.t22 * v1 - w.t12 * v2) / det, t2 = -(w.t11 * v2 - w.t12 * v1) / det;
  const double length = length2(t1, t2), limit = friction * n;
  const double back = length > limit ? limit / length : 1.0;
  return {n, t1 * back, t2 * back};
}

Vec3 projectOnCone(const Vec3& r, double friction) {
  const double t = length2(r.y, r.z);
  if (r.x >= 0.0 && t <= friction * r.x) return r;
  if (friction * t <= -r.x) return {};
  const double n = (r.x + friction * t) / (1.0 + friction * friction);
  if (!(n > 0.0)) return {};
  const double s = t > 0.0 ? friction * n / t : 0.0;
  return {n, r.y * s, r.z * s};
}

}  // namespace abut::inline v0_1
