// SPDX-License-Identifier: MIT
// The world of bench/python.py, stepped from C++: python_steps ROUNDS STEPS. For each byte of input
// one round: prints the CPU time of a step in it [us]; then the hash at the end.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <abut/abut.hpp>

namespace {

double cpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5, steps = argc > 2 ? std::atoi(argv[2]) : 100;
  abut::World world(abut::WorldOptions::realTime());
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}));
  for (int i = 0; i < 1000; ++i) {
    const double x = 1.5 * (i % 10), y = 1.5 * (i / 10 % 10), z = 0.5 + 1.0 * (i / 100);
    world.addBody({.position = {x, y, z}}, abut::BoxShape::fromSize({1, 1, 1}));
  }
  for (int round = 0; round < rounds; ++round) {
    if (std::getchar() == EOF) return 1;  // Rounds alternate with the other side's.
    const double begun = cpuSeconds();
    for (int i = 0; i < steps; ++i) world.step(1.0 / 60).orThrow();
    std::printf("%.3f\n", 1e6 * (cpuSeconds() - begun) / steps);
    std::fflush(stdout);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(world.hash()));
}
