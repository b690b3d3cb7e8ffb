// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/math/convert.hpp>
#include <abut/shapes/mesh_shape.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

std::uint8_t readLocks(const Node& list) {
  constexpr std::uint8_t kBits[] = {kLockX,           kLockY,         kLockZ,
                                    kLockRotationX,   kLockRotationY, kLockRotationZ,
                                    kLockTranslation, kLockRotation};
  std::uint8_t locks = kLockNone;
  const std::size_t count = list.list("axes", 0, 8);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t which = list.at(i).oneOf(
        {"x", "y", "z", "rotationX", "rotationY", "rotationZ", "translation", "rotation"});
    locks = static_cast<std::uint8_t>(locks | kBits[which]);
  }
  return locks;
}

const std::string& readName(const Node& body) {
  constexpr std::size_t kLongest = 128;
  const Node node = body.require("name", "a name that no other body has");
  const std::string& name = node.text("a name");
  if (name.empty() || name.size() > kLongest)
    node.fail(concat("expected a name of 1 to ", kLongest, " bytes, got ", name.size()));
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      node.fail("expected a name without control characters");
  return name;
}

/// What only some types of bodies can have.
void refuse(const Node& body, BodyType type, std::initializer_list<std::string_view> keys,
            std::string_view remedy) {
  constexpr std::string_view kTypes[] = {"static", "kinematic", "dynamic"};
  for (const std::string_view key : keys) {
    if (const std::optional<Node> value = body.find(key))
      value->fail(
          concat("a ", kTypes[static_cast<int>(type)], " body has no ", quoted(key), "; ", remedy));
  }
}

void checkKeysOfType(const Node& body, BodyType type) {
  const bool hasLimit = body.has("maxForce") || body.has("maxTorque");
  if (type != BodyType::Kinematic)
    refuse(body, type, {"motion", "maxForce", "maxTorque"}, "make it \"kinematic\" to move it");
  if (type != BodyType::Dynamic)
    refuse(body, type, {"lock", "gravityScale", "forces"}, "make it \"dynamic\" or remove this");
  if (type != BodyType::Dynamic && !hasLimit)
    refuse(body, type, {"mass", "inertia", "productsOfInertia", "centerOfMass"},
           "make it \"dynamic\", give a kinematic one \"maxForce\" or \"maxTorque\", or remove "
           "this");
  if (type == BodyType::Static)
    refuse(body, type, {"linearVelocity", "angularVelocity"}, "make it \"kinematic\" to move it");
}

/// A dynamic body needs a volume, unless its mass and inertia are given; a plane it never has.
void checkSolid(const Node& shapes, const std::vector<BodyShape>& list, const Node& body) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].shape->getType() == ShapeType::Plane)
      shapes.at(i).fail("a plane cannot move; make the body \"static\", or use a box");
  if (body.has("mass") && body.has("inertia")) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Shape& shape = *list[i].shape;
    if (shape.getType() == ShapeType::HeightField)
      shapes.at(i).fail(
          "a height field has no volume; make the body \"static\", or give \"mass\" and "
          "\"inertia\"");
    if (shape.getType() != ShapeType::Mesh) continue;
    const auto& mesh = static_cast<const MeshShape&>(shape);
    if (mesh.isSolid()) continue;
    const MeshReport& report = mesh.getReport();
    std::string which;
    const auto say = [&](std::size_t count, std::string_view what) {
      if (count != 0) which += concat(which.empty() ? "" : ", ", count, " ", what);
    };
    say(report.openEdges, "open");
    say(report.nonManifoldEdges, "with more than two triangles");
    say(report.flippedEdges, "between triangles that face opposite ways");
    shapes.at(i).fail(concat("of the mesh's edges, some do not close it (", which,
                             "), so it has no volume; give \"mass\" and \"inertia\", or "
                             "\"convexHull\": true, or make the body \"static\""));
  }
}

/// Mass, centre and inertia that a body is given.
void readMass(const Node& node, BodyDescription& d) {
  if (const std::optional<Node> mass = node.find("mass"))
    d.mass = mass->number("a mass [kg]", 1e-15, 1e15);
  if (const std::optional<Node> inertia = node.find("inertia")) {
    if (!node.has("mass")) inertia->fail("\"inertia\" needs \"mass\" beside it");
    const Vec3 i = inertia->vec3("moments of inertia [kg m^2]");
    if (!(i.x > 0 && i.y > 0 && i.z > 0))
      inertia->failExpected("3 positive moments of inertia [kg m^2]");
    d.inertia = toEigen(i);
  }
  for (const char* key : {"productsOfInertia", "centerOfMass"}) {
    const std::optional<Node> value = node.find(key);
    if (value && !node.has("inertia"))
      value->fail(concat(quoted(key), " needs \"mass\" and \"inertia\" beside it"));
  }
  if (const std::optional<Node> products = node.find("productsOfInertia"))
    d.productsOfInertia = toEigen(products->vec3("products of inertia Ixy, Ixz, Iyz [kg m^2]"));
  d.centerOfMass = toEigen(optionalVec3(node, "centerOfMass", "coordinates [m]", kMaxCoordinate));
}

BodyFilter readFilter(const Node& node) {
  constexpr std::uint64_t kAllBits = 0xffffffffu;
  node.allowKeys({"category", "mask", "group"});
  BodyFilter filter;
  if (const std::optional<Node> v = node.find("category"))
    filter.category = static_cast<std::uint32_t>(v->count("bits of a category", 0, kAllBits));
  if (const std::optional<Node> v = node.find("mask"))
    filter.mask = static_cast<std::uint32_t>(v->count("bits of categories", 0, kAllBits));
  if (const std::optional<Node> v = node.find("group")) {
    const double group = v->number("the number of a group", -1e9, 1e9);
    if (group != static_cast<double>(static_cast<std::int32_t>(group)))
      v->failExpected("a whole number, the group");
    filter.group = static_cast<std::int32_t>(group);
  }
  return filter;
}

/// Limits of a drive: one number for all axes, or three with null for an axis without limit.
Eigen::Vector3d readLimit(const Node& limit, std::string_view what) {
  constexpr double kLeast = 1e-300, kMost = 1e30;
  Eigen::Vector3d most(kNoLimit, kNoLimit, kNoLimit);
  if (!limit.isList()) {
    most.setConstant(limit.number(what, kLeast, kMost));
    return most;
  }
  limit.list("limits", 3, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Node entry = limit.at(i);
    if (!entry.isNull()) most[static_cast<int>(i)] = entry.number(what, kLeast, kMost);
  }
  return most;
}

BodyDescription readDescription(const Node& node) {
  BodyDescription d;
  if (const std::optional<Node> type = node.find("type")) {
    constexpr BodyType kTypes[] = {BodyType::Dynamic, BodyType::Kinematic, BodyType::Static};
    d.type = kTypes[type->oneOf({"dynamic", "kinematic", "static"})];
  }
  checkKeysOfType(node, d.type);
  d.position = toEigen(readPosition(node));
  d.orientation = readOrientation(node);
  d.linearVelocity =
      toEigen(optionalVec3(node, "linearVelocity", "velocities [m/s]", kMaxVelocity));
  d.angularVelocity =
      toEigen(optionalVec3(node, "angularVelocity", "velocities [rad/s]", kMaxVelocity));
  d.surfaceVelocity =
      toEigen(optionalVec3(node, "surfaceVelocity", "velocities [m/s]", kMaxVelocity));
  if (const std::optional<Node> lock = node.find("lock")) d.locks = readLocks(*lock);
  if (const std::optional<Node> limit = node.find("maxForce"))
    d.maxForce = readLimit(*limit, "a force [N]");
  if (const std::optional<Node> limit = node.find("maxTorque"))
    d.maxTorque = readLimit(*limit, "a torque [N m]");
  if (const std::optional<Node> scale = node.find("gravityScale"))
    d.gravityScale = scale->number("a factor", -1e6, 1e6);
  readMass(node, d);
  if (const std::optional<Node> filter = node.find("filter")) d.filter = readFilter(*filter);
  if (const std::optional<Node> sensor = node.find("sensor")) d.sensor = sensor->boolean();
  return d;
}

/// A copy moves as it is placed.
void place(const Copy& copy, KinematicMotion& motion) {
  for (PathPoint& p : motion.path) {
    const Vec3 turned = rotate(copy.rotation, toVec3(p.position));
    p.position = {turned.x + copy.shift.x, turned.y + copy.shift.y, turned.z + copy.shift.z};
  }
  if (copy.rotation == Mat3{}) return;
  const Quat turn = quaternionOf(copy.rotation);
  for (PathPoint& p : motion.path) p.orientation = multiply(turn, p.orientation);
  for (MotionKey& key : motion.keys) {
    key.linear = rotate(copy.rotation, key.linear);
    key.angular = rotate(copy.rotation, key.angular);
  }
  motion.amplitude = rotate(copy.rotation, motion.amplitude);
}

/// Whether copies of a body need not be a list, and then takes them over as they are.
bool takesGrid(SceneReader& reader, SceneBody& body, std::vector<Repeat>& entries,
               const Node& node) {
  const bool isPlain = std::all_of(entries.begin(), entries.end(),
                                   [](const Repeat& r) { return r.countStep == 0.0; });
  if (reader.grids == nullptr || !isPlain || body.description.type != BodyType::Dynamic ||
      !body.forces.empty()) {
    return false;
  }
  std::uint64_t size = 1;
  for (const Repeat& r : entries) {
    if (size > kMaxCopies / r.count)
      node.fail(concat("more than ", kMaxCopies, " copies of one body"));
    size *= r.count;
  }
  reader.grids->push_back({std::move(body), std::move(entries), size});
  return true;
}

}  // namespace

SceneBody placed(const SceneBody& body, const Copy& copy) {
  SceneBody made = body;
  made.name += copy.suffix;
  BodyDescription& d = made.description;
  d.id = idOfName(made.name);
  if (d.id == kNoObject) {
    throw InputError(
        concat(body.place, ": the name ", quoted(made.name), " has the hash 0; change it"));
  }
  const Pose pose =
      compose({copy.rotation, copy.shift}, {matrixOf(d.orientation), toVec3(d.position)});
  d.position = toEigen(pose.translation);
  if (copy.rotation != Mat3{}) {
    d.orientation = multiply(quaternionOf(copy.rotation), d.orientation);
    d.linearVelocity = toEigen(rotate(copy.rotation, toVec3(d.linearVelocity)));
    d.angularVelocity = toEigen(rotate(copy.rotation, toVec3(d.angularVelocity)));
  }
  place(copy, made.motion);
  return made;
}

SceneBody SceneGrid::at(std::uint64_t i) const {
  std::vector<std::uint64_t> indices(entries.size());
  for (std::size_t k = entries.size(); k-- > 0;) {
    indices[k] = i % entries[k].count;
    i /= entries[k].count;
  }
  Copy copy;
  for (std::size_t k = 0; k < entries.size(); ++k) copy = copyOf(entries[k], indices[k], copy);
  return placed(body, copy);
}

std::uint64_t DividedScene::numBodies() const {
  std::uint64_t count = scene.bodies.size();
  for (const SceneGrid& grid : grids) count += grid.size;
  return count;
}

void readBody(SceneReader& reader, const Node& node) {
  node.allowKeys({"name",
                  "type",
                  "shapes",
                  "position",
                  "orientation",
                  "rollPitchYaw",
                  "rollPitchYawDegrees",
                  "linearVelocity",
                  "angularVelocity",
                  "lock",
                  "mass",
                  "inertia",
                  "productsOfInertia",
                  "centerOfMass",
                  "gravityScale",
                  "surfaceVelocity",
                  "maxForce",
                  "maxTorque",
                  "filter",
                  "sensor",
                  "motion",
                  "forces",
                  "repeat"});
  if (reader.scene.variable) refuseInVariableBody(node, *reader.scene.variable);
  SceneBody body;
  body.name = readName(node);
  body.place = node.place();
  body.description = readDescription(node);
  const bool needsMass =
      body.description.type == BodyType::Dynamic || node.has("maxForce") || node.has("maxTorque");
  if (const std::optional<Node> shapes = node.find("shapes")) {
    body.shapes = readShapes(reader, *shapes);
    if (needsMass) checkSolid(*shapes, body.shapes, node);
  } else if (body.description.type != BodyType::Dynamic || !node.has("inertia")) {
    (void)node.require("shapes",
                       "a list of shapes; only a dynamic body with \"mass\" and \"inertia\" can "
                       "do without");
  }
  if (const std::optional<Node> motion = node.find("motion"))
    body.motion = readMotion(*motion, node, reader.scene.step);
  if (body.motion.kind == KinematicMotion::Kind::Path) {
    body.description.position = body.motion.path.front().position;
    body.description.orientation = body.motion.path.front().orientation;
  }
  if (const std::optional<Node> forces = node.find("forces")) body.forces = readForces(*forces);

  if (reader.scene.bodies.size() >= kMaxBodies)
    node.fail(concat("more than ", kMaxBodies, " bodies in the scene"));
  std::vector<Copy> copies(1);
  if (const std::optional<Node> repeat = node.find("repeat")) {
    const std::size_t room = kMaxBodies - reader.scene.bodies.size();
    const bool mayBeGrid = reader.grids != nullptr;
    std::vector<Repeat> entries = readRepeat(*repeat, mayBeGrid ? kMaxCopies : room);
    if (takesGrid(reader, body, entries, *repeat)) return;
    copies = expand(entries, *repeat, room);
  }
  const std::size_t parts =
      body.shapes.size() + body.forces.size() + body.motion.keys.size() + body.motion.path.size();
  reader.parts += parts * copies.size();
  if (reader.parts > kMaxParts) {
    node.fail(concat("the bodies of the scene, all copies counted, have more than ", kMaxParts,
                     " shapes, forces, keys and waypoints"));
  }
  for (const Copy& copy : copies) reader.scene.bodies.push_back(placed(body, copy));
}

}  // namespace abut::inline v0_1::io
