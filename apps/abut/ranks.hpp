// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <abut/core/communicator.hpp>

#include "io/run/scene_run.hpp"

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
  /// Divides a run among the ranks, if there are several. `shows`: frames are captured. Throws
  /// InputError for a run that cannot be divided.
  static void divide(io::SceneRun& run, bool shows);
  /// Whether something holds on any rank.
  [[nodiscard]] static bool agree(bool here);
  /// Throws UsageError for a verb that does not work on several ranks, if there are several.
  static void requireVerb(const std::string& verb);
  /// Called where this rank cannot go on. Ranks whose run is not divided yet end by themselves, as
  /// divide() then says; else all end at once, and this one says why.
  static void giveUp(const std::string& why);
};

}  // namespace abut::tool
