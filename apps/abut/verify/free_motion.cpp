// SPDX-License-Identifier: MIT
#include <cmath>

#include "scenario.hpp"

namespace abut::tool {
namespace {

const Eigen::Vector3d kInertia(1, 2, 3), kSpin(0.01, 5, 0.02);

/// First time at which the intermediate axis' rate crosses zero, by Euler's equations in the body
/// frame and the classical Runge-Kutta method at a step that leaves 1e-13.
double firstFlip() {
  const auto rate = [](const Eigen::Vector3d& w) -> Eigen::Vector3d {
    return {(kInertia.y() - kInertia.z()) / kInertia.x() * w.y() * w.z(),
            (kInertia.z() - kInertia.x()) / kInertia.y() * w.z() * w.x(),
            (kInertia.x() - kInertia.y()) / kInertia.z() * w.x() * w.y()};
  };
  const double h = 1e-4;
  Eigen::Vector3d w = kSpin;
  for (int i = 0;; ++i) {
    const Eigen::Vector3d a = rate(w), b = rate(w + 0.5 * h * a), c = rate(w + 0.5 * h * b),
                          d = rate(w + h * c);
    const Eigen::Vector3d next = w + h / 6 * (a + 2 * b + 2 * c + d);
    if (next.y() <= 0.0) return h * (i + w.y() / (w.y() - next.y()));
    w = next;
  }
}

Rows freeRotation() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  BodyDescription d;
  d.mass = 1.0;
  d.inertia = kInertia;
  d.angularVelocity = kSpin;
  ObjectId id = kNoObject;
  world.addBody(d, {}, id).orThrow();
  const auto bodyRate = [&](const BodyMotion& m) -> Eigen::Vector3d {
    return toEigen(m.pose).linear().transpose() * m.angularVelocity;
  };
  const Eigen::Vector3d momentum0 = kInertia.cwiseProduct(kSpin);
  const double energy0 = 0.5 * momentum0.dot(kSpin);
  double worstEnergy = 0.0, worstMomentum = 0.0, last = kSpin.y(), first = 0.0, latest = 0.0;
  int flips = 0;
  for (int i = 1; i <= 36000; ++i) {
    world.step(kFrame).orThrow();
    const BodyMotion m = motionOf(world, id);
    const Eigen::Vector3d w = bodyRate(m), l = kInertia.cwiseProduct(w);
    worstEnergy = std::max(worstEnergy, std::fabs(0.5 * l.dot(w) / energy0 - 1.0));
    const Eigen::Vector3d momentum = toEigen(m.pose).linear() * l;
    worstMomentum = std::max(worstMomentum, (momentum - momentum0).norm() / momentum0.norm());
    if ((w.y() < 0.0) != (last < 0.0)) {
      latest = kFrame * (i - 1 + last / (last - w.y()));
      if (flips++ == 0) first = latest;
    }
    last = w.y();
  }
  return {vanishes("energy, relative", "constant", worstEnergy, 1e-12),
          vanishes("angular momentum, relative", "constant", worstMomentum, 1e-12),
          compare("first flip [s]", firstFlip(), first, 1e-3),
          compare("time between flips [s]", 4.43535575622, (latest - first) / (flips - 1), 1e-3)};
}

/// A sphere that spins about the normal of a plane it rests on: a point contact has no lever.
Rows spinAboutNormal() {
  World world;
  const MaterialId material = addMaterial(world, 0.5);
  addGround(world, material);
  BodyDescription d;
  d.position = {0, 0, 0.1};
  d.angularVelocity = {0, 0, 100};
  const ObjectId id = addSphere(world, 0.1, 1.0, d, material);
  run(world, kFrame, 3600);
  const BodyMotion m = motionOf(world, id);
  return {
      compareRelative("spin after 60 s [rad/s], relative", 100.0, m.angularVelocity.z(), 1e-12),
      vanishes("distance from where it was [m]", "0", (m.centerOfMass - d.position).norm(), 1e-12)};
}

constexpr VerifyScenario kScenarios[] = {
    {"free-rotation", "I = (1,2,3), w = (.01,5,.02), 600 s at 60 Hz", freeRotation},
    {"spin-about-normal", "sphere on a plane, 100 rad/s about the normal, 60 s", spinAboutNormal},
};

}  // namespace

std::span<const VerifyScenario> freeMotionScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
