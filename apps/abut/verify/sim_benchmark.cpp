// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

/// Mean squared error of the velocities of ball 1 and the box, over samples before each step.
double rollingError(const Eigen::Vector3d& direction, const SolverOptions& solver) {
  WorldOptions options;
  options.solver = solver;
  World world(options);
  const MaterialId ground = addMaterial(world, 0.4);
  const MaterialId box = addMaterial(world, 0.4), ball = addMaterial(world, 0.8);
  world.materials().setPair(ground, box, {0.4}).orThrow();
  world.materials().setPair(box, ball, {0.8}).orThrow();
  addGround(world, ground);
  constexpr double kOverlap = 2e-5, kStep = 1e-3;
  BodyDescription d;
  d.position = {0, 0, 0.5 - kOverlap};
  const ObjectId plate = addBox(world, {20, 20, 1}, 10.0, d, box);
  ObjectId first = kNoObject;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      d.position = {2.0 * i - 4.0, 2.0 * j - 4.0, 1.5 - 3 * kOverlap};
      const ObjectId id = addSphere(world, 0.5, 1.0, d, ball);
      if (first == kNoObject) first = id;
    }
  }
  // 150 - 0.4 35 g - 25 f = 10 a and a = 3.5 f for the friction f at a ball.
  const double share = (150.0 - 0.4 * 35.0 * kGravity) / 60.0;
  double sum = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const Eigen::Vector3d v = direction * (share * kStep * i);
    sum += (motionOf(world, first).linearVelocity - v).squaredNorm() +
           (motionOf(world, plate).linearVelocity - 3.5 * v).squaredNorm();
    world.applyForce(plate, 150.0 * direction, {0, 0, 0}).orThrow();
    world.step(kStep).orThrow();
  }
  return sum / 4000;
}

Rows rolling() {
  const Eigen::Vector3d oblique(0.5, 0.8660254037844386, 0), along(0, 1, 0);
  SolverOptions ten;
  ten.maxSweeps = 10;
  ten.allowDirect = false;
  return {vanishes("oblique: squared error of velocities", "0", rollingError(oblique, {}), 1e-26),
          vanishes("along y: squared error of velocities", "0", rollingError(along, {}), 1e-26),
          vanishes("oblique, 10 sweeps: the same", "0", rollingError(oblique, ten), 1e-15)};
}

Rows bouncing() {
  Rows rows;
  for (const double dt : {1e-4, 1e-3, 1e-2, 1e-1}) {
    World world;
    const MaterialId material = addMaterial(world, 0.0, 1.0);
    addGround(world, material);
    std::vector<ObjectId> ids;
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 7; ++j) {
        BodyDescription d;
        d.position = {2.0 * i, 2.0 * j, 5.0};
        ids.push_back(addSphere(world, 0.1, 10.0, d, material));
      }
    }
    const double truth = 49 * 10.0 * kGravity * 5.0;
    double sum = 0.0;
    const int steps = static_cast<int>(std::lround(20.0 / dt));
    for (int i = 0; i < steps; ++i) {
      world.step(dt).orThrow();
      double energy = 0.0;
      for (const ObjectId id : ids) {
        const BodyMotion m = motionOf(world, id);
        energy += 10.0 * kGravity * m.centerOfMass.z() + 5.0 * m.linearVelocity.squaredNorm() +
                  0.5 * 0.4 * 10.0 * 0.01 * m.angularVelocity.squaredNorm();
      }
      sum += (energy - truth) * (energy - truth);
    }
    rows.push_back(vanishes(fmt::format("dt {:g}: squared error of energy [J2]", dt), "0",
                            sum / steps, 1e-12));
  }
  return rows;
}

Rows sixSixSix() {
  World world;
  const MaterialId material = addMaterial(world, 0.0);
  addGround(world, material);
  VerifyRandom random(666);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      for (int k = 0; k < 6; ++k) {
        BodyDescription d;
        const double x = 0.21 * i + random.between(0, 1e-3);
        const double y = 0.21 * j + random.between(0, 1e-3);
        const double z = 0.21 * k + random.between(0, 1e-3) + 0.101;
        d.position = {x, y, z};
        addSphere(world, 0.1, 10.0, d, material);
      }
    }
  }
  double sum = 0.0;
  int unconverged = 0;
  for (int i = 0; i < 1000; ++i) {
    world.step(1e-2).orThrow();
    if (!world.getReport().converged) ++unconverged;
    for (const WorldContact& c : world.getContacts()) {
      if (c.depth > 0.0) sum += c.depth * c.depth;
    }
  }
  return {vanishes("sum of squared penetrations, mean over time [m2]", "0", sum / 1000, 1e-10),
          vanishes("steps not converged", "0", unconverged, 0)};
}

constexpr VerifyScenario kScenarios[] = {
    {"sim-rolling", "SimBenchmark: box pulled under 25 balls, dt 1e-3, 4 s", rolling},
    {"sim-bouncing", "SimBenchmark: 49 elastic balls, 20 s", bouncing},
    {"sim-666", "SimBenchmark: 216 smooth spheres collapse, dt 1e-2, 10 s", sixSixSix},
};

}  // namespace

std::span<const VerifyScenario> simBenchmarkScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
