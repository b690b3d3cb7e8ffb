// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace abut::inline v0_1 {

/// Which bodies the contacts of a step join, by index in the table.
class ContactLookup {
public:
  /// Whether the step has a contact of the two.
  [[nodiscard]] virtual bool haveContact(std::size_t body1, std::size_t body2) const = 0;
  /// Whether it has one by which the step sees where and when the two meet next.
  [[nodiscard]] virtual bool awaits(std::size_t body1, std::size_t body2) const {
    return haveContact(body1, body2);
  }
  /// Whether a dynamic body has any.
  [[nodiscard]] virtual bool isLinked(std::uint32_t body) const = 0;

protected:
  ~ContactLookup() = default;
};

}  // namespace abut::inline v0_1
