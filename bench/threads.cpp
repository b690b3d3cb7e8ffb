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
#include "sleepers.hpp"
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

/// Time of each step [ms]: the least that it took so far. The hash of the state after them.
std::uint64_t timeSteps(World& world, std::vector<double>& least) {
  for (double& best : least) {
    const auto start = std::chrono::steady_clock::now();
    world.step(test::kStep).orThrow();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return world.hash();
}

double medianOf(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Median time of a step [ms], and the hash of the state after the steps.
double timeOf(World& world, int steps, std::uint64_t& hash) {
  std::vector<double> times(static_cast<std::size_t>(steps), 1e300);
  hash = timeSteps(world, times);
  return medianOf(times);
}

/// What is to be timed.
struct Plan {
  int settle, steps, most, rounds;
};

/// The same steps on all numbers of threads, one after the other, in several rounds: what else the
/// machine does then hits all of them alike, and of each step the least time counts.
void compare(const test::StandardScene& scene, const Plan& plan, Bars& bars) {
  WorldOptions options = WorldOptions::realTime();
  TbbTasks all(plan.most);
  options.tasks = &all;
  World settled(options);
  test::addBodies(scene, settled);
  for (int i = 0; i < plan.settle; ++i) settled.step(test::kStep).orThrow();
  const std::vector<std::byte> snapshot = settled.snapshot();
  std::printf("%c  %s, steps %d to %d\n", scene.id, scene.title.c_str(), plan.settle,
              plan.settle + plan.steps);
  std::vector<int> counts;
  for (int threads = 1; threads < plan.most; threads *= 2) counts.push_back(threads);
  counts.push_back(plan.most);
  std::vector<std::vector<double>> times(
      counts.size(), std::vector<double>(static_cast<std::size_t>(plan.steps), 1e300));
  std::vector<std::uint64_t> hashes(counts.size());
  for (int round = 0; round < plan.rounds; ++round) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      TbbTasks tasks(counts[k]);
      settled.setTasks(counts[k] == 1 ? nullptr : &tasks);
      settled.restore(snapshot).orThrow();
      hashes[k] = timeSteps(settled, times[k]);
      settled.setTasks(nullptr);
    }
  }
  const double alone = medianOf(times[0]);
  double two = 0.0, last = alone;
  bool same = true;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    last = medianOf(times[k]);
    if (counts[k] == 2) two = last;
    same = same && hashes[k] == hashes[0];
    std::printf("  %3d threads %9.3f ms/step %6.2fx  %016llx\n", counts[k], last, alone / last,
                static_cast<unsigned long long>(hashes[k]));
  }
  std::fflush(stdout);
  bars.check("the same bits on all numbers of threads", same);
  if (two > 0.0 && std::strchr("bce", scene.id) != nullptr) {
    bars.check("two threads at least 1.7 times as fast", alone >= 1.7 * two);
  }
  if (plan.most >= 16 && scene.id == 's') {
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

/// Ten thousand cubes asleep, and a sphere that rolls.
void timeSleepers(int steps) {
  World world = bench::makeSleepers();
  for (int i = 0; i < 90; ++i) world.step(test::kStep).orThrow();
  std::uint64_t hash = 0;
  std::printf("z  10 000 cubes asleep, one sphere that rolls\n  %9.3f ms/step\n",
              timeOf(world, steps, hash));
}

}  // namespace

int main(int argc, char** argv) {
  const char* wanted = "bcefsnz";
  int most = static_cast<int>(std::thread::hardware_concurrency()), steps = 40, settle = 150;
  int rounds = 3;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--scenes=", 9) == 0) {
      wanted = argv[i] + 9;
    } else if (std::strncmp(argv[i], "--threads=", 10) == 0) {
      most = std::atoi(argv[i] + 10);
    } else if (std::strncmp(argv[i], "--steps=", 8) == 0) {
      steps = std::atoi(argv[i] + 8);
    } else if (std::strncmp(argv[i], "--settle=", 9) == 0) {
      settle = std::atoi(argv[i] + 9);
    } else if (std::strncmp(argv[i], "--rounds=", 9) == 0) {
      rounds = std::atoi(argv[i] + 9);
    } else {
      std::fprintf(stderr,
                   "usage: bench_threads [--scenes=bcefsnz] [--threads=N] [--steps=N] "
                   "[--settle=N] [--rounds=N]\n");
      return 2;
    }
  }
  Bars bars;
  const Plan plan{settle, steps, most, rounds};
  for (const test::StandardScene& scene : test::makeStandardScenes()) {
    if (std::strchr(wanted, scene.id) != nullptr) compare(scene, plan, bars);
  }
  if (std::strchr(wanted, 's') != nullptr) {
    compare(manySpheres(32000), plan, bars);
  }
  if (std::strchr(wanted, 'n') != nullptr) compareSizes(settle, steps, most, bars);
  if (std::strchr(wanted, 'z') != nullptr) timeSleepers(steps);
  std::printf("%d of %d bars hold\n", bars.hold, bars.all);
  return bars.hold == bars.all ? 0 : 1;
}
