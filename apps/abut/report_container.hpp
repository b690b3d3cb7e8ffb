// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/core/json_text.hpp"

namespace abut::tool {

/// Columns of numbers with a head in JSON, as web/src/data/decode.js reads them: "ABP1", u32 length
/// of the head, head, zeros up to a multiple of 8, columns. Everything little-endian.
class PageContainer {
public:
  io::JsonText head = io::JsonText::object();

  /// Exact doubles. With `lag` > 0 each is XORed with the one `lag` places before, and bytes of
  /// equal weight stand together, which compresses well; 0 writes them plainly.
  void addDoubles(std::string_view name, std::span<const double> values, std::size_t lag = 0);
  void addInts(std::string_view name, std::span<const std::uint32_t> values);
  /// Doubles as floats of 16 significant bits.
  void addFloats(std::string_view name, std::span<const double> values);

  /// Doubles as whole multiples of `step`, each as a difference (of `order` 1 or 2) from those
  /// `lag` places before.
  void addSteps(std::string_view name, std::span<const double> values, double step, std::size_t lag,
                int order);
  /// The same, from the last row with the same key; `width` numbers a row. The keys are the column
  /// `keyName`, which must have been added.
  void addStepsByKey(std::string_view name, std::span<const double> values, double step,
                     std::span<const std::uint32_t> keys, std::string_view keyName, int width);
  /// Doubles as floats of 16 significant bits, XORed with the last row of the same key.
  void addFloatsByKey(std::string_view name, std::span<const double> values,
                      std::span<const std::uint32_t> keys, std::string_view keyName, int width);

  /// The container's bytes.
  [[nodiscard]] std::string bytes() const;

private:
  io::JsonText& begin(std::string_view name, const char* codec, std::size_t count);
  void addPlanes(std::span<const std::uint32_t> words);

  std::string columns_;
};

}  // namespace abut::tool
