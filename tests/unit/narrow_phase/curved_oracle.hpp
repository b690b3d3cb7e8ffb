// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

#include "narrow_phase/convex/convex_gap.hpp"
#include "shapes/hull_data.hpp"
#include "support/random.hpp"

namespace abut::curved_test {

using test::Random;

/// Largest n . x over the rounded core at its pose, by formulas of its own.
inline double reach(const ConvexCore& core, const Pose& pose, const Vec3& n) {
  using Kind = ConvexCore::Kind;
  const Vec3 d = transposeTimes(pose.rotation, n);
  const Vec3 h = core.half;
  const double across = std::sqrt(d.x * d.x + d.y * d.y);
  double value = 0.0;
  switch (core.kind) {
    case Kind::Point:
      break;
    case Kind::Segment:
      value = h.z * std::fabs(d.z);
      break;
    case Kind::Triangle:
      value = std::fmax(std::fmax(dot(core.corners[0], d), dot(core.corners[1], d)),
                        dot(core.corners[2], d));
      break;
    case Kind::Box:
      value = h.x * std::fabs(d.x) + h.y * std::fabs(d.y) + h.z * std::fabs(d.z);
      break;
    case Kind::Hull:
      value = -1e300;
      for (std::uint32_t i = 0; i < core.hull->numVertices; ++i) {
        value = std::fmax(value, dot(core.hull->vertex(i), d));
      }
      break;
    case Kind::Cylinder:
      value = h.x * across + h.z * std::fabs(d.z);
      break;
    case Kind::Cone:
      value = std::fmax(h.z * d.z, h.x * across - h.z * d.z);
      break;
  }
  return value + core.radius + dot(pose.translation, n);
}

struct Pair {
  ConvexCore core1, core2;
  Pose pose1, pose2;

  /// Overlap along n (from 2 to 1).
  [[nodiscard]] double overlap(const Vec3& n) const {
    return reach(core1, pose1, -n) + reach(core2, pose2, n);
  }
};

/// Least overlap found by brute force over the sphere, then pattern search from the lowest local
/// minima of the samples. Never below the true minimum; within about 1e-9 above it.
inline double bruteForce(const Pair& pair, int samples) {
  // Spherical Fibonacci points.
  struct Start {
    Vec3 n;
    double h;
  };
  std::vector<Start> starts;
  constexpr int kKept = 12;
  const double golden = std::acos(-1.0) * (3.0 - std::sqrt(5.0));
  const double apart = 1.2 * std::sqrt(4.0 * std::acos(-1.0) / samples);
  for (int i = 0; i < samples; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / samples, rho = std::sqrt(1.0 - z * z);
    const Vec3 n{rho * std::cos(golden * i), rho * std::sin(golden * i), z};
    const double h = pair.overlap(n);
    if (starts.size() == kKept && h >= starts.back().h) continue;
    bool close = false;
    for (Start& s : starts) {
      if (norm(s.n - n) > 2.0 * apart) continue;
      close = true;
      if (h < s.h) s = {n, h};
      break;
    }
    if (!close) {
      if (starts.size() == kKept) starts.pop_back();
      starts.push_back({n, h});
    }
    for (std::size_t k = starts.size() - 1; k > 0; --k) {
      if (starts[k].h < starts[k - 1].h) std::swap(starts[k], starts[k - 1]);
    }
  }
  double best = 1e300;
  for (const Start& start : starts) {
    Vec3 n = start.n;
    double h = start.h, step = apart;
    double turn = 0.0;
    for (int round = 0; round < 200 && step > 1e-11; ++round) {
      const Vec3 u = anyPerpendicular(n), v = cross(n, u);
      bool moved = false;
      for (int k = 0; k < 8 && !moved; ++k) {
        const double angle = turn + k * std::acos(-1.0) / 4.0;
        const Vec3 t = u * std::cos(angle) + v * std::sin(angle);
        const Vec3 trial = normalized(n + t * step);
        const double value = pair.overlap(trial);
        if (value < h) {
          h = value;
          n = trial;
          moved = true;
        }
      }
      turn += 0.37;
      step *= moved ? 1.5 : 0.6;
      if (step > apart) step = apart;
      if (round == 20 && h > best + 0.1) break;
    }
    best = std::fmin(best, h);
  }
  return best;
}

/// Distance by which a point lies outside a body, at least [m]; exact but for hulls near edges.
inline double outside(const ConvexCore& core, const Pose& pose, const Vec3& point) {
  using Kind = ConvexCore::Kind;
  const Vec3 p = transposeTimes(pose.rotation, point - pose.translation), h = core.half;
  const double rho = std::sqrt(p.x * p.x + p.y * p.y);
  double d = 0.0;
  switch (core.kind) {
    case Kind::Point:
      d = norm(p);
      break;
    case Kind::Segment:
      d = std::hypot(rho, std::fmax(0.0, std::fabs(p.z) - h.z));
      break;
    case Kind::Triangle: {
      const Vec3 &a = core.corners[0], &b = core.corners[1], &c = core.corners[2];
      const Vec3 n = normalized(cross(b - a, c - a));
      d = std::fabs(dot(p - a, n));
      for (int i = 0; i < 3; ++i) {
        const Vec3& u = core.corners[i];
        const Vec3& v = core.corners[(i + 1) % 3];
        d = std::fmax(d, dot(p - u, normalized(cross(v - u, n))));
      }
      break;
    }
    case Kind::Box:
      d = std::fmax(std::fmax(std::fabs(p.x) - h.x, std::fabs(p.y) - h.y), std::fabs(p.z) - h.z);
      break;
    case Kind::Hull:
      d = -1e300;
      for (const HullData::Face& f : core.hull->faces)
        d = std::fmax(d, dot(f.normal, p) - f.offset);
      break;
    case Kind::Cylinder:
      d = std::fmax(rho - h.x, std::fabs(p.z) - h.z);
      break;
    case Kind::Cone: {
      const double length = std::hypot(h.x, 2.0 * h.z);
      d = std::fmax(-h.z - p.z, (rho * 2.0 * h.z - (h.z - p.z) * h.x) / length);
      break;
    }
  }
  return d - core.radius;
}

/// Largest violation of the answer's own promises [m]: the normal is a unit vector, the witnesses
/// differ by gap * normal, each lies in its body's support along the normal.
inline double certificate(const Pair& pair, const PairGap& gap) {
  const Vec3 n = gap.normal;
  double worst = std::fabs(norm(n) - 1.0);
  worst = std::fmax(worst, norm(gap.p1 - gap.p2 - n * gap.gap));
  worst = std::fmax(worst, std::fabs(reach(pair.core1, pair.pose1, -n) + dot(n, gap.p1)));
  worst = std::fmax(worst, std::fabs(reach(pair.core2, pair.pose2, n) - dot(n, gap.p2)));
  worst = std::fmax(worst, outside(pair.core1, pair.pose1, gap.p1));
  return std::fmax(worst, outside(pair.core2, pair.pose2, gap.p2));
}

}  // namespace abut::curved_test
