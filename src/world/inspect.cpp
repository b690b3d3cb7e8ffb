// SPDX-License-Identifier: MIT
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/inspect.hpp>

#include "dynamics/body_mass.hpp"
#include "world/state.hpp"

namespace abut {
const WorldOptions& optionsOf(const World& world) {
  return world.getState().options;
}

const MaterialTable& materialsOf(const World& world) {
  return world.getState().materials;
}

std::span<const ObjectId> bodiesOf(const World& world) {
  return world.getState().bodies.ids;
}

Status describeBody(const World& world, ObjectId id, BodyDescription& description,
                    std::vector<BodyShape>& shapes) {
  const FloatEnvironment environment;
  const BodyTable& bodies = world.getState().bodies;
  const std::size_t i = bodies.find(id);
  if (i == bodies.size()) {
    return Status::failure(StatusCode::UnknownObject, "describeBody: no body " + std::to_string(id),
                           id);
  }
  const BodyFacts& f = bodies.facts[i];
  const Mat3& tensor = f.inertia.tensor;
  description = {};
  description.id = id;
  description.type = f.type;
  description.position = toEigen(bodies.poseOf(i).translation);
  description.orientation = bodies.orientation[i];
  description.linearVelocity = toEigen(bodies.velocity[i].linear);
  description.angularVelocity = toEigen(bodies.velocity[i].angular);
  description.locks = f.locks;
  description.gravityScale = f.gravityScale;
  description.surfaceVelocity = toEigen(f.surfaceVelocity);
  if (f.type == BodyType::Dynamic) {
    description.mass = f.mass;
    description.inertia = {tensor.x.x, tensor.y.y, tensor.z.z};
    description.productsOfInertia = {tensor.y.x, tensor.z.x, tensor.z.y};
    description.centerOfMass = toEigen(f.center);
  }
  description.filter = f.filter;
  description.sensor = f.sensor;
  if (f.drive.isLimited) {
    const Mat3& own = f.drive.inertia.tensor;
    description.mass = f.drive.mass;
    description.inertia = {own.x.x, own.y.y, own.z.z};
    description.maxForce = toEigen(f.drive.maxForce);
    description.maxTorque = toEigen(f.drive.maxTorque);
    description.linearVelocity = toEigen(f.drive.target.linear);
    description.angularVelocity = toEigen(f.drive.target.angular);
  }
  shapes = shapesOf(f);
  return {};
}

}  // namespace abut
