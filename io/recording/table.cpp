// SPDX-License-Identifier: MIT
#include "io/recording/table.hpp"

#include <algorithm>
#include <numeric>

namespace abut::inline v0_1::io {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr int kWordBytes = 8;

std::uint64_t folded(std::uint64_t difference) {
  const bool negative = difference >> 63 != 0;
  return difference << 1 ^ (negative ? ~std::uint64_t{0} : 0);
}
std::uint64_t unfolded(std::uint64_t v) {
  return v >> 1 ^ ((v & 1) != 0 ? ~std::uint64_t{0} : 0);
}

/// Rows of the table before by their keys.
class KeyIndex {
public:
  KeyIndex(const Table& table, std::size_t keyWords) : table_(table), key_words_(keyWords) {
    order_.resize(table.numRows());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
      const int order = compare(row(a), row(b));
      return order != 0 ? order < 0 : a < b;
    });
  }

  /// `guess` is tried first.
  [[nodiscard]] std::size_t find(const std::uint64_t* key, std::size_t guess) const {
    if (guess < table_.numRows() && compare(row(guess), key) == 0) return guess;
    const auto place = std::lower_bound(
        order_.begin(), order_.end(), key,
        [this](std::size_t a, const std::uint64_t* wanted) { return compare(row(a), wanted) < 0; });
    return place != order_.end() && compare(row(*place), key) == 0 ? *place : kNone;
  }

private:
  [[nodiscard]] const std::uint64_t* row(std::size_t i) const {
    return table_.words.data() + i * table_.width;
  }
  [[nodiscard]] int compare(const std::uint64_t* a, const std::uint64_t* b) const {
    for (std::size_t k = 0; k < key_words_; ++k)
      if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
  }

  const Table& table_;
  std::size_t key_words_;
  std::vector<std::size_t> order_;
};

std::vector<std::size_t> matchRows(const Table& now, const Table& before, Match match,
                                   std::size_t keyWords) {
  std::vector<std::size_t> from(now.numRows(), kNone);
  if (match == Match::Index) {
    for (std::size_t i = 0; i < std::min(from.size(), before.numRows()); ++i) from[i] = i;
  } else if (match == Match::Key) {
    const KeyIndex index(before, keyWords);
    std::size_t guess = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] = index.find(now.words.data() + i * now.width, guess);
      if (from[i] != kNone) guess = from[i] + 1;
    }
  }
  return from;
}

/// Bytes of equal weight stand together.
void writePlanes(ByteWriter& out, const std::vector<std::uint64_t>& words) {
  std::string bytes(words.size() * kWordBytes, '\0');
  char* to = bytes.data();
  for (int plane = 0; plane < kWordBytes; ++plane)
    for (const std::uint64_t w : words) *to++ = static_cast<char>(w >> (8 * plane));
  out.raw(bytes);
}

void readPlanes(ByteReader& in, std::vector<std::uint64_t>& words) {
  const std::string_view bytes = in.raw(words.size() * kWordBytes);
  std::fill(words.begin(), words.end(), 0);
  const char* from = bytes.data();
  for (int plane = 0; plane < kWordBytes; ++plane)
    for (std::uint64_t& w : words)
      w |= std::uint64_t{static_cast<unsigned char>(*from++)} << (8 * plane);
}

void writeMatches(ByteWriter& out, const std::vector<std::size_t>& from) {
  std::vector<std::uint64_t> words(from.size());
  std::uint64_t expected = 1;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint64_t place = from[i] == kNone ? 0 : from[i] + 1;
    words[i] = folded(place - expected);
    if (place != 0) expected = place + 1;
  }
  writePlanes(out, words);
}

std::vector<std::size_t> readMatches(ByteReader& in, std::size_t count, std::size_t rowsBefore) {
  std::vector<std::uint64_t> words(count);
  readPlanes(in, words);
  std::vector<std::size_t> from(count, kNone);
  std::uint64_t expected = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t place = expected + unfolded(words[i]);
    if (place > rowsBefore)
      throw InputError(concat("a row continues row ", place, " of ", rowsBefore));
    if (place == 0) continue;
    from[i] = static_cast<std::size_t>(place - 1);
    expected = place + 1;
  }
  return from;
}

}  // namespace

void writeTable(ByteWriter& out, const Table& now, const Table& before, Match match,
                std::size_t keyWords) {
  const std::vector<std::size_t> from = matchRows(now, before, match, keyWords);
  out.u64(from.size());
  if (match == Match::Key) writeMatches(out, from);
  std::vector<std::uint64_t> column(from.size());
  for (std::size_t k = 0; k < now.width; ++k) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::uint64_t base = from[i] == kNone ? 0 : before.words[from[i] * before.width + k];
      column[i] = folded(now.words[i * now.width + k] - base);
    }
    writePlanes(out, column);
  }
}

void readTable(ByteReader& in, Table& now, const Table& before, Match match) {
  const std::size_t count = in.count(kWordBytes * now.width);
  std::vector<std::size_t> from(count, kNone);
  if (match == Match::Key) from = readMatches(in, count, before.numRows());
  if (match == Match::Index)
    for (std::size_t i = 0; i < std::min(count, before.numRows()); ++i) from[i] = i;
  now.words.assign(count * now.width, 0);
  std::vector<std::uint64_t> column(count);
  for (std::size_t k = 0; k < now.width; ++k) {
    readPlanes(in, column);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t base = from[i] == kNone ? 0 : before.words[from[i] * before.width + k];
      now.words[i * now.width + k] = base + unfolded(column[i]);
    }
  }
}

}  // namespace abut::inline v0_1::io
