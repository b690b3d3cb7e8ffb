// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "scenario.hpp"

namespace abut::tool {
namespace {

/// A box put on a belt of 2 m/s: it slides for v/(mu g), and the belt's work is m v^2, half of it
/// lost to friction.
Rows conveyor() {
  const double mu = 0.3, speed = 2.0, mass = 3.0;
  World world;
  const MaterialId material = addMaterial(world, mu);
  BodyDescription belt;
  belt.type = BodyType::Static;
  belt.surfaceVelocity = {speed, 0, 0};
  world.addBody(belt, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), material);
  BodyDescription d;
  d.position = {0, 0, 0.1};
  const ObjectId id = addBox(world, {0.4, 0.3, 0.2}, mass, d, material);
  run(world, kFrame, 20);
  const double slope = motionOf(world, id).linearVelocity.x() / (20 * kFrame);
  run(world, kFrame, 100);
  const BodyMotion m = motionOf(world, id);
  const double v = m.linearVelocity.x(), t = v / slope;
  const double slip = speed * 120 * kFrame - m.centerOfMass.x();
  return {compare("speed in the end [m/s]", speed, v, 1e-9),
          compare("sticks from [s]", speed / (mu * kGravity), t, 1e-9),
          compare("slip [m]", speed * speed / (2 * mu * kGravity), slip, 1e-9),
          compare("work of the belt [J]", mass * speed * speed, world.getLedger().drivers, 1e-9)};
}

/// A plate that accelerates at mu g (1 + excess) for a second; how far the box on it slipped.
Rows plate() {
  const double mu = 0.3;
  Rows rows;
  for (const double excess : {-1e-4, 1e-4}) {
    World world;
    const MaterialId material = addMaterial(world, mu);
    BodyDescription driven;
    driven.type = BodyType::Kinematic;
    driven.position = {0, 0, -0.5};
    const ObjectId plate =
        world.addBody(driven, std::make_shared<BoxShape>(Eigen::Vector3d(20, 5, 0.5)), material);
    BodyDescription d;
    d.position = {0, 0, 0.1};
    const ObjectId id = addBox(world, {0.4, 0.3, 0.2}, 1.0, d, material);
    const double a = mu * kGravity * (1 + excess);
    for (int i = 1; i <= 60; ++i) {
      world.setVelocity(plate, {a * kFrame * i, 0, 0}, {0, 0, 0}).orThrow();
      world.step(kFrame).orThrow();
    }
    const double slip =
        motionOf(world, plate).linearVelocity.x() - motionOf(world, id).linearVelocity.x();
    if (excess < 0.0) {
      rows.push_back(vanishes("slip at mu g (1 - 1e-4) [m/s]", "sticks", slip, 1e-9));
    } else {
      rows.push_back(compare("slip at mu g (1 + 1e-4) [m/s]", mu * kGravity * excess, slip, 1e-9));
    }
  }
  return rows;
}

/// A box of 3 kg with e = .5 on a lift whose path is z(t): the greatest error, over a second, of
/// the force between them, by the acceleration at the beginning of each step.
double forceOnLift(StepScheme scheme, double frequency, double (*z)(double),
                   double (*acceleration)(double)) {
  World world(scheme == StepScheme::Exact ? WorldOptions{} : WorldOptions::realTime());
  const MaterialId material = addMaterial(world, 0.5, 0.5);
  BodyDescription lift;
  lift.type = BodyType::Kinematic;
  lift.position = {0, 0, -0.5};
  const ObjectId id =
      world.addBody(lift, std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 0.5)), material);
  BodyDescription d;
  d.position = {0, 0, 0.5};
  const double mass = 3.0;
  addBox(world, {1, 1, 1}, mass, d, material);
  const int steps = static_cast<int>(frequency);
  std::vector<PathPoint> path;
  for (int i = 0; i <= steps; ++i) {
    PathPoint point;
    point.time = i / frequency;
    point.position = {0, 0, z(point.time) - 0.5};
    path.push_back(point);
  }
  world.setPath(id, path).orThrow();
  double worst = 0.0;
  for (int i = 0; i < steps; ++i) {
    world.step(1.0 / frequency).orThrow();
    if (i < 3) continue;
    double force = 0.0;
    for (const WorldContact& c : world.getContacts()) force += c.normalForce;
    const double truth = mass * (kGravity + acceleration(i / frequency));
    worst = std::max(worst, std::fabs(force / truth - 1.0));
  }
  return worst;
}

Rows lift() {
  Rows rows;
  const auto add = [&rows](const std::string& name, StepScheme scheme) {
    const double up = forceOnLift(
        scheme, 60, [](double t) { return t * t; }, [](double) { return 2.0; });
    const double down = forceOnLift(
        scheme, 60, [](double t) { return -t * t; }, [](double) { return -2.0; });
    const auto sine = [](double t) { return 0.1 - 0.1 * std::cos(3 * t); };
    const auto bent = [](double t) { return 0.9 * std::cos(3 * t); };
    const double slow = forceOnLift(scheme, 60, sine, bent),
                 fast = forceOnLift(scheme, 120, sine, bent);
    // Sweeps in real time end at a thousandth.
    const bool exact = scheme == StepScheme::Exact;
    const double bar = exact ? 1e-9 : 5e-3;
    rows.push_back(vanishes(name + "upwards at 2 m/s^2: force, relative", "m (g + a)", up, bar));
    rows.push_back(
        vanishes(name + "downwards at 2 m/s^2: force, relative", "m (g + a)", down, bar));
    if (exact) rows.push_back(compare(name + "sine: order", 2.0, std::log2(slow / fast), 0.05));
    rows.push_back(
        vanishes(name + "sine, 120 Hz: force, relative", "m (g + a)", fast, exact ? 1e-5 : 5e-3));
  };
  add("", StepScheme::Exact);
  add("real time, ", StepScheme::RealTime);
  return rows;
}

/// A box at 2 m/s over seams of four flush plates: it stops after v^2 / (2 mu g), in a straight
/// line.
double wayOverSeams(const WorldOptions& options, double& aside) {
  const double mu = 0.3, speed = 2.0;
  World world(options);
  const MaterialId material = addMaterial(world, mu);
  const double cuts[] = {-10.0, 0.1, 0.25, 0.47, 10.0};
  for (int i = 0; i < 4; ++i) {
    BodyDescription plate;
    plate.type = BodyType::Static;
    plate.position = {0.5 * (cuts[i] + cuts[i + 1]), 0, -0.5};
    const Eigen::Vector3d half(0.5 * (cuts[i + 1] - cuts[i]), 5, 0.5);
    world.addBody(plate, std::make_shared<BoxShape>(half), material);
  }
  BodyDescription d;
  d.position = {0, 0, 0.03};
  d.linearVelocity = {speed, 0, 0};
  const ObjectId id = addBox(world, {0.12, 0.12, 0.06}, 1.0, d, material);
  run(world, kFrame, 60);
  const Eigen::Vector3d end = motionOf(world, id).centerOfMass;
  aside = std::max(std::abs(end.y()), std::abs(end.z() - 0.03));
  return end.x();
}

Rows seams() {
  const double way = 4.0 / (2 * 0.3 * kGravity);
  double aside = 0.0;
  Rows rows;
  rows.push_back(compare("way [m]", way, wayOverSeams(WorldOptions{}, aside), 1e-9));
  rows.push_back(vanishes("beside it [m]", "0", aside, 1e-9));
  // Steps end with their velocity there.
  const double first = wayOverSeams(WorldOptions::realTime(), aside);
  rows.push_back(compare("real time, way [m]", way - 0.5 * 2.0 * kFrame, first, 1e-3));
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"conveyor", "box on a belt of 2 m/s, mu .3", conveyor},
    {"lift", "box with e = .5 on a lift that follows a path", lift},
    {"plate", "box on a plate accelerating at mu g (1 -+ 1e-4), mu .3, 1 s", plate},
    {"seams", "box at 2 m/s over flush plates, mu .3", seams},
};

}  // namespace

std::span<const VerifyScenario> drivenScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
