// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

#include <abut/math/types.hpp>

#include "core/fnv.hpp"

namespace abut::inline v0_1 {

/// What the three archives share: numbers of all widths travel as eight bytes, least significant
/// first, doubles by their bits, compounds of numbers field by field. An archive is called with
/// the fields one after the other; `Derived` supplies word(std::uint64_t&).
template <typename Derived>
class Archive {
public:
  template <typename... Fields>
  void operator()(Fields&... fields) {
    (one(fields), ...);
  }

private:
  template <typename T>
  void one(T& value) {
    using Plain = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Plain, Vec3> || std::is_same_v<Plain, Mat3>) {
      (*this)(value.x, value.y, value.z);
    } else if constexpr (std::is_same_v<Plain, Eigen::Vector3d>) {
      (*this)(value.x(), value.y(), value.z());
    } else if constexpr (std::is_same_v<Plain, Quat>) {
      (*this)(value.w, value.x, value.y, value.z);
    } else if constexpr (std::is_same_v<Plain, Pose>) {
      (*this)(value.rotation, value.translation);
    } else {
      number(value);
    }
  }
  template <typename T>
  void number(T& value) {
    std::uint64_t bits = 0;
    using Plain = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Plain, double>) {
      std::memcpy(&bits, &value, sizeof bits);
    } else {
      bits = static_cast<std::uint64_t>(value);
    }
    static_cast<Derived*>(this)->word(bits);
    if constexpr (Derived::kReads && !std::is_const_v<T>) {
      if constexpr (std::is_same_v<Plain, double>) {
        std::memcpy(&value, &bits, sizeof bits);
      } else {
        value = static_cast<Plain>(bits);
        // A number too wide for its field would read back as another.
        if (static_cast<std::uint64_t>(value) != bits) static_cast<Derived*>(this)->fail();
      }
    }
  }
};

class HashArchive : public Archive<HashArchive> {
public:
  static constexpr bool kReads = false;
  [[nodiscard]] static bool ok() { return true; }
  void word(std::uint64_t bits) { hash_.add(bits); }
  template <typename T>
  void size(const std::vector<T>& items) {
    word(items.size());
  }
  [[nodiscard]] std::uint64_t value() const { return hash_.value; }

private:
  Fnv hash_;
};

class WriteArchive : public Archive<WriteArchive> {
public:
  static constexpr bool kReads = false;
  [[nodiscard]] static bool ok() { return true; }
  explicit WriteArchive(std::vector<std::byte>& bytes) : bytes_(bytes) {}
  void word(std::uint64_t bits) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<std::byte>((bits >> (8 * i)) & 0xff));
  }
  template <typename T>
  void size(const std::vector<T>& items) {
    word(items.size());
  }

private:
  std::vector<std::byte>& bytes_;
};

/// Bytes that come one piece after the other, each of whole words.
class PieceSource {
public:
  virtual ~PieceSource() = default;
  /// Valid until the next call; empty where there is no more.
  [[nodiscard]] virtual std::span<const std::byte> next() = 0;
};

/// Reads zeros once something was wrong; see ok().
class ReadArchive : public Archive<ReadArchive> {
public:
  static constexpr bool kReads = true;
  explicit ReadArchive(std::span<const std::byte> bytes) : bytes_(bytes) {}
  /// So many bytes, which come in pieces.
  ReadArchive(PieceSource& more, std::uint64_t size) : more_(&more), left_(size) {}
  void word(std::uint64_t& bits) {
    bits = 0;
    if (failed_ || (bytes_.size() < 8 && !refill())) {
      failed_ = true;
      return;
    }
    for (int i = 0; i < 8; ++i) bits |= static_cast<std::uint64_t>(bytes_[i]) << (8 * i);
    bytes_ = bytes_.subspan(8);
  }
  /// Makes room for as many items as follow. Each takes at least eight bytes, so a number of them
  /// that the rest cannot hold is wrong and reserves nothing.
  template <typename T>
  void size(std::vector<T>& items) {
    std::uint64_t count = 0;
    word(count);
    if (count > (bytes_.size() + left_) / 8) failed_ = true;
    items.resize(failed_ ? 0 : static_cast<std::size_t>(count));
  }
  void fail() { failed_ = true; }
  /// Nothing was wrong so far.
  [[nodiscard]] bool ok() const { return !failed_; }
  /// Nothing was wrong and nothing is left.
  [[nodiscard]] bool complete() const { return !failed_ && bytes_.empty() && left_ == 0; }

private:
  bool refill() {
    if (more_ == nullptr || left_ == 0 || !bytes_.empty()) return false;
    bytes_ = more_->next();
    if (bytes_.size() < 8 || bytes_.size() > left_) return false;
    left_ -= bytes_.size();
    return true;
  }

  std::span<const std::byte> bytes_;
  PieceSource* more_ = nullptr;
  std::uint64_t left_ = 0;  // Bytes that `more_` still has.
  bool failed_ = false;
};

}  // namespace abut::inline v0_1
