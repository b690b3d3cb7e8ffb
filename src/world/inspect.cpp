// SPDX-License-Identifier: MIT
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/world/inspect.hpp>

#include "core/guard.hpp"
#include "dynamics/body_mass.hpp"
#include "dynamics/describe_body.hpp"
#include "world/world_access.hpp"

namespace abut::inline v0_1 {

const WorldOptions& optionsOf(const World& world) {
  return WorldAccess::state(world).options;
}

const MaterialTable& materialsOf(const World& world) {
  return WorldAccess::state(world).materials;
}

std::span<const ObjectId> bodiesOf(const World& world) {
  return WorldAccess::state(world).bodies.ids;
}

Status describeBody(const World& world, ObjectId id, BodyDescription& description,
                    std::vector<BodyShape>& shapes) try {
  const FloatEnvironment environment;
  const BodyTable& bodies = WorldAccess::state(world).bodies;
  const std::size_t i = bodies.find(id);
  if (i == bodies.size()) {
    return Status::failure(StatusCode::UnknownObject, "describeBody: no body " + std::to_string(id),
                           id);
  }
  std::vector<BodyShape> own = shapesOf(bodies.facts[i]);
  BodyDescription described = descriptionOf(bodies, i);
  const BodyLabel& label = WorldAccess::state(world).labels.get(id);
  described.name = label.name;
  described.userData = label.userData;
  description = std::move(described);
  shapes = std::move(own);
  return {};
} catch (...) {
  return statusOfException();
}

DescribedBody describeBody(const World& world, ObjectId id) {
  DescribedBody body;
  describeBody(world, id, body.description, body.shapes).orThrow();
  return body;
}

}  // namespace abut::inline v0_1
