// SPDX-License-Identifier: MIT
#include "broad_phase/size_classes.hpp"

#include <cstring>

namespace abut::inline v0_1 {
namespace {

constexpr std::uint8_t kWildExponent = 255;
/// Boxes up to 2^3 times the median (by powers of two) belong to a class.
constexpr int kExponentsAboveMedian = 3;

/// The longest side's power of two, biased as in a float.
std::uint8_t sizeExponent(const FloatBox& box) {
  const Float4 size = box.hi - box.lo;
  const float side = size[0] > size[1] ? size[0] : size[1];
  const float longest = size[2] > side ? size[2] : side;
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

void SizeClasses::assign(const std::vector<Box>& boxes, const Vec3& origin) {
  const std::size_t count = boxes.size();
  floats_.resize(count);
  exponents_.resize(count);
  slots_.resize(count);
  Histogram counts{};
  const PackedBox packedOrigin = pack({origin, origin});
  for (std::size_t i = 0; i < count; ++i) {
    const PackedBox box = pack(boxes[i]);
    std::uint8_t exponent = kWildExponent;
    if (isWild(box)) {
      floats_[i] = toFloatBoxWild(boxes[i], origin);
    } else {
      const FloatBox f = toFloatBox(box, packedOrigin);
      floats_[i] = f;
      exponent = sizeExponent(f);
    }
    exponents_[i] = exponent;
    ++counts[exponent];
  }
  const ClassTable table = makeTable(counts, count);
  std::array<std::size_t, kNumClasses> next{};
  for (int e = 0; e < 256; ++e) next[table[e]] += counts[e];
  for (int c = 0; c < kNumClasses; ++c) {
    first_[c + 1] = first_[c] + next[c];
    next[c] = first_[c];
  }
  for (std::size_t i = 0; i < count; ++i) {
    slots_[next[table[exponents_[i]]]++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace abut::inline v0_1
