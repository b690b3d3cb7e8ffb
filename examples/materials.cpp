// SPDX-License-Identifier: MIT
// Friction and bounce: boxes on a slope slide or stay as tan(angle) and mu say; balls bounce to e^2
// h.
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>

int main() {
  bool isRight = true;
  const double angle = 0.4;  // tan = 0.42
  for (const double mu : {0.2, 0.4, 0.5, 0.8}) {
    abut::World world;
    abut::MaterialId wood = 0;
    world.materials().add({.friction = mu}, wood).orThrow();
    const Eigen::Vector3d normal(std::sin(angle), 0, std::cos(angle));
    world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape(normal), wood);
    abut::BodyDescription box;
    box.position = 0.1 * normal;
    box.orientation = {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
    const auto id = world.addBody(box, abut::BoxShape({0.2, 0.2, 0.1}), wood);
    for (int i = 0; i < 240; ++i) world.step(1.0 / 240).orThrow();
    abut::BodyMotion motion;
    world.getMotion(id, motion).orThrow();
    const double way = (motion.centerOfMass - box.position).norm();
    const double a = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    const double expected = a > 0 ? 0.5 * a : 0.0;
    std::printf("mu = %.1f: slid %.6f m, expected %.6f m\n", mu, way, expected);
    isRight = isRight && std::fabs(way - expected) < 1e-3;
  }
  for (const double e : {0.5, 0.9}) {
    abut::World world;
    abut::MaterialId rubber = 0;
    world.materials().add({.restitution = e}, rubber).orThrow();
    world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}), rubber);
    const auto ball = world.addBody({.position = {0, 0, 1.1}}, abut::SphereShape(0.1), rubber);
    double highest = 0;
    bool hasBounced = false;
    for (int i = 0; i < 1000; ++i) {
      world.step(1e-3).orThrow();
      abut::BodyMotion motion;
      world.getMotion(ball, motion).orThrow();
      hasBounced = hasBounced || motion.linearVelocity.z() > 0;
      if (hasBounced) highest = std::fmax(highest, motion.centerOfMass.z() - 0.1);
    }
    std::printf("e = %.1f: bounced to %.4f m, expected %.4f m\n", e, highest, e * e);
    isRight = isRight && std::fabs(highest - e * e) < 0.01;
  }
  return isRight ? 0 : 1;
}
