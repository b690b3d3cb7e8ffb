// SPDX-License-Identifier: MIT
// Instructions of a step, which no load of the machine disturbs. Counting slows a program down by
// fifty, so a scene is brought to its state without it:
//   bench_counts SCENE STEP save FILE     makes the steps and saves the state
//   bench_counts SCENE STEPS count FILE   goes on from there by so many steps; under callgrind with
//                                         --toggle-collect='abut::*World::step(double)'
//   bench_counts SCENE STEPS memory       makes the steps and says how much memory a body takes,
//   with
//                                         its contacts and all buffers, as the C library counts it
// With a fifth argument, `shared`, work is cut up as for two threads, on one: what is not in a
// chunk then is what threads do not help with.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <malloc.h>
#include <vector>

#include <abut/abut.hpp>

#include "sleepers.hpp"
#include "support/standard_scenes.hpp"

namespace {

using namespace abut;

World makeWorld(char id) {
  if (id == 'z') return bench::makeSleepers();
  for (const test::StandardScene& scene : test::makeStandardScenes()) {
    if (scene.id != id) continue;
    World world(WorldOptions::realTime());
    test::addBodies(scene, world);
    return world;
  }
  throw Error(StatusCode::OutOfRange, "bench_counts: scenes are a to f, and z");
}

/// Memory that is in use [B].
double usedMemory() {
  const struct mallinfo2 now = mallinfo2();
  return static_cast<double>(now.uordblks) + static_cast<double>(now.hblkhd);
}

int showMemory(char id, int steps) {
  test::makeStandardScenes();  // What the library sets up once.
  const double before = usedMemory();
  World world = makeWorld(id);
  for (int i = 0; i < steps; ++i) world.step(test::kStep).orThrow();
  const double bytes = usedMemory() - before, bodies = static_cast<double>(world.numBodies());
  const double contacts = static_cast<double>(world.getContacts().size());
  std::printf("%.0f bytes a body, %.0f a contact, %.2f contacts a body\n", bytes / bodies,
              bytes / contacts, contacts / bodies);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[3], "memory") == 0) {
    return showMemory(argv[1][0], std::atoi(argv[2]));
  }
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr,
                 "usage: bench_counts SCENE STEPS save|count FILE [shared] | SCENE STEPS memory\n");
    return 2;
  }
  ShuffledTasks tasks(1, 2);
  World world = makeWorld(argv[1][0]);
  if (argc == 6) world.setTasks(&tasks);
  const bool saves = std::strcmp(argv[3], "save") == 0;
  if (!saves) {
    std::ifstream file(argv[4], std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    world.restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}).orThrow();
  }
  for (int i = 0; i < std::atoi(argv[2]); ++i) world.step(test::kStep).orThrow();
  if (saves) {
    const std::vector<std::byte> bytes = world.snapshot();
    std::ofstream(argv[4], std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  std::printf("%016llx, %d sweeps, %zu contacts\n", static_cast<unsigned long long>(world.hash()),
              world.getReport().sweeps, world.getContacts().size());
}
