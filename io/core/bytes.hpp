// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <abut/math/types.hpp>

#include "io/core/text.hpp"

namespace abut::inline v0_1::io {

/// Numbers as bytes, least significant first, on every machine.
class ByteWriter {
public:
  void u8(std::uint8_t v) { bytes_ += static_cast<char>(v); }
  void u32(std::uint32_t v) { put(v, 4); }
  void u64(std::uint64_t v) { put(v, 8); }
  /// By its bits: also NaN and -0 come back as they were.
  void f64(double v) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof bits);
    u64(bits);
  }
  void vec3(const Vec3& v) {
    f64(v.x);
    f64(v.y);
    f64(v.z);
  }
  void quat(const Quat& q) {
    f64(q.w);
    f64(q.x);
    f64(q.y);
    f64(q.z);
  }
  void text(std::string_view s) {
    u64(s.size());
    bytes_ += s;
  }
  void raw(std::string_view s) { bytes_ += s; }

  [[nodiscard]] const std::string& get() const { return bytes_; }
  void clear() { bytes_.clear(); }

private:
  void put(std::uint64_t v, int count) {
    char bytes[8];
    for (int i = 0; i < count; ++i) bytes[i] = static_cast<char>(v >> (8 * i));
    bytes_.append(bytes, static_cast<std::size_t>(count));
  }
  std::string bytes_;
};

/// The way back. Throws InputError at the first value that is not there; nothing is read beyond
/// the end, and no count is believed before the bytes for it were seen.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(take(1)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(take(4)); }
  std::uint64_t u64() { return take(8); }
  double f64() {
    const std::uint64_t bits = u64();
    double v = 0.0;
    std::memcpy(&v, &bits, sizeof v);
    return v;
  }
  // Members are initialised in the order written, unlike arguments of a function.
  Vec3 vec3() { return Vec3{f64(), f64(), f64()}; }
  Quat quat() { return Quat{f64(), f64(), f64(), f64()}; }
  std::string text() {
    const auto size = static_cast<std::size_t>(count(1));
    std::string out(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return out;
  }
  /// So many bytes as they are.
  std::string_view raw(std::size_t size) {
    if (rest_.size() < size) throw InputError("the data end too early");
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  /// A count of items of which each takes at least `leastBytes`.
  std::size_t count(std::size_t leastBytes) {
    const std::uint64_t n = u64();
    if (n > rest_.size() / leastBytes)
      throw InputError(concat("a count of ", n, " where ", rest_.size(), " bytes are left"));
    return static_cast<std::size_t>(n);
  }
  /// A small number below `limit`, e.g. of an enumeration.
  std::uint8_t choice(std::uint8_t limit) {
    const std::uint8_t v = u8();
    if (v >= limit) throw InputError(concat("unknown kind ", int{v}));
    return v;
  }
  [[nodiscard]] bool isAtEnd() const { return rest_.empty(); }
  void finish() const {
    if (!rest_.empty()) throw InputError(concat(rest_.size(), " bytes too many"));
  }

private:
  std::uint64_t take(std::size_t size) {
    if (rest_.size() < size) throw InputError("the data end too early");
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < size; ++i)
      v |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
    rest_.remove_prefix(size);
    return v;
  }
  std::string_view rest_;
};

}  // namespace abut::inline v0_1::io
