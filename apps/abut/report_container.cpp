// SPDX-License-Identifier: MIT
#include "report_container.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

namespace abut::tool {
namespace {

static_assert(std::endian::native == std::endian::little, "the page's columns are little-endian");

template <typename T>
void appendRaw(std::string& out, std::span<const T> values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

std::uint32_t wholeSteps(double value, double step) {
  const double steps = std::nearbyint(value / step);
  if (!std::isfinite(steps)) return 0;
  return static_cast<std::uint32_t>(
      static_cast<std::int32_t>(std::clamp(steps, -2147483647.0, 2147483647.0)));
}

/// Rounds to 16 significant bits: the low byte of the float becomes zero and compresses away.
std::uint32_t shortFloat(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if ((bits & 0x7f800000u) == 0x7f800000u) return bits;
  return (bits + 0x80u) & ~0xffu;
}

/// Row of the last earlier occurrence of each key, or the row itself.
std::vector<std::size_t> rowsBefore(std::span<const std::uint32_t> keys) {
  std::vector<std::size_t> before(keys.size());
  std::map<std::uint32_t, std::size_t> last;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const auto [place, isNew] = last.try_emplace(keys[row], row);
    before[row] = isNew ? row : place->second;
    place->second = row;
  }
  return before;
}

}  // namespace

io::JsonText& PageContainer::begin(std::string_view name, const char* codec, std::size_t count) {
  columns_.resize((columns_.size() + 7) & ~std::size_t{7});
  io::JsonText& spec = head["columns"][std::string(name)];
  spec = {{"codec", codec}, {"offset", columns_.size()}, {"count", count}};
  return spec;
}

void PageContainer::addPlanes(std::span<const std::uint32_t> words) {
  for (int plane = 0; plane < 4; ++plane)
    for (const std::uint32_t word : words)
      columns_.push_back(static_cast<char>(word >> (8 * plane) & 0xffu));
}

void PageContainer::addDoubles(std::string_view name, std::span<const double> values,
                               std::size_t lag) {
  if (lag == 0) {
    begin(name, "f64", values.size());
    appendRaw(columns_, values);
    return;
  }
  begin(name, "x64", values.size())["lag"] = lag;
  std::vector<std::uint64_t> words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    words[i] = std::bit_cast<std::uint64_t>(values[i]);
    if (i >= lag) words[i] ^= std::bit_cast<std::uint64_t>(values[i - lag]);
  }
  for (int plane = 0; plane < 8; ++plane)
    for (const std::uint64_t word : words)
      columns_.push_back(static_cast<char>(word >> (8 * plane) & 0xffu));
}

void PageContainer::addInts(std::string_view name, std::span<const std::uint32_t> values) {
  begin(name, "u32", values.size());
  appendRaw(columns_, values);
}

void PageContainer::addFloats(std::string_view name, std::span<const double> values) {
  begin(name, "f32", values.size());
  std::vector<std::uint32_t> words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) words[i] = shortFloat(values[i]);
  appendRaw(columns_, std::span<const std::uint32_t>(words));
}

void PageContainer::addSteps(std::string_view name, std::span<const double> values, double step,
                             std::size_t lag, int order) {
  io::JsonText& spec = begin(name, "q32", values.size());
  spec["step"] = step;
  spec["lag"] = lag;
  spec["order"] = order;
  std::vector<std::uint32_t> whole(values.size()), words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole[i] = wholeSteps(values[i], step);
    const std::uint32_t one = i >= lag ? whole[i - lag] : 0;
    const std::uint32_t two = i >= 2 * lag ? whole[i - 2 * lag] : 0;
    words[i] = whole[i] - (order == 2 ? 2 * one - two : one);
  }
  addPlanes(words);
}

void PageContainer::addStepsByKey(std::string_view name, std::span<const double> values,
                                  double step, std::span<const std::uint32_t> keys,
                                  std::string_view keyName, int width) {
  io::JsonText& spec = begin(name, "q32", values.size());
  spec["step"] = step;
  spec["key"] = keyName;
  spec["width"] = width;
  const auto columns = static_cast<std::size_t>(width);
  const std::vector<std::size_t> before = rowsBefore(keys);
  std::vector<std::uint32_t> words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / columns, from = before[row];
    words[i] = wholeSteps(values[i], step);
    if (from != row) words[i] -= wholeSteps(values[from * columns + i % columns], step);
  }
  addPlanes(words);
}

void PageContainer::addFloatsByKey(std::string_view name, std::span<const double> values,
                                   std::span<const std::uint32_t> keys, std::string_view keyName,
                                   int width) {
  io::JsonText& spec = begin(name, "x32", values.size());
  spec["key"] = keyName;
  spec["width"] = width;
  const auto columns = static_cast<std::size_t>(width);
  const std::vector<std::size_t> before = rowsBefore(keys);
  std::vector<std::uint32_t> words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / columns, from = before[row];
    words[i] = shortFloat(values[i]);
    if (from != row) words[i] ^= shortFloat(values[from * columns + i % columns]);
  }
  addPlanes(words);
}

std::string PageContainer::bytes() const {
  // Names come from users: what is not UTF-8 is shown as a replacement character.
  const std::string text = head.dump();
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string out = "ABP1";
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  out += text;
  out.resize((out.size() + 7) & ~std::size_t{7});
  return out + columns_;
}

}  // namespace abut::tool
