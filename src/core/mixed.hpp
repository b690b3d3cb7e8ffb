// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace abut::inline v0_1 {

/// Bits that depend on all bits given, one to one: neighbours are far apart.
inline std::uint64_t mixed(std::uint64_t h) {
  h += 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

}  // namespace abut::inline v0_1
