// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace abut::bench {

/// Values one after the other, as this machine has them in memory.
class PutPieces {
public:
  std::vector<std::byte> bytes;

  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

private:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* at = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), at, at + sizeof value);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(values.size());
    const auto* at = reinterpret_cast<const std::byte*>(values.data());
    bytes.insert(bytes.end(), at, at + values.size() * sizeof(T));
  }
  void put(const std::string& text) { put(std::vector<char>(text.begin(), text.end())); }
};

/// Reads them in the same order. What is asked for beyond the end is left as it is.
class TakePieces {
public:
  explicit TakePieces(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  /// Whether exactly what there is was asked for.
  [[nodiscard]] bool complete() const { return is_ok_ && at_ == bytes_.size(); }

  template <typename... T>
  void operator()(T&... values) {
    (take(values), ...);
  }

private:
  bool has(std::size_t size) {
    is_ok_ = is_ok_ && size <= bytes_.size() - at_;
    return is_ok_;
  }
  template <typename T>
  void take(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!has(sizeof value)) return;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  template <typename T>
  void take(std::vector<T>& values) {
    std::size_t count = 0;
    take(count);
    if (count > bytes_.size() || !has(count * sizeof(T))) return void(is_ok_ = false);
    values.resize(count);
    std::memcpy(static_cast<void*>(values.data()), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }
  void take(std::string& text) {
    std::vector<char> letters;
    take(letters);
    text.assign(letters.begin(), letters.end());
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
  bool is_ok_ = true;
};

}  // namespace abut::bench
