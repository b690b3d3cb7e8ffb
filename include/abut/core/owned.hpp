// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// Throws abut::Error(NullObject).
[[noreturn]] void throwMovedFrom();

/// The hidden part of an object. Once the object was moved from there is none, and looking at it
/// throws abut::Error(NullObject); assigning another object brings it back.
template <class T>
class Owned {
public:
  Owned() noexcept = default;
  Owned(std::unique_ptr<T> item) noexcept : item_(std::move(item)) {}

  [[nodiscard]] T& operator*() const { return *get(); }
  [[nodiscard]] T* operator->() const { return get(); }
  /// Whether there is one.
  [[nodiscard]] explicit operator bool() const noexcept { return item_ != nullptr; }

private:
  [[nodiscard]] T* get() const {
    if (item_ == nullptr) throwMovedFrom();
    return item_.get();
  }

  std::unique_ptr<T> item_;
};

}  // namespace abut::inline v0_1
