// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <abut/narrow_phase/queries.hpp>

#include "digest.hpp"

namespace golden {

/// Indices into specimens().
struct PairOfSpecimens {
  std::size_t first;
  std::size_t second;
};

/// How the two shapes lie to each other.
enum class Placing : std::uint8_t {
  Separated,
  Touching,     ///< Moved together by the distance that the library found.
  Overlapping,  ///< Shallow or deep.
  Aligned,      ///< Turned by multiples of 90 degrees, on a grid of 1/4: faces flush, ties, zeros.
};
inline constexpr std::array kPlacings = {Placing::Separated, Placing::Touching,
                                         Placing::Overlapping, Placing::Aligned};
[[nodiscard]] std::string_view toString(Placing placing);
[[nodiscard]] inline std::uint64_t seedOf(Placing placing) {
  return 51 + static_cast<std::uint64_t>(placing);
}

inline constexpr int kPosesPerPair = 6;

/// Calls back with the name "Box.Capsule" and the pairs of specimens of these types, for every
/// unordered pair of shape types in the order of ShapeType.
void forEachTypePair(
    const std::function<void(const std::string&, std::span<const PairOfSpecimens>)>& call);

/// The two specimens in the next poses of the generator. Objects have ids 1 and 2, or none.
[[nodiscard]] std::pair<abut::PlacedShape, abut::PlacedShape> place(const PairOfSpecimens& pair,
                                                                    Placing placing,
                                                                    Generator& random);

}  // namespace golden
