// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace abut::inline v0_1 {

/// Room for so many items that are all written anew: what there was is lost where there is too
/// little, or far more than is needed. Numbers of contacts change little from step to step, but a
/// heap that lies has fewer than one that falls.
template <class Item>
void fitRoom(std::size_t count, std::vector<Item>& items) {
  constexpr std::size_t kFew = 256;
  const std::size_t most = count + count / 8 + kFew;
  if (count <= items.capacity() && items.capacity() <= most) return;
  std::vector<Item>().swap(items);
  items.reserve(count + count / 16);
}

}  // namespace abut::inline v0_1
