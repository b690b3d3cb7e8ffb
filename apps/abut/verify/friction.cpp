// SPDX-License-Identifier: MIT
#include <cmath>

#include "scenario.hpp"

namespace abut::tool {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kHeadings = 96;

struct Heading {
  double c, s;
  explicit Heading(int i)
      : c(std::cos(2 * kPi * i / kHeadings)), s(std::sin(2 * kPi * i / kHeadings)) {}
  Eigen::Vector3d along() const { return {c, s, 0}; }
  Eigen::Vector3d across() const { return {-s, c, 0}; }
};

/// A box sliding on a plane through the origin, alone in its world.
BodyMotion slide(int heading, const Eigen::Vector3d& size, double speed, double mu, double dt,
                 int steps) {
  World world;
  const MaterialId material = addMaterial(world, mu);
  addGround(world, material);
  BodyDescription d;
  d.position = {0, 0, 0.5 * size.z()};
  d.linearVelocity = speed * Heading(heading).along();
  const ObjectId id = addBox(world, size, 1.0, d, material);
  run(world, dt, steps);
  return motionOf(world, id);
}

/// Unit cube, 1 kg, mu 0.5, 10 m/s, dt 0.016, 60 frames: 10 - mu g 0.96 s.
Rows slidingCube() {
  const double truth = 10.0 - 0.5 * kGravity * 0.96;
  double worst = truth, drift = 0.0, turn = 0.0;
  for (int i = 0; i < kHeadings; ++i) {
    const BodyMotion m = slide(i, {1, 1, 1}, 10.0, 0.5, 0.016, 60);
    const double speed = m.linearVelocity.dot(Heading(i).along());
    if (std::fabs(speed - truth) > std::fabs(worst - truth)) worst = speed;
    drift = std::max(drift, std::fabs(m.centerOfMass.dot(Heading(i).across())));
    turn = std::max(turn, m.angularVelocity.norm());
  }
  return {compare("speed at the worst heading [m/s]", truth, worst, 1e-12),
          vanishes("drift at the worst heading [m]", "0", drift, 1e-12),
          vanishes("rotation [rad/s]", "0", turn, 1e-12)};
}

/// v0^2 / (2 mu g), whatever the heading.
Rows slidingBox() {
  const double truth = 9.0 / (2 * 0.3 * kGravity);
  double least = 1e9, most = 0.0;
  for (int i = 0; i < kHeadings; ++i) {
    const BodyMotion m = slide(i, {0.5, 0.5, 0.1}, 3.0, 0.3, kFrame, 90);
    const double way = m.centerOfMass.dot(Heading(i).along());
    least = std::min(least, way);
    most = std::max(most, way);
  }
  const double worst = most - truth > truth - least ? most : least;
  return {compare("way at the worst heading [m]", truth, worst, 1e-6),
          vanishes("spread over headings [m]", "0", most - least, 1e-12)};
}

/// A cube on a plane whose slope is mu (1 + excess), for 60 s.
Rows incline() {
  const double mu = 0.5;
  double creep = 0.0, rate = 0.0, truth = 0.0;
  for (const double excess : {-1e-6, 1e-6}) {
    World world;
    const MaterialId material = addMaterial(world, mu);
    const double slope = std::atan(mu * (1 + excess));
    const Eigen::Vector3d normal(std::sin(slope), 0, std::cos(slope));
    const Eigen::Vector3d down(std::cos(slope), 0, -std::sin(slope));
    addGround(world, material, normal);
    BodyDescription d;
    d.position = 0.5 * normal;
    d.orientation = {std::cos(slope / 2), 0, std::sin(slope / 2), 0};
    const ObjectId id = addBox(world, {1, 1, 1}, 1.0, d, material);
    run(world, kFrame, 3600);
    const BodyMotion m = motionOf(world, id);
    if (excess < 0.0) {
      creep = (m.centerOfMass - d.position).norm();
    } else {
      rate = m.linearVelocity.dot(down) / 60.0;
      truth = kGravity * std::cos(slope) * mu * excess;
    }
  }
  return {vanishes("creep in 60 s, tan = mu (1 - 1e-6) [m]", "sticks", creep, 1e-9),
          compare("acceleration, tan = mu (1 + 1e-6) [m/s2]", truth, rate, 1e-9)};
}

/// v falls by mu g t, w R grows by 5/2 mu g t, until they are equal at 5/7 v0.
Rows slipToRoll() {
  World world;
  const double mu = 0.3, v0 = 7.0, radius = 0.11;
  const MaterialId material = addMaterial(world, mu);
  addGround(world, material);
  BodyDescription d;
  d.position = {0, 0, radius};
  d.linearVelocity = {v0, 0, 0};
  const ObjectId id = addSphere(world, radius, 1.0, d, material);
  // Time at which it rolls: where the line of the sliding speeds meets the last speed.
  double slope = 0.0;
  for (int i = 0; i < 30; ++i) world.step(kFrame).orThrow();
  slope = (v0 - motionOf(world, id).linearVelocity.x()) / (30 * kFrame);
  run(world, kFrame, 30);
  const BodyMotion m = motionOf(world, id);
  const double v = m.linearVelocity.x(), t = (v0 - v) / slope;
  const double x = m.centerOfMass.x() - v * (60 * kFrame - t);
  const double truthTime = 2.0 * v0 / (7.0 * mu * kGravity);
  return {compare("rolling speed [m/s]", 5.0, v, 1e-12),
          compare("rim speed [m/s]", 5.0, m.angularVelocity.y() * radius, 1e-12),
          compare("rolls from [s]", truthTime, t, 1e-6),
          compare("rolls from [m]", 6.0 * truthTime, x, 1e-6)};
}

/// Friction 2/7 m g sin keeps a sphere rolling; the speed grows by 5/7 g sin.
Rows rollingDown() {
  World world;
  const double slope = 15 * kPi / 180, radius = 0.05;
  const MaterialId material = addMaterial(world, 0.5);
  const Eigen::Vector3d normal(std::sin(slope), 0, std::cos(slope));
  const Eigen::Vector3d down(std::cos(slope), 0, -std::sin(slope));
  addGround(world, material, normal);
  BodyDescription d;
  d.position = radius * normal;
  const ObjectId id = addSphere(world, radius, 1.0, d, material);
  const double truth = 2.0 / 7.0 * kGravity * std::sin(slope);
  double worst = truth;
  for (int i = 0; i < 1000; ++i) {
    world.step(1e-3).orThrow();
    Eigen::Vector3d force(0, 0, 0);
    for (const WorldContact& c : world.getContacts()) force += c.frictionForce;
    if (std::fabs(force.norm() - truth) > std::fabs(worst - truth)) worst = force.norm();
  }
  const double v = motionOf(world, id).linearVelocity.dot(down);
  return {compareRelative("speed after 1 s [m/s], relative", 5.0 / 7.0 * kGravity * std::sin(slope),
                          v, 1e-12),
          compareRelative("friction, worst step [N], relative", truth, worst, 1e-12)};
}

constexpr VerifyScenario kScenarios[] = {
    {"sliding-cube", "seed 001: 10 m/s, mu .5, dt .016, 60 frames, 96 headings", slidingCube},
    {"sliding-box", ".5x.5x.1, 3 m/s, mu .3, 96 headings", slidingBox},
    {"incline", "cube on tan = mu (1 -+ 1e-6), mu .5, 60 s", incline},
    {"slip-to-roll", "sphere R .11, 7 m/s, mu .3", slipToRoll},
    {"rolling-down", "sphere R .05 on 15 degrees, dt 1e-3, 1 s", rollingDown},
};

}  // namespace

std::span<const VerifyScenario> frictionScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
