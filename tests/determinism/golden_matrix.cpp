// SPDX-License-Identifier: MIT
// Scenes that are built, run, saved and restored in every way that must not matter.
#include "golden_matrix.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <stdexcept>

#include <abut/shapes/sphere_shape.hpp>

#include "digest.hpp"
#include "matrix_scenes.hpp"
#include "specimens.hpp"
#include "support/thread_tasks.hpp"

namespace golden {
namespace {

using abut::ObjectId;
using abut::World;

constexpr int kFarBodies = 500;

/// In which order bodies come, and which ids they have: first + spread * number.
struct Build {
  std::uint64_t seed = 0;  ///< 0: in order.
  ObjectId first = 1000, spread = 3;
  bool far = false;
  abut::TaskRunner* tasks = nullptr;

  [[nodiscard]] ObjectId idOf(ObjectId number) const {
    return number == abut::kNoObject ? number : first + spread * number;
  }
};

std::vector<ObjectId> numbers(std::size_t count, std::uint64_t seed) {
  std::vector<ObjectId> order(count);
  std::iota(order.begin(), order.end(), ObjectId{1});
  Generator random(seed);
  for (std::size_t i = count; seed != 0 && i > 1; --i) {
    std::swap(order[i - 1], order[random.next() % i]);
  }
  return order;
}

/// Far away, with ids between the others'.
void addFarBodies(World& world, const Build& build, bool before) {
  const auto ball = std::make_shared<abut::SphereShape>(0.5);
  for (int i = before ? 0 : 1; i < kFarBodies; i += 2) {
    abut::BodyDescription d;
    d.id = build.idOf(static_cast<ObjectId>(i)) + 1;
    // Pairs of them touch.
    d.position = {5000.0 + 3.0 * (i / 2 % 20) + 0.99 * (i % 2), 3.0 * (i / 40 % 5),
                  500.0 + 3.0 * (i / 200)};
    d.linearVelocity = {0.1 * (i / 2 % 7), 0, 0};
    world.addBody(d, ball);
  }
}

void addBodies(World& world, const MatrixScene& scene, const Build& build) {
  for (const ObjectId number : numbers(scene.bodies.size(), build.seed)) {
    MatrixBody body = scene.bodies[static_cast<std::size_t>(number - 1)];
    body.body.id = build.idOf(number);
    ObjectId id = abut::kNoObject;
    world.addBody(body.body, body.shapes, id).orThrow();
    if (!body.path.empty()) world.setPath(id, body.path).orThrow();
  }
  for (const abut::ObjectPair& pair : scene.excluded) {
    world.excludePair(build.idOf(pair.first), build.idOf(pair.second)).orThrow();
  }
}

World make(const MatrixScene& scene, const Build& build) {
  abut::WorldOptions options = scene.options;
  options.tasks = build.tasks;
  World world(options);
  for (const abut::Material& material : scene.materials) {
    abut::MaterialId id = 0;
    world.materials().add(material, id).orThrow();
  }
  if (build.far) addFarBodies(world, build, true);
  addBodies(world, scene, build);
  if (build.far) addFarBodies(world, build, false);
  for (const ObjectId number : numbers(scene.joints.size(), build.seed)) {
    abut::JointDescription joint = scene.joints[static_cast<std::size_t>(number - 1)];
    joint.body1 = build.idOf(joint.body1);
    joint.body2 = build.idOf(joint.body2);
    joint.id = build.idOf(number);
    world.addJoint(joint);
  }
  for (abut::CouplingDescription coupling : scene.couplings) {
    coupling.joint1 = build.idOf(coupling.joint1);
    coupling.joint2 = build.idOf(coupling.joint2);
    ObjectId id = abut::kNoObject;
    world.addCoupling(coupling, id).orThrow();
  }
  return world;
}

void advance(World& world, const MatrixScene& scene, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    if (const abut::Status status = world.step(scene.dt); !status) {
      throw std::runtime_error(scene.name + ": " + status.getMessage());
    }
  }
}

/// Bodies and contacts of the scene, by number: ids and other bodies do not show.
Digest digestOf(const World& world, const MatrixScene& scene, const Build& build) {
  Digest digest;
  for (ObjectId number = 1; number <= scene.bodies.size(); ++number) {
    const ObjectId id = build.idOf(number);
    const abut::BodyMotion motion = world.motion(id);
    digest.add(motion.pose);
    digest.add(motion.orientation.w), digest.add(motion.orientation.x);
    digest.add(motion.orientation.y), digest.add(motion.orientation.z);
    digest.add(motion.centerOfMass);
    digest.add(motion.linearVelocity);
    digest.add(motion.angularVelocity);
    digest.add(world.isAsleep(id) ? 1 : 0);
  }
  const auto numberOf = [&](ObjectId id) -> ObjectId {
    const ObjectId from = id - build.first;
    return from % build.spread == 0 ? from / build.spread : 0;
  };
  for (const abut::WorldContact& c : world.getContacts()) {
    if (numberOf(c.object1) == 0) continue;
    digest.add(numberOf(c.object1)), digest.add(numberOf(c.object2));
    digest.add(c.position), digest.add(c.normal);
    digest.add(c.depth), digest.add(c.normalForce);
    digest.add(c.frictionForce), digest.add(c.impactImpulse);
  }
  for (const abut::ContactEvent& event : world.getEvents()) {
    if (numberOf(event.object1) != 0) digest.add(event.kind);
  }
  return digest;
}

Digest books(const World& world) {
  Digest digest;
  const abut::EnergyAccount& b = world.getLedger();
  for (const double entry : {b.kineticAfter, b.potentialAfter, b.drivers, b.impact, b.friction,
                             b.correction, b.integrator}) {
    digest.add(entry);
  }
  return digest;
}

void show(const World& world, const MatrixScene& scene, const Build& build) {
  print("matrix/" + scene.name, digestOf(world, scene, build));
  if (!build.far) print("matrix/" + scene.name + ", books", books(world));
}

void runAll(const Build& build) {
  for (const MatrixScene& scene : matrixScenes()) {
    World world = make(scene, build);
    advance(world, scene, 0, scene.steps);
    show(world, scene, build);
  }
}

/// Snapshots in the middle of the runs, a line each, in hexadecimal digits.
void save() {
  for (const MatrixScene& scene : matrixScenes()) {
    World world = make(scene, {});
    advance(world, scene, 0, scene.steps / 2);
    for (const std::byte b : world.snapshot()) std::printf("%02x", static_cast<unsigned>(b));
    std::printf("\n");
  }
}

/// Goes on from such lines.
void load() {
  for (const MatrixScene& scene : matrixScenes()) {
    std::string line;
    std::getline(std::cin, line);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
      bytes.push_back(static_cast<std::byte>(std::stoi(line.substr(i, 2), nullptr, 16)));
    }
    std::vector<std::shared_ptr<const abut::Shape>> shapes;
    for (const MatrixBody& body : scene.bodies) shapes.push_back(body.shapes.front().shape);
    World world;
    world.restore(bytes, shapes).orThrow();
    advance(world, scene, scene.steps / 2, scene.steps);
    show(world, scene, {});
  }
}

}  // namespace

void matrix() {
  runAll({});
}

int runVariant(const std::string& name, int number) {
  Build build;
  if (name == "save") return save(), 0;
  if (name == "load") return load(), 0;
  abut::ShuffledTasks shuffled(static_cast<std::uint64_t>(number) + 1);
  abut::test::ThreadTasks threads(number);
  if (name == "order") {
    build.seed = static_cast<std::uint64_t>(number) + 1;
  } else if (name == "ids") {
    build.first = 900000000000000000u;
    build.spread = 7919;
  } else if (name == "far") {
    build.far = true;
  } else if (name == "threads") {
    build.tasks = &threads;
  } else if (name == "shuffled") {
    build.tasks = &shuffled;
  } else {
    return 2;
  }
  runAll(build);
  return 0;
}

}  // namespace golden
