// SPDX-License-Identifier: MIT
#include "math/exact_sum.hpp"

#include <limits>
#include <vector>

namespace abut::inline v0_1 {
namespace {

constexpr std::uint64_t kLimbMask = 0xffffffffu;

/// mantissa * 2^(place - 1074), mantissa < 2^53, and >= 2^52 unless place is 0.
double compose(std::uint64_t mantissa, std::uint32_t place) {
  constexpr std::uint64_t kHidden = std::uint64_t{1} << 52u;
  if (place + 1 >= 0x7ffu) return std::numeric_limits<double>::infinity();
  const std::uint64_t bits =
      mantissa < kHidden ? mantissa : (std::uint64_t{place + 1} << 52u) | (mantissa - kHidden);
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The top 53 bits of digits of 32 bits each, the rest rounded to nearest, ties to even.
double roundDigits(const std::uint32_t* digits, std::uint32_t top) {
  std::uint32_t width = 0;  // Bits of the top digit.
  while (width < 32 && (digits[top] >> width) != 0) ++width;
  const std::uint32_t bits = 32 * top + width;
  if (bits <= 53) {
    const std::uint64_t high = top > 0 ? digits[1] : 0;
    return compose((high << 32u) | digits[0], 0);
  }
  // The bit at a place, and 53 of them from `place` up.
  std::uint32_t place = bits - 53;
  const std::uint32_t limb = place >> 5u, shift = place & 31u;
  std::uint64_t mantissa = digits[limb] >> shift;
  mantissa |= std::uint64_t{digits[limb + 1]} << (32 - shift);
  if (limb + 2 <= top) mantissa |= std::uint64_t{digits[limb + 2]} << (64 - shift);
  const std::uint32_t half = place - 1;
  const bool isHalf = ((digits[half >> 5u] >> (half & 31u)) & 1u) != 0;
  bool more = (digits[half >> 5u] & ((1u << (half & 31u)) - 1u)) != 0;
  for (std::uint32_t i = 0; i < half >> 5u && !more; ++i) more = digits[i] != 0;
  if (isHalf && (more || (mantissa & 1u) != 0)) ++mantissa;
  if ((mantissa >> 53u) != 0) {
    mantissa >>= 1u;
    ++place;
  }
  return compose(mantissa, place);
}

}  // namespace

void ExactSum::addSpecial(double x) {
  is_nan_ = is_nan_ || x != x;
  is_plus_ = is_plus_ || x > 0.0;
  is_minus_ = is_minus_ || x < 0.0;
}

/// Brings every limb but the top one into [0, 2^32).
void ExactSum::carry() {
  std::int64_t over = 0;
  for (std::uint32_t i = first_; i < kLimbs && (i <= last_ || over != 0); ++i) {
    const std::int64_t sum = limbs_[i] + over;
    if (i + 1 == kLimbs) {
      limbs_[i] = sum;
      last_ = i;
      break;
    }
    limbs_[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) & kLimbMask);
    over = sum >> 32u;
    last_ = i > last_ ? i : last_;
  }
  terms_ = 0;
}

void ExactSum::merge(const ExactSum& other) {
  is_nan_ = is_nan_ || other.is_nan_;
  is_plus_ = is_plus_ || other.is_plus_;
  is_minus_ = is_minus_ || other.is_minus_;
  if (other.first_ > other.last_) return;
  if (terms_ + std::uint64_t{other.terms_} + 1 >= kMostTerms) carry();
  for (std::uint32_t i = other.first_; i <= other.last_; ++i) limbs_[i] += other.limbs_[i];
  first_ = other.first_ < first_ ? other.first_ : first_;
  last_ = other.last_ > last_ ? other.last_ : last_;
  terms_ += other.terms_ + 1;
}

double ExactSum::value() const {
  if (is_nan_ || (is_plus_ && is_minus_)) return std::numeric_limits<double>::quiet_NaN();
  if (is_plus_) return std::numeric_limits<double>::infinity();
  if (is_minus_) return -std::numeric_limits<double>::infinity();
  if (first_ > last_) return 0.0;
  // Digits of the magnitude: of the sum, or, if that is negative, of its negative.
  std::uint32_t digits[kLimbs + 1];
  bool isNegative = false;
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::int64_t over = 0;
    for (std::uint32_t i = 0; i < first_; ++i) digits[i] = 0;
    for (std::uint32_t i = first_; i < kLimbs; ++i) {
      if (i > last_ && (over == 0 || over == -1)) {
        for (std::uint32_t k = i; k < kLimbs; ++k) digits[k] = static_cast<std::uint32_t>(over);
        break;
      }
      const std::int64_t limb = i <= last_ ? limbs_[i] : 0;
      const std::int64_t sum = (isNegative ? -limb : limb) + over;
      digits[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum) & kLimbMask);
      over = sum >> 32u;
    }
    if (over >= 0) break;
    isNegative = true;
  }
  std::uint32_t top = kLimbs;
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return 0.0;
  const double size = roundDigits(digits, top - 1);
  return isNegative ? -size : size;
}

void addOverRanks(Communicator& communicator, std::span<ExactSum* const> sums) {
  constexpr std::uint32_t kLimbs = ExactSum::kLimbs, kWords = kLimbs + 3;
  std::vector<std::uint64_t> words(sums.size() * kWords);
  std::uint64_t* at = words.data();
  for (ExactSum* sum : sums) {
    sum->carry();  // So that the limbs of 2^31 ranks together do not overflow.
    for (const std::int64_t limb : sum->limbs_) *at++ = static_cast<std::uint64_t>(limb);
    for (const bool flag : {sum->is_nan_, sum->is_plus_, sum->is_minus_}) *at++ = flag ? 1 : 0;
  }
  communicator.add(words);
  at = words.data();
  for (ExactSum* sum : sums) {
    for (std::int64_t& limb : sum->limbs_) limb = static_cast<std::int64_t>(*at++);
    for (bool* flag : {&sum->is_nan_, &sum->is_plus_, &sum->is_minus_}) *flag = *at++ != 0;
    sum->first_ = 0;
    sum->last_ = kLimbs - 1;
    sum->carry();
  }
}

void ExactSum::clear() {
  for (std::uint32_t i = first_; i <= last_ && i < kLimbs; ++i) limbs_[i] = 0;
  first_ = kLimbs;
  last_ = 0;
  terms_ = 0;
  is_nan_ = is_plus_ = is_minus_ = false;
}

}  // namespace abut::inline v0_1
