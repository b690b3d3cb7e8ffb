// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace abut::inline v0_1 {

/// A vector for large plain items that are written anew in every step: clear() and append() neither
/// destroy nor initialise, so that a slot costs only what is written to it.
template <typename T>
class Slots {
public:
  Slots() = default;
  Slots(const Slots&) = default;
  Slots& operator=(const Slots&) = default;
  Slots(Slots&& other) noexcept { swap(other); }
  Slots& operator=(Slots&& other) noexcept {
    Slots taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Slots() = default;

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] T* begin() { return items_.data(); }
  [[nodiscard]] T* end() { return items_.data() + count_; }
  [[nodiscard]] const T* begin() const { return items_.data(); }
  [[nodiscard]] const T* end() const { return items_.data() + count_; }
  [[nodiscard]] T& operator[](std::size_t i) { return items_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return items_[i]; }
  [[nodiscard]] std::span<const T> view() const { return {items_.data(), count_}; }

  /// A slot at the end that holds whatever was there before. References end when the slots grow.
  T& append() {
    if (count_ == items_.size()) grow(count_ + 1 + count_ / 4);  // deny-ok: integers
    return items_[count_++];
  }
  /// So many items; those that are new hold whatever was there before.
  void resize(std::size_t count) {
    if (items_.size() < count) grow(count + count / 8);  // deny-ok: integers
    count_ = count;
  }
  void clear() { count_ = 0; }
  /// Keeps the first `count` items.
  void truncate(std::size_t count) { count_ = std::min(count_, count); }
  /// Removes the items for which the predicate holds, keeps the order, returns how many.
  template <typename Predicate>
  std::size_t eraseIf(Predicate predicate) {
    T* last = std::remove_if(begin(), end(), predicate);
    const std::size_t removed = static_cast<std::size_t>(end() - last);
    count_ -= removed;
    return removed;
  }
  void swap(Slots& other) noexcept {
    items_.swap(other.items_);
    std::swap(count_, other.count_);
  }

private:
  /// Room for so many; only what is live is kept.
  void grow(std::size_t size) {
    std::vector<T> more(size);
    std::copy(begin(), end(), more.begin());
    items_.swap(more);
  }

  std::vector<T> items_;  // The first count_ are live.
  std::size_t count_ = 0;
};

}  // namespace abut::inline v0_1
