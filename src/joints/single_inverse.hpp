// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "math/block6.hpp"
#include "math/float4.hpp"

namespace abut::inline v0_1 {

/// Blocks of an inverse in single precision: six rows for each body, each of all its columns.
struct SingleInverse {
  std::vector<Float4> rows;
  std::size_t width = 0;  ///< Of a row, in fours.

  /// All zero, for so many bodies.
  void begin(std::size_t count);
  void set(std::size_t i, std::size_t j, const Mat6& block);
  [[nodiscard]] Mat6 get(std::size_t i, std::size_t j) const;
  /// Makes block [j][i] what [i][j] is, transposed.
  void mirror(std::size_t i, std::size_t j);
  /// Takes -hand times the rows of another to those of body i.
  void takeOver(std::size_t i, std::size_t from, const Mat6& hand);
  /// Six numbers of a row.
  [[nodiscard]] char* at(std::size_t i, std::size_t row, std::size_t j) {
    return reinterpret_cast<char*>(&rows[(6 * i + row) * width]) + 6 * sizeof(float) * j;
  }
  [[nodiscard]] const char* at(std::size_t i, std::size_t row, std::size_t j) const {
    return reinterpret_cast<const char*>(&rows[(6 * i + row) * width]) + 6 * sizeof(float) * j;
  }
};

}  // namespace abut::inline v0_1
