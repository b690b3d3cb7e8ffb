// SPDX-License-Identifier: MIT
#include "joints/single_inverse.hpp"

#include <cstring>

#include "joints/add_answers.hpp"

namespace abut::inline v0_1 {

void SingleInverse::begin(std::size_t count) {
  width = (6 * count + (kFloat4Lanes - 1)) / kFloat4Lanes;
  rows.assign(6 * count * width, Float4{});
}

void SingleInverse::set(std::size_t i, std::size_t j, const Mat6& block) {
  for (std::size_t r = 0; r < 6; ++r) {
    float six[6];
    for (int c = 0; c < 6; ++c) six[c] = static_cast<float>(block.row[r][c]);
    std::memcpy(at(i, r, j), six, sizeof six);
  }
}

Mat6 SingleInverse::get(std::size_t i, std::size_t j) const {
  Mat6 block;
  for (std::size_t r = 0; r < 6; ++r) {
    float six[6];
    std::memcpy(six, at(i, r, j), sizeof six);
    block.row[r] = makeVec6(static_cast<double>(six[0]), static_cast<double>(six[1]),
                            static_cast<double>(six[2]), static_cast<double>(six[3]),
                            static_cast<double>(six[4]), static_cast<double>(six[5]));
  }
  return block;
}

void SingleInverse::mirror(std::size_t i, std::size_t j) {
  float block[6][6], turned[6];
  for (std::size_t r = 0; r < 6; ++r) std::memcpy(block[r], at(i, r, j), sizeof block[r]);
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c < 6; ++c) turned[c] = block[c][r];
    std::memcpy(at(j, r, i), turned, sizeof turned);
  }
}

void SingleInverse::takeOver(std::size_t i, std::size_t from, const Mat6& hand) {
  for (std::size_t r = 0; r < 6; ++r) {
    float y[6];
    for (int c = 0; c < 6; ++c) y[c] = -static_cast<float>(hand.row[r][c]);
    addAnswers(&rows[6 * from * width], width, y, &rows[(6 * i + r) * width]);
  }
}

}  // namespace abut::inline v0_1
