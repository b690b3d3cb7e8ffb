// SPDX-License-Identifier: MIT
#include "io/run/energy.hpp"

#include <abut/math/convert.hpp>

#include "io/core/rotation.hpp"

namespace abut::inline v0_1::io {
namespace {

double dot(const Vec3& a, const Vec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

double kineticEnergy(const BodyRecord& body, const BodyFrame& frame) {
  const Mat3 r = matrixOf(frame.orientation);
  const Vec3& w = frame.angularVelocity;
  const Vec3 local{dot(r.x, w), dot(r.y, w), dot(r.z, w)};
  const Vec3 &d = body.inertia, &p = body.products;
  const double straight =
      (d.x * local.x * local.x + d.y * local.y * local.y) + d.z * local.z * local.z;
  const double mixed =
      (p.x * local.x * local.y + p.y * local.x * local.z) + p.z * local.y * local.z;
  return 0.5 *
         (body.mass * dot(frame.linearVelocity, frame.linearVelocity) + (straight + 2.0 * mixed));
}

}  // namespace

HeldEnergy heldEnergy(const BodyRecord& body, const BodyFrame& frame, const Vec3& gravity,
                      double gravityScale) {
  return {kineticEnergy(body, frame), -(body.mass * gravityScale * dot(gravity, frame.position))};
}

HeldEnergy heldEnergy(const Scene& scene, const RunHeader& header, const Frame& frame) {
  HeldEnergy sum;
  const Vec3 g = toVec3(scene.options.gravity);
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const BodyRecord& body = header.bodies[i];
    if (body.type != BodyType::Dynamic) continue;
    const HeldEnergy held =
        heldEnergy(body, frame.bodies[i], g, scene.bodies[i].description.gravityScale);
    sum.kinetic += held.kinetic;
    sum.potential += held.potential;
  }
  return sum;
}

}  // namespace abut::inline v0_1::io
