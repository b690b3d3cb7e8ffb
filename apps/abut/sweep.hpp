// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "command.hpp"
#include "io/sweep/journal.hpp"

namespace abut::tool {

/// `abut sweep`: a scene for many values of its numbers, as a table.
class SweepCommand final : public Command {
public:
  explicit SweepCommand(CLI::App& app);
  int run() override;

private:
  /// The part of the cases that is done here: those whose number leaves `first` when divided by
  /// `count`.
  struct Shard {
    std::uint64_t first = 0, count = 1;
  };
  [[nodiscard]] Shard readShard() const;
  void runCases(const io::Study& study, io::Journal& journal, const Shard& shard) const;
  [[nodiscard]] static int conclude(const io::Study& study, io::Journal& journal,
                                    const std::string& table);

  std::string study_, table_, shard_;
  int threads_ = 1;
};

}  // namespace abut::tool
