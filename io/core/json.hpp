// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace abut::inline v0_1::io {

/// Where a value begins: line and column from 1, columns counted in characters.
struct JsonPlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

struct JsonMember;

/// A value of a JSON text, with its place.
struct JsonValue {
  enum class Kind : std::uint8_t { Null, Bool, Number, Text, Array, Object };

  Kind kind = Kind::Null;
  JsonPlace place;
  double number = 0.0;  ///< Of numbers; 1 for true.

  [[nodiscard]] const std::string& text() const;                 ///< Empty unless a text.
  [[nodiscard]] const std::vector<JsonValue>& items() const;     ///< Empty unless an array.
  [[nodiscard]] const std::vector<JsonMember>& members() const;  ///< In the order of the file.

  /// What only texts, arrays and objects need.
  struct Content;
  std::shared_ptr<Content> content;
};

struct JsonMember {
  std::string key;
  JsonPlace place;  ///< Of the key.
  JsonValue value;
};

struct JsonValue::Content {
  std::string text;
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;
};

/// Limits that a text must keep; each failure names its limit.
struct JsonLimits {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t depth = 64;
  std::size_t values = 2'000'000;
  std::size_t textBytes = 65536;  ///< Of one text or key.
};

/// Reads strict JSON (RFC 8259): valid UTF-8 without byte order mark, no comments, no trailing
/// commas, no NaN, numbers within the range of double, no key twice in an object. `file` is the
/// name for messages. Throws InputError "file:line:column /path: what" at the first fault.
[[nodiscard]] JsonValue parseJson(std::string_view text, std::string_view file,
                                  const JsonLimits& limits = {});

/// One step of a path, as it stands in messages: "/" and the key, "~" and "/" escaped as ~0 and ~1.
[[nodiscard]] std::string pathStep(std::string_view key);

/// The value on one line, cut after about 60 characters.
[[nodiscard]] std::string show(const JsonValue& value);

/// The whole value as JSON on one line; numbers read back as the same doubles.
[[nodiscard]] std::string writeJson(const JsonValue& value);

}  // namespace abut::inline v0_1::io
