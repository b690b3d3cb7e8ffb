// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <abut/core/communicator.hpp>

#include "io/run/scene_run.hpp"
#include "io/scene/grid.hpp"

namespace abut::tool {

/// The ranks of a tool that mpirun started; one rank where nothing did, or without MPI. Only the
/// first prints. There is one of these, in main().
class Ranks {
public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] static bool isFirst();
  [[nodiscard]] static int numRanks();
  [[nodiscard]] static int rank();  ///< Of this process, from 0.
  /// A run at its beginning (io::startRun()), or this rank's part of one that comes in parts.
  [[nodiscard]] static std::unique_ptr<io::SceneRun> start(const io::DividedScene& divided);
  /// The scene of a file; on several ranks, grids that need not be lists are none.
  [[nodiscard]] static io::DividedScene load(const std::string& path);
  /// Divides a run among the ranks, if there are several. `shows`: frames are captured. `resume`:
  /// the checkpoint that it goes on from, or empty. Throws InputError for a run that cannot be
  /// divided.
  static void divide(io::SceneRun& run, bool shows, const std::string& resume);
  /// What this rank sent so far.
  [[nodiscard]] static Communicator::Traffic traffic();
  /// What ranks sent since then in so many steps, for the summary; each says how many bodies it has
  /// of its own and of others. All ranks call it.
  [[nodiscard]] static std::string describeTraffic(const Communicator::Traffic& since,
                                                   std::uint64_t steps, std::uint64_t own,
                                                   std::uint64_t ghosts);
  /// What each rank says, by rank, and the sum of what all count. All ranks call them.
  [[nodiscard]] static std::vector<std::vector<std::string>> gather(
      const std::vector<std::string>& texts);
  [[nodiscard]] static std::uint64_t total(std::uint64_t here);
  /// Whether something holds on any rank.
  [[nodiscard]] static bool agree(bool here);
  /// Throws UsageError for a verb that does not work on several ranks, if there are several.
  static void requireVerb(const std::string& verb);
  /// Called where this rank cannot go on. Ranks whose run is not divided yet end by themselves, as
  /// divide() then says; else all end at once, and this one says why.
  static void giveUp(const std::string& why);
};

}  // namespace abut::tool
