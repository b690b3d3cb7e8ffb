// SPDX-License-Identifier: MIT
#include "broad_phase/size_classes.hpp"

#include <cstring>

namespace abut {
namespace {

constexpr std::uint8_t kWildExponent = 255;
/// Boxes up to 2^3 times the median (by powers of two) belong to a class.
constexpr int kExponentsAboveMedian = 3;

/// The longest side's power of two, biased as in a float.
std::uint8_t sizeExponent(const Box& box) {
  if (isWild(box)) return kWildExponent;
  const Vec3 size = box.hi - box.lo;
  const float longest = static_cast<float>(maxElement(size));
  std::uint32_t bits;
  std::memcpy(&bits, &longest, sizeof bits);
  return static_cast<std::uint8_t>(bits >> 23);
}

using Histogram = std::array<std::uint32_t, 256>;
using ClassTable = std::array<std::uint8_t, 256>;

ClassTable makeTable(const Histogram& counts, std::size_t total) {
  ClassTable table;
  table.fill(SizeClasses::kMaxClasses - 1);
  int exponent = 0;
  std::size_t left = total - counts[kWildExponent];
  for (int c = 0; c < SizeClasses::kMaxClasses - 1 && left > 0; ++c) {
    int median = exponent;
    for (std::size_t below = counts[median]; 2 * below < left;) below += counts[++median];
    for (; exponent <= median + kExponentsAboveMedian && exponent < kWildExponent; ++exponent) {
      table[exponent] = static_cast<std::uint8_t>(c);
      left -= counts[exponent];
    }
  }
  table[kWildExponent] = SizeClasses::kWildClass;
  return table;
}

}  // namespace

void SizeClasses::assign(const std::vector<Box>& boxes) {
  exponents_.resize(boxes.size());
  Histogram counts{};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    exponents_[i] = sizeExponent(boxes[i]);
    ++counts[exponents_[i]];
  }
  const ClassTable table = makeTable(counts, boxes.size());
  for (std::vector<std::uint32_t>& slots : slots_) slots.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    slots_[table[exponents_[i]]].push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace abut
