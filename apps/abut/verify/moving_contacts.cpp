// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

constexpr double kPi = 3.14159265358979323846;

double energyAfter(const World& world) {
  return world.getStepLedger().kineticAfter + world.getStepLedger().potentialAfter;
}

ObjectId addTurntable(World& world, double rate, MaterialId material, double radius = 3.0) {
  BodyDescription table;
  table.type = BodyType::Kinematic;
  table.position = {0, 0, -0.1};
  table.angularVelocity = {0, 0, rate};
  return world.addBody(table, CylinderShape(radius, 0.2), material);
}

/// A box that sticks to a turntable stays where it is on it.
double boxOnTurntable(double frequency, const WorldOptions& options = {}) {
  const double rate = 2.0, radius = 0.5;
  World world(options);
  const MaterialId material = addMaterial(world, 10.0);
  addTurntable(world, rate, material);
  BodyDescription d;
  d.position = {radius, 0, 0.05};
  d.linearVelocity = {0, rate * radius, 0};
  d.angularVelocity = {0, 0, rate};
  const ObjectId id = addBox(world, {0.1, 0.1, 0.1}, 1.0, d, material);
  run(world, 1.0 / frequency, static_cast<int>(10 * frequency));
  const Eigen::Vector3d x = motionOf(world, id).centerOfMass;
  return std::hypot(x.x(), x.y()) / radius - 1.0;
}

/// A ball that rolls on a turntable goes round a circle with 2/7 of the table's rate: how far it is
/// from where it began after one turn [m].
double ballOnTurntable(double frequency, bool extrapolates = false, WorldOptions options = {}) {
  const double rate = 2.0, radius = 0.5;
  options.extrapolates = extrapolates;
  World world(options);
  const MaterialId material = addMaterial(world, 1.0);
  // Its circle goes up to 3 m: in real time it may be a little farther.
  addTurntable(world, rate, material, options.scheme == StepScheme::RealTime ? 4.0 : 3.0);
  BodyDescription d;
  d.position = {radius, 0, 0.1};
  d.linearVelocity = {0, rate * radius, 0};
  const ObjectId id = addSphere(world, 0.1, 1.0, d, material);
  const double period = 7.0 / 2.0 * 2.0 * kPi / rate;
  const int steps = static_cast<int>(period * frequency);
  run(world, 1.0 / frequency, steps);
  run(world, period - steps / frequency, 1);
  const Eigen::Vector3d x = motionOf(world, id).centerOfMass;
  return std::hypot(x.x() - radius, x.y());
}

/// What is left of it by any step that moves by the mean velocity and keeps the speed: on a circle
/// of radius R, at the rate w, it is late by the share (w h)^2 / 12 (docs/guide/physics.md).
double leftOnTurntable(double frequency) {
  const double speed = 1.0, rate = 2.0 / 7.0 * 2.0;
  return 2.0 * kPi * (speed / rate) * std::pow(rate / frequency, 2) / 12.0;
}

Rows turntable() {
  const double slow = ballOnTurntable(60), fast = ballOnTurntable(240),
               kilo = ballOnTurntable(1000);
  const WorldOptions realTime = WorldOptions::realTime();
  const double slow4 = ballOnTurntable(60, true), fast4 = ballOnTurntable(120, true);
  return {
      vanishes("box, 60 Hz, 10 s: radius, relative", "constant", boxOnTurntable(60), 1e-9),
      vanishes("box, 1 kHz, 10 s: radius, relative", "constant", boxOnTurntable(1000), 1e-9),
      vanishes("ball, 60 Hz: circle closes to [m]", "closed", slow, 1e-4),
      vanishes("ball, 240 Hz: circle closes to [m]", "closed", fast, 1e-5),
      vanishes("ball, 1 kHz: circle closes to [m]", "closed", kilo, 1e-8),
      compare("ball, 1 kHz: over what a step by the mean velocity leaves", 1.0,
              kilo / leftOnTurntable(1000), 1e-3),
      compare("ball: order, from 60 to 240 Hz", 2.0, std::log2(slow / fast) / 2.0, 0.05),
      vanishes("ball, 60 Hz, extrapolated: closes to [m]", "closed", slow4, 1e-8),
      vanishes("ball, 1 kHz, extrapolated: closes to [m]", "closed", ballOnTurntable(1000, true),
               1e-8),
      compare("ball, extrapolated: order, from 60 to 120 Hz", 4.0, std::log2(slow4 / fast4), 0.1),
      vanishes("real time, box, 60 Hz, 10 s: radius, relative", "constant",
               boxOnTurntable(60, realTime), 1e-3),
      vanishes("real time, box, 1 kHz, 10 s: radius, relative", "constant",
               boxOnTurntable(1000, realTime), 1e-6),
      vanishes("real time, ball, 60 Hz: circle closes to [m]", "closed",
               ballOnTurntable(60, false, realTime), 1e-3),
      vanishes("real time, ball, 1 kHz: circle closes to [m]", "closed",
               ballOnTurntable(1000, false, realTime), 5e-6)};
}

/// A disc of radius a and thickness h that rolls steadily round on its rim at an inclination: the
/// energy keeps, the inclination keeps, and its contact goes round at the rate of steady rolling,
///   Omega^2 = g (a cos - h/2 sin) / (sin (I1 cos - I3 sin h/(2a))), inertias about the centre.
struct Disc {
  double degrees, frequency;
  double energy, tilt, rate;  ///< Bars.
};

void addDisc(const Disc& disc, Rows& rows) {
  const double a = 0.04, h = 0.004, tilt = disc.degrees * kPi / 180, frequency = disc.frequency;
  const double inertia1 = (3 * a * a + h * h) / 12, inertia3 = a * a / 2;
  const double s = std::sin(tilt), c = std::cos(tilt);
  const double rate =
      std::sqrt(kGravity * (a * c - h / 2 * s) / (s * (inertia1 * c - inertia3 * s * h / (2 * a))));
  const Eigen::Vector3d axis(s, 0, c), up = (Eigen::Vector3d(0, 0, 1) - axis * c) / s;
  const double height = a * s + h / 2 * c;
  World world;
  const MaterialId material = addMaterial(world, 100.0);
  addGround(world, material);
  BodyDescription d;
  d.position = {0, 0, height};
  d.orientation = Quat{std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
  d.angularVelocity = up * (rate * s) + axis * (rate * s * h / (2 * a));
  d.mass = 1.0;
  d.inertia = {inertia1, inertia1, inertia3};
  const ObjectId id = world.addBody(d, CylinderShape(a, h), material);
  double first = 0.0, lowest = kPi, highest = 0.0, turn = 0.0, heading = 0.0;
  for (int i = 0; i < static_cast<int>(2 * frequency); ++i) {
    world.step(1.0 / frequency).orThrow();
    if (i == 0) {
      first = world.getStepLedger().kineticBefore + world.getStepLedger().potentialBefore;
    }
    const Quat q = motionOf(world, id).orientation;
    const double z = 1 - 2 * (q.x * q.x + q.y * q.y);
    const double now = std::atan2(2 * (q.y * q.z - q.w * q.x), 2 * (q.x * q.z + q.w * q.y));
    lowest = std::min(lowest, std::acos(std::min(1.0, z)));
    highest = std::max(highest, std::acos(std::min(1.0, z)));
    turn += std::remainder(now - heading, 2 * kPi);
    heading = now;
  }
  const auto what = [&](const char* text) {
    return fmt::format("{} deg, {} Hz, {:.2f} rad a step, 2 s: {}", disc.degrees, frequency,
                       rate / frequency, text);
  };
  rows.push_back(vanishes(what("energy / m g z"), "constant",
                          (energyAfter(world) - first) / (kGravity * height), disc.energy));
  rows.push_back(vanishes(what("inclination [rad]"), "constant",
                          std::max(highest - tilt, tilt - lowest), disc.tilt));
  rows.push_back(
      compareRelative(what("rate of the contact [rad/s], relative"), rate, turn / 2.0, disc.rate));
}

Rows eulersDisk() {
  Rows rows;
  addDisc({12, 60, 1e-5, 1e-3, 1e-2}, rows);
  addDisc({12, 240, 1e-5, 1e-3, 1e-2}, rows);
  addDisc({12, 1000, 1e-7, 1e-4, 1e-3}, rows);
  addDisc({25, 1000, 1e-7, 1e-4, 1e-3}, rows);
  addDisc({3, 60, 1e-5, 1e-3, 1e-2}, rows);
  return rows;
}

/// A ball slides without friction from the top of a fixed sphere: its energy keeps until it leaves
/// at cos = 2/3 cos of where it began.
Rows ballOnSphere() {
  const double start = 0.1, far = 1.1;
  Rows rows;
  for (const int frequency : {60, 1000}) {
    World world;
    const MaterialId material = addMaterial(world, 0.0);
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, SphereShape(1.0), material);
    BodyDescription d;
    d.position = Eigen::Vector3d(std::sin(start), 0, std::cos(start)) * far;
    const ObjectId id = addSphere(world, 0.1, 1.0, d, material);
    double first = 0.0, last = 0.0, left = start;
    for (int i = 0; i < 5 * frequency; ++i) {
      world.step(1.0 / frequency).orThrow();
      if (i == 0) {
        first = world.getStepLedger().kineticBefore + world.getStepLedger().potentialBefore;
      }
      const Eigen::Vector3d x = motionOf(world, id).centerOfMass;
      double force = 0.0;
      for (const WorldContact& contact : world.getContacts()) force += contact.normalForce;
      if (force > 0.0) {
        left = std::acos(x.z() / x.norm());
        last = energyAfter(world);
      }
      if (x.norm() > far + 0.05) break;
    }
    // One step covers v dt / far = sqrt(2 far g (cos start - cos left)) dt / far.
    const double truth = std::acos(2.0 / 3.0 * std::cos(start));
    const double step =
        std::sqrt(2 * kGravity * (std::cos(start) - std::cos(truth)) / far) / frequency;
    const auto what = [&](const char* text) { return fmt::format("{} Hz: {}", frequency, text); };
    rows.push_back(vanishes(what("energy / m g (R + r)"), "constant",
                            (last - first) / (kGravity * far), frequency < 1000 ? 1e-4 : 1e-6));
    rows.push_back(compare(what("last pressed at [rad], within a step"), truth, left, 1.01 * step));
  }
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"turntable", "box (mu 10) and rolling ball (mu 1) on a table turning at 2 rad/s", turntable},
    {"eulers-disk", "disc of 8 cm rolling round on its rim, mu 100", eulersDisk},
    {"ball-on-sphere", "ball of .1 m sliding off a sphere of 1 m, mu 0", ballOnSphere},
};

}  // namespace

std::span<const VerifyScenario> movingContactScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
