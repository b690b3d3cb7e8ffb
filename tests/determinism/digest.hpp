// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include <Eigen/Core>

#include <abut/math/types.hpp>

namespace golden {

/// FNV-1a, 64 bits, over the values it is given one by one: never over padding. -0 and 0 differ.
class Digest {
public:
  void add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) {
      state_ ^= (value >> shift) & 0xffu;
      state_ *= 0x100000001b3u;
    }
  }
  void add(std::integral auto value) { add(static_cast<std::uint64_t>(value)); }
  template <class E>
  requires std::is_enum_v<E>
  void add(E value) { add(static_cast<std::uint64_t>(value)); }
  void add(double value) {
    std::uint64_t bits;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&bits, &value, sizeof bits);
    add(bits);
  }
  void add(const Eigen::Vector3d& v) { add(v.x()), add(v.y()), add(v.z()); }
  void add(const abut::Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const abut::Mat3& m) { add(m.x), add(m.y), add(m.z); }
  void add(const abut::Pose& p) { add(p.rotation), add(p.translation); }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }

  [[nodiscard]] std::uint64_t value() const { return state_; }

private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

/// splitmix64: integers only, so every machine draws the same numbers.
class Generator {
public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [-1, 1): a multiple of 2^-52, exactly.
  double symmetric() {
    return static_cast<double>(static_cast<std::int64_t>(next()) >> 11) * 0x1p-52;
  }
  /// In [lo, hi), rounded once or twice in an order that is written here.
  double between(double lo, double hi) {
    const double unit = static_cast<double>(next() >> 11) * 0x1p-53;
    return lo + (hi - lo) * unit;
  }
  Eigen::Vector3d vector(double scale) {
    const double x = symmetric() * scale;
    const double y = symmetric() * scale;
    const double z = symmetric() * scale;
    return {x, y, z};
  }

private:
  std::uint64_t state_;
};

/// Prints one line "name 16-hex-digit-hash".
void print(std::string_view name, const Digest& digest);

// One function for each stage of the library; each prints its lines in a fixed order.
void math();
void shapes();
void broadPhase();
void pairs();
void casts();
void contactGeometry();
void collisionGroups();
void manifolds();
void worlds();
void hybrid();
void scenes();
void matrix();

}  // namespace golden
