// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

namespace abut::inline v0_1 {

/// A vertex, edge or face of a shape, numbered as the shape's header says.
struct Feature {
  enum class Kind : std::uint32_t { None, Vertex, Edge, Face };

  Kind kind = Kind::None;
  std::uint32_t index = 0;

  friend auto operator<=>(const Feature&, const Feature&) = default;
};

}  // namespace abut::inline v0_1
