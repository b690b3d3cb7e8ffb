// SPDX-License-Identifier: MIT
#include "io/program/world_header.hpp"

#include <algorithm>
#include <vector>

#include <abut/math/convert.hpp>
#include <abut/world/inspect.hpp>

#include "io/core/text.hpp"
#include "io/run/energy.hpp"

namespace abut::inline v0_1::io {
namespace {

std::string materialName(MaterialId id) {
  return concat("material ", id);
}

BodyRecord recordOf(const World& world, ObjectId id) {
  BodyDescription description;
  std::vector<BodyShape> shapes;
  describeBody(world, id, description, shapes).orThrow();
  MassProperties mass;
  world.getMass(id, mass).orThrow();
  BodyRecord record;
  record.id = id;
  record.name = description.name.empty() ? concat("body ", id) : description.name;
  record.type = description.type;
  record.locks = description.locks;
  record.mass = mass.mass;
  record.inertia = toVec3(mass.inertia);
  record.products = toVec3(mass.products);
  record.center = toVec3(mass.center);
  for (const BodyShape& shape : shapes) {
    Pose pose = shape.pose;
    pose.translation = {pose.translation.x - record.center.x, pose.translation.y - record.center.y,
                        pose.translation.z - record.center.z};
    describeShape(*shape.shape, pose, materialName(shape.material), record.shapes);
  }
  return record;
}

/// Several bodies of one name are told apart by their ids.
void makeUnique(std::vector<BodyRecord>& bodies) {
  std::map<std::string, int> count;
  for (const BodyRecord& b : bodies) ++count[b.name];
  for (BodyRecord& b : bodies) {
    if (count[b.name] > 1) b.name = concat(b.name, " (", b.id, ")");
  }
}

}  // namespace

RunHeader makeWorldHeader(const World& world, const std::map<ObjectId, std::string>& names,
                          const std::string& title, std::uint32_t every) {
  RunHeader header;
  header.scene = title;
  header.every = every;
  header.gravity = toVec3(optionsOf(world).gravity);
  const MaterialTable& materials = materialsOf(world);
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const auto id = static_cast<MaterialId>(i);
    header.materials.push_back({materialName(id), materials.get(id)});
  }
  for (const ObjectId id : bodiesOf(world)) {
    header.bodies.push_back(recordOf(world, id));
    const auto name = names.find(id);
    if (name != names.end()) header.bodies.back().name = name->second;
  }
  makeUnique(header.bodies);
  header.joints = describeJoints(world);
  return header;
}

void openBooks(const World& world, const RunHeader& header, Frame& frame) {
  EnergyAccount& books = frame.totalEnergy;
  if (world.getTime() != 0.0 || books.largestEntry() != 0.0) return;  // Open already.
  double kinetic = 0.0, potential = 0.0;
  for (std::size_t i = 0; i < header.bodies.size(); ++i) {
    if (header.bodies[i].type != BodyType::Dynamic) continue;
    BodyDescription description;
    std::vector<BodyShape> shapes;
    describeBody(world, header.bodies[i].id, description, shapes).orThrow();
    const HeldEnergy held =
        heldEnergy(header.bodies[i], frame.bodies[i], header.gravity, description.gravityScale);
    kinetic += held.kinetic;
    potential += held.potential;
  }
  books.kineticBefore = books.kineticAfter = kinetic;
  books.potentialBefore = books.potentialAfter = potential;
}

void requireSameBodies(const World& world, const RunHeader& header, std::uint64_t steps) {
  const std::span<const ObjectId> now = bodiesOf(world);
  const auto isSame = [](ObjectId id, const BodyRecord& body) { return id == body.id; };
  if (std::equal(now.begin(), now.end(), header.bodies.begin(), header.bodies.end(), isSame))
    return;
  throw Error(
      StatusCode::UnknownObject,
      concat("the world has other bodies after step ", steps + 1, " than at the first one (",
             now.size(), " in place of ", header.bodies.size(),
             "), and a recording holds one set of bodies; begin a new Recorder after adding "
             "or removing bodies"));
}

}  // namespace abut::inline v0_1::io
