// SPDX-License-Identifier: MIT
//
// SimBenchmark's tests of a quadruped, on a robot file of the caller's own.
#include "robot.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "io/core/files.hpp"
#include "io/core/text.hpp"
#include "io/robot/robot.hpp"
#include "io/scene/scene.hpp"

namespace abut::tool {
namespace {

/// Where SimBenchmark's quadruped begins; of a robot without such joints nothing is changed.
constexpr std::array<std::pair<const char*, double>, 12> kStance{{{"LF_HAA", 0.03},
                                                                  {"LF_HFE", 0.4},
                                                                  {"LF_KFE", -0.8},
                                                                  {"RF_HAA", -0.03},
                                                                  {"RF_HFE", 0.4},
                                                                  {"RF_KFE", -0.8},
                                                                  {"LH_HAA", 0.03},
                                                                  {"LH_HFE", -0.4},
                                                                  {"LH_KFE", 0.8},
                                                                  {"RH_HAA", -0.03},
                                                                  {"RH_HFE", -0.4},
                                                                  {"RH_KFE", 0.8}}};

struct Robot {
  io::Scene scene;
  ObjectId root = kNoObject;
  double mass = 0.0;      ///< [kg]
  bool isStance = false;  ///< Whether it has all joints of the stance.
};

/// The robot above the origin, its axes without laws of their own.
Robot load(const std::string& path, double height) {
  io::RobotTree tree = io::readRobot(path, io::DiskAssets(), {});
  Robot robot;
  std::size_t found = 0;
  for (io::RobotLink& link : tree.links) {
    for (io::RobotJoint& joint : link.joints) {
      joint.law = {};
      for (const auto& [name, start] : kStance) {
        if (joint.name != name) continue;
        joint.start = start;
        ++found;
      }
    }
  }
  robot.isStance = found == kStance.size();
  Pose base;
  base.translation = {0.0, 0.0, height};
  const std::string text = io::writeRobotScene(tree, "", base, true);
  robot.scene = io::parseScene(text, path, io::MemoryAssets({}));
  robot.scene.options = {};
  robot.root = robot.scene.bodies.front().description.id;
  for (const io::SceneBody& b : robot.scene.bodies) {
    robot.mass += b.description.mass;
    if (b.name == tree.links.front().name) robot.root = b.description.id;
  }
  return robot;
}

double energyAfter(const World& world) {
  const EnergyAccount& a = world.getStepLedger();
  return (a.kineticAfter + a.potentialAfter) + a.elasticAfter;
}

/// Twice the weight upwards at the root's origin for a second, then two seconds of free flight.
void addEnergy(const std::string& path, double dt, Rows& rows) {
  Robot robot = load(path, 2.0);
  for (io::SceneBody& b : robot.scene.bodies) b.shapes.clear();
  World world = io::buildWorld(robot.scene);
  const int pushed = static_cast<int>(std::lround(1.0 / dt)), free = 2 * pushed;
  for (int i = 0; i < pushed; ++i) {
    const Eigen::Vector3d origin = toEigen(motionOf(world, robot.root).pose.translation);
    world.applyForceAt(robot.root, {0.0, 0.0, 2.0 * robot.mass * kGravity}, origin).orThrow();
    world.step(dt).orThrow();
  }
  const double start = energyAfter(world);
  double sum = 0.0;
  for (int i = 0; i < free; ++i) {
    const double off = energyAfter(world) - start;
    sum += off * off;
    world.step(dt).orThrow();
  }
  rows.push_back(
      vanishes(fmt::format("dt {:.3g}: mean squared change [J2]", dt), "0", sum / free, 1e-20));
  if (robot.isStance && std::fabs(robot.mass - 33.946674) < 1e-6 && dt == 1e-3) {
    rows.push_back(compare("energy of the free phase [J]", 3919.371, start, 1e-3));
  }
}

/// Momentum of a body, and its moment about the origin.
std::pair<Eigen::Vector3d, Eigen::Vector3d> momentaOf(const World& world, ObjectId id) {
  MassProperties m;
  world.getMass(id, m).orThrow();
  Eigen::Matrix3d tensor = m.inertia.asDiagonal();
  tensor(0, 1) = tensor(1, 0) = m.products.x();
  tensor(0, 2) = tensor(2, 0) = m.products.y();
  tensor(1, 2) = tensor(2, 1) = m.products.z();
  const BodyMotion motion = motionOf(world, id);
  const Eigen::Matrix3d turn = toEigen(motion.pose).linear();
  const Eigen::Vector3d p = m.mass * motion.linearVelocity;
  const Eigen::Vector3d spin = turn.transpose() * motion.angularVelocity;
  return {p, motion.centerOfMass.cross(p) + turn * (tensor * spin)};
}

/// A ball of 10 kg meets it at 5 m/s along y; nothing else acts.
void addMomentum(const std::string& path, double dt, Rows& rows) {
  Robot robot = load(path, 2.0);
  robot.scene.options.gravity = {0.0, 0.0, 0.0};
  World world = io::buildWorld(robot.scene);
  BodyDescription ball;
  ball.position = {0.0, -5.0, 2.0};
  ball.linearVelocity = {0.0, 5.0, 0.0};
  ball.mass = 10.0;
  const ObjectId id = world.addBody(ball, SphereShape(0.2));
  const int steps = static_cast<int>(std::lround(10.0 / dt));
  double sum = 0.0, slowest = 5.0, turned = 0.0;
  const Eigen::Vector3d moment(-2.0 * 50.0, 0.0, 0.0);  // 50 N s at a height of 2 m.
  for (int i = 0; i < steps; ++i) {
    world.step(dt).orThrow();
    auto [p, l] = momentaOf(world, id);
    slowest = std::min(slowest, 0.1 * p.y());
    for (const io::SceneBody& b : robot.scene.bodies) {
      const auto [linear, angular] = momentaOf(world, b.description.id);
      p += linear;
      l += angular;
    }
    sum += (p - Eigen::Vector3d(0.0, 50.0, 0.0)).squaredNorm();
    turned = std::max(turned, (l - moment).norm() / moment.norm());
  }
  const char* law = slowest < 5.0 ? "0" : "0 (no hit)";
  rows.push_back(
      vanishes(fmt::format("dt {:.3g}: mean squared momentum off", dt), law, sum / steps, 1e-25));
  rows.push_back(
      vanishes(fmt::format("dt {:.3g}: angular momentum off, relative", dt), law, turned, 1e-12));
}

/// Servos of 40 N m/rad and 1 N m s/rad hold the stance on the ground.
void addStance(const std::string& path, Rows& rows) {
  Robot robot = load(path, 0.54);
  if (!robot.isStance) return;
  for (io::SceneJoint& j : robot.scene.joints) {
    JointDrive& drive = j.description.axes[0].drive;
    drive.mode = DriveMode::Position;
    drive.stiffness = 40.0;
    drive.damping = 1.0;
    for (const auto& [name, start] : kStance) {
      if (j.name == name) drive.target = start;
    }
  }
  robot.scene.options = WorldOptions::realTime();
  World world = io::buildWorld(robot.scene);
  addGround(world, addMaterial(world, 0.8));
  run(world, 5e-3, 16000);
  const Eigen::Vector3d at = motionOf(world, robot.root).centerOfMass;
  std::vector<std::pair<ObjectId, Eigen::Vector3d>> feet;
  for (const WorldContact& c : world.getContacts()) {
    for (const ObjectId id : {c.object1, c.object2}) {
      feet.emplace_back(id, motionOf(world, id).centerOfMass);
    }
  }
  run(world, 5e-3, 12000);
  double normal = 0.0, slid = 0.0;
  for (const WorldContact& c : world.getContacts()) normal += c.normalForce;
  for (const auto& [id, start] : feet) {
    slid = std::max(slid, (motionOf(world, id).centerOfMass - start).norm());
  }
  rows.push_back(vanishes("stands: feet in 60 s [m]", "still", slid, 1e-9));
  rows.push_back(vanishes("stands: base in 60 s [m]", "still",
                          (motionOf(world, robot.root).centerOfMass - at).norm(), 1e-7));
  rows.push_back(
      compareRelative("stands: sum of normal forces [N]", robot.mass * kGravity, normal, 1e-9));
}

}  // namespace

Rows robotRows(const std::string& path) {
  Rows rows;
  for (const double dt : {1e-3, 4e-3, 1e-2, 1.0 / 60.0}) addEnergy(path, dt, rows);
  for (const double dt : {1e-3, 4e-3, 1e-2}) addMomentum(path, dt, rows);
  addStance(path, rows);
  return rows;
}

}  // namespace abut::tool
