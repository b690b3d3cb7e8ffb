// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace abut::inline v0_1::io {

/// CRC-32C (Castagnoli, polynomial 0x1EDC6F41 reflected) of some bytes, going on from `before`:
/// crc32c(a + b) == crc32c(b, crc32c(a)).
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace abut::inline v0_1::io
