// SPDX-License-Identifier: MIT
#include "solver/sweep_sum.hpp"

#include <cstdint>
#include <cstring>

#include "math/pack_wide.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {
namespace {

constexpr std::size_t kPack = 4;
/// Terms that a thread takes at once.
constexpr std::size_t kPart = 4096;
constexpr int kLeastUnit = -960, kMostUnit = 960;

/// 2^exponent, for exponents of normal numbers.
double powerOfTwo(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52u;
  double x = 0.0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
std::uint64_t bitsOf(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

using Integer2 = long long __attribute__((vector_size(16)));

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE std::uint64_t sumBitsWide(const double* terms, std::size_t count, double shift) {
  MaskOf4 sum{};
  const Double4 shifts{shift, shift, shift, shift};
  for (std::size_t i = 0; i < count; i += kPack) {
    Double4 a;
    __builtin_memcpy(&a, terms + i, sizeof a);
    sum += (MaskOf4)(a + shifts);
  }
  return (static_cast<std::uint64_t>(sum[0]) + static_cast<std::uint64_t>(sum[1])) +
         (static_cast<std::uint64_t>(sum[2]) + static_cast<std::uint64_t>(sum[3]));
}

ABUT_WIDE double greatestWide(const double* terms, std::size_t count) {
  Double4 most{};
  for (std::size_t i = 0; i < count; i += kPack) {
    Double4 a;
    __builtin_memcpy(&a, terms + i, sizeof a);
    most = most < a ? a : most;
  }
  return maxOf(maxOf(most[0], most[1]), maxOf(most[2], most[3]));
}
#endif

/// Sum of the bits of (shift + term): those of the multiple, and those of the shift for each term,
/// modulo 2^64.
std::uint64_t sumBits(const double* terms, std::size_t count, double shift) {
#if ABUT_HAS_WIDE
  if (kHasWide) return sumBitsWide(terms, count, shift);
#endif
  Integer2 low{}, high{};
  const Double2 shifts{shift, shift};
  for (std::size_t i = 0; i < count; i += kPack) {
    Double2 a, b;
    __builtin_memcpy(&a, terms + i, sizeof a);
    __builtin_memcpy(&b, terms + i + 2, sizeof b);
    low += (Integer2)(a + shifts);
    high += (Integer2)(b + shifts);
  }
  const Integer2 sum = low + high;
  return static_cast<std::uint64_t>(sum[0]) + static_cast<std::uint64_t>(sum[1]);
}

double greatest(const double* terms, std::size_t count) {
#if ABUT_HAS_WIDE
  if (kHasWide) return greatestWide(terms, count);
#endif
  Double2 low{}, high{};
  for (std::size_t i = 0; i < count; i += kPack) {
    Double2 a, b;
    __builtin_memcpy(&a, terms + i, sizeof a);
    __builtin_memcpy(&b, terms + i + 2, sizeof b);
    low = low < a ? a : low;
    high = high < b ? b : high;
  }
  const Double2 most = low < high ? high : low;
  return maxOf(most[0], most[1]);
}

}  // namespace

void SweepSum::reset(std::size_t count) {
  terms_.assign((count + kPack - 1) / kPack * kPack, 0.0);
  parts_.resize((terms_.size() + kPart - 1) / kPart);
}

void SweepSum::findMost(std::size_t part) {
  const std::size_t first = part * kPart, left = terms_.size() - first;
  parts_[part].most = greatest(terms_.data() + first, left < kPart ? left : kPart);
}

void SweepSum::findMost() {
  most_ = 0.0;
  for (const Part& part : parts_) most_ = maxOf(most_, part.most);
}

/// Terms below 2^k units, k <= 50 so that shift + term keeps the shift's exponent, and so that
/// all of them together stay below 2^62.
void SweepSum::findUnit(std::size_t count) {
  int bits = 0;
  while ((count >> bits) != 0) ++bits;
  const int k = bits > 12 ? 62 - bits : 50;
  const int top = static_cast<int>(bitsOf(most_) >> 52u) - 1022;  // most < 2^top
  unit_ = top - k < kLeastUnit ? kLeastUnit : top - k;
  shift_ = unit_ > kMostUnit ? 0.0 : 1.5 * powerOfTwo(52 + unit_);
}

void SweepSum::addBits(std::size_t part) {
  const std::size_t first = part * kPart, left = terms_.size() - first;
  parts_[part].bits = sumBits(terms_.data() + first, left < kPart ? left : kPart, shift_);
}

/// The sum in units, modulo 2^64.
std::uint64_t SweepSum::units() const {
  std::uint64_t sum = 0;
  for (const Part& part : parts_) sum += part.bits;
  return sum - static_cast<std::uint64_t>(terms_.size()) * bitsOf(shift_);
}

double SweepSum::toTotal(std::uint64_t units) const {
  if (!(most_ > 0.0) || unit_ > kMostUnit) return most_;  // Nothing so large can be a solution.
  return static_cast<double>(static_cast<std::int64_t>(units)) * powerOfTwo(unit_);
}

std::pair<double, double> valuesOf(Crew& crew, SweepSum& a, SweepSum& b) {
  const auto parts = static_cast<std::uint32_t>(a.parts_.size());
  crew.share(2 * parts, [&](std::uint32_t i) { (i < parts ? a : b).findMost(i % parts); });
  for (SweepSum* sum : {&a, &b}) {
    sum->findMost();
    sum->findUnit(sum->terms_.size());
  }
  crew.share(2 * parts, [&](std::uint32_t i) { (i < parts ? a : b).addBits(i % parts); });
  return {a.toTotal(a.units()), b.toTotal(b.units())};
}

std::pair<double, double> valuesOverRanks(Halo& halo, std::size_t count, SweepSum& a, SweepSum& b) {
  double most[2];
  for (SweepSum* sum : {&a, &b}) {
    for (std::size_t i = 0; i < sum->parts_.size(); ++i) sum->findMost(i);
    sum->findMost();
    most[sum == &a ? 0 : 1] = sum->most_;
  }
  halo.comm.greatest(most);
  std::uint64_t units[2];
  for (SweepSum* sum : {&a, &b}) {
    sum->most_ = most[sum == &a ? 0 : 1];
    sum->findUnit((count + kPack - 1) / kPack * kPack);
    for (std::size_t i = 0; i < sum->parts_.size(); ++i) sum->addBits(i);
    units[sum == &a ? 0 : 1] = sum->units();
  }
  halo.comm.add(units);
  return {a.toTotal(units[0]), b.toTotal(units[1])};
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
