// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "math/pose.hpp"
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/convex/polytope.hpp"

namespace abut::testing {

/// splitmix64: the same sequence on every machine.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }
  Vec3 inCube(double half) {
    const double x = uniform(-half, half);
    const double y = uniform(-half, half);
    const double z = uniform(-half, half);
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = inCube(1.0);
      const double l2 = squaredNorm(v);
      if (l2 > 0.01 && l2 <= 1.0) return normalized(v);
    }
  }
  Mat3 rotation() {
    const Vec3 v = direction();
    const double w = uniform(-1.0, 1.0);
    return toMatrix(normalized(Quat{w, v.x, v.y, v.z}));
  }

private:
  std::uint64_t state_;
};

inline std::vector<Vec3> worldVertices(const ConvexCore& core, const Pose& pose) {
  std::vector<Vec3> result;
  for (std::uint32_t i = 0; i < numVertices(core); ++i) {
    result.push_back(apply(pose, vertexOf(core, i)));
  }
  return result;
}

/// Overlap along n: largest -n.x over 1 plus largest n.y over 2, radii included.
inline double overlapAlong(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                           const Pose& pose2, const Vec3& n) {
  double best = 0.0;
  bool first = true;
  for (const Vec3& a : worldVertices(core1, pose1)) {
    for (const Vec3& b : worldVertices(core2, pose2)) {
      const double h = dot(n, b - a);
      if (first || h > best) best = h;
      first = false;
    }
  }
  return best + core1.radius + core2.radius;
}

/// By how far p lies outside the rounded core, judged along the given directions [m].
inline double outside(const ConvexCore& core, const Pose& pose, const Vec3& p,
                      const std::vector<Vec3>& directions) {
  const std::vector<Vec3> vertices = worldVertices(core, pose);
  double worst = -1e300;
  for (const Vec3& d : directions) {
    double reach = -1e300;
    for (const Vec3& v : vertices) reach = maxOf(reach, dot(d, v));
    worst = maxOf(worst, dot(d, p) - reach - core.radius);
  }
  return worst;
}

inline ConvexCore segmentCore(double half, double radius) {
  ConvexCore core;
  core.kind = ConvexCore::Kind::Segment;
  core.half = {0.0, 0.0, half};
  core.radius = radius;
  return core;
}

inline ConvexCore boxCore(const Vec3& half) {
  ConvexCore core;
  core.kind = ConvexCore::Kind::Box;
  core.half = half;
  return core;
}

inline ConvexCore pointCore(double radius) {
  ConvexCore core;
  core.radius = radius;
  return core;
}

inline ConvexCore randomCore(Random& random, ConvexCore::Kind kind) {
  switch (kind) {
    case ConvexCore::Kind::Point:
      return pointCore(random.uniform(0.01, 0.5));
    case ConvexCore::Kind::Segment: {
      const double half = random.uniform(0.05, 1.0);
      return segmentCore(half, random.uniform(0.01, 0.3));
    }
    case ConvexCore::Kind::Triangle: {
      const Vec3 a = random.inCube(1.0), b = random.inCube(1.0);
      return triangleCore(a, b, random.inCube(1.0));
    }
    default: {
      const double x = random.uniform(0.05, 1.0), y = random.uniform(0.05, 1.0);
      return boxCore({x, y, random.uniform(0.05, 1.0)});
    }
  }
}

}  // namespace abut::testing
