// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "io/sweep/study.hpp"

namespace abut::inline v0_1::io {

/// The cases of a study that are done, kept in files beside the table so that a study that was cut
/// short goes on, here or elsewhere. Each of those who work on a study writes a journal of its own,
/// "TABLE.part" or "TABLE.part.2-of-3", and reads them all.
class Journal {
public:
  /// Reads the journals beside `table`. Throws InputError for one of another study.
  Journal(const Study& study, std::string table);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Opens the own journal, after what is whole in it. `label`: "" or ".2-of-3".
  void open(const std::string& label);
  /// Keeps a case. Threads may call it at once.
  void add(std::uint64_t number, const CaseRow& row);
  /// Reads anew what the journals hold.
  void reload();

  [[nodiscard]] bool has(std::uint64_t number) const { return rows_.contains(number); }
  [[nodiscard]] std::uint64_t numDone() const { return rows_.size(); }
  [[nodiscard]] std::uint64_t numUnsound() const;
  /// Writes the table at once and takes the journals away. All cases must be there.
  void finish();

private:
  struct Row {
    std::string line;
    bool sound = true;
  };
  [[nodiscard]] std::vector<std::string> files() const;
  /// Bytes that are whole.
  std::size_t read(const std::string& path);

  const Study& study_;
  std::string table_;
  std::map<std::uint64_t, Row> rows_;
  std::mutex mutex_;
  std::string own_;
  int file_ = -1;
};

}  // namespace abut::inline v0_1::io
