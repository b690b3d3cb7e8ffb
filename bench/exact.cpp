// SPDX-License-Identifier: MIT
// The exact scheme on heaps and towers: processor time a step in motion and at rest, errors, energy
// books. Checks what it times. Arguments: sizes of the heaps (100 300 1000), "drift" for 1000 steps
// at rest of the large ones too, and a number of steps as "steps=N".
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace {

using namespace abut;

constexpr double kStep = 1.0 / 60;

double processorSeconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

int held = 0, bars = 0;
void bar(const std::string& name, bool holds) {
  std::printf("  %-74s %s\n", name.c_str(), holds ? "holds" : "FAILS");
  held += holds ? 1 : 0;
  ++bars;
}

/// The same numbers on every machine.
class Draw {
public:
  double unit() {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) / 16777216.0;
  }
  double about(double size) { return (2 * unit() - 1) * size; }

private:
  std::uint32_t state_ = 12345;
};

struct Placed {
  Eigen::Vector3d position;
  Quat orientation{1, 0, 0, 0};
  Eigen::Vector3d velocity{0, 0, 0}, turning{0, 0, 0};
};

/// A bin and bodies of 1 m in it.
void fill(World& world, const std::vector<Placed>& bodies, bool spheres, double width) {
  const auto wall = [&world](const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = at;
    d.id = 100000 + world.numBodies();
    world.addBody(d, BoxShape(half));
  };
  const double h = width / 2;
  wall({0, 0, -1}, {h + 2, h + 2, 1});
  wall({-h - 1, 0, 40}, {1, h + 2, 40});
  wall({h + 1, 0, 40}, {1, h + 2, 40});
  wall({0, -h - 1, 40}, {h + 2, 1, 40});
  wall({0, h + 1, 40}, {h + 2, 1, 40});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodyDescription d;
    d.id = i + 1;
    d.position = bodies[i].position;
    d.orientation = bodies[i].orientation;
    d.linearVelocity = bodies[i].velocity;
    d.angularVelocity = bodies[i].turning;
    if (spheres) {
      world.addBody(d, SphereShape(0.5));
    } else {
      world.addBody(d, BoxShape(Eigen::Vector3d(0.5, 0.5, 0.5)));
    }
  }
}

std::vector<Placed> layOut(int count, bool spheres, double& width) {
  const double base = spheres ? 14 : 10, full = spheres ? 4000 : 2000;
  const int columns = std::max(2, static_cast<int>(std::lround(base * std::cbrt(count / full))));
  const double pitch = spheres ? 1.1 : 1.5, jitter = spheres ? 0.05 : 0.04;
  width = 16.0 * columns / base;
  Draw draw;
  std::vector<Placed> bodies;
  for (int i = 0; i < count; ++i) {
    const int ix = i % columns, iy = i / columns % columns, layer = i / (columns * columns);
    const double x = (ix - (columns - 1) / 2.0) * pitch + draw.about(jitter);
    const double up = 1 + layer * pitch + draw.about(jitter);
    const double y = (iy - (columns - 1) / 2.0) * pitch + draw.about(jitter);
    const double angle = spheres ? 0.0 : draw.unit() * 3.14159265358979;
    const double shift = spheres ? 0.0 : layer % 2 == 0 ? 0.25 : -0.25;
    bodies.push_back(
        {{x + shift, y + shift, up}, {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}});
  }
  return bodies;
}

std::vector<Placed> stateOf(const World& world, std::size_t count) {
  std::vector<Placed> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    BodyMotion m;
    world.getMotion(i + 1, m).orThrow();
    const Vec3& p = m.pose.translation;
    bodies.push_back({{p.x, p.y, p.z}, m.orientation, m.linearVelocity, m.angularVelocity});
  }
  return bodies;
}

/// What a stretch of steps came to.
struct Stretch {
  int steps = 0, missed = 0, compliant = 0;
  double seconds = 0.0, longest = 0.0, factorisations = 0.0;
  double error = 0.0, rigid = 0.0, approach = 0.0, books = 0.0;

  void step(World& world) {
    const double start = processorSeconds();
    world.step(kStep).orThrow();
    const double took = processorSeconds() - start;
    const StepReport& r = world.getReport();
    seconds += took;
    longest = std::max(longest, took);
    ++steps;
    missed += r.converged ? 0 : 1;
    compliant += r.compliantIslands > 0 ? 1 : 0;
    factorisations += r.newtonSteps;
    error = std::max(error, r.worstError);
    rigid = std::max(rigid, r.rigidError);
    approach = std::max(approach, r.approach);
    const EnergyAccount& a = world.getStepLedger();
    books = std::max(books, std::fabs(a.residual()) / a.largestEntry());
  }
  void print(const char* name) const {
    std::printf(
        "  %-10s %4d steps %9.1f ms (longest %9.1f) %6.1f factorisations, %3d compliant, %d not "
        "converged; error %.0e, rigid %.0e, %.0e m/s; books %.0e\n",
        name, steps, 1e3 * seconds / steps, 1e3 * longest, factorisations / steps, compliant,
        missed, error, rigid, approach, books);
  }
};

double distance(const std::vector<Placed>& a, const std::vector<Placed>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, (a[i].position - b[i].position).norm());
  }
  return most;
}

struct Limits {
  int count;
  double motion, rest;  // [s]
};

/// Drops a heap in the real-time scheme, then moves it on in the exact one until it rests. Returns
/// the time of a step at rest.
double benchHeap(const Limits& limits, bool spheres, int steps, bool drift) {
  const std::size_t count = static_cast<std::size_t>(limits.count);
  std::printf("%d %s\n", limits.count, spheres ? "spheres" : "boxes");
  double width = 0.0;
  World loose(WorldOptions::realTime());
  const std::vector<Placed> laid = layOut(limits.count, spheres, width);
  fill(loose, laid, spheres, width);
  constexpr int kSettling = 240;
  for (int i = 0; i < kSettling; ++i) loose.step(kStep).orThrow();
  World world;
  fill(world, stateOf(loose, count), spheres, width);
  Stretch motion, rest;
  const int inMotion = std::min(20, steps / 4), atRest = std::min(20, steps / 4);
  for (int i = 0; i < inMotion; ++i) motion.step(world);
  motion.print("motion");
  Stretch between;
  for (int i = inMotion; i < steps - atRest; ++i) between.step(world);
  if (between.steps > 0) between.print("settling");
  for (int i = 0; i < atRest; ++i) rest.step(world);
  rest.print("rest");
  const std::string name = std::to_string(limits.count) + (spheres ? " spheres: " : " boxes: ");
  bar(name + "every step converges", motion.missed + between.missed + rest.missed == 0);
  bar(name + "energy books close to 1e-12",
      std::max(motion.books, std::max(between.books, rest.books)) <= 1e-12);
  if (!spheres) {
    bar(name + "in motion at most " + std::to_string(static_cast<int>(1e3 * limits.motion)) + " ms",
        motion.seconds / motion.steps <= limits.motion);
    bar(name + "at rest at most " + std::to_string(static_cast<int>(1e3 * limits.rest)) + " ms",
        rest.seconds / rest.steps <= limits.rest);
    bar(name + "rigid error at rest at most 1e-6", rest.rigid <= 1e-6);
  }
  if (drift) {
    const std::vector<Placed> before = stateOf(world, count);
    Stretch after;
    for (int i = 0; i < 1000; ++i) after.step(world);
    after.print("1000 more");
    const double moved = distance(before, stateOf(world, count));
    std::printf("  drift in 1000 steps at rest %.1e m\n", moved);
    bar(name + "drift below 1e-7 m in 1000 steps at rest", moved < 1e-7);
  }
  return rest.seconds / rest.steps;
}

/// Towers of ten, each cube a little off and turned.
void benchTowers(int count, double most) {
  World world;
  BodyDescription ground;
  ground.type = BodyType::Static;
  ground.id = 100000;
  ground.position = {0, 0, -1};
  world.addBody(ground, BoxShape(Eigen::Vector3d(100, 100, 1)));
  Draw draw;
  for (int i = 0; i < count; ++i) {
    const int tower = i / 10, level = i % 10;
    BodyDescription d;
    d.id = static_cast<ObjectId>(i + 1);
    const double angle = draw.about(0.5), x = draw.about(0.03), y = draw.about(0.03);
    d.position = {3.0 * (tower % 6) + x, 3.0 * (tower / 6) + y, 0.5 + level};
    d.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    world.addBody(d, BoxShape(Eigen::Vector3d(0.5, 0.5, 0.5)));
  }
  Stretch all;
  for (int i = 0; i < 60; ++i) all.step(world);
  std::printf("towers, %d cubes\n", count);
  all.print("");
  const std::string name = "towers of " + std::to_string(count) + ": ";
  bar(name + "every step converges, by rigid contacts", all.missed == 0 && all.compliant == 0);
  bar(name + "at most " + std::to_string(static_cast<int>(1e3 * most)) + " ms a step",
      all.seconds / all.steps <= most);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr Limits kLimits[] = {
      {100, 0.08, 0.015}, {300, 0.4, 0.07}, {1000, 4.0, 0.3}, {2000, 10.0, 0.7}};
  constexpr int kSmall = 300;  // Whose rest is cheap to watch for longer.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  bool drift = false;
  int steps = 200;
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "drift") == 0) {
      drift = true;
    } else if (std::strncmp(argv[i], "steps=", 6) == 0) {
      steps = std::max(8, std::atoi(argv[i] + 6));
    } else {
      sizes.push_back(std::atoi(argv[i]));
    }
  }
  if (sizes.empty()) sizes = {100, 300, 1000};
  double first = 0.0, last = 0.0;
  int firstSize = 0, lastSize = 0;
  for (const Limits& limits : kLimits) {
    if (std::find(sizes.begin(), sizes.end(), limits.count) == sizes.end()) continue;
    const double rest = benchHeap(limits, false, steps, drift || limits.count <= kSmall);
    if (firstSize == 0) {
      firstSize = limits.count;
      first = rest;
    }
    lastSize = limits.count;
    last = rest;
  }
  if (lastSize > firstSize) {
    const double exponent = std::log(last / first) / std::log(double(lastSize) / firstSize);
    std::printf("time at rest grows as N^%.2f from %d to %d\n", exponent, firstSize, lastSize);
    bar("growth at rest at most N^1.3", exponent <= 1.3);
  }
  if (std::find(sizes.begin(), sizes.end(), 300) != sizes.end()) {
    benchHeap({300, 0.0, 0.0}, true, std::min(steps, 60), false);
  }
  benchTowers(100, 0.063);
  benchTowers(300, 1.9);
  std::printf("%d of %d bars hold\n", held, bars);
  return held == bars ? 0 : 1;
}
