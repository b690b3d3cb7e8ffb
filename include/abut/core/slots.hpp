// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace abut::inline v0_1 {

/// A vector for large items that are written anew in every step: clear() and append() neither
/// destroy nor initialise what was there before, so that a slot costs only what is written to it.
/// Memory beyond the slots that were ever used is reserved, and not touched.
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
    if (count_ == items_.size()) {
      if (count_ == items_.capacity())
        items_.reserve(count_ + 1 + count_ / 4);  // deny-ok: integers
      items_.emplace_back();
    }
    return items_[count_++];
  }
  /// So many items; those that are new hold whatever was there before.
  void resize(std::size_t count) {
    reserve(count);
    if (items_.size() < count) items_.resize(count);
    count_ = count;
  }
  /// Room for so many, and some more. Where nothing is live, what there was goes first.
  void reserve(std::size_t count) {
    if (count <= items_.capacity()) return;
    if (count_ == 0) std::vector<T>().swap(items_);
    items_.reserve(count + count / 8);  // deny-ok: integers
  }
  /// Empty, with room for so many and some more, and not for far more: there are many while things
  /// fly about, and fewer once they lie.
  void fit(std::size_t count) {
    constexpr std::size_t kFew = 256;
    count_ = 0;
    const std::size_t some = count / 16, most = count + 2 * some + kFew;  // deny-ok: integers
    if (count <= items_.capacity() && items_.capacity() <= most) return;
    std::vector<T>().swap(items_);
    items_.reserve(count + some);  // deny-ok: integers
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
  std::vector<T> items_;  // The first count_ are live.
  std::size_t count_ = 0;
};

}  // namespace abut::inline v0_1
