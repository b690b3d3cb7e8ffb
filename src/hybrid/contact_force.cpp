// SPDX-License-Identifier: MIT
#include "hybrid/contact_force.hpp"

#include <abut/hybrid/contact_laws.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/contact_geometry.hpp>

namespace abut::inline v0_1 {
namespace {

/// 0 to 1 as |v| goes from 0 to `full`, along v: once differentiable.
Vec3 saturated(const Vec3& v, double full) {
  const double speed = norm(v);
  if (speed >= full) return v / speed;
  const double s = speed / full;
  return v * ((2.0 - s) / full);
}

/// Share of critical damping in the tangential spring of a sticking contact.
constexpr double kStickDamping = 0.7;

}  // namespace

struct ContactForces::Point {
  std::size_t body1, body2;
  Vec3 position, normal, slip;
  double depth, normalForce;
  bool alone;
};

/// Tangential force on body 1.
Vec3 ContactForces::frictionAt(const Point& p, const ContactResponse& response,
                               const ContactMode& mode) const {
  const double most = response.friction * p.normalForce;
  if (mode.slip == SlipMode::Sliding || !p.alone) {
    return saturated(p.slip, options_.frictionVelocity) * -most;
  }
  if (mode.slip == SlipMode::Breaking) return mode.pull * -most;
  // Two thirds of the normal stiffness, about what Mindlin gives; damped against the mass that the
  // contact sees along the slip.
  const double k = response.stiffness * std::sqrt(p.depth);
  const BodyTable& b = bodies_.bodies;
  const double mass1 = maxElement(b.mobility[p.body1].inverseMass);
  const double mass2 = maxElement(b.mobility[p.body2].inverseMass);
  const double inverse = mass1 + mass2;
  const double damping = inverse > 0.0 ? 2.0 * kStickDamping * std::sqrt(k / inverse) : 0.0;
  Vec3 stretch = apply(b.poseOf(p.body1), mode.anchor1) - apply(b.poseOf(p.body2), mode.anchor2);
  stretch -= p.normal * dot(p.normal, stretch);
  return stretch * -k - p.slip * damping;
}

Status ContactForces::evaluate(const ObjectPair& pair, const ContactResponse& response,
                               const ContactMode& mode, std::vector<Vec3>* force,
                               std::vector<Vec3>* torque, std::vector<CompliantForce>* points,
                               ContactEffect& effect) {
  const std::size_t body1 = bodies_.bodies.indexOf(pair.first);
  const std::size_t body2 = bodies_.bodies.indexOf(pair.second);
  collisions_.clear();
  CollisionOption option;
  option.maxNumContacts = static_cast<std::size_t>(-1);
  Status status =
      collide(bodies_.objectOf(body1).placed, bodies_.objectOf(body2).placed, option, collisions_);
  if (!status) return status;
  effect = {};
  double weight = 0.0, weighted = 0.0, deepest = 0.0;
  const bool alone = collisions_.numContacts() == 1;
  const Vec3 turning =
      bodies_.bodies.velocity[body1].angular - bodies_.bodies.velocity[body2].angular;
  for (const ContactManifold& manifold : collisions_.getManifolds()) {
    for (const ContactPoint& contact : manifold.getContacts()) {
      if (!(contact.depth > 0.0)) continue;
      Point p{body1, body2, toVec3(contact.position), toVec3(contact.normal), {}, contact.depth,
              0.0,   alone};
      const Vec3 u =
          bodies_.surfaceVelocity(body1, p.position) - bodies_.surfaceVelocity(body2, p.position);
      const double rate = -dot(p.normal, u);
      p.slip = u + p.normal * rate;
      const double elastic = response.stiffness * (p.depth * std::sqrt(p.depth));
      const double factor = 1.0 + response.damping * rate;
      p.normalForce = factor > 0.0 ? elastic * factor : 0.0;
      weight += elastic;
      weighted += elastic * factor;
      effect.elastic += 0.4 * elastic * p.depth;
      effect.normalForce += p.normalForce;
      ++effect.points;
      const Vec3 friction = frictionAt(p, response, mode);
      if (p.depth > deepest) {
        deepest = p.depth;
        effect.slipVelocity = p.slip;
        effect.friction = friction;
        effect.position = p.position;
        effect.normal = p.normal;
      }
      if (points != nullptr) {
        points->push_back(
            {pair, contact.position, contact.normal, p.depth, p.normalForce, toEigen(friction)});
      }
      if (force == nullptr) continue;
      const Vec3 f = p.normal * p.normalForce + friction;
      const double spin = dot(turning, p.normal);
      const Vec3 resisting = saturated(turning - p.normal * spin, options_.rollingVelocity) *
                                 (-response.rollingResistance * p.normalForce) +
                             saturated(p.normal * spin, options_.rollingVelocity) *
                                 (-response.spinningResistance * p.normalForce);
      (*force)[body1] += f;
      (*force)[body2] -= f;
      (*torque)[body1] += cross(p.position - bodies_.bodies.position[body1], f) + resisting;
      (*torque)[body2] -= cross(p.position - bodies_.bodies.position[body2], f) + resisting;
    }
  }
  if (weight > 0.0) effect.pushFactor = weighted / weight;
  return {};
}

double ContactForces::distanceRate(const TrackedPair& pair) const {
  const std::size_t body1 = bodies_.bodies.indexOf(pair.pair.first);
  const std::size_t body2 = bodies_.bodies.indexOf(pair.pair.second);
  const Vec3 u = bodies_.surfaceVelocity(body1, toVec3(pair.closest.point1)) -
                 bodies_.surfaceVelocity(body2, toVec3(pair.closest.point2));
  return dot(toVec3(pair.closest.normal), u);
}

Status ContactForces::respond(const TrackedPair& pair, ContactResponse& response) const {
  const std::size_t body1 = bodies_.bodies.indexOf(pair.pair.first);
  const std::size_t body2 = bodies_.bodies.indexOf(pair.pair.second);
  const DistanceResult& at = pair.closest;
  const PairMaterial material = bodies_.materialBetween(body1, at.subShape1, body2, at.subShape2);
  const PlacedShape& shape1 = bodies_.objectOf(body1).placed;
  const PlacedShape& shape2 = bodies_.objectOf(body2).placed;
  double largest = options_.largestRadius;
  if (largest == 0.0) {
    largest = minOf(shape1.shape->boundingRadius(), shape2.shape->boundingRadius());
  }
  // Where curvature is not defined (corners, edges) the largest radius stands in.
  double curvature[2] = {1.0 / largest, 1.0 / largest};
  ParametricContact contact;
  const double margin = maxOf(pair.distanceOrg, 0.0);
  const Status status = parametricContact(shape1, shape2, contact, margin);
  if (!status && status.getCode() != StatusCode::UnsupportedPair) return status;
  if (status && contact.found) {
    for (int i = 0; i < 2; ++i) {
      curvature[i] = maxOf(curvature[i], contact.relativeCurvatures[static_cast<std::size_t>(i)]);
    }
  }
  const double modulus = bodies_.modulusBetween(body1, at.subShape1, body2, at.subShape2);
  response.stiffness = hertzStiffness(curvature[0], curvature[1], modulus);
  response.closingSpeed = maxOf(-distanceRate(pair), 0.0);
  response.damping = dampingForRestitution(material.restitution) /
                     maxOf(response.closingSpeed, options_.slowestImpact);
  response.friction = material.friction;
  response.rollingResistance = material.rollingResistance;
  response.spinningResistance = material.spinningResistance;
  return {};
}

}  // namespace abut::inline v0_1
