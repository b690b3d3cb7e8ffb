// SPDX-License-Identifier: MIT
#include "sweep.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "summary.hpp"

namespace abut::tool {
namespace {

constexpr std::uint64_t kMostThreads = 4096, kMostShards = 1'000'000;

std::atomic<bool> isStopped = false;  // By a signal, or since a case could not be run.

bool goesOn() {
  if (Interrupt::isWanted()) isStopped = true;
  return !isStopped;
}

}  // namespace

SweepCommand::SweepCommand(CLI::App& app) {
  app_ = app.add_subcommand("sweep", "Run a scene for many values of its numbers, as a table");
  app_->add_option("study", study_, "Study file (JSON)")->required()->type_name("STUDY");
  app_->add_option("--table", table_, "Table to write (CSV); without it the study's name with .csv")
      ->type_name("FILE");
  app_->add_option("--threads", threads_,
                   "Cases to run at once, 0: as many as there are cores. The table is the same")
      ->check(wholeNumber(0, kMostThreads));
  app_->add_option("--shard", shard_,
                   "Run only a part of the cases: 2/3 is the second of three. Whoever finishes the "
                   "last case writes the table")
      ->type_name("I/N");
  app_->footer(
      std::string(
          "A study names a scene, places in it and values for them (docs/sweep.md). Each case "
          "is a line\nof the table: values, what is measured, how the run went, the energy "
          "ledger, the hash. What is\ndone is kept beside the table in FILE.part: the same "
          "command goes on where it was interrupted.\n\n"
          "Examples\n"
          "  abut sweep scenes/studies/slope.json --threads 0\n"
          "  mpirun -n 4 abut sweep scenes/studies/slope.json\n\n") +
      kExitCodesHelp);
}

SweepCommand::Shard SweepCommand::readShard() const {
  if (app_->count("--shard") == 0) {
    return {static_cast<std::uint64_t>(Ranks::rank()),
            static_cast<std::uint64_t>(Ranks::numRanks())};
  }
  if (Ranks::numRanks() > 1)
    throw UsageError("sweep: --shard: under mpirun the ranks are the parts; leave one out");
  const std::size_t slash = shard_.find('/');
  double part = 0.0, parts = 0.0;
  const auto isWhole = [](double v) {
    return v >= 1.0 && v <= static_cast<double>(kMostShards) &&
           v == static_cast<double>(static_cast<std::uint64_t>(v));
  };
  if (slash == std::string::npos || !io::parseNumber(shard_.substr(0, slash), part) ||
      !io::parseNumber(shard_.substr(slash + 1), parts) || !isWhole(part) || !isWhole(parts) ||
      part > parts) {
    throw UsageError(io::concat("sweep: --shard ", io::quoted(shard_),
                                ": expected a part and how many there are, as 2/3"));
  }
  return {static_cast<std::uint64_t>(part) - 1, static_cast<std::uint64_t>(parts)};
}

int SweepCommand::run() {
  const Shard shard = readShard();
  const io::Study study = io::loadStudy(study_);
  std::string table = table_;
  if (app_->count("--table") == 0) {
    const std::size_t slash = study_.find_last_of('/');
    const std::string file = slash == std::string::npos ? study_ : study_.substr(slash + 1);
    table = file.substr(0, file.find_last_of('.')) + ".csv";
  }
  io::OutputPaths paths;
  paths.addInput(study_);
  paths.addScene(study.scenePath, study.files);
  paths.addOutput("--table", table);
  io::Journal journal(study, table);
  const std::uint64_t before = journal.numDone();
  if (before > 0) fmt::print("  {} of {} cases were done before\n", before, study.numCases());
  const Interrupt interrupt;
  if (before < study.numCases()) {
    journal.open(shard.count == 1 ? "" : fmt::format(".{}-of-{}", shard.first + 1, shard.count));
    runCases(study, journal, shard);
  }
  // All ranks are done; the first sees what they wrote.
  const bool interrupted = Ranks::agree(Interrupt::isWanted());
  if (!Ranks::isFirst()) return interrupted ? Interrupt::exitCode() : kExitOk;
  journal.reload();
  if (interrupted && journal.numDone() < study.numCases()) {
    fmt::print(stderr, "abut: interrupted; {} of {} cases are done, the same command goes on\n",
               journal.numDone(), study.numCases());
    return Interrupt::exitCode();
  }
  return conclude(study, journal, table);
}

void SweepCommand::runCases(const io::Study& study, io::Journal& journal,
                            const Shard& shard) const {
  std::vector<std::uint64_t> left;
  for (std::uint64_t i = shard.first; i < study.numCases(); i += shard.count) {
    if (!journal.has(i)) left.push_back(i);
  }
  // A value that the scene does not take is found before the first run.
  for (const std::uint64_t number : left) (void)study.sceneOf(number);
  Progress progress(io::printable(study.name), left.size(), "cases");
  std::atomic<std::size_t> next = 0, done = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (std::size_t i = 0; goesOn() && (i = next++) < left.size();) {
        const io::CaseRow row = io::runCase(study, left[i], goesOn);
        if (!row.isEnded) return;
        journal.add(left[i], row);
        const std::lock_guard lock(mutex);
        progress.update(++done);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      isStopped = true;
    }
  };
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t wanted = threads_ == 0 ? cores : static_cast<std::size_t>(threads_);
  std::vector<std::thread> threads;
  try {
    threads.reserve(std::min(wanted, left.size()));
    while (threads.size() + 1 < std::min(wanted, left.size())) threads.emplace_back(work);
  } catch (const std::system_error&) {
    // Fewer threads do it too.
  } catch (const std::bad_alloc&) {
  }
  work();
  for (std::thread& thread : threads) thread.join();
  progress.finish();
  if (failure) std::rethrow_exception(failure);
}

int SweepCommand::conclude(const io::Study& study, io::Journal& journal, const std::string& table) {
  if (journal.numDone() < study.numCases()) {
    fmt::print("  {} of {} cases are done; the table is written with the last\n", journal.numDone(),
               study.numCases());
    return kExitOk;
  }
  journal.finish();
  const std::uint64_t unsound = journal.numUnsound();
  printLine("cases", fmt::format("{}, {} sound", study.numCases(), study.numCases() - unsound));
  printLine("table", io::printable(table, 200));
  if (unsound == 0) return kExitOk;
  fmt::print(stderr,
             "abut: {} of {} cases are unsound; the column \"fault\" says why, exit code {}\n",
             unsound, study.numCases(), kExitUnsound);
  return kExitUnsound;
}

}  // namespace abut::tool
