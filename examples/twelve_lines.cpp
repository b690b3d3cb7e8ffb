// SPDX-License-Identifier: MIT
// A box falls on a floor; the page shows forces, energy and every contact.
#include <abut/abut.hpp>
#include <abut/io/recorder.hpp>
int main() {
  abut::World world;
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}));
  world.addBody({.position = {0, 0, 2}}, abut::BoxShape({0.5, 0.5, 0.5}));
  abut::Recorder recorder(world, "box.abut");
  for (int i = 0; i < 480; ++i) world.step(1.0 / 240).orThrow();
  recorder.writeReport("box.html");
}
