// SPDX-License-Identifier: MIT
// What cannot give way: presses, drives with limits, bodies placed in one another.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

WorldOptions optionsOf(bool realTime) {
  return realTime ? WorldOptions::realTime() : WorldOptions{};
}

const char* nameOf(bool realTime) {
  return realTime ? "real time" : "exact";
}

/// A plate comes down at 1 m/s on a body of 1 t that stands on the ground. The body can do no
/// better than to go at half that speed: both its contacts close at .5 m/s, and no force is more
/// than its weight and what would stop it in a step at the speed of closing.
Rows press() {
  Rows rows;
  for (const bool realTime : {false, true}) {
    for (const bool round : {false, true}) {
      World world(optionsOf(realTime));
      const MaterialId material = addMaterial(world, 0.5);
      const ObjectId ground = addGround(world, material);
      BodyDescription d;
      d.position = {0, 0, 0.5};
      const ObjectId body = round ? addSphere(world, 0.5, 1000.0, d, material)
                                  : addBox(world, {1, 1, 1}, 1000.0, d, material);
      BodyDescription plate;
      plate.type = BodyType::Kinematic;
      plate.position = {0, 0, 1.2};
      plate.linearVelocity = {0, 0, -1};
      const ObjectId plateId =
          world.addBody(plate, std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 0.1)), material);
      int missed = 0;
      double speed = 0.0, force = 0.0;
      for (int i = 0; i < 14; ++i) {
        world.step(kFrame).orThrow();
        const StepReport& report = world.getReport();
        for (const WorldContact& c : world.getContacts()) force = std::max(force, c.normalForce);
        if (i < 7) continue;  // From here on there is less room than the body is high.
        const bool named = report.pressed1 == body || report.pressed2 == body;
        const bool other = report.pressed1 == plateId || report.pressed2 == plateId ||
                           report.pressed1 == ground || report.pressed2 == ground;
        if (report.converged || report.presses != 1 || !named || !other) ++missed;
        speed = std::max(speed, std::fabs(report.pressSpeed - 0.5));
      }
      const std::string name = fmt::format("{}, {}: ", nameOf(realTime), round ? "sphere" : "box");
      rows.push_back(vanishes(name + "steps not told as a press", "0", missed, 0));
      rows.push_back(vanishes(name + "closing speed [m/s]", "0.5", speed, 1e-3));
      const double most = 1000.0 * (2 * kGravity + 1.0 / kFrame);
      rows.push_back(
          vanishes(name + "force over the bound", "bounded", std::max(0.0, force / most - 1.0), 0));
    }
  }
  return rows;
}

/// Two jaws with a limit of 20 N close on a box of 1 kg, mu .6, and lift it.
Rows gripper() {
  Rows rows;
  for (const bool realTime : {false, true}) {
    World world(optionsOf(realTime));
    const MaterialId material = addMaterial(world, 0.6);
    addGround(world, material);
    BodyDescription d;
    d.position = {0, 0, 0.1};
    const ObjectId box = addBox(world, {0.2, 0.2, 0.2}, 1.0, d, material);
    ObjectId jaws[2];
    for (const int k : {0, 1}) {
      BodyDescription jaw;
      jaw.type = BodyType::Kinematic;
      jaw.mass = 0.5;
      jaw.maxForce = {20, kNoLimit, kNoLimit};
      jaw.position = {k == 0 ? -0.17 : 0.17, 0, 0.1};
      jaw.linearVelocity = {k == 0 ? 0.1 : -0.1, 0, 0};
      jaws[k] = world.addBody(jaw, std::make_shared<BoxShape>(Eigen::Vector3d(0.02, 0.05, 0.05)),
                              material);
    }
    run(world, kFrame, 60);
    const auto lift = [&](double up) {
      world.setVelocity(jaws[0], {0.1, 0, up}, {0, 0, 0}).orThrow();
      world.setVelocity(jaws[1], {-0.1, 0, up}, {0, 0, 0}).orThrow();
    };
    for (int i = 1; i <= 10; ++i) {
      lift(0.01 * i);
      run(world, kFrame, 1);
    }
    const double from = motionOf(world, box).centerOfMass.z();
    run(world, kFrame, 120);
    double carried = 0.0, grip = 0.0;
    for (const DriverReport& r : world.getDrivers()) {
      carried += r.force.z();
      grip = std::max(grip, std::fabs(std::fabs(r.force.x()) - 20.0));
    }
    const std::string name = nameOf(realTime);
    const double rise = motionOf(world, box).centerOfMass.z() - from;
    rows.push_back(compare(name + ": lifted in 2 s [m]", 0.2, rise, realTime ? 1e-6 : 1e-12));
    rows.push_back(vanishes(name + ": grip beside its limit [N]", "20", grip, 1e-9));
    rows.push_back(compare(name + ": carried [N]", kGravity, carried, realTime ? 1e-4 : 1e-9));
  }
  return rows;
}

/// A hundred bodies in one place, over the ground: they part, and none passes it.
Rows coincident() {
  Rows rows;
  for (const bool realTime : {true}) {
    for (const bool round : {false, true}) {
      const int count = 100;
      World world(optionsOf(realTime));
      const MaterialId material = addMaterial(world, 0.5);
      addGround(world, material);
      std::vector<ObjectId> ids;
      for (int i = 0; i < count; ++i) {
        BodyDescription d;
        d.position = {0, 0, 0.2};
        ids.push_back(round ? addSphere(world, 0.1, 1.0, d, material)
                            : addBox(world, {0.2, 0.2, 0.2}, 1.0, d, material));
      }
      double lowest = 1.0, farthest = 0.0;
      std::vector<Eigen::Vector3d> last(ids.size(), Eigen::Vector3d(0, 0, 0.2));
      for (int i = 0; i < 300; ++i) {
        world.step(kFrame).orThrow();
        for (std::size_t k = 0; k < ids.size(); ++k) {
          const BodyMotion m = motionOf(world, ids[k]);
          lowest = std::min(lowest, m.centerOfMass.z());
          const double way = (m.centerOfMass - last[k]).norm() - m.linearVelocity.norm() * kFrame;
          farthest = std::max(farthest, way);
          last[k] = m.centerOfMass;
        }
      }
      const std::string name =
          fmt::format("{}, {}: ", nameOf(realTime), round ? "spheres" : "boxes");
      rows.push_back(
          vanishes(name + "centres below the ground [m]", "none", std::max(0.0, -lowest), 0));
      rows.push_back(vanishes(name + "correction in a step over .1 m", "bounded",
                              std::max(0.0, farthest / 0.1 - 1.0), 0));
      rows.push_back(vanishes(name + "overlap in the end [m]", "apart",
                              std::max(0.0, world.getReport().greatestDepth), 0.01));
    }
  }
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"press", "a plate on a body of 1 t at 1 m/s", press},
    {"gripper", "jaws with a limit of 20 N lift 1 kg", gripper},
    {"coincident", "100 bodies of 20 cm in one place, in real time", coincident},
};

}  // namespace

std::span<const VerifyScenario> yieldingScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
