// SPDX-License-Identifier: MIT
#include "ranks.hpp"

#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#include "exit_codes.hpp"
#include "io/core/text.hpp"
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

void Ranks::divide(io::SceneRun& run, bool shows) {
  if (numRanks() == 1) return;
  auto* const fixed = dynamic_cast<io::Simulation*>(&run);
  if (fixed == nullptr) {
    throw io::InputError("abut: a run with a variable step works on one rank; leave mpirun out");
  }
  if (agree(false)) throw io::InputError("abut: another rank could not begin; see what it says");
  try {
    isDivided = true;
    fixed->divide(*all, shows);
  } catch (const Error& error) {
    isRefused = error.getCode() == StatusCode::OutOfRange || error.getCode() == StatusCode::BadData;
    throw io::InputError(io::concat("abut: ", error.what()));
  }
}

bool Ranks::agree(bool here) {
  if (numRanks() == 1) return here;
  std::uint64_t any = here ? 1 : 0;
  all->add({&any, 1});
  return any != 0;
}

void Ranks::requireVerb(const std::string& verb) {
  if (numRanks() == 1 || verb == "run" || verb == "hash" || verb == "sweep") return;
  throw UsageError(
      io::concat(verb, ": works on one rank; under mpirun there are run, hash and sweep"));
}

void Ranks::giveUp(const std::string& why) {
#if ABUT_HAS_MPI
  if (numRanks() == 1 || isRefused) return;
  if (!isDivided) {
    (void)agree(true);
    return;
  }
  std::fflush(stderr);
  ::dprintf(complaints, "abut: rank %d of %d: %s; all ranks end\n", all->getRank(), all->getSize(),
            why.c_str());
  all->endAll(kExitBadInput);
#else
  (void)why;
#endif
}

}  // namespace abut::tool
