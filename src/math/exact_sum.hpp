// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include <abut/core/communicator.hpp>

namespace abut::inline v0_1 {

/// A sum of doubles without rounding: its value is the exact sum rounded once, to nearest (ties to
/// even). So it depends neither on the order of the terms nor on how they are divided among partial
/// sums that are merged; a sum of nothing is +0, and so is every sum that vanishes.
///
/// A fixed-point number of 2144 bits in limbs of 32, each in 64 so that carries wait until the
/// value is asked for: three additions a term. 560 bytes; value() and clear() take time by the
/// range of exponents that occurred. No sum of fewer than kMostTerms terms overflows.
class ExactSum {
public:
  /// A term adds less than 2^33 to a limb: 2^62 / 2^33.
  static constexpr std::uint32_t kMostTerms = 1u << 29u;

  void add(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    const auto exponent = static_cast<std::uint32_t>(bits >> 52u) & 0x7ffu;
    if (exponent == 0x7ffu) return addSpecial(x);
    const std::uint64_t hidden = exponent != 0 ? std::uint64_t{1} << 52u : 0;
    const std::uint64_t mantissa = (bits & 0xfffffffffffffu) | hidden;
    const std::uint32_t place =
        exponent != 0 ? exponent - 1 : 0;  // Of the lowest bit, from 2^-1074.
    const std::uint32_t limb = place >> 5u, shift = place & 31u;
    const std::uint64_t low = (mantissa & 0xffffffffu) << shift, high = (mantissa >> 32u) << shift;
    const auto sign = static_cast<std::int64_t>(bits) >> 63u;  // 0 or -1.
    const auto add = [&](std::uint32_t i, std::uint64_t part) {
      limbs_[i] += (static_cast<std::int64_t>(part) ^ sign) - sign;
    };
    add(limb, low & 0xffffffffu);
    add(limb + 1, (low >> 32u) + (high & 0xffffffffu));
    add(limb + 2, high >> 32u);
    first_ = limb < first_ ? limb : first_;
    last_ = limb + 2 > last_ ? limb + 2 : last_;
    if (++terms_ >= kMostTerms) carry();
  }
  /// Adds the terms of the other.
  void merge(const ExactSum& other);
  /// The sum; infinite or no number where a term was, or where it is beyond the doubles.
  [[nodiscard]] double value() const;
  void clear();
  /// Each of the sums becomes that of all ranks. All of them call it.
  friend void addOverRanks(Communicator& communicator, std::span<ExactSum* const> sums);

private:
  static constexpr std::uint32_t kLimbs = 68;  ///< 2098 bits of the doubles, and room for carries.

  void addSpecial(double x);
  void carry();

  std::int64_t limbs_[kLimbs] = {};
  std::uint32_t first_ = kLimbs, last_ = 0;  ///< Limbs outside of [first_, last_] are zero.
  std::uint32_t terms_ = 0;                  ///< Since the last carry.
  bool is_nan_ = false, is_plus_ = false, is_minus_ = false;  ///< Terms that are not finite.
};

void addOverRanks(Communicator& communicator, std::span<ExactSum* const> sums);

}  // namespace abut::inline v0_1
