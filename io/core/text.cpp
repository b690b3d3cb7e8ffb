// SPDX-License-Identifier: MIT
#include "io/core/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace abut::inline v0_1::io {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// [-]digits[.digits][e[+-]digits], JSON's rules about zeros unless lenient.
bool isNumber(std::string_view s, bool lenient) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < s.size() && isDigit(s[i])) ++i;
    return i - first;
  };
  if (i < s.size() && (s[i] == '-' || (lenient && s[i] == '+'))) ++i;
  const std::size_t start = i;
  const std::size_t whole = digits();
  if (!lenient && (whole == 0 || (whole > 1 && s[start] == '0'))) return false;
  std::size_t fraction = 0;
  if (i < s.size() && s[i] == '.') {
    ++i;
    fraction = digits();
    if (!lenient && fraction == 0) return false;
  }
  if (whole + fraction == 0) return false;
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '-' || s[i] == '+')) ++i;
    if (digits() == 0) return false;
  }
  return i == s.size();
}

}  // namespace

bool parseNumber(std::string_view text, double& value, bool lenient) {
  if (!isNumber(text, lenient)) return false;
  if (text[0] == '+') text.remove_prefix(1);
#ifdef __cpp_lib_to_chars
  const std::from_chars_result end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec == std::errc()) return true;
#endif
  // Also what from_chars calls out of range: this says whether it is too small or too large.
  value = std::strtod(std::string(text).c_str(), nullptr);
  return true;
}

std::string toText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[40];
  int precision = 1;
  const auto print = [&](int digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    return std::strtod(buffer, nullptr) == value;
  };
  while (precision < std::numeric_limits<double>::max_digits10 && !print(precision)) ++precision;
  // 7850, not 7.85e+03: as many digits as stand before the point, up to a million.
  constexpr int kPlainDigits = 7;
  const double magnitude = std::fabs(value);
  int whole = 0;
  for (double power = 1.0; whole < kPlainDigits && magnitude >= power; power *= 10.0) ++whole;
  print(whole < kPlainDigits ? std::max(precision, whole) : precision);
  std::string text = buffer;
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  // 1e9 and 1e-6 rather than 1e+09 and 1e-06.
  std::size_t digits = exponent + 1;
  if (text[digits] == '+') {
    text.erase(digits, 1);
  } else {
    ++digits;
  }
  while (digits + 1 < text.size() && text[digits] == '0') text.erase(digits, 1);
  return text;
}

std::string toShortText(double value) {
  if (!std::isfinite(value)) return toText(value);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", value);
  return buffer;
}

std::string toHex(std::uint64_t value) {
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) out[i] = "0123456789abcdef"[value & 15];
  return out;
}

std::size_t utf8Length(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  if (s.empty()) return 0;
  const unsigned char c = at(0);
  if (c < 0x80) return 1;
  const std::size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c > 0xf4 || s.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  if ((c == 0xe0 && at(1) < 0xa0) || (c == 0xed && at(1) > 0x9f) || (c == 0xf0 && at(1) < 0x90) ||
      (c == 0xf4 && at(1) > 0x8f))
    return 0;
  return length;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= most) return out + "...";
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8Length(text.substr(i));
    // C1 controls (U+0080 to U+009F) act on terminals as C0 ones do.
    const bool control =
        c < 0x20 || c == 0x7f ||
        (c == 0xc2 && length == 2 && static_cast<unsigned char>(text[i + 1]) < 0xa0);
    if (length == 0 || control) {
      out += "\\x";
      out += "0123456789abcdef"[c >> 4];
      out += "0123456789abcdef"[c & 15];
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t most) {
  return '"' + printable(text, most) + '"';
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min(substituted, std::min(above, row[j - 1]) + 1);
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 64;  // Longer words are no slips of the finger.
  std::string_view best;
  if (word.size() > kLongest) return best;
  std::size_t least = (word.size() + 2) / 3 + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t d = editDistance(word, candidate);
    if (d >= least) continue;
    least = d;
    best = candidate;
  }
  return best;
}

std::string join(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

}  // namespace abut::inline v0_1::io
