// SPDX-License-Identifier: MIT
#include <cmath>

#include "joints.hpp"

namespace abut::tool {
namespace {

/// A base of 20 kg on four legs of three servos, with balls for feet.
struct Quadruped {
  static constexpr double kThigh = 0.25, kFoot = 0.03, kHeight = 0.53;
  World& world;
  MaterialId material;
  double stiffness, damping;
  ObjectId base = kNoObject;
  std::vector<ObjectId> feet;
  double mass = 0.0;

  void build() {
    BodyDescription d;
    d.position = {0, 0, kHeight};
    base = addBox(world, {0.5, 0.24, 0.16}, 20.0, d, material);
    mass = 20.0;
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) addLeg(x, y);
    }
  }
  void addLeg(double x, double y) {
    const double bend = -0.35 * x;
    const Eigen::Vector3d hip(0.22 * x, 0.12 * y, kHeight),
        down(std::sin(bend), 0, -std::cos(bend));
    const Eigen::Vector3d top = hip + Eigen::Vector3d(0, 0.05 * y, 0), knee = top + kThigh * down;
    const Eigen::Vector3d foot = knee + kThigh * Eigen::Vector3d(-down.x(), 0, down.z());
    BodyDescription d;
    d.position = hip + Eigen::Vector3d(0, 0.03 * y, 0);
    const ObjectId hipBody = addLink(world, 1.0, {0.002, 0.002, 0.002}, d);
    d.position = 0.5 * (top + knee);
    const ObjectId thigh = addLink(world, 1.5, {0.008, 0.008, 0.001}, d);
    d.position = foot;
    d.inertia = {0.004, 0.004, 0.0005};
    feet.push_back(addSphere(world, kFoot, 0.3, d, material));
    mass += 2.8;
    addServo(base, hipBody, hip, {1, 0, 0});
    addServo(hipBody, thigh, top, {0, 1, 0});
    addServo(thigh, feet.back(), knee, {0, 1, 0});
  }
  void addServo(ObjectId one, ObjectId two, const Eigen::Vector3d& at,
                const Eigen::Vector3d& axis) {
    JointDescription d = jointAt(JointType::Hinge, one, two, at, axis);
    d.axes[0].drive.mode = DriveMode::Position;
    d.axes[0].drive.stiffness = stiffness;
    d.axes[0].drive.damping = damping;
    world.addJoint(d);
  }
};

Rows stand(const WorldOptions& options, double stiffness, double damping) {
  World world(options);
  const MaterialId material = addMaterial(world, 0.8);
  addGround(world, material);
  Quadruped robot{world, material, stiffness, damping, kNoObject, {}, 0.0};
  robot.build();
  run(world, kFrame, 300);
  const Eigen::Vector3d base = motionOf(world, robot.base).centerOfMass;
  const Eigen::Vector3d foot = motionOf(world, robot.feet[0]).centerOfMass;
  Watch watch;
  double most = 0.0, slid = 0.0, off = 0.0;
  for (int i = 0; i < 3600; ++i) {
    world.step(kFrame).orThrow();
    watch.look(world);
    double normal = 0.0;
    for (const WorldContact& c : world.getContacts()) normal += c.normalForce;
    off = std::max(off, std::fabs(normal / (robot.mass * kGravity) - 1));
    most = std::max(most, (motionOf(world, robot.base).centerOfMass - base).norm());
    slid = std::max(slid, (motionOf(world, robot.feet[0]).centerOfMass - foot).norm());
  }
  return {vanishes("base, for 60 s after 5 s [m]", "still", most, 1e-7),
          vanishes("a foot [m]", "still", slid, 1e-9),
          vanishes("sum of normal forces less the weight, relative", "0", off, 1e-9),
          vanishes("books [J]", "close", watch.residual, 1e-12),
          vanishes("gap of the joints [m]", "0", watch.gap, 1e-12)};
}

Rows soft() {
  return stand({}, 40, 1);
}
Rows stiff() {
  return stand({}, 4000, 40);
}
Rows inRealTime() {
  return stand(WorldOptions::realTime(), 400, 10);
}

constexpr VerifyScenario kScenarios[] = {
    {"quadruped", "12 servos, kp 40, kd 1, on four feet, 60 Hz", soft},
    {"quadruped-stiff", "the same, kp 4000, kd 40", stiff},
    {"quadruped-real-time", "the same in real time, kp 400, kd 10", inRealTime},
};

}  // namespace

std::span<const VerifyScenario> quadrupedScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
