// SPDX-License-Identifier: MIT
// Random pairs of convex bodies, apart, touching and overlapping: distance and depth within 1e-12
// of the size, no failure, no wrong sign. Every overlap is proven to be the least one by branch and
// bound; every gap is proven by its certificate.
//
//   geometry_million [--pairs=N] [--seed=S] [--show=F] [--only=I]
//
// Prints the largest error of each pair of kinds and the first F failures; exit status 0 only if
// every pair passes. --only repeats the pair with one number and prints it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "support/judge.hpp"

namespace abut::test {
namespace {

constexpr const char* kNames[] = {"sphere", "box", "capsule", "cylinder", "cone", "hull"};

struct Options {
  long pairs = 20000;
  std::uint64_t seed = 1;
  long only = -1;
  long shown = 20;
};

struct Line {
  long pairs = 0;
  long overlaps = 0;
  long failures = 0;
  double error = 0.0;
  std::string worst;
};

/// Signed gap aimed at: a quarter clearly apart, a quarter deep, half around touching down to the
/// rounding of the size.
double drawGap(Generator& random, double size) {
  const int choice = random.below(4);
  if (choice == 0) return size * random.range(0.01, 1.0);
  if (choice == 1) return -size * random.range(0.01, 0.4);
  const double gap = size * random.logRange(1e-16, 1e-2);
  return random.below(2) == 0 ? gap : -gap;
}

/// Sizes over two decades, so that thin and flat bodies are among them.
Body drawBody(Generator& random) {
  const auto kind = static_cast<Specimen::Kind>(random.below(6));
  Body body(randomSpecimen(random, kind, 0.05, 2.0));
  body.rotation = random.rotation();
  return body;
}

/// Turns body 2 so that axes are parallel or at right angles, as bodies at rest are, in one pair of
/// five; to rounding or with a small disturbance.
void alignSome(Generator& random, const Body& body1, Body& body2) {
  if (random.below(5) != 0) return;
  body2.rotation = body1.rotation;
  const int turns = random.below(4);
  if (turns != 0) {
    body2.rotation =
        body1.rotation *
        Eigen::AngleAxisd(turns * M_PI / 2, Vector::Unit(random.below(3))).toRotationMatrix();
  }
  if (random.below(2) == 0) {
    const double angle = random.logRange(1e-9, 1e-3);
    body2.rotation =
        body2.rotation * Eigen::AngleAxisd(angle, random.direction()).toRotationMatrix();
  }
}

/// Pair number i of a seed, whatever the pairs before.
void drawPair(std::uint64_t seed, long index, Body& body1, Body& body2) {
  Generator random(seed * 0x9e3779b97f4a7c15ull + static_cast<std::uint64_t>(index));
  for (;;) {
    body1 = drawBody(random);
    body2 = drawBody(random);
    alignSome(random, body1, body2);
    body1.position = random.range(0.0, 3.0) * random.direction();
    const double size = body1.specimen.extent() + body2.specimen.extent();
    const double gap = drawGap(random, size);
    if (random.below(50) == 0) {
      body2.position = body1.position;
      return;
    }
    if (placeAtGap(body1, body2, random.direction(), gap)) return;
  }
}

int run(const Options& options) {
  std::map<std::pair<int, int>, Line> lines;
  long failures = 0;
  double largest = 0.0;
  const long first = options.only >= 0 ? options.only : 0;
  const long last = options.only >= 0 ? options.only + 1 : options.pairs;
  for (long i = first; i < last; ++i) {
    Body body1, body2;
    drawPair(options.seed, i, body1, body2);
    const Verdict verdict = judge(body1, body2);
    int a = static_cast<int>(body1.specimen.kind), b = static_cast<int>(body2.specimen.kind);
    Line& line = lines[std::minmax(a, b)];
    ++line.pairs;
    line.overlaps += verdict.distance < 0.0 ? 1 : 0;
    if (verdict.error > line.error) {
      line.error = verdict.error;
      line.worst = verdict.worst + " of pair " + std::to_string(i);
    }
    largest = std::max(largest, verdict.error);
    if (!verdict.isOk()) {
      ++line.failures;
      if (++failures <= options.shown || options.only >= 0) {
        std::printf("seed %llu pair %ld: %s\n", static_cast<unsigned long long>(options.seed), i,
                    verdict.message.c_str());
      }
    }
    if (options.only >= 0) {
      std::printf("%s distance %.17g contacts %zu error %.2e\n", describe(body1, body2).c_str(),
                  verdict.distance, verdict.contacts, verdict.error);
    }
  }
  std::printf("%-20s %9s %9s %9s %10s\n", "pair", "queries", "overlaps", "failures", "error/size");
  for (const auto& [key, line] : lines) {
    const std::string name = std::string(kNames[key.first]) + "-" + kNames[key.second];
    std::printf("%-20s %9ld %9ld %9ld %10.1e  %s\n", name.c_str(), line.pairs, line.overlaps,
                line.failures, line.error, line.worst.c_str());
  }
  std::printf("%ld pairs, seed %llu: %ld failures, largest error %.2e of the size\n", last - first,
              static_cast<unsigned long long>(options.seed), failures, largest);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace abut::test

int main(int argc, char** argv) {
  abut::test::Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--pairs=", 8) == 0) {
      options.pairs = std::atol(argv[i] + 8);
    } else if (std::strncmp(argv[i], "--seed=", 7) == 0) {
      options.seed = static_cast<std::uint64_t>(std::atoll(argv[i] + 7));
    } else if (std::strncmp(argv[i], "--show=", 7) == 0) {
      options.shown = std::atol(argv[i] + 7);
    } else if (std::strncmp(argv[i], "--only=", 7) == 0) {
      options.only = std::atol(argv[i] + 7);
    } else {
      std::fprintf(stderr,
                   "usage: geometry_million [--pairs=N] [--seed=S] [--show=F] [--only=I]\n");
      return 2;
    }
  }
  return abut::test::run(options);
}
