// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abut/math/types.hpp>

#include "io/core/json.hpp"

namespace abut::inline v0_1::io {

/// A value of a scene on the way to its meaning: knows its file, place and path, so that every
/// complaint can name them. All functions throw InputError "file:line:column /path: what".
///
/// A node refers to its parent and to the parsed text; both must outlive it.
class Node {
public:
  Node(const JsonValue& root, const std::string& file) : value_(root), file_(file) {}

  [[noreturn]] void fail(const std::string& what) const;
  /// Complains about the value itself: "expected `expected`, got [1, -2, 1]".
  [[noreturn]] void failExpected(std::string_view expected) const;
  /// "file:line:column /path"
  [[nodiscard]] std::string place() const;
  [[nodiscard]] std::string path() const;

  /// Demands an object that has no other keys than these.
  void allowKeys(std::span<const std::string_view> keys) const;
  void allowKeys(std::initializer_list<std::string_view> keys) const {
    allowKeys(std::span(keys.begin(), keys.size()));
  }
  [[nodiscard]] bool has(std::string_view key) const;
  /// The member, or nothing if the key is absent.
  [[nodiscard]] std::optional<Node> find(std::string_view key) const;
  /// The member; complains with `what` ("a list of bodies") if the key is absent.
  [[nodiscard]] Node require(std::string_view key, std::string_view what) const;
  [[nodiscard]] const std::vector<JsonMember>& members() const { return value_.members(); }
  [[nodiscard]] Node member(std::size_t i) const;

  /// Demands a list of `least` to `most` items; `what` names them ("bodies").
  std::size_t list(std::string_view what, std::size_t least, std::size_t most) const;
  [[nodiscard]] Node at(std::size_t i) const;
  [[nodiscard]] bool isList() const { return value_.kind == JsonValue::Kind::Array; }
  [[nodiscard]] bool isNull() const { return value_.kind == JsonValue::Kind::Null; }
  [[nodiscard]] bool isObject() const { return value_.kind == JsonValue::Kind::Object; }

  /// A number within [least, most]; `what` says what it is, with its unit.
  [[nodiscard]] double number(std::string_view what, double least, double most) const;
  [[nodiscard]] double number(std::string_view what) const;
  /// A whole number within [least, most].
  [[nodiscard]] std::uint64_t count(std::string_view what, std::uint64_t least,
                                    std::uint64_t most) const;
  /// Three numbers.
  [[nodiscard]] Vec3 vec3(std::string_view what) const;
  /// Three numbers that are all positive and at most 1e6.
  [[nodiscard]] Vec3 lengths3() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] const std::string& text(std::string_view what) const;
  /// Index of the text among the words; complains with the likeliest.
  [[nodiscard]] std::size_t oneOf(std::span<const std::string_view> words) const;
  [[nodiscard]] std::size_t oneOf(std::initializer_list<std::string_view> words) const {
    return oneOf(std::span(words.begin(), words.size()));
  }

private:
  Node(const JsonValue& value, const std::string& file, const Node& parent, std::string_view key,
       std::size_t index)
      : value_(value), file_(file), parent_(&parent), key_(key), index_(index) {}

  const JsonValue& value_;
  const std::string& file_;
  const Node* parent_ = nullptr;
  std::string_view key_;   // Of the parent's member, or
  std::size_t index_ = 0;  // of the parent's item if there is no key.
};

/// ": did you mean ..." for a word that is none of these, or nothing. Knows common words of other
/// programs besides slips of the finger.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string_view> candidates);

}  // namespace abut::inline v0_1::io
