// SPDX-License-Identifier: MIT
// Narrow phase beside its peers: time and error of one query, on the same poses, in one process.
//
// A round asks every library the whole batch once, so that noise of the machine hits all alike; the
// figure is the median over rounds. Error: largest difference of max(0, depth) from the exact
// depth. The exact depth is Abut's own where its certificate holds (the support functions of the
// two bodies, written apart from the library, give the claimed depth along the claimed normal), and
// on a sample of the overlaps branch and bound proves that no direction has less.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <time.h>

#include "narrow_row.hpp"

namespace abut::bench {
namespace {

constexpr double kExact = 1e-12;       // Bar for Abut's depth, of the pair's size.
constexpr double kNearlyExact = 1e-6;  // A peer with a smaller error counts as exact [m].

struct Options {
  int perRegime = 400;  // Shapes and poses of a row fit the second level cache.
  int rounds = 21;
  double slowSeconds = 2e-3;  // Batches that take longer get a third of the rounds, not warmed.
  const char* only = nullptr;
};

struct Column {
  Peer* peer = nullptr;
  bool supported = false;
  std::vector<double> rounds;  // [ns] a query.
  double median = 0.0;
  double error = 0.0;
};

struct Score {
  int held = 0;
  int total = 0;
  void add(bool holds) {
    held += holds ? 1 : 0;
    ++total;
  }
};

/// Time this thread has had the processor [s]: what other programs take does not count.
double threadSeconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double secondsOf(Peer& peer, std::span<const std::uint32_t> order) {
  static volatile double sink = 0.0;
  const double start = threadSeconds();
  sink = peer.run(order);
  return threadSeconds() - start;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

Body placed(const Body& body, const Matrix& rotation, const Vector& position) {
  Body result = body;
  result.rotation = rotation;
  result.position = position;
  return result;
}

/// Overlap of a query along n, by the support functions of the test code.
double overlap(const Query& q, const Vector& n) {
  const Body body1 = placed(*q.body1, q.rotation1, q.position1);
  if (q.body2 == nullptr) {
    const Vector up = q.rotation2.col(2);
    return -up.dot(body1.support(-up) - q.position2);
  }
  return test::overlapAlong(body1, placed(*q.body2, q.rotation2, q.position2), n);
}

/// Exact depths of a row and Abut's largest error, in the size of the pair.
struct Truth {
  std::vector<double> depth;
  double abutError = 0.0;
  int proven = 0;
};

Truth findTruth(const Row& row, Peer& abut) {
  constexpr int kProveEvery = 12;
  constexpr double kProveTolerance = 1e-10;
  Truth truth;
  int overlaps = 0;
  for (std::uint32_t i = 0; i < row.queries.size(); ++i) {
    const Query& q = row.queries[i];
    const Answer answer = abut.ask(i);
    truth.depth.push_back(answer.hit ? answer.depth : 0.0);
    if (!answer.hit) {
      // A miss of an overlapping pair; Separated ones are apart by construction.
      if (q.regime == Regime::Overlapping && q.body2 == nullptr) truth.abutError = 1.0;
      if (q.body2 == nullptr || q.regime == Regime::Separated) continue;
    }
    const double size = q.body2 == nullptr
                            ? 1.0
                            : test::pairSize(placed(*q.body1, q.rotation1, q.position1),
                                             placed(*q.body2, q.rotation2, q.position2));
    if (answer.hit) {
      truth.abutError =
          std::max(truth.abutError, std::abs(overlap(q, answer.normal) - answer.depth) / size);
    }
    if (q.body2 == nullptr || ++overlaps % kProveEvery != 0) continue;
    const double known = answer.hit ? answer.depth : 0.0;
    const auto lowest = test::lowestOverlap(placed(*q.body1, q.rotation1, q.position1),
                                            placed(*q.body2, q.rotation2, q.position2),
                                            answer.hit ? known : 1.0, kProveTolerance * size);
    ++truth.proven;
    const double wrong = answer.hit ? known - lowest.upper : std::max(0.0, lowest.lower);
    truth.abutError = std::max(truth.abutError, wrong / size);
    if (wrong > kProveTolerance * size) truth.depth.back() = std::max(0.0, lowest.upper);
  }
  return truth;
}

void measure(const Row& row, const Options& options, std::vector<Column>& columns) {
  std::vector<std::uint32_t> order(row.queries.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  test::Generator random(7);
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[static_cast<std::size_t>(random.below(static_cast<int>(i + 1)))]);
  }
  for (int round = 0; round < options.rounds; ++round) {
    for (Column& c : columns) {
      if (!c.supported) continue;
      const bool slow =
          !c.rounds.empty() &&
          c.rounds.back() * 1e-9 * static_cast<double>(order.size()) > options.slowSeconds;
      if (slow && round % 3 != 0) continue;
      if (!slow) secondsOf(*c.peer, order);  // The library before this one has filled the caches.
      c.rounds.push_back(secondsOf(*c.peer, order) * 1e9 / static_cast<double>(order.size()));
    }
  }
  for (Column& c : columns) c.median = median(c.rounds);
}

/// Median time of one regime alone [ns].
double regimeTime(const Row& row, Peer& peer, Regime regime, int rounds) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < row.queries.size(); ++i) {
    if (row.queries[i].regime == regime) order.push_back(i);
  }
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    times.push_back(secondsOf(peer, order) * 1e9 / static_cast<double>(order.size()));
  }
  return median(times);
}

void fillErrors(const Row& row, const Truth& truth, std::vector<Column>& columns) {
  for (Column& c : columns) {
    if (!c.supported) continue;
    for (std::uint32_t i = 0; i < row.queries.size(); ++i) {
      const Answer answer = c.peer->ask(i);
      const double depth = std::max(0.0, answer.hit ? answer.depth : 0.0);
      c.error = std::max(c.error, std::abs(depth - std::max(0.0, truth.depth[i])));
    }
  }
}

const Column* fastest(const std::vector<Column>& columns, double worstError) {
  const Column* best = nullptr;
  for (const Column& c : columns) {
    if (!c.supported || c.error > worstError) continue;
    if (best == nullptr || c.median < best->median) best = &c;
  }
  return best;
}

void printRow(const Row& row, const std::vector<Column>& columns, const Column& abut,
              const double* regimes, const Truth& truth) {
  std::printf("%-18s Abut %7.1f ns (%.0f / %.0f / %.0f)  error %.1e of the size, %d proven\n",
              row.name.c_str(), abut.median, regimes[0], regimes[1], regimes[2], truth.abutError,
              truth.proven);
  for (const Column& c : columns) {
    if (!c.supported) continue;
    std::printf("  %-16s      %7.1f ns  x %5.2f  error %.1e m\n", c.peer->getName().c_str(),
                c.median, c.median / abut.median, c.error);
  }
}

/// One row: measures, prints, and judges its two bars.
void judge(const Row& row, const Options& options, Peer& abutPeer,
           const std::vector<std::unique_ptr<Peer>>& peers, Score& bars, Score& aims) {
  Truth truth;
  Column abut;
  std::vector<Column> columns(1);
  try {
    abutPeer.prepare(row);
    truth = findTruth(row, abutPeer);
  } catch (const std::exception& e) {
    std::printf("%-18s Abut failed: %s\n", row.name.c_str(), e.what());
    truth.abutError = 1.0;
    truth.depth.assign(row.queries.size(), 0.0);
  }
  columns[0].peer = &abutPeer;
  columns[0].supported = truth.abutError < 1.0;
  for (const auto& peer : peers) {
    columns.emplace_back();
    columns.back().peer = peer.get();
    columns.back().supported = peer->prepare(row);
  }
  measure(row, options, columns);
  abut = columns[0];
  columns.erase(columns.begin());
  fillErrors(row, truth, columns);
  double regimes[3] = {0.0, 0.0, 0.0};
  for (int r = 0; r < 3 && abut.supported; ++r) {
    regimes[r] = regimeTime(row, abutPeer, static_cast<Regime>(r), 7);
  }
  printRow(row, columns, abut, regimes, truth);

  const Column* first = fastest(columns, 1e300);
  const Column* exact = fastest(columns, kNearlyExact);
  const auto wins = [&](const Column* c) {
    return abut.supported && (c == nullptr || abut.median < c->median);
  };
  const auto name = [](const Column* c) { return c != nullptr ? c->peer->getName() : "none"; };
  const bool isExact = truth.abutError <= kExact;
  const bool isFast = wins(row.isSimple ? first : exact);
  bars.add(isExact);
  bars.add(isFast);
  aims.add(wins(first));
  std::printf("  -> exact: %s; faster than %s: %s; than the fastest of all (%s): %s\n",
              isExact ? "yes" : "NO",
              (row.isSimple ? name(first) : "the fastest exact peer (" + name(exact) + ")").c_str(),
              isFast ? "yes" : "NO", name(first).c_str(), wins(first) ? "yes" : "no");
  std::fflush(stdout);
}

int runAll(const Options& options) {
  const std::unique_ptr<Peer> abut = makeAbut();
  std::vector<std::unique_ptr<Peer>> peers;
  for (auto make : {makeFcl, makeBullet, makeOde, makeCcd}) {
    for (auto& peer : make()) peers.push_back(std::move(peer));
  }
  std::printf(
      "ns a query, median of rounds; in brackets separated / touching / overlapping; x = times "
      "Abut's\n");
  Score bars, aims;
  for (const Row& row : makeRows(options.perRegime)) {
    if (options.only != nullptr && row.name != options.only) continue;
    judge(row, options, *abut, peers, bars, aims);
  }
  std::printf("aim: faster than all peers in %d of %d rows\n", aims.held, aims.total);
  std::printf("%d of %d bars hold\n", bars.held, bars.total);
  return bars.held == bars.total ? 0 : 1;
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) {
  abut::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--row=", 6) == 0) {
      options.only = argv[i] + 6;
    } else if (std::strncmp(argv[i], "--rounds=", 9) == 0) {
      options.rounds = std::max(1, std::atoi(argv[i] + 9));
    } else {
      std::fprintf(stderr, "usage: bench_narrow [--row=<pair>] [--rounds=<n>]\n");
      return 2;
    }
  }
  return abut::bench::runAll(options);
}
