// SPDX-License-Identifier: MIT
#include "broad_phase/morton_order.hpp"

#include <algorithm>
#include <array>

#include "broad_phase/float8.hpp"

namespace abut {
namespace {

constexpr int kBitsPerAxis = 10;
constexpr std::uint32_t kCells = 1u << kBitsPerAxis;
/// Below this a comparison sort is faster than three radix passes.
constexpr std::size_t kSmallRange = 192;
/// Runs of equal keys up to this length are left as they are: two leaves of the tree.
constexpr std::size_t kLongestRun = 16;

/// spread[i]: the bits of i, each moved to three times its place.
constexpr std::array<std::uint32_t, kCells> makeSpread() {
  std::array<std::uint32_t, kCells> spread{};
  for (std::uint32_t i = 0; i < kCells; ++i) {
    for (int bit = 0; bit < kBitsPerAxis; ++bit) spread[i] |= ((i >> bit) & 1u) << (3 * bit);
  }
  return spread;
}
constexpr std::array<std::uint32_t, kCells> kSpread = makeSpread();

/// Infinities become large numbers, so that centres are finite.
Float4 tamed(Float4 v) {
  const Float4 limit = splat4(static_cast<float>(kWildCoordinate));
  v = v < -limit ? -limit : v;
  return v > limit ? limit : v;
}

/// Twice the centre.
Float4 centreSum(const FloatBox& box) {
  Float4 lo, hi;
  std::memcpy(&lo, box.lo, sizeof lo);
  std::memcpy(&hi, box.hi, sizeof hi);
  return tamed(lo) + tamed(hi);
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
    min = c < min ? c : min;
    max = c > max ? c : max;
  }
  const Float4 size = max - min;
  float extent = size[0] > size[1] ? size[0] : size[1];
  extent = size[2] > extent ? size[2] : extent;
  if (!(extent > kFloatTiny)) return false;
  grid = {min, splat4(static_cast<float>(kCells) / extent)};
  return true;
}

std::uint32_t keyOf(const Grid& grid, const FloatBox& box) {
  const Float4 cell = (centreSum(box) - grid.min) * grid.scale;
  const Float4 last = splat4(static_cast<float>(kCells - 1));
  const Float4 clamped = cell < last ? cell : last;
  const Int4 i = __builtin_convertvector(clamped, Int4);
  return kSpread[static_cast<std::uint32_t>(i[0])] << 2 |
         kSpread[static_cast<std::uint32_t>(i[1])] << 1 | kSpread[static_cast<std::uint32_t>(i[2])];
}

using Counts = std::array<std::uint32_t, kCells>;

std::uint32_t digit(std::uint64_t entry, int pass) {
  return static_cast<std::uint32_t>(entry >> (32 + kBitsPerAxis * pass)) & (kCells - 1);
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

/// Keys, then three passes over ten bits each. Its tables are not kept on the stack during the
/// recursion.
__attribute__((noinline)) void radixSort(const Grid& grid, const std::vector<FloatBox>& boxes,
                                         std::span<std::uint64_t> entries,
                                         std::span<std::uint64_t> scratch) {
  Counts low{}, middle{}, high{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t entry = keyed(grid, boxes, entries[i]);
    scratch[i] = entry;
    ++low[digit(entry, 0)];
    ++middle[digit(entry, 1)];
    ++high[digit(entry, 2)];
  }
  radixPass(scratch, entries, low, 0);
  radixPass(entries, scratch, middle, 1);
  radixPass(scratch, entries, high, 2);
}

}  // namespace

void MortonOrder::sort(std::span<std::uint32_t> slots, const std::vector<FloatBox>& boxes) {
  if (slots.size() > entries_.size()) {
    entries_.resize(slots.size());
    scratch_.resize(slots.size());
  }
  for (std::size_t i = 0; i < slots.size(); ++i) entries_[i] = slots[i];
  sortRange(std::span(entries_).first(slots.size()), std::span(scratch_).first(slots.size()),
            boxes);
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<std::uint32_t>(entries_[i]);
}

void MortonOrder::sortRange(std::span<Entry> entries, std::span<Entry> scratch,
                            const std::vector<FloatBox>& boxes) {
  Grid grid;
  if (entries.size() < 2 || !makeGrid(entries, boxes, grid)) return;
  if (entries.size() < kSmallRange) {
    for (Entry& entry : entries) entry = keyed(grid, boxes, entry);
    std::sort(entries.begin(), entries.end());
  } else {
    radixSort(grid, boxes, entries, scratch);
  }
  // Every level of the recursion divides the extent by kCells, so it ends after a few.
  for (std::size_t i = 0, j = 0; i < entries.size(); i = j) {
    for (j = i + 1; j < entries.size() && entries[j] >> 32 == entries[i] >> 32;) ++j;
    if (j - i > kLongestRun) sortRange(entries.subspan(i, j - i), scratch.subspan(i, j - i), boxes);
  }
}

}  // namespace abut
