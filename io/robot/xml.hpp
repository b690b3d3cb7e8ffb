// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/math/types.hpp>

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace abut::inline v0_1::io {

/// What an XML file of a robot may have at most.
struct XmlLimits {
  std::size_t bytes = std::size_t{64} << 20;
  int depth = 200;
  std::size_t elements = 1'000'000;
};

/// An element of an XML file; knows its file for messages. Refers to its document.
class XmlElement {
public:
  XmlElement(const tinyxml2::XMLElement* element, const std::string* file)
      : element_(element), file_(file) {}

  [[nodiscard]] std::string_view name() const;
  /// "file:line"
  [[nodiscard]] std::string place() const;
  [[noreturn]] void fail(const std::string& what) const;

  /// The attribute's text, or nothing.
  [[nodiscard]] std::optional<std::string> find(const char* attribute) const;
  [[nodiscard]] std::string require(const char* attribute) const;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> attributes() const;

  /// Numbers of a text that blanks and newlines part; fails by the attribute's name.
  [[nodiscard]] std::vector<double> numbers(const char* attribute, std::string_view text) const;

  [[nodiscard]] std::optional<XmlElement> child(const char* name) const;
  [[nodiscard]] std::vector<XmlElement> children() const;

private:
  const tinyxml2::XMLElement* element_;
  const std::string* file_;
};

/// A parsed file.
class XmlFile {
public:
  /// Throws InputError "file:line: what" for text that is no XML, or more than the limits allow.
  XmlFile(std::string_view text, const std::string& file, const XmlLimits& limits = {});
  ~XmlFile();
  XmlFile(const XmlFile&) = delete;
  XmlFile& operator=(const XmlFile&) = delete;

  [[nodiscard]] XmlElement root() const;

private:
  std::string file_;
  std::unique_ptr<tinyxml2::XMLDocument> document_;
};

}  // namespace abut::inline v0_1::io
