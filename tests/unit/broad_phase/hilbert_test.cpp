// SPDX-License-Identifier: MIT
#include "broad_phase/hilbert.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

struct Cell {
  std::uint32_t key;
  int x, y, z;
};

/// All cells of the curve's first `levels` levels, in its order.
std::vector<Cell> walk(int levels) {
  const int shift = kCurveBits - levels, side = 1 << levels;
  std::vector<Cell> cells;
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z) {
        const std::uint32_t key = hilbertKey(static_cast<std::uint32_t>(x << shift),
                                             static_cast<std::uint32_t>(y << shift),
                                             static_cast<std::uint32_t>(z << shift));
        cells.push_back({key >> (3 * shift), x, y, z});
      }
    }
  }
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.key < b.key; });
  return cells;
}

TEST(Hilbert, VisitsEveryCellOnceAndStepsThroughFaces) {
  for (int levels = 1; levels <= 5; ++levels) {
    const std::vector<Cell> cells = walk(levels);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ASSERT_EQ(cells[i].key, i);
      if (i == 0) continue;
      const int distance = std::abs(cells[i].x - cells[i - 1].x) +
                           std::abs(cells[i].y - cells[i - 1].y) +
                           std::abs(cells[i].z - cells[i - 1].z);
      ASSERT_EQ(distance, 1) << "level " << levels << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace abut
