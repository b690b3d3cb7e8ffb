// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// Hash of a shape's type and all numbers that make its geometry: equal shapes have equal digests
/// on every machine, whoever holds them. Cost: linear in the size of the shape.
[[nodiscard]] std::uint64_t digestOf(const Shape& shape);

}  // namespace abut::inline v0_1
