// SPDX-License-Identifier: MIT
#include "ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/text.hpp"
#include "io/run/checkpoint.hpp"
#include "io/run/simulation.hpp"
#include "options.hpp"
#if ABUT_HAS_MPI
#include <abut/mpi/mpi_communicator.hpp>
#endif

namespace abut::tool {
namespace {

#if ABUT_HAS_MPI
std::unique_ptr<MpiCommunicator> all;
#else
std::unique_ptr<Communicator> all;
#endif
bool isDivided = false;
bool isRefused = false;          // By all ranks alike.
int complaints = STDERR_FILENO;  // Where a rank that does not print says why it ends all.

}  // namespace

Ranks::Ranks() {
#if ABUT_HAS_MPI
  if (!MpiCommunicator::isStarted()) return;
  all = std::make_unique<MpiCommunicator>();
  if (isFirst()) return;
  complaints = ::dup(STDERR_FILENO);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (nothing >= 0) ::dup2(nothing, stream);
  }
#endif
}

Ranks::~Ranks() {
  all.reset();
}

bool Ranks::isFirst() {
  return all == nullptr || all->getRank() == 0;
}

int Ranks::rank() {
  return all == nullptr ? 0 : all->getRank();
}

int Ranks::numRanks() {
  return all == nullptr ? 1 : all->getSize();
}

io::DividedScene Ranks::load(const std::string& path) {
  if (numRanks() > 1) return io::loadDividedScene(path, io::readRobotFile);
  return {io::loadScene(path, io::readRobotFile), {}};
}

std::unique_ptr<io::SceneRun> Ranks::start(const io::DividedScene& divided) {
  if (divided.grids.empty()) return io::startRun(divided.scene);
  return std::make_unique<io::Simulation>(divided, rank(), numRanks());
}

void Ranks::divide(io::SceneRun& run, bool shows, const std::string& resume) {
  if (numRanks() == 1) return;
  auto* const fixed = dynamic_cast<io::Simulation*>(&run);
  if (fixed == nullptr) {
    throw io::InputError("abut: a run with a variable step works on one rank; leave mpirun out");
  }
  std::unique_ptr<io::CheckpointReader> from;
  if (!resume.empty()) from = std::make_unique<io::CheckpointReader>(resume, run.getScene());
  if (agree(false)) {
    isRefused = true;  // All know.
    throw io::InputError("abut: another rank could not begin; see what it says");
  }
  try {
    isDivided = true;
    if (from) {
      fixed->divide(*all, shows, *from, from->getStep(), from->getHash());
    } else {
      fixed->divide(*all, shows);
    }
  } catch (const Error& error) {
    isRefused = error.getCode() == StatusCode::OutOfRange ||
                error.getCode() == StatusCode::BadData ||
                error.getCode() == StatusCode::DuplicateObject;
    throw io::InputError(io::concat("abut: ", error.what()));
  }
}

Communicator::Traffic Ranks::traffic() {
  return all == nullptr ? Communicator::Traffic{} : all->getTraffic();
}

std::string Ranks::describeTraffic(const Communicator::Traffic& since, std::uint64_t steps,
                                   std::uint64_t own, std::uint64_t ghosts) {
  if (numRanks() == 1) return "one";
  const Communicator::Traffic now = traffic();
  const double made = static_cast<double>(std::max<std::uint64_t>(steps, 1));
  const double messages = static_cast<double>(now.messages - since.messages) / made;
  const double bytes = static_cast<double>(now.bytes - since.bytes) / made;
  std::uint64_t sums[] = {now.messages - since.messages, now.bytes - since.bytes};
  double most[] = {messages,
                   bytes,
                   static_cast<double>(now.rounds - since.rounds) / made,
                   static_cast<double>(now.reductions - since.reductions) / made,
                   static_cast<double>(own),
                   -static_cast<double>(own),
                   static_cast<double>(ghosts)};
  all->add(sums);
  all->greatest(most);
  return fmt::format(
      "{}; a step {:.0f} messages, {:.0f} bytes; most of a rank {:.0f} and {:.0f}, {:.0f} rounds, "
      "{:.0f} reductions; {:.0f} to {:.0f} bodies, up to {:.0f} of others",
      numRanks(), static_cast<double>(sums[0]) / made, static_cast<double>(sums[1]) / made, most[0],
      most[1], most[2], most[3], -most[5], most[4], most[6]);
}

std::vector<std::vector<std::string>> Ranks::gather(const std::vector<std::string>& texts) {
  if (numRanks() == 1) return {texts};
  std::vector<std::byte> mine;
  for (const std::string& text : texts) {
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    mine.insert(mine.end(), from, from + text.size());
    mine.push_back(std::byte{0});
  }
  std::vector<Communicator::Bytes> parts;
  all->gatherAll(mine, parts);
  std::vector<std::vector<std::string>> given;
  for (const Communicator::Bytes& part : parts) {
    given.emplace_back();
    std::string text;
    for (const std::byte b : part) {
      if (b != std::byte{0}) {
        text += static_cast<char>(b);
        continue;
      }
      given.back().push_back(text);
      text.clear();
    }
  }
  return given;
}

std::uint64_t Ranks::total(std::uint64_t here) {
  if (numRanks() > 1) all->add({&here, 1});
  return here;
}

bool Ranks::agree(bool here) {
  if (numRanks() == 1) return here;
  std::uint64_t any = here ? 1 : 0;
  all->add({&any, 1});
  return any != 0;
}

void Ranks::requireVerb(const std::string& verb) {
  if (numRanks() == 1 || verb == "run" || verb == "hash" || verb == "sweep" || verb == "verify") {
    return;
  }
  throw UsageError(
      io::concat(verb, ": works on one rank; under mpirun there are run, hash, sweep and verify"));
}

void Ranks::giveUp(const std::string& why) {
#if ABUT_HAS_MPI
  if (numRanks() == 1 || isRefused) return;
  const auto say = [&] {
    std::fflush(stderr);
    ::dprintf(complaints, "abut: rank %d of %d: %s; all ranks end\n", all->getRank(),
              all->getSize(), why.c_str());
  };
  if (isDivided) {
    say();
    all->endAll(kExitBadInput);
  }
  // Others wait in divide(). Where all fail, the first says why.
  const bool isAll = total(1) == static_cast<std::uint64_t>(numRanks());
  if (!isAll && !isFirst()) say();
#else
  (void)why;
#endif
}

}  // namespace abut::tool
