// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace abut::inline v0_1 {

/// Sorts so that what compares equal keeps its order, with buffers that are reused:
/// std::stable_sort allocates in every call.
template <typename T>
class StableOrder {
public:
  template <typename Less>
  void sort(std::vector<T>& items, Less less) {
    order_.resize(items.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (less(items[a], items[b])) return true;
      return !less(items[b], items[a]) && a < b;
    });
    sorted_.clear();
    for (const std::uint32_t i : order_) sorted_.push_back(items[i]);
    items.swap(sorted_);
  }

private:
  std::vector<std::uint32_t> order_;
  std::vector<T> sorted_;
};

}  // namespace abut::inline v0_1
