// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <system_error>

#include "io/core/text.hpp"
#include "io/scene/grid.hpp"
#include "io/scene/scene.hpp"

namespace abut::inline v0_1::io {
const SceneBody* findBody(const Scene& scene, ObjectId id) {
  const auto place = std::lower_bound(
      scene.bodies.begin(), scene.bodies.end(), id,
      [](const SceneBody& body, ObjectId wanted) { return body.description.id < wanted; });
  return place != scene.bodies.end() && place->description.id == id ? &*place : nullptr;
}

std::string withNames(const std::string& message, const Scene& scene) {
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    const char* const begin = message.data() + at;
    ObjectId id = kNoObject;
    const auto [end, error] = std::from_chars(begin, message.data() + message.size(), id);
    const std::string* name = nullptr;
    if (error == std::errc{}) {
      const SceneBody* body = findBody(scene, id);
      if (body != nullptr) name = &body->name;
      for (const SceneJoint& joint : scene.joints)
        if (joint.description.id == id) name = &joint.name;
      for (const SceneCoupling& coupling : scene.couplings)
        if (coupling.description.id == id) name = &coupling.name;
    }
    // A number is looked at as a whole.
    const std::size_t length = end > begin ? static_cast<std::size_t>(end - begin) : 1;
    out += name != nullptr ? quoted(*name) : message.substr(at, length);
    at += length;
  }
  return out;
}

namespace {

void addJoints(World& world, const Scene& scene) {
  const auto demand = [&](const Status& status, const std::string& place) {
    if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
    if (!status) throw InputError(concat(place, ": ", withNames(status.getMessage(), scene)));
  };
  ObjectId id = kNoObject;
  for (const SceneJoint& joint : scene.joints)
    demand(world.addJoint(joint.description, id), joint.place);
  for (const SceneCoupling& coupling : scene.couplings)
    demand(world.addCoupling(coupling.description, id), coupling.place);
}

/// A world of this scene without bodies.
World beginWorld(const Scene& scene) {
  World world(scene.options);
  for (std::size_t i = 1; i < scene.materials.size(); ++i) {
    MaterialId id = 0;
    world.materials().add(scene.materials[i].material, id).orThrow();
  }
  for (const ScenePair& pair : scene.pairs)
    world.materials().setPair(pair.first, pair.second, pair.values).orThrow();
  return world;
}

void addBody(World& world, const SceneBody& body, const Scene& scene) {
  ObjectId id = kNoObject;
  Status status = world.addBody(body.description, body.shapes, id);
  if (status) status = world.setName(id, body.name);
  if (status && !body.motion.path.empty()) status = world.setPath(id, body.motion.path);
  if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
  if (!status) throw InputError(concat(body.place, ": ", withNames(status.getMessage(), scene)));
}

}  // namespace

World buildWorld(const Scene& scene) {
  World world = beginWorld(scene);
  for (const SceneBody& body : scene.bodies) addBody(world, body, scene);
  addJoints(world, scene);
  for (const ObjectPair& pair : scene.excluded)
    world.excludePair(pair.first, pair.second).orThrow();
  return world;
}

World buildPart(const DividedScene& divided, int rank, int ranks) {
  const Scene& scene = divided.scene;
  World world = beginWorld(scene);
  const auto self = static_cast<std::uint64_t>(rank), all = static_cast<std::uint64_t>(ranks);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const bool isOnAll = scene.bodies[i].description.type != BodyType::Dynamic;
    if (isOnAll || i % all == self) addBody(world, scene.bodies[i], scene);
  }
  for (const SceneGrid& grid : divided.grids) {
    const std::uint64_t end = grid.size * (self + 1) / all;
    for (std::uint64_t i = grid.size * self / all; i < end; ++i) addBody(world, grid.at(i), scene);
  }
  return world;
}

World buildKinds(const DividedScene& divided) {
  World world = beginWorld(divided.scene);
  for (const SceneBody& body : divided.scene.bodies) addBody(world, body, divided.scene);
  for (const SceneGrid& grid : divided.grids) addBody(world, grid.at(0), divided.scene);
  return world;
}

}  // namespace abut::inline v0_1::io
