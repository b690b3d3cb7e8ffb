// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/shape.hpp>

#include "math/pose.hpp"
#include "support/random.hpp"

namespace abut::test {

/// Every ray that the shape says it hits ends on the surface, along the ray, with a unit normal
/// against the ray; before the hit the ray is outside. Rays that miss stay outside.
inline void checkRays(const Shape& shape, double size, std::uint64_t seed) {
  Random random(seed);
  const double tolerance = 1e-13 * size;
  for (int i = 0; i < 2000; ++i) {
    Ray ray;
    ray.origin = toEigen(random.vector(2.0 * size));
    const double length = i % 3 == 0 ? 1e-150 : (i % 3 == 1 ? 1e150 : 1.0);
    const Vec3 unit = random.direction();
    ray.direction = toEigen(unit * length);
    ray.maxFraction = std::numeric_limits<double>::infinity();
    RayHit hit;
    const bool found = shape.raycast(ray, hit);
    const bool inside = shape.signedDistance(ray.origin) <= 0.0;
    if (inside) {
      ASSERT_TRUE(found) << "seed " << seed << " ray " << i;
      ASSERT_EQ(hit.fraction, 0.0);
      ASSERT_NEAR(dot(toVec3(hit.normal), unit), -1.0, 1e-15);
      continue;
    }
    const double reach = found ? hit.fraction * length : 8.0 * size;
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = toVec3(ray.origin) + unit * (reach * (k / 20.0));
      ASSERT_GE(shape.signedDistance(toEigen(p)), -tolerance) << "seed " << seed << " ray " << i;
    }
    if (!found) continue;
    // Rays that graze a plane hit it far away.
    const double far = tolerance * (1.0 + norm(toVec3(hit.point)) / size);
    ASSERT_NEAR(shape.signedDistance(hit.point), 0.0, far);
    ASSERT_LE(norm(toVec3(ray.origin) + unit * reach - toVec3(hit.point)), 10.0 * far);
    ASSERT_NEAR(norm(toVec3(hit.normal)), 1.0, 1e-15);
    ASSERT_LE(dot(toVec3(hit.normal), unit), 1e-7);
    ray.maxFraction = hit.fraction * (1.0 - 1e-9);
    ASSERT_FALSE(shape.raycast(ray, hit));
  }
}

/// The world box contains every support point and is at most `slack` wider (relative to the sum of
/// size and distance from the origin).
inline void checkAabb(const Shape& shape, std::uint64_t seed, double slack) {
  Random random(seed);
  for (int i = 0; i < 500; ++i) {
    const Pose pose = random.pose(i % 2 == 0 ? 1.0 : 1e4);
    const Aabb box = shape.computeAabb(pose);
    double scale = shape.boundingRadius() + norm(pose.translation);
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {-1.0, 1.0}) {
        const Vec3 d{axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
        const Vec3 local = toVec3(shape.supportPoint(toEigen(transposeTimes(pose.rotation, d))));
        const double reach = dot(apply(pose, local), d);
        const double side = sign > 0.0 ? box.max_[axis] : -box.min_[axis];
        ASSERT_GE(side, reach);
        ASSERT_LE(side, reach + slack * scale);
      }
    }
  }
}

/// Mass and inertia agree with sums over a grid of n^3 cells of the local box, to `tolerance`
/// relative.
inline void checkMassAgainstGrid(const Shape& shape, int n, double tolerance) {
  MassProperties mass;
  ASSERT_TRUE(shape.computeMass(1000.0, mass).isOk());
  const Aabb box = shape.computeLocalAabb();
  const Vec3 lower = toVec3(box.min_), size = toVec3(box.max_) - lower;
  const double cell = 1000.0 * size.x * size.y * size.z / (double(n) * n * n);
  double sum = 0.0;
  Vec3 inertia;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Vec3 p =
            lower + Vec3{size.x * (i + 0.5) / n, size.y * (j + 0.5) / n, size.z * (k + 0.5) / n};
        if (shape.signedDistance(toEigen(p)) > 0.0) continue;
        sum += cell;
        inertia += Vec3{p.y * p.y + p.z * p.z, p.z * p.z + p.x * p.x, p.x * p.x + p.y * p.y} * cell;
      }
    }
  }
  EXPECT_NEAR(mass.mass, sum, tolerance * sum);
  EXPECT_NEAR(mass.inertia.x(), inertia.x, tolerance * inertia.x);
  EXPECT_NEAR(mass.inertia.y(), inertia.y, tolerance * inertia.y);
  EXPECT_NEAR(mass.inertia.z(), inertia.z, tolerance * inertia.z);
  EXPECT_EQ(mass.center, Eigen::Vector3d(0.0, 0.0, 0.0));
  MassProperties untouched;
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(shape.computeMass(bad, untouched).getCode(), StatusCode::OutOfRange);
  }
  EXPECT_EQ(untouched.mass, 0.0);
}

/// Calls `make(value)` with sizes that every shape refuses.
template <typename Make>
void checkRefusesSizes(Make make) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, 1e-7, 1e7, infinity, -infinity, 0.0 * infinity}) {
    EXPECT_THROW(make(bad), Error) << bad;
  }
}

}  // namespace abut::test
