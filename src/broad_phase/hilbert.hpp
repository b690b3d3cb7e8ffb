// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace abut::inline v0_1 {

inline constexpr int kCurveBits = 8;  ///< Levels of the curve: 2^8 cells along each axis.
inline constexpr std::uint32_t kCurveCells = 1u << kCurveBits;

namespace hilbert {

// A state of the curve is the corner e at which it enters a cell (bits x, y, z) and the axis d
// along which it leaves it. The eight sub-cells are visited in Gray code order, turned and
// reflected by the state (C. Hamilton, Compact Hilbert Indices, 2006).

constexpr std::uint32_t rotateLeft(std::uint32_t bits, std::uint32_t by) {
  return (bits << by | bits >> (3 - by)) & 7u;
}
constexpr std::uint32_t gray(std::uint32_t i) {
  return i ^ i >> 1;
}
/// Entry corner of sub-cell i of the unturned curve, and the axis along which the curve leaves it.
constexpr std::uint32_t entryOf(std::uint32_t i) {
  return i == 0 ? 0u : gray((i - 1) / 2 * 2);
}
constexpr std::uint32_t trailingOnes(std::uint32_t i) {
  return (i & 1u) == 0 ? 0u : 1u + trailingOnes(i >> 1);
}
constexpr std::uint32_t axisOf(std::uint32_t i) {
  return i == 0 ? 0u : trailingOnes((i & 1u) == 0 ? i - 1 : i) % 3;
}

/// For a state (8 d + e) and a sub-cell's bits: 8 * next state + place on the curve.
constexpr std::uint32_t step(std::uint32_t state, std::uint32_t cell) {
  const std::uint32_t entry = state % 8, turn = (state / 8 + 1) % 3;
  const std::uint32_t unturned = rotateLeft(cell ^ entry, (3 - turn) % 3);
  std::uint32_t place = 0;
  while (gray(place) != unturned) ++place;
  const std::uint32_t nextEntry = entry ^ rotateLeft(entryOf(place), turn);
  const std::uint32_t nextAxis = (state / 8 + axisOf(place) + 1) % 3;
  return 8 * (8 * nextAxis + nextEntry) + place;
}

inline constexpr std::uint32_t kStates = 24;
inline constexpr std::size_t kDoubleSize = std::size_t{64} * kStates;

/// Two levels at once: for 64 * state + two levels' bits, 64 * next state + two places.
constexpr std::array<std::uint16_t, kDoubleSize> makeDoubleSteps() {
  std::array<std::uint16_t, kDoubleSize> table{};
  for (std::uint32_t state = 0; state < kStates; ++state) {
    for (std::uint32_t cells = 0; cells < 64; ++cells) {
      const std::uint32_t first = step(state, cells / 8), second = step(first / 8, cells % 8);
      table[std::size_t{64} * state + cells] =
          static_cast<std::uint16_t>(64 * (second / 8) + 8 * (first % 8) + second % 8);
    }
  }
  return table;
}
inline constexpr std::array<std::uint16_t, kDoubleSize> kDoubleSteps = makeDoubleSteps();

/// The bits of i, each moved to three times its place.
constexpr std::array<std::uint32_t, kCurveCells> makeSpread() {
  std::array<std::uint32_t, kCurveCells> spread{};
  for (std::uint32_t i = 0; i < kCurveCells; ++i) {
    for (int bit = 0; bit < kCurveBits; ++bit) spread[i] |= ((i >> bit) & 1u) << (3 * bit);
  }
  return spread;
}
inline constexpr std::array<std::uint32_t, kCurveCells> kSpread = makeSpread();

}  // namespace hilbert

/// Place of a cell on the Hilbert curve through kCurveCells^3 cells: cells in sequence share a
/// face.
inline std::uint32_t hilbertKey(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const std::uint32_t cells =
      hilbert::kSpread[x] << 2 | hilbert::kSpread[y] << 1 | hilbert::kSpread[z];
  std::uint32_t key = 0, state = 0;
  for (int shift = 3 * kCurveBits - 6; shift >= 0; shift -= 6) {
    const std::uint32_t next = hilbert::kDoubleSteps[state + (cells >> shift & 63u)];
    key = key << 6 | (next & 63u);
    state = next & ~63u;
  }
  return key;
}

}  // namespace abut::inline v0_1
