// SPDX-License-Identifier: MIT
// The exact scheme on heaps from drop to rest, on towers, and on contact problems of files:
// processor time a step in motion and at rest, errors, energy books, growth. Checks what it times.
// Arguments: sizes of the heaps (100 300 1000 2000; 0 for none), "boxes", "spheres" (balls that
// resist rolling) or "rollers" (balls that do not; 100 and 300 unless asked) for one kind alone,
// "--short" for one of 100 to rest and 300 in motion, "seed=N" for other heaps, "heaps" for no
// towers, "fc3d=FOLDER" for problems (.dat, .hdf5) in a folder. In pieces: "for=SECONDS" stops
// after that time, "save=FILE" keeps where it was (every half a minute, and at the stop),
// "resume=FILE" goes on there with the same other arguments, or begins if there is no such file;
// bars are judged over all pieces. It then exits with 3. "threads=N" shares out the steps whose
// time no bar is about; the bits stay the same.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <abut/shapes/box_shape.hpp>

#include "exact_heap.hpp"
#if ABUT_HAS_PROBLEM_FILES
#include "contact_file.hpp"
#endif
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

namespace {

using namespace abut;
using namespace abut::bench;

/// How the time of steps in which nothing moves grows with the number of bodies, by the smallest
/// and the largest heap.
class Growth {
public:
  template <typename Pieces>
  void visit(Pieces& pieces) {
    pieces(first_size_, last_size_, first_, last_);
  }
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
void benchTowers(int count, double most, std::uint32_t seed) {
  World world;
  BodyDescription ground;
  ground.type = BodyType::Static;
  ground.id = 100000;
  ground.position = {0, 0, -1};
  world.addBody(ground, BoxShape(Eigen::Vector3d(100, 100, 1)));
  Draw draw(seed);
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

struct Arguments {
  std::string same;  ///< Those that a run which goes on must have too.
  bool isShort = false, boxes = true, spheres = true, rollers = true, towers = true;
  bool isAll = false;  ///< No size was given.
  std::string problems, save, resume;
  std::vector<int> sizes;
  std::uint32_t seed = 12345;
  double seconds = 0.0;  ///< 0: no end.
  int threads = 1;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      if (!takePiecewise(argv[i])) take(argv[i]);
    }
    isAll = sizes.empty();
    if (!isAll) return;
    sizes = isShort ? std::vector<int>{100, 300} : std::vector<int>{100, 300, 1000, 2000};
  }

private:
  static bool takeValue(const std::string& word, const char* key, std::string& value) {
    if (word.rfind(key, 0) != 0) return false;
    value = word.substr(std::string(key).size());
    return true;
  }
  bool takePiecewise(const std::string& word) {
    std::string value;
    if (takeValue(word, "save=", save) || takeValue(word, "resume=", resume)) return true;
    if (takeValue(word, "for=", value)) {
      seconds = std::atof(value.c_str());
    } else if (takeValue(word, "threads=", value)) {
      threads = std::atoi(value.c_str());
    } else {
      return false;
    }
    return true;
  }
  void take(const std::string& word) {
    same += word + " ";
    std::string value;
    if (word == "--short") {
      isShort = true;
    } else if (word == "boxes" || word == "spheres" || word == "rollers") {
      boxes = word == "boxes";
      spheres = word == "spheres";
      rollers = word == "rollers";
    } else if (word == "heaps") {
      towers = false;
    } else if (takeValue(word, "seed=", value)) {
      seed = static_cast<std::uint32_t>(std::atoi(value.c_str()));
    } else if (!takeValue(word, "fc3d=", problems)) {
      sizes.push_back(std::atoi(word.c_str()));
    }
  }
};

/// Heaps one after the other, in pieces.
class Heaps {
public:
  explicit Heaps(const Arguments& arguments) : of_(arguments) {
#if ABUT_HAS_TBB
    if (of_.threads > 1) threads_ = std::make_unique<TbbTasks>(of_.threads);
#endif
  }

  /// False if time ran out.
  bool run(Growth& growth) {
    std::size_t done = 0;
    std::unique_ptr<HeapRun> heap = resume(growth, done);
    const std::vector<Next> all = list();
    for (; done < all.size(); ++done) {
      if (heap == nullptr) heap = make(all[done], true);
      while (heap->advance(threads_.get())) {
        const bool isOver = of_.seconds > 0.0 && secondsSince(start_) > of_.seconds;
        if (isOver || secondsSince(saved_) > kBetweenSaves) save(growth, done, *heap);
        if (!isOver) continue;
        heap->tell();
        return false;
      }
      const double rest = heap->judge();
      if (all[done].kind == HeapKind::Boxes) growth.add(all[done].limits.count, rest);
      heap.reset();
    }
    return true;
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kBetweenSaves = 30.0;
  static constexpr int kMostRollers = 300;
  struct Next {
    HeapLimits limits;
    HeapKind kind;
    bool toRest;
  };

  static double secondsSince(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }
  [[nodiscard]] std::vector<Next> list() const {
    constexpr HeapLimits kLimits[] = {{100, 0.08, 0.015, 20, 400},
                                      {300, 0.4, 0.07, 20, 500},
                                      {1000, 4.0, 0.3, 10, 800},
                                      {2000, 10.0, 0.7, 5, 1000}};
    std::vector<Next> all;
    for (const HeapKind kind : {HeapKind::Boxes, HeapKind::Spheres, HeapKind::Rollers}) {
      const bool wanted = kind == HeapKind::Boxes     ? of_.boxes
                          : kind == HeapKind::Spheres ? of_.spheres
                                                      : of_.rollers;
      for (const HeapLimits& limits : kLimits) {
        const bool isAsked =
            std::find(of_.sizes.begin(), of_.sizes.end(), limits.count) != of_.sizes.end();
        // Rollers do not come to rest: large heaps of them would be stepped to no end.
        const bool isTooMuch =
            kind == HeapKind::Rollers && limits.count > kMostRollers && of_.isAll;
        if (!wanted || !isAsked || isTooMuch) continue;
        all.push_back({limits, kind, !of_.isShort || limits.count <= 100});
      }
    }
    return all;
  }
  [[nodiscard]] std::unique_ptr<HeapRun> make(const Next& next, bool isFresh) const {
    return std::make_unique<HeapRun>(next.limits, next.kind, next.toRest, of_.seed, isFresh);
  }
  /// Whole or not at all.
  void save(Growth& growth, std::size_t done, HeapRun& heap) {
    saved_ = Clock::now();
    if (of_.save.empty()) return;
    PutPieces pieces;
    pieces(of_.same, done, barsHeld, barsSeen);
    growth.visit(pieces);
    heap.put(pieces);
    const std::string next = of_.save + ".next";
    std::ofstream file(next, std::ios::binary);
    file.write(reinterpret_cast<const char*>(pieces.bytes.data()),
               static_cast<std::streamsize>(pieces.bytes.size()));
    file.close();
    if (!file) throw std::runtime_error(next + " cannot be written");
    std::filesystem::rename(next, of_.save);
  }
  std::unique_ptr<HeapRun> resume(Growth& growth, std::size_t& done) const {
    if (of_.resume.empty()) return nullptr;
    std::ifstream file(of_.resume, std::ios::binary);
    if (!file) {
      std::printf("there is no %s: from the beginning\n", of_.resume.c_str());
      return nullptr;
    }
    const std::vector<char> read((std::istreambuf_iterator<char>(file)), {});
    const auto* bytes = reinterpret_cast<const std::byte*>(read.data());
    TakePieces pieces({bytes, bytes + read.size()});
    std::string same;
    pieces(same, done, barsHeld, barsSeen);
    growth.visit(pieces);
    const std::vector<Next> all = list();
    if (same != of_.same || done >= all.size()) {
      throw std::runtime_error(of_.resume + " is of other arguments: " + same);
    }
    std::unique_ptr<HeapRun> heap = make(all[done], false);
    heap->take(pieces);
    std::printf("goes on from %s, %d of %d bars held by then\n", of_.resume.c_str(), barsHeld,
                barsSeen);
    heap->tell();
    return heap;
  }

  const Arguments& of_;
  Clock::time_point start_ = Clock::now(), saved_ = start_;
  std::unique_ptr<TaskRunner> threads_;
};

}  // namespace

int main(int argc, char** argv) try {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const Arguments arguments(argc, argv);
  Growth growth;
  if (!Heaps(arguments).run(growth)) {
    std::printf("time is over; %d of %d bars hold so far\n", barsHeld, barsSeen);
    return 3;
  }
  growth.print();
  if (arguments.towers) benchTowers(100, 0.063, arguments.seed);
  if (arguments.towers && !arguments.isShort) benchTowers(300, 1.9, arguments.seed);
  if (!arguments.problems.empty()) benchProblems(arguments.problems);
  std::printf("%d of %d bars hold\n", barsHeld, barsSeen);
  return barsHeld == barsSeen ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_exact: %s\n", error.what());
  return 2;
}
