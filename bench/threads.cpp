// SPDX-License-Identifier: MIT
// What threads bring: the time of a step on 1, 2, 4 ... threads, from one settled state of each
// scene, and whether the states that they end in are the same.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <abut/abut.hpp>
#include <abut/tbb/tbb_tasks.hpp>

#include "many_spheres.hpp"
#include "support/standard_scenes.hpp"

namespace {

using namespace abut;
using bench::manySpheres;

struct Bars {
  int hold = 0, all = 0;
  void check(const std::string& what, bool holds) {
    std::printf("     %-50s %s\n", what.c_str(), holds ? "holds" : "FAILS");
    hold += holds ? 1 : 0;
    ++all;
  }
};

/// Median time of a step [ms], and the hash of the state after the steps.
double timeOf(World& world, int steps, std::uint64_t& hash) {
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    world.step(test::kStep).orThrow();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count());
  }
  std::sort(times.begin(), times.end());
  hash = world.hash();
  return times[times.size() / 2];
}

void compare(const test::StandardScene& scene, int settle, int steps, int most, Bars& bars) {
  WorldOptions options = WorldOptions::realTime();
  TbbTasks all(most);
  options.tasks = &all;
  World settled(options);
  test::addBodies(scene, settled);
  for (int i = 0; i < settle; ++i) settled.step(test::kStep).orThrow();
  const std::vector<std::byte> snapshot = settled.snapshot();
  std::printf("%c  %s, steps %d to %d\n", scene.id, scene.title.c_str(), settle, settle + steps);
  double alone = 0.0, two = 0.0, last = 0.0;
  std::uint64_t expected = 0;
  bool same = true;
  std::vector<int> counts;
  for (int threads = 1; threads < most; threads *= 2) counts.push_back(threads);
  counts.push_back(most);
  for (const int threads : counts) {
    TbbTasks tasks(threads);
    settled.setTasks(threads == 1 ? nullptr : &tasks);
    settled.restore(snapshot).orThrow();
    std::uint64_t hash = 0;
    last = timeOf(settled, steps, hash);
    if (threads == 1) alone = last, expected = hash;
    if (threads == 2) two = last;
    same = same && hash == expected;
    std::printf("  %3d threads %9.3f ms/step %6.2fx  %016llx\n", threads, last, alone / last,
                static_cast<unsigned long long>(hash));
    std::fflush(stdout);
    settled.setTasks(nullptr);
  }
  bars.check("the same bits on all numbers of threads", same);
  if (two > 0.0 && std::strchr("bce", scene.id) != nullptr) {
    bars.check("two threads at least 1.7 times as fast", alone >= 1.7 * two);
  }
  if (most >= 16 && scene.id == 's') {
    bars.check("all threads at least 8 times as fast", alone >= 8.0 * last);
  }
}

/// Time of a step against the number of bodies, and its exponent, in heaps of spheres.
void compareSizes(int settle, int steps, int most, Bars& bars) {
  TbbTasks all(most);
  double first = 0.0, last = 0.0;
  constexpr int kLeast = 1000, kMost = 64000;
  std::printf("n  time against the number of spheres, one thread\n");
  for (int count = kLeast; count <= kMost; count *= 4) {
    WorldOptions options = WorldOptions::realTime();
    options.tasks = &all;
    World world(options);
    test::addBodies(manySpheres(count), world);
    for (int i = 0; i < settle; ++i) world.step(test::kStep).orThrow();
    world.setTasks(nullptr);
    std::uint64_t hash = 0;
    last = timeOf(world, steps, hash);
    if (count == kLeast) first = last;
    std::printf("  %6d spheres %9.3f ms/step %9.3f us a body\n", count, last, 1e3 * last / count);
    std::fflush(stdout);
  }
  const double exponent = std::log(last / first) / std::log(static_cast<double>(kMost) / kLeast);
  std::printf("  exponent %.2f\n", exponent);
  bars.check("the exponent is at most 1.1", exponent <= 1.1);
}

/// Ten thousand cubes asleep, and one that moves.
void timeSleepers(int steps) {
  WorldOptions options = WorldOptions::realTime();
  options.sleeping = true;
  World world(options);
  const auto cube = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
  world.addBody({.type = BodyType::Static}, BoxShape({200, 200, 1}));
  for (int i = 0; i < 10000; ++i) {
    BodyDescription body;
    body.position = {1.5 * (i % 100) - 75, 1.5 * (i / 100) - 75, 1.5};
    world.addBody(body, cube);
  }
  BodyDescription runner;
  runner.position = {-100, 0, 1.5};
  runner.linearVelocity = {1, 0, 0};
  const ObjectId moving = world.addBody(runner, SphereShape(0.5));
  for (int i = 0; i < 90; ++i) world.step(test::kStep).orThrow();
  world.setVelocity(moving, {1, 0, 0}, {0, 2, 0}).orThrow();
  std::uint64_t hash = 0;
  std::printf("z  10 000 cubes asleep, one sphere that rolls\n  %9.3f ms/step\n",
              timeOf(world, steps, hash));
}

}  // namespace

int main(int argc, char** argv) {
  const char* wanted = "bcefsnz";
  int most = static_cast<int>(std::thread::hardware_concurrency()), steps = 40, settle = 150;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--scenes=", 9) == 0) {
      wanted = argv[i] + 9;
    } else if (std::strncmp(argv[i], "--threads=", 10) == 0) {
      most = std::atoi(argv[i] + 10);
    } else if (std::strncmp(argv[i], "--steps=", 8) == 0) {
      steps = std::atoi(argv[i] + 8);
    } else if (std::strncmp(argv[i], "--settle=", 9) == 0) {
      settle = std::atoi(argv[i] + 9);
    } else {
      std::fprintf(
          stderr,
          "usage: bench_threads [--scenes=bcefsnz] [--threads=N] [--steps=N] [--settle=N]\n");
      return 2;
    }
  }
  Bars bars;
  for (const test::StandardScene& scene : test::makeStandardScenes()) {
    if (std::strchr(wanted, scene.id) != nullptr) compare(scene, settle, steps, most, bars);
  }
  if (std::strchr(wanted, 's') != nullptr) {
    compare(manySpheres(32000), settle, steps, most, bars);
  }
  if (std::strchr(wanted, 'n') != nullptr) compareSizes(settle, steps, most, bars);
  if (std::strchr(wanted, 'z') != nullptr) timeSleepers(steps);
  std::printf("%d of %d bars hold\n", bars.hold, bars.all);
  return bars.hold == bars.all ? 0 : 1;
}
