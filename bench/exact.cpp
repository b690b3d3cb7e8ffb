// SPDX-License-Identifier: MIT
// The exact scheme on heaps from drop to rest, on towers, and on contact problems of files:
// processor time a step in motion and at rest, errors, energy books, growth. Checks what it times.
// Arguments: sizes of the heaps (100 300 1000 2000; 0 for none), "boxes" or "spheres" for one kind
// alone, "--short" for one of 100 to rest and 300 in motion, "seed=N" for other heaps, "heaps" for
// no towers, "fc3d=FOLDER" for problems (.dat, .hdf5) in a folder.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>
#if ABUT_HAS_PROBLEM_FILES
#include "contact_file.hpp"
#endif

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

std::uint32_t seed = 12345;

/// The same numbers on every machine.
class Draw {
public:
  double unit() {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) / 16777216.0;
  }
  double about(double size) { return (2 * unit() - 1) * size; }

private:
  std::uint32_t state_ = seed;
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

/// The error as rigid contacts that heaps at rest are brought to.
constexpr double kRigid = 1e-6;

/// What a stretch of steps came to.
struct Stretch {
  int steps = 0, missed = 0, compliant = 0;
  double seconds = 0.0, longest = 0.0, factorisations = 0.0;
  double error = 0.0, allowed = 0.0, rigid = 0.0, approach = 0.0, books = 0.0, balance = 0.0;
  double fastest = 0.0;  // In the last step, of what is held.
  int loose = 0;         // Bodies that are not.
  double given = 0.0;    // Energy that compliant contacts gave, less what they took.
  int untilRigid = -1;   // Steps until the rigid error was at most 1e-6; -1 if it was not.
  std::vector<Eigen::Vector3d> velocity, missing;

  /// Spheres roll for ever where nothing holds them, which is no creep of a heap: those with fewer
  /// than `support` contacts that carry load do not count for `fastest`.
  void step(World& world, std::size_t count, int support = 0) {
    speeds(world, count, {});
    missing = velocity;
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
    allowed = std::max(allowed, r.tolerance);
    rigid = std::max(rigid, r.rigidError);
    if (untilRigid < 0 && r.rigidError <= kRigid) untilRigid = steps;
    approach = std::max(approach, r.approach);
    const EnergyAccount& a = world.getStepLedger();
    books = std::max(books, std::fabs(a.residual()) / a.largestEntry());
    given += a.compliance;
    speeds(world, count, held(world, count, support));
    noteBalance(world, count);
  }
  /// Whether bodies have so many contacts that carry load.
  static std::vector<char> held(const World& world, std::size_t count, int support) {
    std::vector<int> loads(count, 0);
    for (const WorldContact& c : world.getContacts()) {
      if (!(c.normalForce > 0.0)) continue;
      if (c.object1 <= count) ++loads[c.object1 - 1];
      if (c.object2 <= count) ++loads[c.object2 - 1];
    }
    std::vector<char> are(count);
    for (std::size_t i = 0; i < count; ++i) are[i] = loads[i] >= support ? 1 : 0;
    return are;
  }
  void add(const Stretch& more) {
    if (untilRigid < 0 && more.untilRigid >= 0) untilRigid = steps + more.untilRigid;
    steps += more.steps;
    missed += more.missed;
    compliant += more.compliant;
    seconds += more.seconds;
    factorisations += more.factorisations;
    given += more.given;
    for (double Stretch::*greatest :
         {&Stretch::longest, &Stretch::error, &Stretch::allowed, &Stretch::rigid,
          &Stretch::approach, &Stretch::books, &Stretch::balance}) {
      this->*greatest = std::max(this->*greatest, more.*greatest);
    }
  }
  void print(const char* name) const {
    std::printf(
        "  %-10s %4d steps %8.1f ms (longest %8.1f) %5.1f factorisations, %3d compliant, %d not "
        "converged; error %.0e of %.0e, rigid %.0e, %.0e m/s; balance %.0e, books %.0e\n",
        name, steps, 1e3 * seconds / std::max(1, steps), 1e3 * longest,
        factorisations / std::max(1, steps), compliant, missed, error, allowed, rigid, approach,
        balance, books);
  }

private:
  void speeds(const World& world, std::size_t count, const std::vector<char>& areHeld) {
    velocity.resize(count);
    fastest = 0.0;
    loose = 0;
    for (std::size_t i = 0; i < count; ++i) {
      BodyMotion m;
      world.getMotion(i + 1, m).orThrow();
      velocity[i] = m.linearVelocity;
      const bool counts = areHeld.empty() || areHeld[i] != 0;
      if (counts) fastest = std::max(fastest, m.linearVelocity.norm());
      loose += counts ? 0 : 1;
    }
  }
  /// Mass times change of velocity, less weight and the forces that the contacts report, for each
  /// body, by the largest force on it.
  void noteBalance(const World& world, std::size_t count) {
    std::vector<double> largest(count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      MassProperties mass;
      world.getMass(i + 1, mass).orThrow();
      const Eigen::Vector3d weight(0, 0, -9.81 * mass.mass);
      largest[i] = weight.norm();
      missing[i] = (velocity[i] - missing[i]) * (mass.mass / kStep) - weight;
    }
    for (const WorldContact& c : world.getContacts()) {
      const Eigen::Vector3d force =
          c.normal * c.normalForce + c.frictionForce + c.impactImpulse / kStep;
      const auto push = [&](ObjectId id, double sign) {
        if (id > count) return;
        missing[id - 1] -= force * sign;
        largest[id - 1] = std::max(largest[id - 1], force.norm());
      };
      push(c.object1, 1.0);
      push(c.object2, -1.0);
    }
    for (std::size_t i = 0; i < count; ++i) {
      balance = std::max(balance, missing[i].norm() / largest[i]);
    }
  }
};

/// Greatest, of those that count in both.
double distance(const std::vector<Placed>& a, const std::vector<Placed>& b,
                const std::vector<char>& inA, const std::vector<char>& inB) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (inA[i] == 0 || inB[i] == 0) continue;
    most = std::max(most, (a[i].position - b[i].position).norm());
  }
  return most;
}

struct Limits {
  int count;
  double motion, rest;  // [s]
  int moving, most;     // Steps in motion that are timed; steps after which it should rest.
};

std::string inMilliseconds(double seconds) {
  return std::to_string(static_cast<int>(std::lround(1e3 * seconds))) + " ms";
}

/// Speeds [m/s] below which a heap has come to rest, and below which nothing in it moves any more:
/// a box may rock for a while between points of contact that are micrometres apart.
constexpr double kRests = 1e-4, kStill = 1e-6;

/// Steps until nothing has moved faster for a while; false if that does not come.
bool bringToRest(World& world, std::size_t count, int support, double speed, int most,
                 Stretch& settling, Stretch& rest) {
  constexpr int kWindow = 20;
  while (settling.steps + rest.steps < most) {
    rest.step(world, count, support);
    if (rest.fastest <= speed) {
      if (rest.steps == kWindow) return true;
      continue;
    }
    settling.add(rest);
    rest = {};
  }
  return false;
}

/// Contacts with load that hold a sphere.
constexpr int kHoldASphere = 3;

/// Drops a heap in the real-time scheme, then moves it on in the exact one until it rests. Returns
/// the time of a step in which nothing moves, by a thousand of them; 0 if it was not seen.
double benchHeap(const Limits& limits, bool spheres, bool toRest) {
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
  Stretch motion, settling, rest;
  const int support = spheres ? kHoldASphere : 0;
  for (int i = 0; i < limits.moving; ++i) motion.step(world, count);
  motion.print("motion");
  const std::string name = std::to_string(limits.count) + (spheres ? " spheres: " : " boxes: ");
  bar(name + "in motion at most " + inMilliseconds(limits.motion),
      motion.seconds / motion.steps <= limits.motion);
  const int most = limits.most;
  const bool rests = toRest && bringToRest(world, count, support, kRests, most, settling, rest);
  if (settling.steps > 0) settling.print("settling");
  if (toRest && !rests && rest.steps > 0) rest.print("still");
  if (rests) rest.print("rest");
  if (spheres && toRest) std::printf("  %d spheres are held by less than 3\n", rest.loose);
  if (toRest) {
    bar(name + "rest within " + std::to_string(limits.most) + " steps", rests);
  }
  if (rests) {
    bar(name + "at rest at most " + inMilliseconds(limits.rest),
        rest.seconds / rest.steps <= limits.rest);
  }
  Stretch rocking, still;
  const int left = most - settling.steps - rest.steps;
  const bool lies = rests && bringToRest(world, count, support, kStill, left, rocking, still);
  if (rests) {
    if (rocking.steps > 0) rocking.print("rocking");
    still.print("still");
    // What rolls bumps into the others.
    if (lies || still.loose == 0) {
      bar(name + "still, to 1e-6 m/s, within " + std::to_string(limits.most) + " steps", lies);
    }
  }
  if (rests) {
    Stretch resting = rest;
    resting.add(rocking);
    resting.add(still);
    bar(name + "rigid error of 1e-6 within 200 steps of rest",
        resting.untilRigid >= 0 && resting.untilRigid <= 200);
    bar(name + "rigid error at rest at most 1e-6", (lies ? still : rest).rigid <= kRigid);
  }
  double perStep = 0.0;
  if (lies) {
    const std::vector<Placed> before = stateOf(world, count);
    const std::vector<char> heldBefore = Stretch::held(world, count, support);
    Stretch after;
    for (int i = 0; i < 1000; ++i) after.step(world, count, support);
    after.print("1000 more");
    const double moved =
        distance(before, stateOf(world, count), heldBefore, Stretch::held(world, count, support));
    std::printf("  drift in 1000 steps at rest %.1e m; compliance gave %.1e J\n", moved,
                after.given);
    if (still.loose == 0 && after.loose == 0) {
      bar(name + "drift below 1e-7 m in 1000 steps at rest", moved < 1e-7);
    }
    bar(name + "no energy from compliance in them",
        after.given <= 1e-12 * world.getStepLedger().largestEntry());
    perStep = after.seconds / after.steps;
    motion.add(after);
  }
  for (const Stretch& more : {settling, rest, rocking, still}) motion.add(more);
  bar(name + "every step converges to its stated tolerance", motion.missed == 0);
  bar(name + "forces balance to 1e-9 in every step", motion.balance <= 1e-9);
  bar(name + "energy books close to 1e-12", motion.books <= 1e-12);
  std::printf("  %d of %d bars hold so far; %.0f s of processor time\n", held, bars,
              processorSeconds());
  return perStep;
}

/// How the time of steps in which nothing moves grows with the number of bodies, by the smallest
/// and the largest heap.
class Growth {
public:
  void add(int count, double seconds) {
    if (!(seconds > 0.0)) return;
    if (first_size_ == 0) {
      first_size_ = count;
      first_ = seconds;
    }
    last_size_ = count;
    last_ = seconds;
  }
  void print() const {
    if (last_size_ <= first_size_) return;
    const double exponent = std::log(last_ / first_) / std::log(double(last_size_) / first_size_);
    std::printf("time at rest grows as N^%.2f from %d to %d boxes\n", exponent, first_size_,
                last_size_);
    bar("growth at rest at most N^1.3", exponent <= 1.3);
  }

private:
  int first_size_ = 0, last_size_ = 0;
  double first_ = 0.0, last_ = 0.0;
};

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
    d.id = static_cast<ObjectId>(i) + 1;
    const double angle = draw.about(0.5), x = draw.about(0.03), y = draw.about(0.03);
    d.position = {3.0 * (tower % 6) + x, 3.0 * (tower / 6) + y, 0.5 + level};
    d.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    world.addBody(d, BoxShape(Eigen::Vector3d(0.5, 0.5, 0.5)));
  }
  Stretch all;
  for (int i = 0; i < 60; ++i) all.step(world, static_cast<std::size_t>(count));
  std::printf("towers, %d cubes\n", count);
  all.print("");
  const std::string name = "towers of " + std::to_string(count) + ": ";
  bar(name + "every step converges, by rigid contacts", all.missed == 0 && all.compliant == 0);
  bar(name + "at most " + inMilliseconds(most) + " a step", all.seconds / all.steps <= most);
}

/// The problems of a folder, with default options.
void benchProblems(const std::string& folder) {
#if ABUT_HAS_PROBLEM_FILES
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".dat" || ending == ".hdf5") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::size_t good = 0, exact = 0;
  double total = 0.0, worst = 0.0;
  ContactSolver solver;
  for (const std::string& path : files) {
    const tool::ContactFile file = tool::readContactFile(path);
    std::vector<Vec3> r(file.friction.size()), u(file.friction.size());
    const double start = processorSeconds();
    solver.solve(file.problem(), {}, r, u);
    total += processorSeconds() - start;
    const double error = tool::errorOf(file, r, u);
    worst = std::max(worst, error);
    good += error <= 1e-8 ? 1 : 0;
    exact += error <= 1e-12 ? 1 : 0;
  }
  std::printf("%zu problems of files: %zu to 1e-8, %zu to 1e-12, worst %.0e, %.2f s\n",
              files.size(), good, exact, worst, total);
  bar("problems: all to 1e-8", good == files.size() && good > 0);
  bar("problems: all but one to 1e-12", exact + 1 >= files.size() && exact > 0);
  bar("problems: 18 in 1.5 s", total <= 1.5 / 18.0 * static_cast<double>(files.size()));
#else
  std::printf("problems in %s: this program was built without their reader\n", folder.c_str());
  bar("problems: can be read", false);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  constexpr Limits kLimits[] = {{100, 0.08, 0.015, 20, 400},
                                {300, 0.4, 0.07, 20, 500},
                                {1000, 4.0, 0.3, 10, 800},
                                {2000, 10.0, 0.7, 5, 1000}};
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  bool isShort = false, boxes = true, spheres = true, towers = true;
  std::string problems;
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--short") {
      isShort = true;
    } else if (word == "boxes") {
      spheres = false;
    } else if (word == "spheres") {
      boxes = false;
    } else if (word == "heaps") {
      towers = false;
    } else if (word.rfind("seed=", 0) == 0) {
      seed = static_cast<std::uint32_t>(std::atoi(word.c_str() + 5));
    } else if (word.rfind("fc3d=", 0) == 0) {
      problems = word.substr(5);
    } else {
      sizes.push_back(std::atoi(argv[i]));
    }
  }
  if (sizes.empty())
    sizes = isShort ? std::vector<int>{100, 300} : std::vector<int>{100, 300, 1000, 2000};
  Growth growth;
  for (const bool ofSpheres : {false, true}) {
    if (!(ofSpheres ? spheres : boxes)) continue;
    for (const Limits& limits : kLimits) {
      if (std::find(sizes.begin(), sizes.end(), limits.count) == sizes.end()) continue;
      const bool toRest = !isShort || limits.count <= 100;
      const double rest = benchHeap(limits, ofSpheres, toRest);
      if (!ofSpheres) growth.add(limits.count, rest);
    }
  }
  growth.print();
  if (towers) benchTowers(100, 0.063);
  if (towers && !isShort) benchTowers(300, 1.9);
  if (!problems.empty()) benchProblems(problems);
  std::printf("%d of %d bars hold\n", held, bars);
  return held == bars ? 0 : 1;
}
