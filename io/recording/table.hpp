// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "io/core/bytes.hpp"

namespace abut::inline v0_1::io {

/// How a row finds the one of the table before from which it differs little.
enum class Match : std::uint8_t {
  Index,  ///< The row of the same number.
  Key,    ///< The one that begins with the same words; which, is written down.
  None,
};

/// Rows of words on end.
struct Table {
  std::size_t width = 1;  ///< Words a row.
  std::vector<std::uint64_t> words;

  [[nodiscard]] std::size_t numRows() const { return words.size() / width; }
};

// A table as bytes: u64 number of rows; with Match::Key for each row the matching row of the table
// before, counted from 1 (0: none), less what is expected (the one after the last match); then
// column by column the differences from the matching row (from 0 where there is none). Differences
// are of the words as integers, small ones of either sign near 0 (2 d, or -2 d - 1); of each column
// first the lowest bytes, then the next, ..., because the higher ones are mostly 0 and so pack
// well. Nothing is lost.

/// `keyWords` words at the head of a row make its key; with equal keys the first counts.
void writeTable(ByteWriter& out, const Table& now, const Table& before, Match match,
                std::size_t keyWords = 0);
/// `now.width` says how wide the rows are. Throws InputError for what cannot be.
void readTable(ByteReader& in, Table& now, const Table& before, Match match);

}  // namespace abut::inline v0_1::io
