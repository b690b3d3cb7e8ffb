// SPDX-License-Identifier: MIT
// Five boxes on each other: every interface carries the weight above it.
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>

int main() {
  abut::World world;
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}));
  for (int i = 0; i < 5; ++i)
    world.addBody({.position = {0, 0, 0.5 + i}, .mass = 1.0}, abut::BoxShape({0.5, 0.5, 0.5}));
  const double dt = 1.0 / 240;
  for (int i = 0; i < 240; ++i) world.step(dt).orThrow();
  bool isRight = true;
  int above = 5;
  for (const abut::ContactEvent& e : world.getEvents()) {
    const double force = e.normalImpulse / dt;
    std::printf("bodies %d and %d: %.9f N\n", static_cast<int>(e.object1),
                static_cast<int>(e.object2), force);
    isRight = isRight && std::fabs(force - 9.81 * above--) < 1e-6;
  }
  std::printf("energy unaccounted for: %g J\n", world.getLedger().residual());
  return isRight && above == 0 ? 0 : 1;
}
