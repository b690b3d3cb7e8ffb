// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace abut::inline v0_1::io {

/// A file or scene that cannot be used. The message is one line: where, what, what was expected,
/// what to do.
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Shortest decimal text that reads back as the same double; "nan", "inf", "-inf" otherwise.
[[nodiscard]] std::string toText(double value);

/// Three digits, for messages: "0.00016".
[[nodiscard]] std::string toShortText(double value);

/// Sixteen hexadecimal digits.
[[nodiscard]] std::string toHex(std::uint64_t value);

/// Reads a whole text as a double in the grammar of JSON numbers or, with `lenient`, also "+1",
/// ".5", "5." and "05". Correctly rounded on every machine. Returns false for anything else; a
/// number beyond the range of double gives an infinity.
bool parseNumber(std::string_view text, double& value, bool lenient = false);

/// Text safe to print on one line: control characters and broken UTF-8 become \xNN, and what is
/// longer than `most` bytes ends in "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = 60);
/// The same in quotes.
[[nodiscard]] std::string quoted(std::string_view text, std::size_t most = 60);

/// Bytes of the character of valid UTF-8 at the head of `text`, or 0 if it is not valid.
[[nodiscard]] std::size_t utf8Length(std::string_view text);

/// Levenshtein's distance, in bytes.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// The candidate most like `word`, or an empty view if none is like it: at most a third of the
/// letters, rounded up, may differ. Ties go to the earlier candidate.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "a, b, c"
[[nodiscard]] std::string join(std::span<const std::string_view> words);

inline void appendTo(std::string& out, std::string_view s) {
  out += s;
}
inline void appendTo(std::string& out, double v) {
  out += toText(v);
}
template <typename Integer>
requires std::is_integral_v<Integer>
void appendTo(std::string& out, Integer v) {
  out += std::to_string(v);
}

/// All parts one after the other.
template <typename... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  std::string out;
  (appendTo(out, parts), ...);
  return out;
}

}  // namespace abut::inline v0_1::io
