// SPDX-License-Identifier: MIT
#include "io/core/crc32c.hpp"

#include <array>

namespace abut::inline v0_1::io {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78u;  // 0x1EDC6F41 with its bits reversed.

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[0] advances by one byte; tables[k] by a byte and k zero bytes after it.
constexpr Tables makeTables() {
  Tables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? (c >> 1) ^ kPolynomial : c >> 1;
    tables[0][i] = c;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::uint32_t i = 0; i < 256; ++i)
      tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xff];
  return tables;
}
constexpr Tables kTables = makeTables();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t c = ~before;
  const auto at = [&](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(bytes[i])};
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint32_t low = c ^ (at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24);
    c = kTables[7][low & 0xff] ^ kTables[6][(low >> 8) & 0xff] ^ kTables[5][(low >> 16) & 0xff] ^
        kTables[4][low >> 24] ^ kTables[3][at(i + 4)] ^ kTables[2][at(i + 5)] ^
        kTables[1][at(i + 6)] ^ kTables[0][at(i + 7)];
  }
  for (; i < bytes.size(); ++i) c = (c >> 8) ^ kTables[0][(c ^ at(i)) & 0xff];
  return ~c;
}

}  // namespace abut::inline v0_1::io
