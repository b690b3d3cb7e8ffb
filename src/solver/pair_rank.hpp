// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace abut::inline v0_1 {

/// Rank of a pair in the colouring, from the marks of its bodies (BodyTable::marks), the one with
/// the smaller id first. No value of an id goes into it: other ids in the same order change no bit.
inline std::uint64_t rankOf(std::uint64_t mark1, std::uint64_t mark2) {
  std::uint64_t h = mark1 + mark2 * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32)) * 0xbf58476d1ce4e5b9u;
  return h ^ (h >> 31);
}

}  // namespace abut::inline v0_1
