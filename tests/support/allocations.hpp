// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace abut::test {

/// Number of allocations of the program so far. A program that calls this has every operator new
/// replaced by one that counts.
[[nodiscard]] std::size_t countAllocations();

}  // namespace abut::test
