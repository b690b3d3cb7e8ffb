// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "io/recording/frame.hpp"
#include "io/recording/table.hpp"

namespace abut::inline v0_1::io {

/// Tables of a frame: the frame itself, bodies, contacts, events, drivers, energy of the step, of
/// the run, report, joints. Tables of table.hpp, their rows as rows.hpp makes them. Recordings may
/// lack the last one.
inline constexpr std::size_t kNumTables = 9, kLeastTables = 8;
using FrameTables = std::array<Table, kNumTables>;

/// What the columns of a recording's frames are: for each table the number of columns, then of each
/// its name, unit and width. Stands before the first frame.
[[nodiscard]] std::string encodeFields();

/// Frames as bytes, each as what changed since the one before.
class FrameEncoder {
public:
  [[nodiscard]] std::string encode(const Frame& frame);

private:
  FrameTables before_;
};

/// The way back, in the order in which they were encoded.
class FrameDecoder {
public:
  /// `fields` is what encodeFields() gave to the program that made the recording. Fields that this
  /// program does not know are left out; those that the recording lacks keep their defaults. Throws
  /// InputError for anything that is not a list of columns.
  explicit FrameDecoder(std::string_view fields);

  /// `frame` is overwritten. Throws InputError for what is not exactly a frame; neither `frame` nor
  /// this can be used after that.
  void decode(std::string_view bytes, Frame& frame);

private:
  /// Where the words of this program's rows stand in the recording's, or kMissing.
  std::array<std::vector<std::size_t>, kNumTables> places_;
  std::size_t num_tables_ = 0;
  FrameTables before_, now_;

  template <typename Record>
  void take(std::size_t table, std::vector<Record>& records) const;
  template <typename Record>
  void takeOne(std::size_t table, Record& record) const;
};

/// A frame by itself.
[[nodiscard]] std::string encode(const Frame& frame);
/// The way back; throws InputError for anything else.
void decodeFrame(std::string_view bytes, Frame& frame);

}  // namespace abut::inline v0_1::io
