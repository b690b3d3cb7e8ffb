// SPDX-License-Identifier: MIT
#include "io/core/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace abut::inline v0_1::io {
namespace {

/// Bytes of the character that begins here, 0 if there is none that is valid.
std::size_t characterAt(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Too long for what they say, halves of pairs, beyond the last.
  const unsigned second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return size;
}

void writeText(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const std::size_t size = characterAt(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (size == 0) {
      out += "\xef\xbf\xbd";
    } else if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[0];
    } else if (byte < 0x20) {
      out.append("\\u00").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  out += '"';
}

void breakLine(std::string& out, int indent, int depth) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

}  // namespace

JsonText::JsonText(double value) : kind_(Kind::Literal), text_("null") {
  if (!std::isfinite(value)) return;
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text_.assign(digits.data(), end);
  if (text_.find_first_of(".e") == std::string::npos) text_ += ".0";
}

JsonText::JsonText(std::initializer_list<JsonText> parts) : kind_(Kind::List) {
  const bool isObject =
      parts.size() > 0 && std::all_of(parts.begin(), parts.end(), [](const JsonText& part) {
        return part.kind_ == Kind::List && part.items_.size() == 2 &&
               part.items_[0].kind_ == Kind::Text;
      });
  if (!isObject) {
    items_.assign(parts.begin(), parts.end());
    fold();
    return;
  }
  kind_ = Kind::Object;
  for (const JsonText& part : parts) members_.push_back({part.items_[0].text_, part.items_[1]});
}

JsonText JsonText::array(std::initializer_list<JsonText> parts) {
  JsonText out;
  out.kind_ = Kind::List;
  out.items_.assign(parts.begin(), parts.end());
  if (!out.items_.empty()) out.fold();
  return out;
}

JsonText JsonText::object() {
  JsonText out;
  out.kind_ = Kind::Object;
  return out;
}

void JsonText::fold() {
  const bool isPlain = std::all_of(items_.begin(), items_.end(),
                                   [](const JsonText& i) { return i.kind_ == Kind::Literal; });
  if (!isPlain || items_.empty()) return;
  std::string all = "[";
  for (const JsonText& item : items_) all.append(all.size() > 1 ? ", " : "").append(item.text_);
  text_ = std::move(all) + "]";
  kind_ = Kind::Literal;
  items_.clear();
  items_.shrink_to_fit();
}

JsonText& JsonText::operator[](std::string_view key) {
  kind_ = Kind::Object;
  for (Member& m : members_) {
    if (m.key == key) return m.value;
  }
  members_.push_back({std::string(key), {}});
  return members_.back().value;
}

void JsonText::push_back(JsonText item) {
  kind_ = Kind::List;
  items_.push_back(std::move(item));
}

bool JsonText::empty() const {
  return kind_ == Kind::Null || (kind_ == Kind::List && items_.empty()) ||
         (kind_ == Kind::Object && members_.empty());
}

std::string JsonText::dump(int indent) const {
  std::string out;
  write(out, indent, 0);
  return out;
}

void JsonText::write(std::string& out, int indent, int depth) const {
  if (kind_ == Kind::Null) out += "null";
  if (kind_ == Kind::Literal) out += text_;
  if (kind_ == Kind::Text) writeText(text_, out);
  if (kind_ != Kind::List && kind_ != Kind::Object) return;
  const bool isList = kind_ == Kind::List;
  bool isFirst = true;
  const auto next = [&] {
    if (!isFirst) out += ',';
    isFirst = false;
    breakLine(out, indent, depth + 1);
  };
  out += isList ? '[' : '{';
  for (const JsonText& item : items_) {
    next();
    item.write(out, indent, depth + 1);
  }
  for (const Member& m : members_) {
    next();
    writeText(m.key, out);
    out += indent < 0 ? ":" : ": ";
    m.value.write(out, indent, depth + 1);
  }
  if (!isFirst) breakLine(out, indent, depth);
  out += isList ? ']' : '}';
}

}  // namespace abut::inline v0_1::io
