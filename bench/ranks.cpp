// SPDX-License-Identifier: MIT
//
// A settling pile of spheres on ranks: bench_ranks NX NY NZ STEPS [RANKS]. Ranks are those of
// mpirun, or RANKS threads of this process, for machines without MPI. Each makes its own part of
// the pile; rank 0 says how long a step took, memory a body, what was sent, and the hash, which
// does not depend on the number of ranks. Steps are timed from the middle of the run on: before,
// the pile comes to be.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <abut/ranks/distributed_world.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/thread_ranks.hpp"
#if ABUT_HAS_MPI
#include <abut/mpi/mpi_communicator.hpp>
#endif

namespace {

using namespace abut;

struct Pile {
  std::uint64_t nx = 1, ny = 1, nz = 1;
  int steps = 1;

  [[nodiscard]] std::uint64_t size() const { return nx * ny * nz; }
};

constexpr double kRadius = 0.5, kSpacing = 1.04, kLayer = 1.03;

void addSlab(World& world, ObjectId given, const Eigen::Vector3d& at, const Eigen::Vector3d& size) {
  BodyDescription body;
  body.type = BodyType::Static;
  body.id = given;
  body.position = at;
  world.addBody(body, BoxShape::fromSize(size), 0);
}

/// A box without a lid, and the grains from `first` to `end`: layers of a grid askew, so that no
/// grain lies upon another.
World makePart(const Pile& pile, std::uint64_t first, std::uint64_t end) {
  World world(WorldOptions::realTime());
  const auto n = [](std::uint64_t k) { return static_cast<double>(k); };
  const double nx = n(pile.nx), ny = n(pile.ny), nz = n(pile.nz);
  const double x = nx * kSpacing + nz * 0.11 + 4, y = ny * kSpacing + nz * 0.07 + 4,
               z = nz * 1.2 + 10;
  const Eigen::Vector3d middle((nx - 1) * kSpacing / 2 + nz * 0.055,
                               (ny - 1) * kSpacing / 2 + nz * 0.035, 0);
  addSlab(world, 1, middle + Eigen::Vector3d(0, 0, -1), {x + 8, y + 8, 2});
  for (const double side : {-1.0, 1.0}) {
    const ObjectId above = side > 0 ? 1 : 0;
    addSlab(world, 2 + above, middle + Eigen::Vector3d(side * (x / 2 + 1), 0, z / 2),
            {2, y + 8, z + 4});
    addSlab(world, 4 + above, middle + Eigen::Vector3d(0, side * (y / 2 + 1), z / 2),
            {x + 8, 2, z + 4});
  }
  const auto grain = std::make_shared<SphereShape>(kRadius);
  const std::vector<BodyShape> shapes{{grain, {}, 0}};
  for (std::uint64_t g = first; g < end; ++g) {
    const double k = n(g / (pile.nx * pile.ny)), j = n(g / pile.nx % pile.ny), i = n(g % pile.nx);
    BodyDescription body;
    body.id = 10 + g;
    body.position = {i * kSpacing + j * 0.004 + k * 0.11, j * kSpacing + i * 0.003 + k * 0.07,
                     0.6 + k * kLayer + j * 0.0021 + i * 0.0013};
    ObjectId id = 0;
    world.addBody(body, shapes, id).orThrow();
  }
  return world;
}

/// The most memory that this process had [kB].
double mostMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::atof(line.c_str() + 6);
  }
  return 0.0;
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void runRank(const Pile& pile, Communicator& comm, bool isProcess) {
  const auto rank = static_cast<std::uint64_t>(comm.getRank()),
             ranks = static_cast<std::uint64_t>(comm.getSize());
  const double began = seconds();
  World part = makePart(pile, pile.size() * rank / ranks, pile.size() * (rank + 1) / ranks);
  const World kinds = makePart(pile, 0, 1);
  DistributedWorld divided(part, kinds, comm);
  if (rank == 0)
    std::printf("built %llu bodies in %.1f s\n", static_cast<unsigned long long>(pile.size()),
                seconds() - began);
  const int half = pile.steps / 2;
  double from = seconds();
  Communicator::Traffic before = comm.getTraffic();
  std::uint64_t sweeps = 0;
  for (int i = 0; i < pile.steps; ++i) {
    if (i == half) {
      from = seconds();
      before = comm.getTraffic();
      sweeps = 0;
    }
    part.step(1.0 / 60.0).orThrow();
    sweeps += static_cast<std::uint64_t>(part.getReport().sweeps);
    if (rank != 0 || (i + 1) % 10 != 0) continue;
    std::printf("step %d: %zu contacts, deepest %.3g m, %.1f s, %.2f GB here\n", i + 1,
                part.getReport().contacts, part.getReport().greatestDepth, seconds() - began,
                mostMemory() / 1e6);
    std::fflush(stdout);
  }
  const double made = std::max(1, pile.steps - half), took = (seconds() - from) / made;
  const Communicator::Traffic after = comm.getTraffic();
  const auto aStep = [made](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a - b) / made;
  };
  double most[] = {aStep(after.messages, before.messages),
                   aStep(after.bytes, before.bytes),
                   aStep(after.rounds, before.rounds),
                   aStep(after.reductions, before.reductions),
                   static_cast<double>(divided.numOwn()),
                   static_cast<double>(divided.numGhosts()),
                   mostMemory(),
                   took};
  comm.greatest(most);
  std::uint64_t memory = static_cast<std::uint64_t>(mostMemory());
  comm.add({&memory, 1});
  if (!isProcess) memory /= ranks;  // All threads say the same.
  const std::uint64_t hash = divided.hash();
  if (rank != 0) return;
  std::printf(
      "%llu bodies on %llu ranks: %.3f s a step, %.1f sweeps; of a rank at most %.0f messages, "
      "%.0f bytes, %.0f "
      "rounds, %.0f reductions a step, %.0f bodies, %.0f of others, %.2f GB; %.2f kB a body in "
      "all; unaccounted "
      "%.1e J; hash %016llx\n",
      static_cast<unsigned long long>(pile.size()), static_cast<unsigned long long>(ranks), most[7],
      static_cast<double>(sweeps) / made, most[0], most[1], most[2], most[3], most[4], most[5],
      most[6] / 1e6, static_cast<double>(memory) / static_cast<double>(pile.size()),
      std::abs(part.getLedger().residual()), static_cast<unsigned long long>(hash));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) {
    std::fprintf(stderr, "bench_ranks NX NY NZ STEPS [RANKS]\n");
    return 1;
  }
  const auto number = [&](int i) { return static_cast<std::uint64_t>(std::atoll(arguments[i])); };
  const Pile pile{number(1), number(2), number(3), std::atoi(arguments[4])};
#if ABUT_HAS_MPI
  if (MpiCommunicator::isStarted()) {
    MpiCommunicator ranks;
    try {
      runRank(pile, ranks, true);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench_ranks: %s\n", error.what());
      ranks.endAll(2);
    }
    return 0;
  }
#endif
  abut::test::ThreadRanks(count > 5 ? std::atoi(arguments[5]) : 1).run([&](Communicator& ranks) {
    runRank(pile, ranks, false);
  });
  return 0;
}
