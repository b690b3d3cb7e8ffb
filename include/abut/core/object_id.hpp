// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

namespace abut::inline v0_1 {

/// Identity of an object: chosen by the caller, or assigned in order of creation. Everything that
/// is ordered is ordered by ids, never by addresses.
using ObjectId = std::uint64_t;

/// "No object". Valid ids start at 1.
inline constexpr ObjectId kNoObject = 0;

/// An unordered pair of objects in canonical form: first <= second.
struct ObjectPair {
  ObjectId first = kNoObject;
  ObjectId second = kNoObject;

  friend auto operator<=>(const ObjectPair&, const ObjectPair&) = default;

  /// The canonical pair of two ids given in any order.
  [[nodiscard]] static ObjectPair of(ObjectId a, ObjectId b) {
    return a < b ? ObjectPair{a, b} : ObjectPair{b, a};
  }
};

}  // namespace abut::inline v0_1
