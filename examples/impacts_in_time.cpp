// SPDX-License-Identifier: MIT
// A ball that bounces at exact times: impacts located to rounding, no step to choose.
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>

int main() {
  abut::World world;
  abut::MaterialId rubber = 0;
  const double e = 0.8, g = 9.81, height = 1.0;
  world.materials().add({.restitution = e}, rubber).orThrow();
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}), rubber);
  world.addBody({.position = {0, 0, 0.1 + height}}, abut::SphereShape(0.1), rubber);
  abut::ImpactSimulation simulation(world);
  simulation.advance(2.0).orThrow();
  double expected = std::sqrt(2 * height / g), speed = std::sqrt(2 * g * height);
  double worst = 0;
  for (const abut::HybridEvent& event : simulation.getRecord().events) {
    if (event.kind != abut::HybridEventKind::Impact) continue;
    worst = std::fmax(worst, std::fabs(event.time - expected));
    std::printf("impact at %.15f s, expected %.15f s\n", event.time, expected);
    speed *= e;
    expected += 2 * speed / g;
  }
  return simulation.numImpacts() >= 3 && worst < 1e-12 ? 0 : 1;
}
