// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace abut::inline v0_1::io {

/// JSON that is to be written, put together part by part: numbers, texts, lists in braces, and
/// objects as lists of pairs, `{{"radius", 0.5}, {"name", "ball"}}`. Keys stay in their order.
/// Unlike that of some libraries its destructor takes no memory, so that a lack of it is an
/// exception like any other.
class JsonText {
public:
  struct Member;

  JsonText() = default;  ///< null
  JsonText(std::nullptr_t) {}
  JsonText(double value);
  template <std::same_as<bool> B>
  JsonText(B value) : kind_(Kind::Literal), text_(value ? "true" : "false") {}
  template <std::integral I>
  requires(!std::same_as<I, bool>) JsonText(I value)
      : kind_(Kind::Literal), text_(std::to_string(value)) {}
  JsonText(std::string text) : kind_(Kind::Text), text_(std::move(text)) {}
  JsonText(std::string_view text) : JsonText(std::string(text)) {}
  JsonText(const char* text) : JsonText(std::string(text)) {}
  /// An object where each part is a list of two that begins with a text, else a list.
  JsonText(std::initializer_list<JsonText> parts);
  template <class Range>
  requires requires(const Range& r) { JsonText(*r.begin()); }
  JsonText(const Range& range) : kind_(Kind::List) {
    for (const auto& item : range) push_back(item);
    fold();
  }

  static JsonText array(std::initializer_list<JsonText> parts = {});
  static JsonText object();

  /// Adds the key if it is not there. Of what is not null an object. The reference stays good as
  /// long as the object is there.
  JsonText& operator[](std::string_view key);
  /// Of what is not null a list that was made empty.
  void push_back(JsonText item);
  [[nodiscard]] bool empty() const;
  [[nodiscard]] const std::list<Member>& members() const { return members_; }
  /// On one line, or on many, each deeper by so many blanks; lists of numbers stay on one. What is
  /// no UTF-8 becomes U+FFFD.
  [[nodiscard]] std::string dump(int indent = -1) const;

private:
  enum class Kind : std::uint8_t { Null, Literal, Text, List, Object };

  /// A list of nothing but numbers and such becomes one word of text.
  void fold();
  void write(std::string& out, int indent, int depth) const;

  Kind kind_ = Kind::Null;
  std::string text_;  // As it is written of literals, as it is of texts.
  std::vector<JsonText> items_;
  std::list<Member> members_;  // A list: references to them stay.
};

struct JsonText::Member {
  std::string key;
  JsonText value;
};

}  // namespace abut::inline v0_1::io
