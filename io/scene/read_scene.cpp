// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <abut/dynamics/material_fields.hpp>
#include <abut/math/convert.hpp>
#include <abut/state/option_list.hpp>

#include "io/core/text.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::size_t kMaxMaterials = 1000;
constexpr double kMaxSteps = 1e12;
/// Real-time steps end after a fixed number of sweeps, whatever is left; beyond this they failed.
constexpr double kRealTimeResidual = 0.1;
/// The one option that stands outside "solver".
constexpr std::string_view kGravity = "gravity";

/// Reads what is there of a Material or PairMaterial; the keys were checked.
template <typename AnyMaterial>
void readFields(const Node& node, AnyMaterial& material) {
  forEachField(material, [&](const OptionInfo& info, double& value) {
    if (const std::optional<Node> v = node.find(info.key))
      value = v->number(info.what, info.min, info.max);
  });
}

template <typename AnyMaterial>
std::vector<std::string_view> keysOf(std::vector<std::string_view> keys = {}) {
  const AnyMaterial material;
  forEachField(material, [&](const OptionInfo& info, double) { keys.push_back(info.key); });
  return keys;
}

Material readMaterial(const Node& node) {
  node.allowKeys(keysOf<Material>());
  Material m;
  readFields(node, m);
  return m;
}

/// Reads an option of whatever type.
template <typename T>
void readOption(const Node& node, const OptionInfo& info, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = node.boolean();
  } else if constexpr (std::is_same_v<T, int>) {
    value = static_cast<int>(node.count(info.what, static_cast<std::uint64_t>(info.min),
                                        static_cast<std::uint64_t>(info.max)));
  } else if constexpr (std::is_same_v<T, double>) {
    value = node.number(info.what, info.min, info.max);
  } else if constexpr (std::is_same_v<T, Eigen::Vector3d>) {
    const Vec3 v = node.vec3(info.what);
    for (const double x : {v.x, v.y, v.z})
      if (!(x >= info.min && x <= info.max))
        node.failExpected(concat(info.what, " of at most ", info.max));
    value = toEigen(v);
  } else {
    std::vector<std::string_view> words;
    for (const std::string_view word : info.words)
      if (!word.empty()) words.push_back(word);
    value = static_cast<T>(node.oneOf(words));
  }
}

void readSolver(const Node& node, WorldOptions& o) {
  std::vector<std::string_view> keys;
  forEachOption(o, [&](const OptionInfo& info, const auto&) {
    if (info.key != kGravity) keys.push_back(info.key);
  });
  node.allowKeys(keys);
  // The scheme has defaults of its own for the others.
  if (const std::optional<Node> v = node.find("scheme")) {
    const Eigen::Vector3d gravity = o.gravity;
    forEachOption(o, [&](const OptionInfo& info, auto& value) {
      if (info.key == "scheme") readOption(*v, info, value);
    });
    if (o.scheme == StepScheme::RealTime) o = WorldOptions::realTime();
    o.gravity = gravity;
  }
  forEachOption(o, [&](const OptionInfo& info, auto& value) {
    if (info.key == kGravity) return;
    if (const std::optional<Node> v = node.find(info.key)) readOption(*v, info, value);
  });
}

void readRecord(const Node& node, RecordOptions& record, bool variable) {
  node.allowKeys({"every", "interval", "contacts", "contactsEvery"});
  if (const std::optional<Node> v = node.find("interval")) {
    if (!variable)
      v->fail("steps of equal length are recorded by their number; give \"every\" instead");
    record.interval = v->number("a time [s]", 1e-9, kMaxTime);
  }
  if (const std::optional<Node> v = node.find("every"))
    record.every = static_cast<std::uint32_t>(v->count("steps", 1, 1'000'000'000));
  if (const std::optional<Node> v = node.find("contacts")) record.contacts = v->boolean();
  if (const std::optional<Node> v = node.find("contactsEvery"))
    record.contactsEvery = static_cast<std::uint32_t>(v->count("frames", 1, 1'000'000'000));
}

/// A limit no machine of a smaller word reaches is none there.
std::size_t limitOf(const Node& node, std::string_view what) {
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  constexpr std::uint64_t kLargest = std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(std::min(node.count(what, 0, kMost), kLargest));
}

void readLimits(const Node& node, SoundnessLimits& limits, WorldLimits& world) {
  node.allowKeys({"residual", "energy", "pairs", "contacts", "bytes"});
  if (const std::optional<Node> v = node.find("residual"))
    limits.residual = v->number("a relative error", 0, 1e300);
  if (const std::optional<Node> v = node.find("energy"))
    limits.energy = v->number("a relative error", 0, 1e300);
  if (const std::optional<Node> v = node.find("pairs")) world.pairs = limitOf(*v, "pairs");
  if (const std::optional<Node> v = node.find("contacts")) world.contacts = limitOf(*v, "contacts");
  if (const std::optional<Node> v = node.find("bytes")) world.bytes = limitOf(*v, "bytes");
}

void readTimes(const Node& root, const Node& step, Scene& scene) {
  scene.step = scene.variable
                   ? scene.record.interval
                   : step.number("the length of a step [s]", 1e-12, scene.options.maxStep);
  const Node duration = root.require("duration", "the time to simulate [s]");
  scene.duration = duration.number("the time to simulate [s]", 0, kMaxTime);
  // Frames of a variable step end with the duration; a last one that is rounding is none.
  constexpr double kRounding = 1e-9;
  const double ratio = scene.duration / scene.step;
  const double steps =
      scene.variable ? std::ceil(ratio * (1.0 - kRounding)) : std::floor(ratio + 0.5);
  if (!(steps <= kMaxSteps))
    duration.fail(concat("that is ", steps, " steps; at most ", kMaxSteps, " are made"));
  scene.numSteps = static_cast<std::uint64_t>(steps);
}

void readBodies(SceneReader& reader, const Node& list) {
  const std::size_t count = list.list("bodies", 1, kMaxBodies);
  for (std::size_t i = 0; i < count; ++i) readBody(reader, list.at(i));
}

void checkNames(std::vector<SceneBody>& bodies) {
  // Stable: of two bodies with one id, the later in the file is to blame.
  std::stable_sort(bodies.begin(), bodies.end(), [](const SceneBody& a, const SceneBody& b) {
    return a.description.id < b.description.id;
  });
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const SceneBody &a = bodies[i - 1], &b = bodies[i];
    if (a.description.id != b.description.id) continue;
    const std::size_t space = a.place.rfind(" /");
    throw InputError(concat(b.place, ": ",
                            a.name == b.name ? concat("the name ", quoted(b.name), " is taken")
                                             : concat("the name ", quoted(b.name),
                                                      " has the same hash as ", quoted(a.name)),
                            " by the body at ", a.place.substr(0, space), "; rename one"));
  }
}

constexpr std::size_t kMaxExcluded = 1'000'000;

/// The body of a name, or all copies "name[...]" of one that is repeated.
std::vector<ObjectId> bodiesNamed(const Scene& scene, const Node& node) {
  const std::string& name = node.text("the name of a body");
  if (const SceneBody* body = findBody(scene, idOfName(name)); body != nullptr)
    return {body->description.id};
  std::vector<ObjectId> copies;
  std::vector<std::string_view> known;
  const std::string start = name + "[";
  for (const SceneBody& body : scene.bodies) {
    if (body.name.starts_with(start)) copies.push_back(body.description.id);
    known.push_back(body.name);
  }
  if (copies.empty()) node.fail(concat("no body ", quoted(name), suggestion(name, known)));
  return copies;
}

/// Pairs of bodies that do not touch.
void readExcluded(SceneReader& reader, const Node& list) {
  std::vector<ObjectPair>& excluded = reader.scene.excluded;
  const std::size_t count = list.list("pairs of bodies", 0, kMaxExcluded);
  for (std::size_t i = 0; i < count; ++i) {
    const Node names = list.at(i);
    if (!names.isList() || names.list("names", 0, kMaxExcluded) != 2)
      names.failExpected("the names of two bodies");
    const std::vector<ObjectId> first = bodiesNamed(reader.scene, names.at(0));
    const std::vector<ObjectId> second = bodiesNamed(reader.scene, names.at(1));
    if (first.size() == 1 && first == second) names.fail("a body never touches itself; name two");
    if (excluded.size() + first.size() * second.size() > kMaxExcluded)
      names.fail(concat("more than ", kMaxExcluded,
                        " excluded pairs, all copies counted; give the bodies a \"filter\""));
    for (const ObjectId a : first)
      for (const ObjectId b : second)
        if (a != b) excluded.push_back(ObjectPair::of(a, b));
  }
  std::sort(excluded.begin(), excluded.end());
  excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
}

/// All that a scene is made of, its robots' parts included.
void readParts(SceneReader& reader, const Node& root,
               const std::vector<std::unique_ptr<const ReadRobot>>& robots) {
  reader.scene.materials.push_back({"default", Material{}});
  const auto each = [&](std::string_view key, void (*read)(SceneReader&, const Node&)) {
    if (const std::optional<Node> part = root.find(key)) read(reader, *part);
    for (const auto& robot : robots) {
      const Node source(robot->json, robot->file);
      if (const std::optional<Node> part = source.find(key)) read(reader, *part);
    }
  };
  each("materials", readMaterials);
  each("pairs", readPairs);
  if (robots.empty()) (void)root.require("bodies", "a list of bodies");
  each("bodies", readBodies);
  checkNames(reader.scene.bodies);
  each("joints", readJoints);
  each("couplings", readCouplings);
  each("exclude", readExcluded);
}

std::string stemOf(const std::string& file) {
  const std::size_t slash = file.find_last_of('/');
  std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
  const std::size_t dot = stem.find_last_of('.');
  if (dot != std::string::npos && dot > 0) stem.resize(dot);
  return stem;
}

Scene parse(const std::string& text, const std::string& file, const AssetSource& assets,
            RobotReader robotReader, std::vector<SceneGrid>* grids);

FolderAssets assetsOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return FolderAssets(slash == std::string::npos ? "." : path.substr(0, slash + 1));
}

}  // namespace

ObjectId idOfName(std::string_view name) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

void readMaterials(SceneReader& reader, const Node& node) {
  if (!node.isObject()) node.failExpected("an object of names and materials");
  if (node.members().size() > kMaxMaterials)
    node.fail(concat("more than ", kMaxMaterials, " materials"));
  std::vector<SceneMaterial>& list = reader.scene.materials;
  for (std::size_t i = 0; i < node.members().size(); ++i) {
    const std::string& name = node.members()[i].key;
    const Node material = node.member(i);
    if (name.empty() || name.size() > 128) material.fail("expected a name of 1 to 128 bytes");
    list.push_back({name, readMaterial(material)});
    // The table's own rules, such as values that have no effect yet.
    MaterialTable table;
    MaterialId id = 0;
    const Status status = table.add(list.back().material, id);
    if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
    if (!status) material.fail(status.getMessage());
    refuseResistance(material, reader.scene);
  }
  // By name, so that numbers do not depend on the order in the file.
  std::sort(list.begin() + 1, list.end(),
            [](const SceneMaterial& a, const SceneMaterial& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < list.size(); ++i)
    reader.materialsByName[list[i].name] = static_cast<MaterialId>(i);
}

void readPairs(SceneReader& reader, const Node& list) {
  const std::size_t count = list.list("pairs", 0, kMaxMaterials * 10);
  MaterialTable table;
  for (std::size_t i = 1; i < reader.scene.materials.size(); ++i) {
    MaterialId id = 0;
    table.add(reader.scene.materials[i].material, id).orThrow();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = list.at(i);
    node.allowKeys(keysOf<PairMaterial>({"materials"}));
    const Node names = node.require("materials", "the names of two materials");
    if (!names.isList() || names.list("names", 0, kMaxMaterials) != 2)
      names.failExpected("the names of two materials");
    MaterialId ids[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const Node name = names.at(k);
      const auto found = reader.materialsByName.find(name.text("the name of a material"));
      std::vector<std::string_view> known;
      for (const auto& entry : reader.materialsByName) known.push_back(entry.first);
      if (found == reader.materialsByName.end())
        name.fail(concat("no material ", quoted(name.text("")), suggestion(name.text(""), known)));
      ids[k] = found->second;
    }
    ScenePair pair{std::min(ids[0], ids[1]), std::max(ids[0], ids[1]), {}};
    for (const ScenePair& other : reader.scene.pairs)
      if (other.first == pair.first && other.second == pair.second)
        node.fail("this pair of materials has an entry already; remove one");
    pair.values = table.between(pair.first, pair.second);
    readFields(node, pair.values);
    refuseResistance(node, reader.scene);
    const Status status = table.setPair(pair.first, pair.second, pair.values);
    if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
    if (!status) node.fail(status.getMessage());
    reader.scene.pairs.push_back(pair);
  }
}

namespace {

Scene parse(const std::string& text, const std::string& file, const AssetSource& assets,
            RobotReader robotReader, std::vector<SceneGrid>* grids) {
  const std::string shown = printable(file, 200);
  const JsonValue json = parseJson(text, shown);
  const Node root(json, shown);
  root.allowKeys({"$schema", "name", "description", "gravity", "step", "duration", "solver",
                  "record", "limits", "materials", "pairs", "bodies", "joints", "couplings",
                  "robots", "exclude", "threads"});
  SceneReader reader{assets, {}, {}, {}, 0};
  // What names bodies or pairs of them needs a list of them.
  bool mayHaveGrids = true;
  for (const char* key : {"joints", "couplings", "robots", "exclude"})
    mayHaveGrids = mayHaveGrids && !root.has(key);
  Scene& scene = reader.scene;
  scene.text = text;
  scene.name = stemOf(file);
  if (const std::optional<Node> v = root.find("$schema")) (void)v->text("a text");
  if (const std::optional<Node> v = root.find("name")) scene.name = v->text("a name");
  if (scene.name.size() > 256) root.fail("expected a name of at most 256 bytes");
  if (const std::optional<Node> v = root.find("description")) scene.description = v->text("a text");
  if (const std::optional<Node> v = root.find(kGravity)) {
    forEachOption(scene.options, [&](const OptionInfo& info, auto& value) {
      if (info.key == kGravity) readOption(*v, info, value);
    });
  }
  const Node step = root.require("step", "the length of a step [s]");
  if (step.isObject()) {
    scene.variable = readVariableStep(step);
    refuseInVariableScene(root, *scene.variable);
  }
  if (const std::optional<Node> v = root.find("solver")) readSolver(*v, scene.options);
  if (scene.options.scheme == StepScheme::RealTime) scene.limits.residual = kRealTimeResidual;
  if (const std::optional<Node> v = root.find("record"))
    readRecord(*v, scene.record, scene.variable.has_value());
  readTimes(root, step, scene);
  if (const std::optional<Node> v = root.find("limits"))
    readLimits(*v, scene.limits, scene.options.limits);
  if (const std::optional<Node> v = root.find("threads"))
    scene.threads = static_cast<int>(v->count("threads", 0, kMaxThreads));
  std::vector<std::unique_ptr<const ReadRobot>> robots;
  if (const std::optional<Node> v = root.find("robots"))
    robots = readRobots(reader, *v, robotReader);
  if (mayHaveGrids && !scene.variable) reader.grids = grids;
  readParts(reader, root, robots);
  return std::move(scene);
}

}  // namespace

Scene parseScene(const std::string& text, const std::string& file, const AssetSource& assets,
                 RobotReader robots) {
  return parse(text, file, assets, robots, nullptr);
}

Scene loadScene(const std::string& path, RobotReader robots) {
  return parseScene(readFile(path, JsonLimits{}.bytes), path, assetsOf(path), robots);
}

DividedScene loadDividedScene(const std::string& path, RobotReader robots) {
  DividedScene divided;
  divided.scene =
      parse(readFile(path, JsonLimits{}.bytes), path, assetsOf(path), robots, &divided.grids);
  return divided;
}

}  // namespace abut::inline v0_1::io
