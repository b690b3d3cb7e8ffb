// SPDX-License-Identifier: MIT
// Balls and a hull on a height field, in the real-time scheme with sleeping: how much it costs when
// everything has come to rest.
#include <cmath>
#include <cstdio>
#include <vector>

#include <abut/abut.hpp>

int main() {
  abut::WorldOptions options = abut::WorldOptions::realTime();
  options.sleeping = true;
  abut::World world(options);
  constexpr int kSide = 33;
  std::vector<double> heights;
  for (int j = 0; j < kSide; ++j)
    for (int i = 0; i < kSide; ++i) {
      const double x = (i - 16) / 4.0, y = (j - 16) / 4.0;
      heights.push_back(0.05 * (x * x + y * y));  // A bowl.
    }
  world.addBody({.type = abut::BodyType::Static},
                abut::HeightFieldShape(kSide, kSide, 0.25, 0.25, heights));
  abut::MaterialId rough = 0;
  world.materials().add({.friction = 0.8, .rollingResistance = 0.02}, rough).orThrow();
  for (int i = 0; i < 16; ++i) {
    const Eigen::Vector3d at(0.7 * (i % 4) - 1.0, 0.7 * (i / 4) - 1.0, 1.0);
    world.addBody({.position = at}, abut::SphereShape(0.15), rough);
  }
  const std::vector<Eigen::Vector3d> corners = {
      {0.3, 0, -0.2}, {-0.2, 0.3, -0.2}, {-0.2, -0.3, -0.2}, {0, 0, 0.4}};
  world.addBody({.position = {0, 0, 2}}, abut::ConvexShape(corners), rough);
  for (int i = 0; i < 900; ++i) world.step(1.0 / 60).orThrow();
  std::printf("after %g s %zu of 17 bodies are asleep, deepest contact %g m\n", world.getTime(),
              world.getReport().asleep, world.getReport().greatestDepth);
  return world.getReport().greatestDepth < 0.01 ? 0 : 1;
}
