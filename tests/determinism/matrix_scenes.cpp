// SPDX-License-Identifier: MIT
#include "matrix_scenes.hpp"

#include <utility>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "random_pose.hpp"
#include "specimens.hpp"

namespace golden {
namespace {

using namespace abut;

using ShapePtr = std::shared_ptr<const Shape>;

ShapePtr box(double x, double y, double z) {
  return std::make_shared<BoxShape>(Eigen::Vector3d(x, y, z));
}

/// Returns the body's number.
ObjectId add(MatrixScene& scene, const BodyDescription& body, const ShapePtr& shape,
             MaterialId material = 0) {
  scene.bodies.push_back({body, {{shape, Pose{}, material}}, {}});
  return scene.bodies.size();
}

void addGround(MatrixScene& scene, MaterialId material = 0) {
  BodyDescription d;
  d.type = BodyType::Static;
  add(scene, d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), material);
}

bool movesAlone(const Shape& shape) {
  return shape.getType() != ShapeType::Plane && shape.getType() != ShapeType::HeightField;
}

/// A body with mass of its own, turned by chance.
BodyDescription turned(Generator& random, const Eigen::Vector3d& place) {
  BodyDescription d;
  d.position = place;
  Quat q{random.between(0.1, 1.0), random.symmetric(), random.symmetric(), random.symmetric()};
  d.orientation = normalized(q);
  d.linearVelocity = {0.3 * random.symmetric(), 0.3 * random.symmetric(), -2.0};
  d.angularVelocity = random.vector(1.5);
  d.mass = random.between(0.5, 3.0);
  const double size = d.mass * random.between(0.1, 0.2);
  d.inertia = {size, size * 1.1, size * 0.9};
  return d;
}

/// Every shape that can move falls on one of a type each.
MatrixScene onShape(std::size_t lower) {
  MatrixScene scene;
  scene.name = "on " + nameOf(lower);
  Generator random(100 + lower);
  const bool isPlane = specimens()[lower]->getType() == ShapeType::Plane;
  int column = 0;
  for (std::size_t upper = 0; upper < specimens().size(); ++upper) {
    if (!movesAlone(*specimens()[upper])) continue;
    if (upper == 15) continue;  // The open sheet has no inside.
    const double x = 6.0 * (column % 5), y = 6.0 * (column / 5);
    ++column;
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = {x, y, 0};
    if (!isPlane || column == 1) add(scene, d, specimens()[lower]);
    const double above = isPlane ? 1.8 + 3.0 * column : 2.2;
    add(scene, turned(random, {x + 0.1, y + 0.05, above}), specimens()[upper]);
  }
  return scene;
}

/// Every shape that can move, twice, in a heap.
MatrixScene heap() {
  MatrixScene scene;
  scene.name = "heap of all";
  addGround(scene);
  Generator random(7);
  int level = 0;
  for (std::size_t i = 0; i < specimens().size(); ++i) {
    if (!movesAlone(*specimens()[i]) || i == 15) continue;
    add(scene,
        turned(random, {0.6 * random.symmetric(), 0.6 * random.symmetric(), 1.2 + 0.9 * level++}),
        specimens()[i]);
  }
  scene.steps = 60;
  return scene;
}

/// Boxes, balls and capsules that fall on each other.
MatrixScene pile(const std::string& name, int count) {
  MatrixScene scene;
  scene.name = name;
  addGround(scene);
  const ShapePtr shapes[] = {box(0.3, 0.2, 0.25), std::make_shared<SphereShape>(0.3),
                             std::make_shared<CapsuleShape>(0.15, 0.4)};
  for (int i = 0; i < count; ++i) {
    BodyDescription d;
    d.position = {0.5 * (i % 3), 0.45 * (i / 3 % 3), 0.4 + 0.62 * (i / 9)};
    d.angularVelocity = {0.1 * i, 0.3, -0.05 * i};
    add(scene, d, shapes[i % 3]);
  }
  return scene;
}

/// Friction, bounce, rolling and spinning resistance.
MatrixScene surfaces() {
  MatrixScene scene;
  scene.name = "surfaces";
  scene.materials.resize(3);
  scene.materials[0].friction = 0.9;
  scene.materials[0].restitution = 0.7;
  scene.materials[1].friction = 0.1;
  scene.materials[2].rollingResistance = 0.01;
  scene.materials[2].spinningResistance = 0.004;
  addGround(scene, 1);
  for (int i = 0; i < 9; ++i) {
    BodyDescription d;
    d.position = {0.8 * (i % 3), 0.8 * (i / 3), 0.5 + 0.1 * i};
    d.linearVelocity = {2.0 - 0.3 * i, 0.4, -1.0};
    d.angularVelocity = {0, 2.0, 5.0 - i};
    const auto material = static_cast<MaterialId>(1 + i % 3);
    add(scene, d, i % 4 == 3 ? box(0.2, 0.3, 0.25) : std::make_shared<SphereShape>(0.3), material);
  }
  return scene;
}

/// Drivers with and without limits, on a path, a conveyor, a sensor, locks, filters, odd masses.
MatrixScene driven() {
  MatrixScene scene;
  scene.name = "driven";
  addGround(scene);
  BodyDescription d;
  d.type = BodyType::Kinematic;
  d.position = {0, 0, 0.2};
  d.surfaceVelocity = {0.5, 0, 0};
  add(scene, d, box(2, 0.5, 0.2));
  d.surfaceVelocity = {0, 0, 0};
  d.position = {-2.5, 0, 0.9};
  d.linearVelocity = {1, 0, 0};
  d.mass = 3.0;
  d.inertia = {0.5, 0.5, 0.5};
  d.maxForce = {40, 40, 40};
  add(scene, d, box(0.2, 0.4, 0.3));
  BodyDescription mover;
  mover.type = BodyType::Kinematic;
  const ObjectId path = add(scene, mover, box(0.3, 0.3, 0.3));
  scene.bodies[static_cast<std::size_t>(path - 1)].path = {
      {0.0, {0, 2, 0.3}, Quat{}},
      {0.3, {0.6, 2, 0.3}, Quat{0.8, 0, 0, 0.6}},
      {0.5, {0.6, 2.4, 0.3}, Quat{0.8, 0, 0, 0.6}}};
  BodyDescription gate;
  gate.type = BodyType::Static;
  gate.position = {0.5, 0, 1};
  gate.sensor = true;
  add(scene, gate, std::make_shared<SphereShape>(0.5));
  for (int i = 0; i < 8; ++i) {
    BodyDescription b;
    b.position = {-1.5 + 0.7 * (i % 4), i < 4 ? 0.0 : 2.2, 0.8 + 0.3 * (i % 3)};
    b.locks = i == 2 ? kLockRotation : i == 5 ? kLockY : kLockNone;
    b.gravityScale = i == 3 ? 0.5 : 1.0;
    if (i == 6) {
      b.mass = 2.0;
      b.inertia = {0.2, 0.3, 0.25};
      b.productsOfInertia = {0.02, -0.01, 0.03};
      b.centerOfMass = {0.05, 0.02, -0.04};
    }
    b.filter.group = i == 1 || i == 7 ? -3 : 0;
    add(scene, b, i % 2 == 0 ? box(0.2, 0.25, 0.2) : std::make_shared<SphereShape>(0.25));
  }
  scene.excluded = {{6, 7}};
  return scene;
}

JointDescription jointAt(JointType type, ObjectId body1, ObjectId body2,
                         const Eigen::Vector3d& place) {
  JointDescription joint;
  joint.type = type;
  joint.body1 = body1;
  joint.body2 = body2;
  joint.placement = JointPlacement::InWorld;
  joint.frame1.rotation = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  joint.frame1.translation = {place.x(), place.y(), place.z()};
  return joint;
}

/// Chains of all types of joints that fall on the ground, with drives, limits and a coupling.
MatrixScene jointed() {
  MatrixScene scene;
  scene.name = "jointed";
  addGround(scene);
  const JointType types[] = {JointType::Hinge,     JointType::Ball,     JointType::Slider,
                             JointType::Universal, JointType::Distance, JointType::Tether,
                             JointType::SixAxis,   JointType::Fixed};
  for (int chain = 0; chain < 2; ++chain) {
    ObjectId last = kNoObject;
    for (int i = 0; i < 8; ++i) {
      BodyDescription d;
      d.mass = 1.0 + 0.25 * i;
      d.position = {i + 0.5, 3.0 * chain, 1.0 + 0.05 * i};
      const ObjectId link = add(scene, d, box(0.4, 0.06, 0.08));
      JointDescription joint = jointAt(types[(i + 3 * chain) % 8], last, link,
                                       {static_cast<double>(i), 3.0 * chain, 1.0 + 0.05 * i});
      if (joint.type == JointType::Distance) joint.length = 0.2;
      if (joint.type == JointType::Distance || joint.type == JointType::Tether) {
        joint.placement = JointPlacement::InBodies;
        joint.frame1 = joint.frame2 = Pose{};
        joint.frame1.translation = {last == kNoObject ? i - 0.2 : 0.4,
                                    last == kNoObject ? 3.0 * chain : 0.0,
                                    last == kNoObject ? 1.0 : 0.0};
        joint.frame2.translation = {-0.4, 0, 0};
        joint.length = 0.0;
      }
      if (joint.type == JointType::SixAxis) {
        for (const std::size_t axis : {0u, 1u, 2u, 3u}) joint.axes[axis].locked = true;
      }
      if (joint.type == JointType::Hinge) {
        joint.axes[0].damping = 0.1;
        joint.axes[0].friction = 0.2;
        joint.axes[0].drive = {DriveMode::Position, 0.4, 0.0, 50.0, 3.0, 8.0};
      }
      if (joint.type == JointType::Slider) joint.axes[0].limits = {-0.1, 0.1, 0.3};
      if (joint.type == JointType::Tether) joint.axes[0].stiffness = 300.0;
      scene.joints.push_back(joint);
      last = link;
    }
  }
  CouplingDescription coupling;
  coupling.joint1 = 1;
  coupling.joint2 = 4;
  coupling.ratio = -0.5;
  scene.couplings.push_back(coupling);
  return scene;
}

/// Bodies that would pass walls within a step.
MatrixScene fast() {
  MatrixScene scene;
  scene.name = "fast";
  Generator random(3);
  for (int i = 0; i < 6; ++i) {
    BodyDescription wall;
    wall.type = BodyType::Static;
    wall.position = {0, 6.0 * i, 0};
    add(scene, wall, box(0.01, 2, 2));
    BodyDescription d = turned(random, {-2.0, 6.0 * i, 0.1});
    d.linearVelocity = {50.0 * (1 + i), 0, 0};
    d.angularVelocity = random.vector(40.0);
    add(scene, d, specimens()[static_cast<std::size_t>(2 * i + 1) % 12]);
  }
  return scene;
}

/// Boxes and balls that come to rest and fall asleep, and one that wakes them.
MatrixScene sleeping() {
  MatrixScene scene;
  scene.name = "sleeping";
  addGround(scene);
  for (int i = 0; i < 9; ++i) {
    BodyDescription d;
    d.position = {1.5 * (i % 3), 0, 0.25 + 0.5 * (i / 3)};
    add(scene, d, box(0.3, 0.3, 0.25));
  }
  BodyDescription d;
  d.position = {-20, 0, 0.6};
  d.linearVelocity = {16, 0, 3};
  add(scene, d, std::make_shared<SphereShape>(0.3));
  scene.options.sleepAfter = 0.2;
  scene.steps = 110;
  return scene;
}

void moveAway(MatrixScene& scene, const Eigen::Vector3d& by) {
  for (MatrixBody& b : scene.bodies) b.body.position += by;
}

WorldOptions with(WorldOptions options, const MatrixScene& scene, bool sleeps) {
  options.sleeping = sleeps;
  options.sleepAfter = scene.options.sleepAfter;
  return options;
}

/// Options that one scheme or both know. Heaps of the exact scheme that take long to solve have
/// fewer steps: every leg runs them, also without optimisation and in emulators.
void addOptions(std::vector<MatrixScene>& scenes) {
  const auto variant = [&](const char* name, bool inRealTime, auto change, int exactSteps = 40) {
    for (const bool realTime : {false, true}) {
      if (realTime && !inRealTime) continue;
      std::string full = name;
      full += realTime ? ", real time" : ", exact";
      MatrixScene scene = pile(full, 12);
      scene.options = realTime ? WorldOptions::realTime() : WorldOptions{};
      if (!realTime) scene.steps = exactSteps;
      change(scene.options);
      scenes.push_back(std::move(scene));
    }
  };
  variant("not speculative", true, [](WorldOptions& o) { o.speculative = false; });
  variant(
      "substeps", true, [](WorldOptions& o) { o.substeps = 3; }, 14);
  variant(
      "correction", true,
      [](WorldOptions& o) {
        o.correctionShare = 0.5;
        o.correctionSlop = 1e-4;
        o.detectionMargin = 0.05;
      },
      15);
  variant("few sweeps", true, [](WorldOptions& o) {
    o.solver.maxSweeps = 8;
    o.solver.allowDirect = false;
  });
  variant("moon", true, [](WorldOptions& o) { o.gravity = {0.2, 0, -1.6}; });
  variant(
      "Baumgarte", false, [](WorldOptions& o) { o.baumgarte = 0.2; }, 16);
  variant(
      "extrapolated", false, [](WorldOptions& o) { o.extrapolates = true; }, 24);
  variant("frictionless", false,
          [](WorldOptions& o) { o.solver.model = ContactModel::Frictionless; });
  variant("decoupled", false,
          [](WorldOptions& o) { o.solver.model = ContactModel::DecoupledCoulomb; });
}

}  // namespace

std::vector<MatrixScene> matrixScenes() {
  std::vector<MatrixScene> both;
  for (std::size_t lower = 1; lower < specimens().size(); lower += 2) {
    both.push_back(onShape(lower));
  }
  for (MatrixScene (*const make)() : {heap, surfaces, driven, jointed, fast, sleeping}) {
    both.push_back(make());
  }
  both.push_back(pile("far from the origin", 12));
  both.back().steps = 24;
  moveAway(both.back(), {1e5, -2e5, 0});
  std::vector<MatrixScene> scenes;
  for (const MatrixScene& scene : both) {
    for (const bool realTime : {false, true}) {
      MatrixScene s = scene;
      s.name += realTime ? ", real time" : ", exact";
      s.options = with(realTime ? WorldOptions::realTime() : WorldOptions{}, scene,
                       scene.name == "sleeping");
      scenes.push_back(std::move(s));
    }
  }
  addOptions(scenes);
  return scenes;
}

}  // namespace golden
