// SPDX-License-Identifier: MIT
#include "io/core/json.hpp"

#include <algorithm>
#include <cmath>

#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

using Kind = JsonValue::Kind;

const JsonValue::Content kNothing;

/// Recursive descent; the depth limit bounds the recursion.
class Parser {
public:
  Parser(std::string_view text, std::string_view file, const JsonLimits& limits)
      : text_(text), file_(file), limits_(limits) {}

  JsonValue parse() {
    if (text_.size() > limits_.bytes) {
      fail(concat("the file has ", text_.size(), " bytes; at most ", limits_.bytes,
                  " are read. Put large meshes into OBJ or STL files"));
    }
    if (text_.substr(0, 3) == "\xef\xbb\xbf")
      fail("the file begins with a byte order mark; save it as UTF-8 without one");
    skipSpace();
    JsonValue value = parseValue();
    skipSpace();
    if (!atEnd()) fail(concat("expected the end of the file, got ", here()));
    return value;
  }

private:
  std::string_view text_, file_;
  const JsonLimits& limits_;
  std::size_t at_ = 0, line_start_ = 0, values_ = 0;
  std::uint32_t line_ = 1;
  std::vector<std::string> path_;

  [[nodiscard]] bool atEnd() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return atEnd() ? '\0' : text_[at_]; }

  [[nodiscard]] JsonPlace place() const {
    // Every byte but the continuations of UTF-8 starts a character.
    std::uint32_t column = 1;
    for (std::size_t i = line_start_; i < at_ && i < text_.size(); ++i)
      if ((static_cast<unsigned char>(text_[i]) & 0xc0) != 0x80) ++column;
    return {line_, column};
  }
  /// Cheap where lines are of a livable length; long lines are counted on from the last place.
  JsonPlace last_{1, 1};
  std::size_t last_at_ = 0;
  JsonPlace nextPlace() {
    if (last_.line != line_ || last_at_ < line_start_) {
      last_ = {line_, 1};
      last_at_ = line_start_;
    }
    for (; last_at_ < at_; ++last_at_)
      if ((static_cast<unsigned char>(text_[last_at_]) & 0xc0) != 0x80) ++last_.column;
    return last_;
  }

  [[noreturn]] void fail(const std::string& what) const { failAt(place(), what); }
  [[noreturn]] void failAt(JsonPlace p, const std::string& what) const {
    std::string path;
    for (const std::string& step : path_) path += step;
    throw InputError(
        concat(file_, ":", p.line, ":", p.column, path.empty() ? "" : " ", path, ": ", what));
  }
  /// What stands here, for messages.
  [[nodiscard]] std::string here() const {
    if (atEnd()) return "the end of the file";
    const std::size_t end = text_.find_first_of(" \t\r\n,:[]{}", at_ + 1);
    return quoted(text_.substr(at_, end == std::string_view::npos ? end : end - at_), 20);
  }

  void skipSpace() {
    for (; !atEnd(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  JsonValue parseValue() {
    if (++values_ > limits_.values)
      fail(concat("more than ", limits_.values,
                  " values in the file; put large data into mesh files"));
    JsonValue value;
    value.place = nextPlace();
    const char c = peek();
    if (c == '{' || c == '[') {
      if (path_.size() >= limits_.depth)
        fail(concat("nested more than ", limits_.depth, " levels deep"));
      if (c == '{') {
        parseObject(value);
      } else {
        parseArray(value);
      }
    } else if (c == '"') {
      value.kind = Kind::Text;
      value.content = std::make_shared<JsonValue::Content>();
      value.content->text = parseText();
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      parseNumberHere(value);
    } else {
      parseWord(value);
    }
    return value;
  }

  void parseWord(JsonValue& value) {
    const auto take = [&](std::string_view word) {
      if (text_.substr(at_, word.size()) != word) return false;
      at_ += word.size();
      return true;
    };
    if (take("true")) {
      value.kind = Kind::Bool;
      value.number = 1.0;
    } else if (take("false")) {
      value.kind = Kind::Bool;
    } else if (!take("null")) {
      const std::string_view rest = text_.substr(at_);
      const bool comment = rest.substr(0, 2) == "//" || rest.substr(0, 2) == "/*" || peek() == '#';
      const bool special = rest.substr(0, 3) == "NaN" || rest.substr(0, 3) == "Inf";
      fail(concat("expected a value, got ", here(),
                  comment          ? "; JSON has no comments"
                  : special        ? "; numbers must be finite"
                  : peek() == '\'' ? "; texts stand in double quotes"
                                   : ""));
    }
  }

  void parseNumberHere(JsonValue& value) {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string_view token = text_.substr(at_, end - at_);
    if (!parseNumber(token, value.number))
      fail(concat("expected a number such as 0.5 or -1e-3, got ", here()));
    if (!std::isfinite(value.number))
      fail(concat("the number ", printable(token, 30), " is beyond the range of double"));
    value.kind = Kind::Number;
    at_ = end;
  }

  void parseArray(JsonValue& value) {
    value.kind = Kind::Array;
    value.content = std::make_shared<JsonValue::Content>();
    std::vector<JsonValue>& items = value.content->items;
    ++at_;
    skipSpace();
    if (peek() == ']') {
      ++at_;
      return;
    }
    path_.emplace_back();
    while (true) {
      path_.back() = concat("/", items.size());
      skipSpace();
      items.push_back(parseValue());
      skipSpace();
      if (peek() == ']') break;
      if (peek() != ',') fail(concat("expected \",\" or \"]\", got ", here()));
      ++at_;
      skipSpace();
      if (peek() == ']') fail("expected a value after the comma, got \"]\"");
    }
    path_.pop_back();
    ++at_;
  }

  void parseObject(JsonValue& value) {
    value.kind = Kind::Object;
    value.content = std::make_shared<JsonValue::Content>();
    std::vector<JsonMember>& members = value.content->members;
    ++at_;
    skipSpace();
    if (peek() == '}') {
      ++at_;
      return;
    }
    path_.emplace_back();
    while (true) {
      JsonMember member;
      path_.back().clear();
      member.place = nextPlace();
      if (peek() != '"') fail(concat("expected a key in double quotes, got ", here()));
      member.key = parseText();
      path_.back() = pathStep(member.key);
      skipSpace();
      if (peek() != ':') fail(concat("expected \":\" after the key, got ", here()));
      ++at_;
      skipSpace();
      member.value = parseValue();
      members.push_back(std::move(member));
      path_.back().clear();
      skipSpace();
      if (peek() == '}') break;
      if (peek() != ',') fail(concat("expected \",\" or \"}\", got ", here()));
      ++at_;
      skipSpace();
      if (peek() == '}') fail("expected a key after the comma, got \"}\"");
    }
    ++at_;
    refuseDuplicates(members);
    path_.pop_back();
  }

  void refuseDuplicates(const std::vector<JsonMember>& members) {
    std::vector<const JsonMember*> sorted;
    sorted.reserve(members.size());
    for (const JsonMember& m : members) sorted.push_back(&m);
    // Members of one vector: addresses are their order in the file.
    std::sort(sorted.begin(), sorted.end(), [](const JsonMember* a, const JsonMember* b) {
      return a->key != b->key ? a->key < b->key : a < b;
    });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key != sorted[i - 1]->key) continue;
      path_.back() = pathStep(sorted[i]->key);
      failAt(sorted[i]->place, concat("this key stands twice in its object, first in line ",
                                      sorted[i - 1]->place.line, "; remove one"));
    }
  }

  std::string parseText() {
    std::string out;
    ++at_;
    while (true) {
      if (atEnd()) fail("the text has no closing quote");
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') break;
      if (c < 0x20)
        fail(c == '\n' ? "the text has no closing quote in its line"
                       : "control character in a text; write it as \\u00XX");
      if (out.size() > limits_.textBytes)
        fail(concat("a text of more than ", limits_.textBytes, " bytes"));
      if (c == '\\') {
        parseEscape(out);
        continue;
      }
      const std::size_t length = utf8Length(text_.substr(at_, 4));
      if (length == 0) fail("this is not valid UTF-8; save the file as UTF-8");
      out += text_.substr(at_, length);
      at_ += length;
    }
    ++at_;
    return out;
  }

  void parseEscape(std::string& out) {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t simple = c == '\0' ? std::string_view::npos : kNames.find(c);
    if (simple != std::string_view::npos) {
      out += kMeanings[simple];
      at_ += 2;
      return;
    }
    if (c != 'u') fail("unknown escape; JSON knows \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    std::uint32_t code = hexDigits(at_ + 2);
    at_ += 6;
    if (code >= 0xd800 && code < 0xdc00) {
      const bool more = text_.substr(at_, 2) == "\\u";
      const std::uint32_t low = more ? hexDigits(at_ + 2) : 0;
      if (low < 0xdc00 || low > 0xdfff) fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      at_ += 6;
    } else if (code >= 0xdc00 && code < 0xe000) {
      fail("half of a surrogate pair");
    }
    appendUtf8(out, code);
  }

  std::uint32_t hexDigits(std::size_t first) {
    std::uint32_t code = 0;
    for (std::size_t i = first; i < first + 4; ++i) {
      const char c = i < text_.size() ? text_[i] : '\0';
      const bool digit = c >= '0' && c <= '9';
      const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!digit && !letter) fail("expected four hexadecimal digits after \\u");
      code = code * 16 + static_cast<std::uint32_t>(digit ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return code;
  }

  static void appendUtf8(std::string& out, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    const auto tail = [&](int shift) { add(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xc0 | (code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      add(0xe0 | (code >> 12));
      tail(6);
      tail(0);
    } else {
      add(0xf0 | (code >> 18));
      tail(12);
      tail(6);
      tail(0);
    }
  }
};

/// Of a value without parts that is no text.
std::string plainText(const JsonValue& value) {
  if (value.kind == Kind::Null) return "null";
  if (value.kind == Kind::Bool) return value.number != 0.0 ? "true" : "false";
  return toText(value.number);
}

void showInto(const JsonValue& value, std::string& out) {
  constexpr std::size_t kEnough = 60;
  if (out.size() > kEnough) return;
  switch (value.kind) {
    case Kind::Null:
    case Kind::Bool:
    case Kind::Number:
      out += plainText(value);
      break;
    case Kind::Text:
      out += quoted(value.text(), 40);
      break;
    case Kind::Array: {
      out += '[';
      for (const JsonValue& item : value.items()) {
        if (&item != &value.items().front()) out += ", ";
        showInto(item, out);
        if (out.size() > kEnough) return;
      }
      out += ']';
      break;
    }
    case Kind::Object: {
      out += '{';
      for (const JsonMember& m : value.members()) {
        if (&m != &value.members().front()) out += ", ";
        out += quoted(m.key, 30) + ": ";
        showInto(m.value, out);
        if (out.size() > kEnough) return;
      }
      out += '}';
      break;
    }
  }
}

void writeText(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += concat("\\u00", kDigits.substr(byte >> 4, 1), kDigits.substr(byte & 15, 1));
    } else {
      out += c;
    }
  }
  out += '"';
}

void writeInto(const JsonValue& value, std::string& out) {
  switch (value.kind) {
    case Kind::Null:
    case Kind::Bool:
    case Kind::Number:
      out += plainText(value);
      break;
    case Kind::Text:
      writeText(value.text(), out);
      break;
    case Kind::Array:
      out += '[';
      for (const JsonValue& item : value.items()) {
        if (&item != &value.items().front()) out += ',';
        writeInto(item, out);
      }
      out += ']';
      break;
    case Kind::Object:
      out += '{';
      for (const JsonMember& m : value.members()) {
        if (&m != &value.members().front()) out += ',';
        writeText(m.key, out);
        out += ':';
        writeInto(m.value, out);
      }
      out += '}';
      break;
  }
}

}  // namespace

const std::string& JsonValue::text() const {
  return content ? content->text : kNothing.text;
}
const std::vector<JsonValue>& JsonValue::items() const {
  return content ? content->items : kNothing.items;
}
const std::vector<JsonMember>& JsonValue::members() const {
  return content ? content->members : kNothing.members;
}

JsonValue parseJson(std::string_view text, std::string_view file, const JsonLimits& limits) {
  return Parser(text, file, limits).parse();
}

std::string pathStep(std::string_view key) {
  std::string out = "/";
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return printable(out, 61);
}

std::string writeJson(const JsonValue& value) {
  std::string out;
  writeInto(value, out);
  return out;
}

std::string show(const JsonValue& value) {
  std::string out;
  showInto(value, out);
  constexpr std::size_t kMost = 70;
  return printable(out, kMost);
}

}  // namespace abut::inline v0_1::io
