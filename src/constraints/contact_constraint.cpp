// SPDX-License-Identifier: MIT
#include <string>

#include <abut/constraints/contact_constraint.hpp>
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>

#include "constraints/contact_site.hpp"
#include "dynamics/point_velocity.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {
namespace {

bool isSound(const ConstraintBody& b) {
  const Mat3& i = b.mobility.inverseInertia;
  return isFinite(b.centerOfMass) && isFinite(b.mobility.inverseMass) && isFinite(i.x) &&
         isFinite(i.y) && isFinite(i.z) && isFinite(b.velocity.linear) &&
         isFinite(b.velocity.angular);
}

/// Answer of the velocity at `arm` to a unit impulse there: M^-1 + [arm]^T I^-1 [arm].
Vec3 answer(const BodyMobility& m, const Vec3& arm, const Vec3& impulse) {
  return scaled(m.inverseMass, impulse) + cross(m.inverseInertia * cross(arm, impulse), arm);
}

Vec3 along(const ContactConstraint& c, const Vec3& v) {
  return {dot(c.normal, v), dot(c.tangent1, v), dot(c.tangent2, v)};
}

ContactConstraint makeConstraint(const ConstraintBody& body1, const ConstraintBody& body2,
                                 const ContactPoint& point, bool exchanged,
                                 const PairMaterial& material) {
  ContactConstraint c;
  c.object1 = body1.id;
  c.object2 = body2.id;
  c.normal = toVec3(point.normal) * (exchanged ? -1.0 : 1.0);
  c.tangent1 = anyPerpendicular(c.normal);
  c.tangent2 = cross(c.normal, c.tangent1);
  c.depth = point.depth;
  c.friction = material.friction;
  c.restitution = material.restitution;
  const ContactSite site =
      siteAt(toVec3(point.position), c.normal, point.depth, body1.centerOfMass, body2.centerOfMass);
  c.arm1 = site.arm1;
  c.arm2 = site.arm2;
  const auto column = [&](const Vec3& axis) {
    return along(c, answer(body1.mobility, c.arm1, axis) + answer(body2.mobility, c.arm2, axis));
  };
  c.response = {column(c.normal), column(c.tangent1), column(c.tangent2)};
  c.normalMass = c.response.x.x > 0.0 ? 1.0 / c.response.x.x : 0.0;
  c.canTranslate = body1.mobility.inverseMass != Vec3{} || body2.mobility.inverseMass != Vec3{};
  c.relativeVelocity =
      along(c, velocityAt(body1.velocity, c.arm1) - velocityAt(body2.velocity, c.arm2));
  return c;
}

}  // namespace

double ContactConstraint::restitutionVelocity() const {
  return relativeVelocity.x < 0.0 ? -restitution * relativeVelocity.x : 0.0;
}

double ContactConstraint::baumgarteVelocity(double erp, double dt) const {
  return canTranslate && depth > 0.0 && dt > 0.0 ? erp * depth / dt : 0.0;
}

Status ContactConstraintFactory::createFromCollision(const CollisionResult& result,
                                                     const ConstraintBody& body1,
                                                     const ConstraintBody& body2,
                                                     const PairMaterial& material,
                                                     std::vector<ContactConstraint>& constraints) {
  const FloatEnvironment environment;
  const std::string where = "ContactConstraintFactory::createFromCollision: ";
  if (body1.id == body2.id) {
    return Status::failure(StatusCode::SelfPair,
                           where + "both bodies are " + std::to_string(body1.id), body1.id);
  }
  for (const ConstraintBody* body : {&body1, &body2}) {
    if (isSound(*body)) continue;
    return Status::failure(StatusCode::NonFinite,
                           where + "body " + std::to_string(body->id) +
                               ": expected finite position, mobility and velocity",
                           body->id);
  }
  const std::size_t before = constraints.size();
  std::uint32_t number = 0;
  for (const ContactManifold& manifold : result.getManifolds()) {
    const bool same = manifold.getObject1() == body1.id && manifold.getObject2() == body2.id;
    const bool exchanged = manifold.getObject1() == body2.id && manifold.getObject2() == body1.id;
    for (const ContactPoint& point : manifold.getContacts()) {
      if (!same && !exchanged) break;
      if (!isFinite(toVec3(point.position)) || !isFinite(toVec3(point.normal)) ||
          !isFinite(point.depth)) {
        constraints.resize(before);
        return Status::failure(
            StatusCode::NonFinite,
            where + "a contact of manifold " + std::to_string(number) + " is not finite", body1.id);
      }
      constraints.push_back(makeConstraint(body1, body2, point, exchanged, material));
      constraints.back().manifold = number;
    }
    ++number;
  }
  return {};
}

}  // namespace abut::inline v0_1
