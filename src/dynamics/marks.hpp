// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace abut::inline v0_1 {

/// The mark (BodyTable::marks) of a body before which, by id, so many others have its origin.
[[nodiscard]] std::uint64_t markOf(std::uint64_t origin, std::uint64_t before);

}  // namespace abut::inline v0_1
