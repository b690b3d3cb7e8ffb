// SPDX-License-Identifier: MIT
#include "broad_phase/curve_order.hpp"

#include <algorithm>
#include <array>

#include "broad_phase/float8.hpp"
#include "broad_phase/hilbert.hpp"

namespace abut::inline v0_1 {
namespace {

/// Below this a comparison sort is faster than radix passes.
constexpr std::size_t kSmallRange = 256;
/// Runs of equal keys up to this length are left as they are: two leaves of the tree.
constexpr std::size_t kLongestRun = 16;

/// Twice the centre; infinities count as large numbers.
Float4 centreSum(const FloatBox& box) {
  const Float4 limit = splat4(static_cast<float>(kWildCoordinate));
  return maxOf(box.lo, -limit) + minOf(box.hi, limit);
}

struct Grid {
  Float4 min;
  Float4 scale;
};

/// A grid of cubic cells over the centres. Returns false if they all coincide.
bool makeGrid(std::span<const std::uint64_t> entries, const std::vector<FloatBox>& boxes,
              Grid& grid) {
  Float4 min = centreSum(boxes[static_cast<std::uint32_t>(entries[0])]), max = min;
  for (const std::uint64_t entry : entries) {
    const Float4 c = centreSum(boxes[static_cast<std::uint32_t>(entry)]);
    min = minOf(min, c);
    max = maxOf(max, c);
  }
  const Float4 size = max - min;
  float extent = size[0] > size[1] ? size[0] : size[1];
  extent = size[2] > extent ? size[2] : extent;
  if (!(extent > kFloatTiny)) return false;
  grid = {min, splat4(static_cast<float>(kCurveCells) / extent)};
  return true;
}

std::uint32_t keyOf(const Grid& grid, const FloatBox& box) {
  const Float4 cell = (centreSum(box) - grid.min) * grid.scale;
  const Float4 last = splat4(static_cast<float>(kCurveCells - 1));
  const Int4 i = __builtin_convertvector(minOf(cell, last), Int4);
  return hilbertKey(static_cast<std::uint32_t>(i[0]), static_cast<std::uint32_t>(i[1]),
                    static_cast<std::uint32_t>(i[2]));
}

/// Two passes over eleven bits each sort by the first 22 of the key's 24 bits: several million
/// cells, enough to tell neighbours apart.
constexpr int kDigitBits = 11;
constexpr int kUnsortedBits = 3 * kCurveBits - 2 * kDigitBits;
using Counts = std::array<std::uint32_t, 1u << kDigitBits>;

std::uint32_t digit(std::uint64_t entry, int pass) {
  return static_cast<std::uint32_t>(entry >> (32 + kUnsortedBits + kDigitBits * pass)) &
         ((1u << kDigitBits) - 1);
}

void radixPass(std::span<const std::uint64_t> from, std::span<std::uint64_t> to, Counts& counts,
               int pass) {
  std::uint32_t sum = 0;
  for (std::uint32_t& count : counts) {
    const std::uint32_t start = sum;
    sum += count;
    count = start;
  }
  for (const std::uint64_t entry : from) to[counts[digit(entry, pass)]++] = entry;
}

/// The entry with its key on this grid.
std::uint64_t keyed(const Grid& grid, const std::vector<FloatBox>& boxes, std::uint64_t entry) {
  const std::uint32_t slot = static_cast<std::uint32_t>(entry);
  return static_cast<std::uint64_t>(keyOf(grid, boxes[slot])) << 32 | slot;
}

/// Its tables are not kept on the stack during the recursion.
__attribute__((noinline)) void radixSort(const Grid& grid, const std::vector<FloatBox>& boxes,
                                         std::span<std::uint64_t> entries,
                                         std::span<std::uint64_t> scratch) {
  Counts low{}, high{};
  for (std::uint64_t& slot : entries) {
    const std::uint64_t entry = keyed(grid, boxes, slot);
    slot = entry;
    ++low[digit(entry, 0)];
    ++high[digit(entry, 1)];
  }
  radixPass(entries, scratch, low, 0);
  radixPass(scratch, entries, high, 1);
}

/// True if the sort does not tell the two apart.
bool sameCell(std::uint64_t a, std::uint64_t b) {
  return (a ^ b) >> (32 + kUnsortedBits) == 0;
}

}  // namespace

std::span<const CurveOrder::Entry> CurveOrder::sort(std::span<const std::uint32_t> slots,
                                                    const std::vector<FloatBox>& boxes) {
  if (slots.size() > entries_.size()) {
    entries_.resize(slots.size());
    scratch_.resize(slots.size());
  }
  const std::span<Entry> entries = std::span(entries_).first(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) entries[i] = slots[i];
  sortRange(entries, std::span(scratch_).first(slots.size()), boxes);
  return entries;
}

void CurveOrder::sortRange(std::span<Entry> entries, std::span<Entry> scratch,
                           const std::vector<FloatBox>& boxes) {
  Grid grid;
  if (entries.size() < 2 || !makeGrid(entries, boxes, grid)) return;
  if (entries.size() < kSmallRange) {
    for (Entry& entry : entries) entry = keyed(grid, boxes, entry);
    std::sort(entries.begin(), entries.end());
  } else {
    radixSort(grid, boxes, entries, scratch);
  }
  // Every level of the recursion divides the extent by kCurveCells, so it ends after a few.
  for (std::size_t i = 0, j = 0; i < entries.size(); i = j) {
    for (j = i + 1; j < entries.size() && sameCell(entries[j], entries[i]);) ++j;
    if (j - i > kLongestRun) sortRange(entries.subspan(i, j - i), scratch.subspan(i, j - i), boxes);
  }
}

}  // namespace abut::inline v0_1
