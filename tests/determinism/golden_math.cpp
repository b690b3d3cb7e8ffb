// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/math/aabb.hpp>
#include <abut/math/convert.hpp>

#include "digest.hpp"
#include "math/pose.hpp"
#include "math/trigonometry.hpp"
#include "random_pose.hpp"

namespace golden {
namespace {

using namespace abut;

constexpr int kCount = 2000;

void add(Digest& digest, const Aabb& box) {
  digest.add(box.min_);
  digest.add(box.max_);
}
void add(Digest& digest, const Quat& q) {
  digest.add(q.w), digest.add(q.x), digest.add(q.y), digest.add(q.z);
}

void vectors() {
  Generator random(1);
  Digest digest;
  for (int i = 0; i < kCount; ++i) {
    const Vec3 a = toVec3(random.vector(3.0));
    const Vec3 b = toVec3(random.vector(0.1));
    digest.add(a + b), digest.add(a - b), digest.add(-a), digest.add(a * b.x), digest.add(a / b.y);
    digest.add(dot(a, b)), digest.add(cross(a, b)), digest.add(norm(a)), digest.add(normalized(a));
    digest.add(scaled(a, b)), digest.add(minOf(a, b)), digest.add(maxOf(a, b));
    digest.add(absOf(a)), digest.add(maxElement(b)), digest.add(clampTo(a.x, -1.0, 1.0));
    digest.add(anyPerpendicular(normalized(b))), digest.add(lexicographicLess(a, b));
  }
  print("math.vector", digest);
}

void rotations() {
  Generator random(2);
  Digest matrices, quaternions;
  for (int i = 0; i < kCount; ++i) {
    const Pose a = randomPose(random, 5.0);
    const Pose b = randomPose(random, 0.5);
    const Vec3 v = toVec3(random.vector(2.0));
    matrices.add(compose(a, b)), matrices.add(relative(a, b)), matrices.add(apply(a, v));
    matrices.add(applyInverse(a, v)), matrices.add(determinant(a.rotation));
    matrices.add(transpose(a.rotation) - b.rotation), matrices.add(absOf(a.rotation));
    matrices.add(orthonormalityError(a.rotation)), matrices.add(polarStep(a.rotation));
    const Quat q = toQuat(a.rotation);
    const Quat r = toQuat(b.rotation);
    add(quaternions, q), add(quaternions, q * r), quaternions.add(toMatrix(normalized(q * r)));
  }
  print("math.rotation", matrices);
  print("math.quaternion", quaternions);
}

void trigonometry() {
  Generator random(5);
  Digest digest;
  for (int i = 0; i < kCount; ++i) {
    const double scale = i % 3 == 0 ? 1e9 : (i % 3 == 1 ? 7.0 : 1e-4);
    const SinCos s = sinCos(random.symmetric() * scale);
    digest.add(s.sin), digest.add(s.cos);
    const Vec3 v = toVec3(random.vector(1.0));
    digest.add(atan2Of(v.x, v.y)), digest.add(acosOf(v.z));
    add(digest, quatFromRotationVector(v * scale));
  }
  for (const double x : {0.0, -0.0, 1.0, -1.0}) {
    for (const double y : {0.0, -0.0, 1.0, -1.0}) digest.add(atan2Of(y, x));
    digest.add(acosOf(x)), digest.add(sinCos(x).sin);
  }
  print("math.trigonometry", digest);
}

void conversions() {
  Generator random(3);
  Digest digest;
  for (int i = 0; i < kCount; ++i) {
    Eigen::Isometry3d transform = toEigen(randomPose(random, 10.0));
    // A deviation from a rotation that toPose() repairs (small), or refuses (large).
    const double deviation = i % 4 == 3 ? 1e-3 : 1e-8;
    transform(0, 1) += random.symmetric() * deviation;
    if (i % 97 == 0) transform(2, 3) = std::numeric_limits<double>::infinity();
    Pose pose;
    const Status status = toPose(transform, pose);
    digest.add(status.getCode()), digest.add(status.getMessage()), digest.add(pose);
  }
  print("math.convert", digest);
}

void boxes() {
  Generator random(4);
  Digest queries, moved;
  for (int i = 0; i < kCount; ++i) {
    const Eigen::Vector3d corner = random.vector(1.0);
    Aabb a(corner, corner);
    a.merge(random.vector(1.0));
    Aabb b = Aabb::forSphere(random.between(0.1, 1.0));
    b.merge(Aabb::forBox(random.vector(1.0)));
    queries.add(a.overlaps(b)), queries.add(a.contains(b)), queries.add(b.contains(a.min_));
    queries.add(a.center()), queries.add(a.halfExtents());
    queries.add(a.volume()), queries.add(b.surfaceArea());
    a.expand(random.symmetric() * 0.1);
    add(queries, a);
    add(moved, Aabb::transformed(b, randomPose(random, 4.0)));
    add(moved, Aabb::transformed(b, toEigen(randomPose(random, 1e4))));
  }
  Aabb none = Aabb::empty();
  none.merge(Aabb::infinite());
  add(queries, none);
  add(moved, Aabb::transformed(none, Pose{}));
  print("math.aabb", queries);
  print("math.aabb_transformed", moved);
}

}  // namespace

void math() {
  vectors();
  rotations();
  trigonometry();
  conversions();
  boxes();
}

}  // namespace golden
