// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/recording/fields.hpp"

namespace abut::inline v0_1::io {

/// A field as a column of a table.
struct Column {
  std::string name;
  std::string unit;
  Stage stage = Stage::Solver;
  Digits digits = Digits::Short;
  Holds holds = Holds::Number;
  std::size_t width = 1;  ///< Words: 3 for a vector, 4 for a turn (w, x, y, z).
  std::size_t first = 0;  ///< Its first word in a row.
};

// Records as rows of words: doubles by their bits, everything else as a whole number. Record is
// BodyFrame, ContactFrame, EventFrame, DriverFrame, JointFrame, EnergyAccount, StepReport or Frame
// (of which a row holds step, time and hash alone).

/// The columns of a record, as visitFields() names them.
template <typename Record>
[[nodiscard]] const std::vector<Column>& columnsOf();

/// Words of a row.
template <typename Record>
[[nodiscard]] std::size_t rowWidth();

/// Writes rowWidth() words.
template <typename Record>
void toRow(const Record& record, std::uint64_t* row);

/// The way back. Throws InputError for a word that its field cannot hold.
template <typename Record>
void fromRow(const std::uint64_t* row, Record& record);

/// The words of many rows on end.
template <typename Record>
void toRows(const std::vector<Record>& records, std::vector<std::uint64_t>& words);

/// The number that a word of this column stands for.
[[nodiscard]] double numberOf(Holds holds, std::uint64_t word);

/// "normalForce" as "normal force"; "body1" as "body 1".
[[nodiscard]] std::string titleOf(std::string_view name);
/// "normalForce" as "normal_force".
[[nodiscard]] std::string snakeOf(std::string_view name);
/// ".x", or ".w" for a turn; "" for a single number.
[[nodiscard]] std::string_view componentOf(const Column& column, std::size_t k);

}  // namespace abut::inline v0_1::io
