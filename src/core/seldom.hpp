// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <memory>
#include <type_traits>

namespace abut::inline v0_1 {

/// A value that few have: for all others it is that of a new one, and there is no room for it.
template <class T>
class Seldom {
public:
  Seldom() = default;
  Seldom(const Seldom& other) { *this = other; }
  Seldom(Seldom&&) noexcept = default;
  Seldom& operator=(const Seldom& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Seldom& operator=(Seldom&&) noexcept = default;
  ~Seldom() = default;

  [[nodiscard]] const T* operator->() const { return &**this; }
  [[nodiscard]] const T& operator*() const {
    static const T none;
    return value_ ? *value_ : none;
  }
  /// To be changed. If memory runs out it throws std::bad_alloc, and nothing changes; once there
  /// was a call it does not fail.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }
  /// Another value; if its bits are those of a new one it takes no room. If memory runs out it
  /// throws std::bad_alloc, and nothing changes.
  void set(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const T none{};
    if (std::memcmp(&value, &none, sizeof(T)) == 0) {
      value_.reset();
    } else {
      edit() = value;
    }
  }
  /// The value where there is one; else null.
  T* find() noexcept { return value_.get(); }

private:
  std::unique_ptr<T> value_;
};

}  // namespace abut::inline v0_1
