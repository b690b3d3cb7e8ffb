// SPDX-License-Identifier: MIT
// Two jaws press a box by a force and lift it: dynamic bodies on rails (locks), pressed by
// applyForce(), not position-controlled ones, which would press with whatever it takes.
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>

namespace {

constexpr double kGravity = 9.81, kMass = 0.5, kFriction = 0.8, kStep = 1.0 / 240;

/// Height that the box was lifted by [m] when pressed with a force [N].
double lift(double press) {
  abut::World world;
  abut::MaterialId rubber = 0;
  world.materials().add({.friction = kFriction}, rubber).orThrow();
  const auto box = world.addBody({.position = {0, 0, 0.05}, .mass = kMass},
                                 abut::BoxShape({0.05, 0.05, 0.05}), rubber);
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}), rubber);
  abut::ObjectId jaws[2];
  for (int side = 0; side < 2; ++side) {
    abut::BodyDescription jaw;
    jaw.position = {side == 0 ? -0.07 : 0.07, 0, 0.05};
    jaw.mass = 0.2;
    jaw.gravityScale = 0.0;  // Its carriage bears it.
    jaw.locks = abut::kLockY | abut::kLockRotation;
    jaws[side] = world.addBody(jaw, abut::BoxShape({0.02, 0.04, 0.04}), rubber);
  }
  for (int i = 0; i < 480; ++i) {
    // After half a second the jaws rise at 0.1 m/s, held by a stiff servo along z.
    const double t = i * kStep, height = 0.05 + (t > 0.5 ? 0.1 * (t - 0.5) : 0.0);
    for (int side = 0; side < 2; ++side) {
      abut::BodyMotion m;
      world.getMotion(jaws[side], m).orThrow();
      const double servo =
          400.0 * (height - m.pose.translation.z) - 40.0 * m.linearVelocity.z() + (t > 0.5 ? 4 : 0);
      world.applyForce(jaws[side], {side == 0 ? press : -press, 0, servo}, {0, 0, 0}).orThrow();
    }
    world.step(kStep).orThrow();
  }
  abut::BodyMotion m;
  world.getMotion(box, m).orThrow();
  return m.pose.translation.z - 0.05;
}

}  // namespace

int main() {
  // Two jaws hold at most 2 mu F; the box weighs m g.
  const double least = kMass * kGravity / (2.0 * kFriction);
  std::printf("least force to hold the box: %.3f N a jaw\n", least);
  for (const double press : {0.8 * least, 20.0}) {
    const double height = lift(press);
    std::printf("pressed with %6.3f N: lifted by %.1f mm\n", press, 1000 * height);
    if ((press > least) != (height > 0.1)) return 1;
  }
}
