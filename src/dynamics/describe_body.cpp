// SPDX-License-Identifier: MIT
#include "dynamics/describe_body.hpp"

#include <abut/math/convert.hpp>

namespace abut::inline v0_1 {
namespace {

Eigen::Vector3d momentsOf(const LocalInertia& inertia) {
  return {inertia.tensor.x.x, inertia.tensor.y.y, inertia.tensor.z.z};
}

}  // namespace

BodyMotion motionOf(const BodyTable& bodies, std::size_t i) {
  BodyMotion motion;
  motion.pose = bodies.poseOf(i);
  motion.position = toEigen(motion.pose.translation);
  motion.orientation = bodies.orientation[i];
  motion.centerOfMass = toEigen(bodies.position[i]);
  motion.linearVelocity = toEigen(bodies.velocity[i].linear);
  motion.angularVelocity = toEigen(bodies.velocity[i].angular);
  return motion;
}

MassProperties massOf(const BodyFacts& facts) {
  MassProperties mass;
  mass.center = toEigen(facts.center);
  if (facts.type != BodyType::Dynamic) return mass;
  const Mat3& tensor = facts.inertia.tensor;
  mass.mass = facts.mass;
  mass.inertia = momentsOf(facts.inertia);
  mass.products = {tensor.y.x, tensor.z.x, tensor.z.y};
  return mass;
}

BodyDescription descriptionOf(const BodyTable& bodies, std::size_t i) {
  const BodyFacts& f = bodies.facts[i];
  BodyDescription d;
  d.id = f.id;
  d.type = f.type;
  d.position = toEigen(bodies.poseOf(i).translation);
  d.orientation = bodies.orientation[i];
  d.linearVelocity = toEigen(bodies.velocity[i].linear);
  d.angularVelocity = toEigen(bodies.velocity[i].angular);
  d.locks = f.locks;
  d.gravityScale = f.gravityScale;
  d.surfaceVelocity = toEigen(f.surfaceVelocity);
  if (f.type == BodyType::Dynamic) {
    const MassProperties mass = massOf(f);
    d.mass = mass.mass;
    d.inertia = mass.inertia;
    d.productsOfInertia = mass.products;
    d.centerOfMass = mass.center;
  }
  d.filter = f.filter;
  d.sensor = f.sensor;
  if (f.drive->isLimited) {
    d.mass = f.drive->mass;
    d.inertia = momentsOf(f.drive->inertia);
    d.maxForce = toEigen(f.drive->maxForce);
    d.maxTorque = toEigen(f.drive->maxTorque);
    d.linearVelocity = toEigen(f.drive->target.linear);
    d.angularVelocity = toEigen(f.drive->target.angular);
  }
  return d;
}

}  // namespace abut::inline v0_1
