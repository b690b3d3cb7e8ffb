// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "digest.hpp"

namespace golden {
namespace {

using abut::BodyDescription;
using abut::BodyType;
using abut::World;

std::shared_ptr<const abut::Shape> box(double x, double y, double z) {
  return std::make_shared<abut::BoxShape>(Eigen::Vector3d(x, y, z));
}

void addGround(World& world, abut::MaterialId material = 0) {
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<abut::PlaneShape>(Eigen::Vector3d(0, 0, 1)), material);
}

/// State, contacts and books after some steps.
void runAndPrint(const std::string& name, World& world, double dt, int steps) {
  for (int i = 0; i < steps; ++i) world.step(dt).orThrow();
  Digest digest;
  digest.add(world.hash());
  for (const abut::WorldContact& c : world.getContacts()) {
    digest.add(c.normalForce);
    digest.add(c.depth);
    digest.add(c.id);
  }
  const abut::EnergyAccount& books = world.getLedger();
  for (const double entry : {books.kineticAfter, books.potentialAfter, books.drivers, books.impact,
                             books.friction, books.correction, books.integrator}) {
    digest.add(entry);
  }
  print(name, digest);
}

/// Cubes, spheres and cylinders that fall on each other, solved in batches.
void realTime() {
  World world(abut::WorldOptions::realTime());
  addGround(world);
  for (int i = 0; i < 40; ++i) {
    BodyDescription d;
    d.position = {0.4 * (i % 3), 0.3 * (i % 4), 0.7 + 1.1 * (i / 2)};
    std::shared_ptr<const abut::Shape> shape = box(0.5, 0.5, 0.5);
    if (i % 3 == 1) shape = std::make_shared<abut::SphereShape>(0.5);
    if (i % 3 == 2) shape = std::make_shared<abut::CylinderShape>(0.4, 0.9);
    world.addBody(d, shape);
  }
  runAndPrint("world/real time", world, 1.0 / 60, 120);
}

void stack() {
  World world;
  addGround(world);
  for (int i = 0; i < 6; ++i) {
    BodyDescription d;
    d.position = {0.03 * i, -0.02 * i, 0.55 + 1.02 * i};
    d.mass = i == 5 ? 200.0 : 1.0;
    world.addBody(d, box(0.5, 0.5, 0.5));
  }
  runAndPrint("world/stack", world, 1.0 / 60, 60);
}

void mixedDrop() {
  World world;
  addGround(world);
  const std::shared_ptr<const abut::Shape> shapes[] = {
      box(0.3, 0.2, 0.4), std::make_shared<abut::SphereShape>(0.3),
      std::make_shared<abut::CapsuleShape>(0.2, 0.5),
      std::make_shared<abut::CylinderShape>(0.3, 0.4)};
  for (int i = 0; i < 8; ++i) {
    BodyDescription d;
    d.position = {0.35 * (i % 3), 0.3 * (i % 2), 0.6 + 0.5 * i};
    d.linearVelocity = {0.5 - 0.1 * i, 0.2, -1.0};
    d.angularVelocity = {1.0, -2.0 + 0.5 * i, 0.7};
    world.addBody(d, shapes[i % 4]);
  }
  runAndPrint("world/mixed_drop", world, 1.0 / 60, 90);
}

void bouncing() {
  World world;
  abut::Material rubber;
  rubber.restitution = 0.8;
  rubber.friction = 0.4;
  abut::MaterialId material = 0;
  world.materials().add(rubber, material).orThrow();
  addGround(world, material);
  for (int i = 0; i < 4; ++i) {
    BodyDescription d;
    d.position = {0.9 * i, 0.1 * i, 1.0 + 0.3 * i};
    d.linearVelocity = {1.0 - i, 0, 0};
    world.addBody(d, std::make_shared<abut::SphereShape>(0.4), material);
  }
  runAndPrint("world/bouncing", world, 1.0 / 120, 240);
}

void driven() {
  abut::WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  const auto capsule = std::make_shared<abut::CapsuleShape>(0.2, 1.0);
  const abut::Pose alongX = abut::poseFromRollPitchYaw({0, 0, 0}, 0, 1.5707963267948966, 0);
  BodyDescription rotor;
  rotor.type = BodyType::Kinematic;
  rotor.angularVelocity = {0, 0, 6.283185307179586};
  abut::ObjectId id = 0;
  world.addBody(rotor, {{capsule, alongX, 0}}, id).orThrow();
  BodyDescription lever;
  lever.position = {0.7, 0.7, 0};
  lever.locks = abut::kLockTranslation;
  world.addBody(lever, {{capsule, alongX, 0}}, id).orThrow();
  runAndPrint("world/driven", world, 1e-3, 200);
}

/// Balls and cubes with rolling and spinning resistance, in one scheme.
void resisted(const std::string& name, const abut::WorldOptions& options) {
  World world(options);
  abut::Material felt;
  felt.rollingResistance = 0.01;
  felt.spinningResistance = 0.004;
  abut::MaterialId material = 0;
  world.materials().add(felt, material).orThrow();
  addGround(world, material);
  for (int i = 0; i < 9; ++i) {
    BodyDescription d;
    d.position = {0.7 * (i % 3), 0.6 * (i / 3), 0.35 + 0.4 * (i % 2)};
    d.linearVelocity = {1.0 - 0.2 * i, 0.3, 0};
    d.angularVelocity = {0, 2.0, 5.0 - i};
    if (i % 4 == 3) {
      world.addBody(d, box(0.2, 0.3, 0.25), material);
    } else {
      world.addBody(d, std::make_shared<abut::SphereShape>(0.3), material);
    }
  }
  runAndPrint(name, world, 1.0 / 120, 120);
}

/// A heap that falls asleep, and a ball that wakes a part of it; each step made of two.
void sleeping() {
  abut::WorldOptions options = abut::WorldOptions::realTime();
  options.sleeping = true;
  options.sleepAfter = 0.2;
  options.substeps = 2;
  World world(options);
  addGround(world);
  for (int i = 0; i < 12; ++i) {
    BodyDescription d;
    d.position = {1.5 * (i % 4), 0, 0.5 + 1.001 * (i / 4)};
    world.addBody(d, box(0.5, 0.5, 0.5));
  }
  runAndPrint("world/asleep", world, 1.0 / 60, 90);
  BodyDescription d;
  d.position = {-2.0, 0, 1.5};
  d.linearVelocity = {12, 0, 0};
  world.addBody(d, std::make_shared<abut::SphereShape>(0.3));
  runAndPrint("world/woken", world, 1.0 / 60, 60);
}

}  // namespace

/// A chain of driven and sprung hinges that falls on the ground, in both schemes.
void jointed(const std::string& name, const abut::WorldOptions& options) {
  World world(options);
  addGround(world);
  abut::ObjectId last = abut::kNoObject;
  for (int i = 0; i < 6; ++i) {
    BodyDescription d;
    d.mass = 1.0 + 0.5 * i;
    d.position = {i + 0.5, 0, 1.2};
    const abut::ObjectId link = world.addBody(d, box(0.5, 0.05, 0.05));
    abut::JointDescription joint;
    joint.type = i % 3 == 1 ? abut::JointType::Universal : abut::JointType::Hinge;
    joint.body1 = last;
    joint.body2 = link;
    joint.placement = abut::JointPlacement::InWorld;
    joint.frame1.rotation = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    joint.frame1.translation = {static_cast<double>(i), 0, 1.2};
    joint.axes[0].damping = 0.1 * i;
    joint.axes[0].friction = i == 2 ? 0.3 : 0.0;
    joint.axes[0].stiffness = i == 3 ? 20.0 : 0.0;
    if (i == 4) joint.axes[0].limits = {-0.5, 0.7, 0.3};
    joint.axes[0].drive.mode = i == 5 ? abut::DriveMode::Position : abut::DriveMode::Off;
    joint.axes[0].drive.target = 0.6;
    joint.axes[0].drive.stiffness = 50.0;
    joint.axes[0].drive.damping = 3.0;
    joint.axes[0].drive.maxForce = 8.0;
    world.addJoint(joint);
    last = link;
  }
  runAndPrint(name, world, 1.0 / 60, 90);
}

void worlds() {
  jointed("world/jointed", {});
  jointed("world/jointed in real time", abut::WorldOptions::realTime());
  resisted("world/resisted", {});
  resisted("world/resisted in real time", abut::WorldOptions::realTime());
  sleeping();
  realTime();
  stack();
  mixedDrop();
  bouncing();
  driven();
}

}  // namespace golden
