// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

namespace abut::inline v0_1 {

/// FNV-1a over numbers as eight bytes each, least significant first, never over padding.
struct Fnv {
  std::uint64_t value = 14695981039346656037u;

  void addByte(std::uint64_t byte) { value = (value ^ byte) * 1099511628211u; }
  void add(std::uint64_t x) {
    for (int i = 0; i < 8; ++i) addByte((x >> (8 * i)) & 0xff);
  }
  void add(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    add(bits);
  }
};

}  // namespace abut::inline v0_1
