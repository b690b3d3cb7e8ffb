// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace abut::inline v0_1 {

/// Entries of two bodies, in either order, of a list sorted by body1 and body2.
template <typename Entry>
std::span<const Entry> contactsOf(std::span<const Entry> sorted, std::size_t body1,
                                  std::size_t body2) {
  const std::size_t first = std::min(body1, body2), second = std::max(body1, body2);
  const auto at = std::partition_point(sorted.begin(), sorted.end(), [&](const Entry& e) {
    return e.body1 != first ? e.body1 < first : e.body2 < second;
  });
  auto end = at;
  while (end != sorted.end() && end->body1 == first && end->body2 == second) ++end;
  return sorted.subspan(static_cast<std::size_t>(at - sorted.begin()),
                        static_cast<std::size_t>(end - at));
}

/// Whether a list sorted by body1 and body2 has an entry of two bodies, in either order.
template <typename Entry>
bool holdsPair(std::span<const Entry> sorted, std::size_t body1, std::size_t body2) {
  const std::size_t first = std::min(body1, body2), second = std::max(body1, body2);
  const auto at = std::partition_point(sorted.begin(), sorted.end(), [&](const Entry& e) {
    return e.body1 != first ? e.body1 < first : e.body2 < second;
  });
  return at != sorted.end() && at->body1 == first && at->body2 == second;
}

}  // namespace abut::inline v0_1
