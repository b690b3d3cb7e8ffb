// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/recording/rows.hpp"

namespace abut::tool {

/// One column of a track; bodies and joints are given by their index.
struct TrackColumn {
  std::string name, unit;
  io::Digits digits = io::Digits::Short;
  io::Holds holds = io::Holds::Number;
  std::size_t width = 1;
  std::vector<double> values;
};

/// Index on the page of a body, or joint, that there is not.
inline constexpr std::uint32_t kNoBody = 0xffffffffu;
using BodyIndex = std::function<std::uint32_t(ObjectId)>;

/// Records of one kind over time, as columns. Rows of frame f are start[f] to start[f + 1].
struct Track {
  std::vector<double> time;
  std::vector<std::uint32_t> start{0};
  std::vector<TrackColumn> columns;

  [[nodiscard]] std::size_t numRows() const { return start.back(); }
  [[nodiscard]] std::size_t numFrames() const { return time.size(); }

  /// Appends a frame of records; what the page cannot use, labels, is left out.
  template <typename Record>
  void add(double when, const std::vector<Record>& records, const BodyIndex& indexOf);
  /// Appends rows to no frame in particular.
  template <typename Record>
  void addRow(const Record& record, const BodyIndex& indexOf);
  /// Closes a frame whose rows were added one by one.
  void endFrame(double when);
  /// Column of this name, or nullptr.
  [[nodiscard]] TrackColumn* find(std::string_view name);
  /// Keeps the frames 0, 2, 4, ...
  void keepEverySecondFrame();

private:
  std::vector<std::uint64_t> row_;
};

/// An empty track with the columns of a record.
template <typename Record>
[[nodiscard]] Track trackOf();

}  // namespace abut::tool
