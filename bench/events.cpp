// SPDX-License-Identifier: MIT
// Variable step: evaluations and time for a ball, a cradle and 100 bouncing bodies, by CVODE and by
// located impacts; cost of the root functions a close pair. Checks what it times.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include <abut/events/contact_event_tracker.hpp>
#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/cvode_driver.hpp>
#include <abut/hybrid/impact_simulation.hpp>

#include "support/hybrid_scene.hpp"

namespace {

using namespace abut;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int held = 0, bars = 0;
void bar(const char* name, bool holds) {
  std::printf("%-66s %s\n", name, holds ? "holds" : "FAILS");
  held += holds ? 1 : 0;
  ++bars;
}

void row(const char* name, double simulated, const HybridStatistics& s, double seconds) {
  std::printf("%-34s %5.1f s  %8ld steps %9ld evaluations %7ld events  %8.3f ms  %6.2f us/eval\n",
              name, simulated, s.steps, s.derivativeEvaluations, s.events, 1e3 * seconds,
              1e6 * seconds / static_cast<double>(std::max(1L, s.derivativeEvaluations)));
}

void addFloor(World& world, MaterialId id) {
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
}

/// Balls that fall side by side, each from its own height; some hit their neighbours.
void addBalls(World& world, MaterialId id, int count) {
  for (int i = 0; i < count; ++i) {
    const double x = 0.23 * (i % 10), y = 0.23 * (i / 10 % 10);
    world.addBody(test::movingBody({x, y, 0.2 + 0.01 * (i * 37 % 50)}, {0.05 * (i % 3 - 1), 0, 0}),
                  std::make_shared<SphereShape>(0.1), id);
  }
}

void benchBall() {
  test::Drop drop(1.0, 0.0, 0.7, 1e7);
  for (const CvodeMethod method : {CvodeMethod::Bdf, CvodeMethod::Adams}) {
    CompliantSystem system(drop.world);
    CvodeOptions options;
    options.method = method;
    const auto start = Clock::now();
    CvodeDriver driver(system, options);
    driver.advance(2.0).orThrow();
    const bool bdf = method == CvodeMethod::Bdf;
    row(bdf ? "ball, CVODE BDF 1e-8" : "ball, CVODE Adams 1e-8", 2.0, driver.getStatistics(),
        secondsSince(start));
    bar("  lands within 1e-7 s of sqrt(2h/g)",
        std::fabs(driver.getRecord().events.front().touchTime - std::sqrt(2 / 9.81)) < 1e-7);
  }
  ImpactSimulation simulation(drop.world);
  const auto start = Clock::now();
  simulation.advance(6.0).orThrow();
  row("ball, located impacts, to rest", 6.0, simulation.getStatistics(), secondsSince(start));
}

void benchCradle() {
  World world(test::gravityAlongZ(0.0));
  const MaterialId id = test::addMaterial(world, 1.0, 0.0, 1e9);
  for (int i = 0; i < 5; ++i) {
    world.addBody(test::movingBody({i == 0 ? -0.1 : 0.2 * i, 0, 0}, {i == 0 ? 1.0 : 0.0, 0, 0}),
                  std::make_shared<SphereShape>(0.1), id);
  }
  CompliantSystem system(world);
  const auto start = Clock::now();
  CvodeDriver driver(system);
  driver.advance(0.5).orThrow();
  row("cradle, CVODE BDF 1e-8", 0.5, driver.getStatistics(), secondsSince(start));
  double momentum = 0.0;
  for (std::size_t i = 0; i < 5; ++i) momentum += driver.getState()[13 * i + 7];
  bar("  momentum kept within 1e-6", std::fabs(momentum - 1.0) < 1e-6);
  ImpactSimulation simulation(world);
  const auto again = Clock::now();
  simulation.advance(0.5).orThrow();
  row("cradle, located impacts", 0.5, simulation.getStatistics(), secondsSince(again));
  BodyMotion motion;
  simulation.getMotion(5, motion).orThrow();
  bar("  the last ball has all of it, to 1e-12",
      std::fabs(motion.linearVelocity.x() - 1.0) < 1e-12);
}

void benchHundred() {
  World world(test::gravityAlongZ(-9.81));
  const MaterialId id = test::addMaterial(world, 0.8, 0.3, 1e6);
  addFloor(world, id);
  addBalls(world, id, 100);
  CompliantOptions compliant;
  compliant.events.nzMax = 400;
  compliant.aggregateRoots = true;
  compliant.frictionVelocity = 0.05;
  CompliantSystem system(world, compliant);
  CvodeOptions options;
  options.method = CvodeMethod::Adams;
  options.relativeTolerance = options.absoluteTolerance = 1e-6;
  const auto start = Clock::now();
  CvodeDriver driver(system, options);
  driver.advance(1.0).orThrow();
  row("100 bodies, CVODE Adams 1e-6", 1.0, driver.getStatistics(), secondsSince(start));
  ImpactSimulation simulation(world);
  const auto again = Clock::now();
  simulation.advance(1.0).orThrow();
  const double seconds = secondsSince(again);
  row("100 bodies, located impacts", 1.0, simulation.getStatistics(), seconds);
  bar("  100 bodies with located impacts faster than real time", seconds < 1.0);
}

void benchGalperin() {
  World world(test::gravityAlongZ(0.0));
  const MaterialId id = test::addMaterial(world, 1.0, 0.0);
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(1, 0, 0)), id);
  BodyDescription small = test::movingBody({1, 0, 0}),
                  large = test::movingBody({2, 0, 0}, {-1, 0, 0});
  small.mass = 1.0;
  large.mass = 1e8;
  world.addBody(small, std::make_shared<SphereShape>(0.1), id);
  world.addBody(large, std::make_shared<SphereShape>(0.1), id);
  ImpactOptions options;
  options.longestFlight = 1e6;
  ImpactSimulation simulation(world, options);
  const auto start = Clock::now();
  simulation.advance(1e6).orThrow();
  row("1 kg, 10^8 kg and a wall", 1e6, simulation.getStatistics(), secondsSince(start));
  bar("  31415 collisions", simulation.numImpacts() == 31415);
}

/// Median time of updateRoots() a close pair [ns], for a grid of balls with gaps of 1 cm.
double rootsPerPair(int side) {
  const SphereShape ball(0.1);
  std::vector<TrackedObject> objects;
  for (int i = 0; i < side * side; ++i) {
    objects.push_back(
        {{&ball, {{}, {0.21 * (i % side), 0.21 * (i / side), 0}}, static_cast<ObjectId>(i + 1)},
         true});
  }
  ContactEventOptions options;
  options.closeDistance = 0.02;
  options.nzMax = objects.size() * 4;
  ContactEventTracker tracker(options);
  tracker.initialize(objects, 0.0).orThrow();
  const std::size_t pairs = tracker.getNearPairs().size();
  if (pairs != std::size_t{2} * static_cast<std::size_t>(side) * static_cast<std::size_t>(side - 1))
    return -1.0;
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    const auto start = Clock::now();
    tracker.updateRoots(objects).orThrow();
    times.push_back(1e9 * secondsSince(start) / static_cast<double>(pairs));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  benchBall();
  benchCradle();
  benchHundred();
  benchGalperin();
  const double small = rootsPerPair(10), medium = rootsPerPair(32), large = rootsPerPair(100);
  std::printf("root functions: %.0f, %.0f, %.0f ns a close pair for 180, 1984, 19800 pairs\n",
              small, medium, large);
  bar("cost of z linear in close pairs: within twice from 1984 to 19800",
      small > 0 && medium > 0 && large > 0 && large < 2 * medium);
  std::printf("%d of %d bars hold\n", held, bars);
  return held == bars ? 0 : 1;
}
