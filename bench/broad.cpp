// SPDX-License-Identifier: MIT
// Broad phase beside its peers: moving boxes, every object gets a new box and all pairs are found.
//
// A round hands the same steps to every library in turn, so that noise of the machine hits all
// alike; the figure is the median over rounds of the thread's processor time. Every library's pairs
// are compared with Abut's after the last step of a row: the same set, once pairs that only fat
// boxes report are dropped. Before timing, steps are run until trees and fat boxes have aged.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <benchmark/benchmark.h>

#include "broad_peer.hpp"
#include "support/generator.hpp"

namespace abut::bench {
namespace {

using test::Generator;

constexpr double kBar = 80.0;  // [ns] an object.

/// One line of the table.
struct Row {
  const char* name;
  int count;
  double volume;  ///< Space for each object [m^3]; the mean side of a box is 1 m.
  double speed;   ///< Largest displacement a step along each axis [m].
  bool hasBar;
  bool mixed;     ///< Sides from 0.1 to 10 m.
  int huge;       ///< So many objects are as wide as the scene.
  double offset;  ///< Of the whole scene along each axis [m].
  bool flat;      ///< All within 2 m of height.
};

const Row kRows[] = {
    {"10 000 slow", 10000, 20.0, 0.01, true, false, 0, 0.0, false},
    {"10 000 fast", 10000, 20.0, 0.3, true, false, 0, 0.0, false},
    {"100 000 slow", 100000, 20.0, 0.01, true, false, 0, 0.0, false},
    {"100 000 fast", 100000, 20.0, 0.3, true, false, 0, 0.0, false},
    {"dense pile", 10000, 1.0, 0.01, false, false, 0, 0.0, false},
    {"mixed sizes", 10000, 300.0, 0.01, false, true, 0, 0.0, false},
    {"three huge", 10000, 20.0, 0.01, false, false, 3, 0.0, false},
    {"1e6 m away", 10000, 20.0, 0.01, false, false, 0, 1e6, false},
    {"flat", 10000, 20.0, 0.01, false, false, 0, 0.0, true},
};

/// Boxes that move in a cube and bounce at its sides.
class Scene {
public:
  explicit Scene(const Row& row) : row_(row), random_(12345) {
    const double volume = row.volume * row.count;
    const double side = row.flat ? std::sqrt(volume / 2.0) : std::cbrt(volume);
    size_ = Eigen::Vector3d(side, side, row.flat ? 2.0 : side);
    for (int i = 0; i < row.count; ++i) {
      centers_.push_back(draw(0.0, 1.0).cwiseProduct(size_));
      velocities_.push_back(draw(-row.speed, row.speed));
      const double scale = row.mixed ? 0.5 * random_.logRange(0.1, 10.0) : 0.5;
      halves_.push_back(row.mixed ? Eigen::Vector3d(draw(0.5, 1.5) * scale)
                                  : Eigen::Vector3d(0.5, 0.5, 0.5));
      if (i < row.huge) halves_.back() = Eigen::Vector3d(0.5 * side, 0.5 * side, 0.5);
    }
  }

  void move(Boxes& boxes) {
    const Eigen::Vector3d offset(row_.offset, row_.offset, row_.offset);
    boxes.resize(centers_.size());
    for (std::size_t i = 0; i < centers_.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        double& x = centers_[i][axis];
        double& v = velocities_[i][axis];
        x += v;
        if ((x < 0.0 && v < 0.0) || (x > size_[axis] && v > 0.0)) v = -v;
      }
      boxes[i] = Aabb(centers_[i] + offset - halves_[i], centers_[i] + offset + halves_[i]);
    }
  }

private:
  Eigen::Vector3d draw(double low, double high) {
    Eigen::Vector3d v;
    for (int axis = 0; axis < 3; ++axis) v[axis] = random_.range(low, high);
    return v;
  }

  const Row& row_;
  Generator random_;
  Eigen::Vector3d size_;
  std::vector<Eigen::Vector3d> centers_, velocities_, halves_;
};

/// Processor time of this thread [ns]: what others do on the machine does not count.
double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Pairs that really overlap, each once, in order.
void canonical(const Boxes& boxes, Pairs& pairs) {
  std::size_t kept = 0;
  for (const ObjectPair& pair : pairs) {
    if (!boxes[pair.first - 1].overlaps(boxes[pair.second - 1])) continue;
    pairs[kept++] = ObjectPair::of(pair.first, pair.second);
  }
  pairs.resize(kept);
  std::sort(pairs.begin(), pairs.end());
}

struct Outcome {
  std::vector<std::string> names;
  std::vector<double> nanoseconds;  ///< An object; Abut first. 0: not run.
  double low = 0.0, high = 0.0;     ///< Quartiles of Abut's rounds.
  std::size_t pairs = 0;
  std::string disagree;  ///< Names of libraries with other pairs.
};

using Peers = std::vector<std::unique_ptr<BroadPeer>>;

Peers makePeers() {
  Peers peers;
  peers.push_back(makeBroadAbut());
  for (auto make : {makeBroadFcl, makeBroadBullet, makeBroadOde}) {
    for (auto& peer : make()) peers.push_back(std::move(peer));
  }
  return peers;
}

/// Times of each peer's rounds [ns an object]; none for a peer that does not accept the count.
std::vector<std::vector<double>> timeRounds(const Row& row, int rounds, Peers& peers,
                                            Boxes& lastBoxes) {
  Scene scene(row);
  const bool large = row.count > 50000;
  const int steps = large ? 2 : 5, warmUps = large ? 8 : 6;
  std::vector<Boxes> boxes(static_cast<std::size_t>(steps));
  scene.move(boxes[0]);
  std::vector<std::vector<double>> times(peers.size());
  for (auto& peer : peers) {
    if (peer->accepts(boxes[0].size())) peer->build(boxes[0]);
  }
  for (int round = -warmUps; round < rounds; ++round) {
    for (Boxes& step : boxes) scene.move(step);
    for (std::size_t p = 0; p < peers.size(); ++p) {
      if (!peers[p]->accepts(boxes[0].size())) continue;
      const double start = now();
      for (const Boxes& step : boxes) {
        peers[p]->step(step);
        benchmark::ClobberMemory();
      }
      const double time = (now() - start) / (static_cast<double>(row.count) * steps);
      if (round >= 0) times[p].push_back(time);
    }
  }
  lastBoxes = boxes.back();
  return times;
}

Outcome run(const Row& row, int rounds) {
  Peers peers = makePeers();
  Boxes boxes;
  std::vector<std::vector<double>> times = timeRounds(row, rounds, peers, boxes);
  Outcome outcome;
  Pairs own, other;
  peers[0]->getPairs(own);
  Pairs sorted = own;
  canonical(boxes, sorted);
  if (sorted != own) outcome.disagree = " Abut(order)";
  outcome.pairs = own.size();
  for (std::size_t p = 0; p < peers.size(); ++p) {
    outcome.names.push_back(peers[p]->getName());
    outcome.nanoseconds.push_back(times[p].empty() ? 0.0 : median(times[p]));
    if (times[p].empty()) continue;
    peers[p]->getPairs(other);
    canonical(boxes, other);
    if (other != own) outcome.disagree += " " + peers[p]->getName();
  }
  std::sort(times[0].begin(), times[0].end());
  outcome.low = times[0][times[0].size() / 4];
  outcome.high = times[0][times[0].size() * 3 / 4];
  return outcome;
}

void printHead(const Outcome& outcome) {
  std::printf("ns an object (update, pairs; Abut's sorted). Ratio: fastest peer / Abut.\n");
  std::printf("%-14s %8s %14s", "scene", "Abut", "quartiles");
  for (std::size_t p = 1; p < outcome.names.size(); ++p) {
    std::printf(" %11s", outcome.names[p].c_str());
  }
  std::printf(" %7s %10s  %s\n", "ratio", "pairs", "bars");
}

int main(int argc, char** argv) {
  int rounds = 11;
  const char* only = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--rounds=", 9) == 0) {
      rounds = std::max(1, std::atoi(argv[i] + 9));
    } else if (std::strncmp(argv[i], "--only=", 7) == 0) {
      only = argv[i] + 7;
    } else {
      std::fprintf(stderr, "usage: bench_broad [--rounds=N] [--only=part of a scene's name]\n");
      return 2;
    }
  }
  int held = 0, total = 0;
  bool first = true;
  for (const Row& row : kRows) {
    if (only != nullptr && std::strstr(row.name, only) == nullptr) continue;
    const Outcome outcome = run(row, rounds);
    if (first) printHead(outcome);
    first = false;
    const double own = outcome.nanoseconds[0];
    double fastest = HUGE_VAL;
    std::printf("%-14s %8.1f %6.1f -%6.1f", row.name, own, outcome.low, outcome.high);
    for (std::size_t p = 1; p < outcome.nanoseconds.size(); ++p) {
      const double other = outcome.nanoseconds[p];
      if (other > 0.0) {
        std::printf(" %11.1f", other);
        fastest = std::min(fastest, other);
      } else {
        std::printf(" %11s", "-");
      }
    }
    std::printf(" %7.2f %10zu ", fastest / own, outcome.pairs);
    const auto bar = [&](bool holds, const char* name) {
      ++total;
      held += holds ? 1 : 0;
      std::printf(" %s %s;", name, holds ? "holds" : "FAILS");
    };
    if (row.hasBar) bar(own < kBar, "below 80 ns");
    if (row.hasBar) bar(own < fastest, "fastest");
    bar(outcome.disagree.empty(), "same pairs");
    std::printf("%s\n", outcome.disagree.c_str());
    std::fflush(stdout);
  }
  std::printf("%d of %d bars hold\n", held, total);
  return held == total && total > 0 ? 0 : 1;
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) {
  return abut::bench::main(argc, argv);
}
