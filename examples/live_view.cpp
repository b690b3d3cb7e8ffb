// SPDX-License-Identifier: MIT
// A program's own world in a browser while the program steps it: live_view forever, then open the
// address that it prints, drag crates by the mouse, pause, change gravity. Without the word it
// makes two seconds of steps as fast as it can and ends.
#include <cstdio>
#include <string>

#include <abut/abut.hpp>
#include <abut/io/live_view.hpp>

int main(int argc, char** argv) {
  const bool forever = argc > 1 && std::string(argv[1]) == "forever";
  const double dt = 1.0 / 240;

  abut::World world;
  const abut::MaterialId wood = world.materials().add({.friction = 0.5, .density = 500.0});
  world.addBody({.type = abut::BodyType::Static, .name = "floor"}, abut::PlaneShape({0, 0, 1}));
  for (int i = 0; i < 5; ++i) {
    world.addBody({.position = {0, 0, 0.25 + 0.5 * i}, .name = "crate " + std::to_string(i)},
                  abut::BoxShape::fromSize({0.5, 0.5, 0.5}), wood);
  }

  abut::LiveView view(world, {.name = "crates", .speed = forever ? 1.0 : 0.0, .step = dt});
  std::printf("%s\n", view.getAddress().c_str());
  std::fflush(stdout);
  for (int i = 0; forever || i < 480; ++i) {
    view.sync();  // Shows the world, waits for the clock, makes what the page asks for.
    world.step(dt).orThrow();
  }
  std::printf("%s rests at %g m\n", world.name(world.find("crate 4")).c_str(),
              world.motion(world.find("crate 4")).position.z());
  return world.getReport().converged ? 0 : 1;
}
