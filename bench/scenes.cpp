// SPDX-License-Identifier: MIT
// The six standard scenes, two large ones, a pile on a mesh, one that sleeps, and heaps of more and
// more spheres, with Abut on one thread and on two, and the engines that are installed, on one, in
// one run; those of npm are WebAssembly in a process of node, which costs them some of their speed.
// --json=FILE writes the figures for the page that scripts/bench makes of them.
// Depth, drift and energy are measured in the same way for all: depths by Abut's own detection on
// the final poses, so that no engine is believed about its own penetration.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include <abut/abut.hpp>

#include "many_spheres.hpp"
#include "scenes_peer.hpp"

namespace abut::bench {
namespace {

/// Depths are measured after every so many steps, and at the end.
constexpr int kSampleSteps = 50;

struct Figures {
  std::string whyNot;         ///< Empty: it ran.
  double milliseconds = 0.0;  ///< Median of a step.
  double deepest = 0.0;       ///< [m], in any sample.
  double meanDepth = 0.0;     ///< [m], over pairs that overlap, at the end.
  double drift = 0.0;         ///< Greatest horizontal displacement [m].
  double settled = 0.0;       ///< Greatest descent [m].
  double gained = 0.0;        ///< Greatest rise of the total energy, as a part of it,
  double unbooked = 0.0;      ///< and beyond the work that the engine accounts for.
  std::size_t contacts = 0;
  std::uint64_t hash = 0;  ///< Of all bits of the state; 0: none.
  std::string remark;
};

/// Lines of figures, one object each.
class Record {
public:
  void add(char scene, const std::string& title, const std::string& engine, const Figures& f) {
    char text[512];
    std::snprintf(text, sizeof text,
                  "{\"scene\": \"%c\", \"title\": \"%s\", \"engine\": \"%s\", \"ms\": %.6g, "
                  "\"deepest\": %.6g, \"mean\": %.6g, \"drift\": %.6g, \"gained\": %.6g, "
                  "\"unbooked\": %.6g, \"hash\": \"%016llx\"}",
                  scene, title.c_str(), engine.c_str(), f.milliseconds, 1e3 * f.deepest,
                  1e3 * f.meanDepth, 1e3 * f.drift, f.gained, f.unbooked,
                  static_cast<unsigned long long>(f.hash));
    add(text);
  }
  void addSize(const std::string& engine, int bodies, double milliseconds) {
    char text[160];
    std::snprintf(text, sizeof text, "{\"engine\": \"%s\", \"bodies\": %d, \"ms\": %.6g}",
                  engine.c_str(), bodies, milliseconds);
    add(text);
  }
  void write(const char* file) const {
    if (file != nullptr) std::ofstream(file) << "[" << text_ << "]\n";
  }

private:
  void add(const char* entry) {
    if (!text_.empty()) text_ += ",\n";
    text_ += entry;
  }
  std::string text_;
};

void measureDepth(const StandardScene& scene, const std::vector<Pose>& poses, Figures& figures) {
  CollisionGroup group;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    CollisionObject object(makeShape(scene.bodies[i]), toEigen(poses[i]));
    if (scene.bodies[i].isStatic) {
      object.setCategory(2);
      object.setMask(1);  // Walls and floor overlap by design.
    }
    group.add(std::move(object)).orThrow();
  }
  CollisionResult result;
  group.collide(CollisionOption::fullContacts(), result).orThrow();
  std::size_t count = 0;
  figures.meanDepth = 0.0;
  for (const ContactManifold& m : result.getManifolds()) {
    double depth = 0.0;
    for (const ContactPoint& point : m.getContacts()) depth = std::max(depth, point.depth);
    if (!(depth > 0.0)) continue;
    figures.deepest = std::max(figures.deepest, depth);
    figures.meanDepth += depth;
    ++count;
  }
  if (count > 0) figures.meanDepth /= static_cast<double>(count);
}

Figures measure(ScenePeer& peer, const StandardScene& scene, int steps) {
  Figures figures;
  figures.whyNot = peer.build(scene);
  if (!figures.whyNot.empty()) return figures;
  std::vector<double> times;
  double least = INFINITY, leastUnbooked = INFINITY;
  std::vector<Pose> poses;
  for (int i = 0; i < steps; ++i) {
    // Processor time where an engine runs on one thread: other programs may share the machine.
    const std::clock_t start = std::clock();
    const auto wall = std::chrono::steady_clock::now();
    peer.step();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - wall;
    const double used = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const double told = peer.getStepTime();
    times.push_back(told >= 0.0 ? told : peer.numThreads() > 1 ? took.count() : used);
    const double energy = peer.getEnergy();
    least = std::min(least, energy);
    figures.gained = std::max(figures.gained, (energy - least) / std::abs(energy));
    const double rest = energy - peer.getBookedWork();
    leastUnbooked = std::min(leastUnbooked, rest);
    figures.unbooked = std::max(figures.unbooked, (rest - leastUnbooked) / std::abs(energy));
    if (i % kSampleSteps != kSampleSteps - 1 && i + 1 != steps) continue;
    peer.getPoses(poses);
    measureDepth(scene, poses, figures);
  }
  std::nth_element(times.begin(), times.begin() + steps / 2, times.end());
  figures.milliseconds = times[static_cast<std::size_t>(steps / 2)];
  figures.contacts = peer.numContacts();
  figures.hash = peer.getHash();
  figures.remark = peer.getRemark();
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Vec3 &a = scene.bodies[i].position, &b = poses[i].translation;
    figures.drift = std::max(figures.drift, std::hypot(b.x - a.x, b.y - a.y));
    figures.settled = std::max(figures.settled, a.z - b.z);
  }
  return figures;
}

/// A pile of convex bodies on a mesh.
StandardScene makePileOnMesh() {
  StandardScene scene{'i', "512 icosahedra and cubes on a mesh", 240, false, {}};
  SceneBody ground;
  ground.isStatic = true;
  ground.kind = Kind::Terrain;
  ground.half = {15, 15, 0};
  scene.bodies.push_back(ground);
  for (int i = 0; i < 512; ++i) {
    SceneBody body;
    body.kind = i % 2 == 0 ? Kind::Icosahedron : Kind::Box;
    body.half = i % 2 == 0 ? Vec3{0.5, 0.5, 0.5} : Vec3{0.4, 0.4, 0.4};
    body.position = {1.2 * (i % 8) - 4.2, 1.2 * (i / 8 % 8) - 4.2, 2.0 + 1.2 * (i / 64)};
    body.yaw = 0.37 * i;
    scene.bodies.push_back(body);
  }
  return scene;
}

/// Cubes that fall asleep, and a sphere that goes past them.
StandardScene makeSleepers() {
  StandardScene scene{'z', "10 000 cubes asleep, one sphere moving", 300, false, {}, true};
  SceneBody floor;
  floor.isStatic = true;
  floor.half = {200, 200, 1};
  floor.position = {0, 0, -1};
  scene.bodies.push_back(floor);
  for (int i = 0; i < 10000; ++i) {
    SceneBody cube;
    cube.position = {1.5 * (i % 100) - 75, 1.5 * (i / 100) - 75, 0.5};
    scene.bodies.push_back(cube);
  }
  SceneBody runner;
  runner.kind = Kind::Sphere;
  runner.position = {-100, 0, 0.5};
  runner.velocity = {1, 0, 0};
  scene.bodies.push_back(runner);
  return scene;
}

/// The standard ones, and: one pyramid of 5050 cubes, and a hundred of 105.
std::vector<StandardScene> makeScenes() {
  std::vector<StandardScene> scenes = makeStandardScenes();
  StandardScene large{'g', "pyramid, 5050 cubes", 100, true, {}};
  StandardScene many{'h', "100 pyramids of 105 cubes", 100, true, {}};
  SceneBody floor;
  floor.isStatic = true;
  floor.half = {400, 400, 1};
  floor.position = {0, 0, -1};
  large.bodies.push_back(floor);
  many.bodies.push_back(floor);
  const auto addPyramid = [](StandardScene& scene, int rows, const Vec3& at) {
    for (int r = 0; r < rows; ++r) {
      for (int j = 0; j < rows - r; ++j) {
        SceneBody cube;
        cube.position = {at.x + (j - (rows - 1 - r) / 2.0) * 1.1, at.y, at.z + 0.5 + r};
        scene.bodies.push_back(cube);
      }
    }
  };
  addPyramid(large, 100, {});
  for (int i = 0; i < 100; ++i) addPyramid(many, 14, {20.0 * (i % 10), 3.0 * (i / 10), 0.0});
  scenes.push_back(large);
  scenes.push_back(many);
  scenes.push_back(makePileOnMesh());
  scenes.push_back(makeSleepers());
  return scenes;
}

struct Bars {
  int hold = 0, all = 0;

  void check(const char* what, double ours, double theirs, const char* unit) {
    const bool holds = ours <= theirs;
    std::printf("     %-34s %12.4g against %12.4g %-3s %s\n", what, ours, theirs, unit,
                holds ? "holds" : "FAILS");
    hold += holds ? 1 : 0;
    ++all;
  }
};

void print(const char* name, const Figures& f, bool stands, double reference) {
  std::printf("  %-8s %9.3f %6.2f %10.3g %10.3g ", name, f.milliseconds, f.milliseconds / reference,
              1e3 * f.deepest, 1e3 * f.meanDepth);
  if (stands) {
    std::printf("%10.3g %10.3g ", 1e3 * f.drift, 1e3 * f.settled);
  } else {
    std::printf("%10s %10s ", "-", "-");
  }
  std::printf("%10.2e %8zu  %s\n", f.gained, f.contacts, f.remark.c_str());
  std::fflush(stdout);
}

void compare(const StandardScene& scene, const Figures& abut, const Figures& bullet, Bars& bars) {
  // How many times as fast as Bullet it is to be.
  const double times = std::strchr("ae", scene.id) != nullptr   ? 3.0
                       : scene.id == 'b'                        ? 2.8
                       : std::strchr("cf", scene.id) != nullptr ? 5.0
                                                                : 1.0;
  char what[64];
  std::snprintf(what, sizeof what, "time, times %g, against Bullet", times);
  bars.check(what, times * abut.milliseconds, bullet.milliseconds, "ms");
  bars.check("deepest against Bullet", 1e3 * abut.deepest, 1e3 * bullet.deepest, "mm");
  bars.check("energy gained beyond the books", abut.unbooked, 1e-12, "");
  if (!scene.stands) return;
  bars.check("drift against Bullet", 1e3 * abut.drift, 1e3 * bullet.drift, "mm");
  if (scene.id == 'd') bars.check("the tower stands: drift", 1e3 * abut.drift, 500.0, "mm");
}

/// What to run.
struct Wish {
  const char* scenes = "abcdefghizn";
  int steps = 0;  ///< At most so many; 0: as many as the scenes have.
  int threads = 2, mostBodies = 100000;
  bool alone = false;
  const char* json = nullptr;
};

/// Time of a step in settled heaps of more and more spheres, and its exponent from 1000 on.
void compareSizes(const Wish& wish, ScenePeer& peer, Bars& bars, Record& record) {
  constexpr int kSettle = 150, kSteps = 20;
  std::printf("n  heaps of spheres, steps %d to %d\n", kSettle, kSettle + kSteps);
  double at1000 = 0.0, last = 0.0;
  int most = 0;
  for (int count = 100; count <= wish.mostBodies; count *= 10) {
    peer.build(manySpheres(count));
    const int settle = wish.steps > 0 ? std::min(wish.steps, kSettle) : kSettle;
    for (int i = 0; i < settle; ++i) peer.step();
    std::vector<double> times;
    for (int i = 0; i < kSteps; ++i) {
      const std::clock_t start = std::clock();
      peer.step();
      times.push_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    std::nth_element(times.begin(), times.begin() + kSteps / 2, times.end());
    last = times[kSteps / 2];
    most = count;
    if (count == 1000) at1000 = last;
    record.addSize(peer.getName(), count, last);
    std::printf("  %-8s %7d bodies %10.3f ms/step %8.3f us a body\n", peer.getName().c_str(), count,
                last, 1e3 * last / count);
    std::fflush(stdout);
  }
  if (most <= 1000) return;
  const double exponent = std::log(last / at1000) / std::log(most / 1000.0);
  bars.check("exponent of time against bodies", exponent, 1.1, "");
}

int run(const Wish& wish) {
  const auto [wanted, steps, threads, mostBodies, alone, json] = wish;
  Record record;
  enum Peer { kAbut, kBullet, kOde, kJolt, kRapier, kMujoco, kAbutThreads, kPeers };
  std::unique_ptr<ScenePeer> peers[kPeers];
  peers[kAbut] = makeSceneAbut(1);
  peers[kAbutThreads] = makeSceneAbut(threads);
  if (!alone) {
    peers[kBullet] = makeSceneBullet();
    peers[kOde] = makeSceneOde();
    peers[kJolt] = makeSceneNode("Jolt w", "jolt");
    peers[kRapier] = makeSceneNode("Rapier w", "rapier");
    peers[kMujoco] = makeSceneNode("MuJoCo w", "mujoco");
    if (peers[kJolt] || peers[kRapier] || peers[kMujoco]) std::printf("w: WebAssembly\n");
  }
  Bars bars;
  std::printf("%-10s %9s %6s %10s %10s %10s %10s %10s %8s\n", "engine", "ms/step", "ratio",
              "deepest mm", "mean mm", "drift mm", "settle mm", "gained", "contacts");
  for (const StandardScene& scene : makeScenes()) {
    if (std::strchr(wanted, scene.id) == nullptr) continue;
    const int count = steps > 0 ? std::min(steps, scene.steps) : scene.steps;
    std::printf("%c  %s, %d steps\n", scene.id, scene.title.c_str(), count);
    Figures figures[kPeers];
    for (int i = 0; i < kPeers; ++i) {
      if (!peers[i]) continue;
      try {
        figures[i] = measure(*peers[i], scene, count);
      } catch (const PeerEnded& error) {
        figures[i].whyNot = error.what();
      }
      if (!figures[i].whyNot.empty()) {
        std::printf("  %-8s %s\n", peers[i]->getName().c_str(), figures[i].whyNot.c_str());
        continue;
      }
      print(peers[i]->getName().c_str(), figures[i], scene.stands, figures[kAbut].milliseconds);
      record.add(scene.id, scene.title, peers[i]->getName(), figures[i]);
    }
    if (peers[kBullet]) compare(scene, figures[kAbut], figures[kBullet], bars);
    if (peers[kAbutThreads]) {
      const bool differ = figures[kAbut].hash != figures[kAbutThreads].hash;
      bars.check("bits of both differ", differ ? 1.0 : 0.0, 0.0, "");
    }
  }
  if (std::strchr(wanted, 'n') != nullptr) compareSizes(wish, *peers[kAbut], bars, record);
  record.write(json);
  std::printf("%d of %d bars hold\n", bars.hold, bars.all);
  return bars.hold == bars.all ? 0 : 1;
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) {
  abut::bench::Wish wish;
  for (int i = 1; i < argc; ++i) {
    const auto valueOf = [&](const char* name) -> const char* {
      const std::size_t length = std::strlen(name);
      return std::strncmp(argv[i], name, length) == 0 ? argv[i] + length : nullptr;
    };
    if (const char* scenes = valueOf("--scenes=")) {
      wish.scenes = scenes;
    } else if (const char* steps = valueOf("--steps=")) {
      wish.steps = std::atoi(steps);
    } else if (const char* threads = valueOf("--threads=")) {
      wish.threads = std::atoi(threads);
    } else if (const char* bodies = valueOf("--most-bodies=")) {
      wish.mostBodies = std::atoi(bodies);
    } else if (const char* json = valueOf("--json=")) {
      wish.json = json;
    } else if (std::strcmp(argv[i], "--alone") == 0) {
      wish.alone = true;
    } else {
      std::fprintf(stderr,
                   "usage: bench_scenes [--scenes=abcdefghizn] [--steps=N] [--threads=N] "
                   "[--most-bodies=N] [--json=FILE] [--alone]\n");
      return 2;
    }
  }
  return abut::bench::run(wish);
}
