// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>
#include <utility>

namespace abut::inline v0_1::io {

/// A file descriptor that is closed in the end.
class Descriptor {
public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] explicit operator bool() const { return value_ >= 0; }
  void swap(Descriptor& other) { std::swap(value_, other.value_); }

private:
  int value_;
};

}  // namespace abut::inline v0_1::io
