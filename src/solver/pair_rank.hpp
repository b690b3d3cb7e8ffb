// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/core/object_id.hpp>

namespace abut {

/// Rank of a pair in the colouring: depends on its ids alone.
inline std::uint64_t hashPair(const ObjectPair& pair) {
  std::uint64_t h = 0;
  for (const std::uint64_t part : {pair.first, pair.second}) {
    h += part + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
  }
  return h;
}

}  // namespace abut
