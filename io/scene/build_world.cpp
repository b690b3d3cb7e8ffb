// SPDX-License-Identifier: MIT
#include <algorithm>

#include "io/core/text.hpp"
#include "io/scene/scene.hpp"

namespace abut::io {
namespace {

/// "body 17" in the library's messages becomes "body "crate"".
std::string withName(std::string message, const SceneBody& body) {
  const std::string number = std::to_string(body.description.id);
  for (std::size_t at; (at = message.find(number)) != std::string::npos;)
    message.replace(at, number.size(), quoted(body.name));
  return message;
}

}  // namespace

World buildWorld(const Scene& scene) {
  World world(scene.options);
  for (std::size_t i = 1; i < scene.materials.size(); ++i) {
    MaterialId id = 0;
    world.materials().add(scene.materials[i].material, id).orThrow();
  }
  for (const ScenePair& pair : scene.pairs)
    world.materials().setPair(pair.first, pair.second, pair.values).orThrow();
  for (const SceneBody& body : scene.bodies) {
    ObjectId id = kNoObject;
    const Status status = world.addBody(body.description, body.shapes, id);
    if (!status) throw InputError(concat(body.place, ": ", withName(status.getMessage(), body)));
  }
  return world;
}

}  // namespace abut::io
