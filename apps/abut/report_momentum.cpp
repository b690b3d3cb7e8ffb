// SPDX-License-Identifier: MIT
#include "report_momentum.hpp"

#include "io/core/rotation.hpp"

namespace abut::tool {
namespace {

Vec3 plus(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// R I R^T w.
Vec3 spinMomentum(const io::BodyRecord& body, const io::BodyFrame& frame) {
  const Mat3 rotation = io::matrixOf(frame.orientation);
  const Vec3& w = frame.angularVelocity;
  const Vec3 local{dot(rotation.x, w), dot(rotation.y, w), dot(rotation.z, w)};
  const Vec3 &d = body.inertia, &p = body.products;  // p: Ixy, Ixz, Iyz.
  const Vec3 turned{d.x * local.x + p.x * local.y + p.y * local.z,
                    p.x * local.x + d.y * local.y + p.z * local.z,
                    p.y * local.x + p.z * local.y + d.z * local.z};
  return io::rotate(rotation, turned);
}

}  // namespace

Momentum momentumOf(std::span<const io::BodyRecord> bodies, std::span<const io::BodyFrame> frames) {
  Momentum sum;
  for (std::size_t i = 0; i < bodies.size() && i < frames.size(); ++i) {
    if (bodies[i].type != BodyType::Dynamic) continue;
    const double m = bodies[i].mass;
    const Vec3& v = frames[i].linearVelocity;
    const Vec3 linear{m * v.x, m * v.y, m * v.z};
    sum.linear = plus(sum.linear, linear);
    sum.angular = plus(sum.angular,
                       plus(cross(frames[i].position, linear), spinMomentum(bodies[i], frames[i])));
  }
  return sum;
}

}  // namespace abut::tool
