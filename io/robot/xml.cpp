// SPDX-License-Identifier: MIT
#include "io/robot/xml.hpp"

#include <algorithm>
#include <limits>
#include <tinyxml2.h>

#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Counts elements, and refuses nesting beyond the limit before anything walks it.
void checkSize(const tinyxml2::XMLElement* root, const std::string& file, const XmlLimits& limits) {
  std::size_t count = 0;
  int depth = 1;
  for (const tinyxml2::XMLElement* e = root; e != nullptr;) {
    if (++count > limits.elements || depth > limits.depth) {
      throw InputError(
          concat(file, ":", e->GetLineNum(), ": more than ",
                 depth > limits.depth ? static_cast<std::size_t>(limits.depth) : limits.elements,
                 depth > limits.depth ? " elements in each other" : " elements"));
    }
    if (e->FirstChildElement() != nullptr) {
      e = e->FirstChildElement();
      ++depth;
      continue;
    }
    while (e != root && e->NextSiblingElement() == nullptr) {
      e = e->Parent()->ToElement();
      --depth;
    }
    if (e == root) break;
    e = e->NextSiblingElement();
  }
}

}  // namespace

XmlFile::XmlFile(std::string_view text, const std::string& file, const XmlLimits& limits)
    : file_(printable(file, 200)),
      document_(std::make_unique<tinyxml2::XMLDocument>(true, tinyxml2::COLLAPSE_WHITESPACE)) {
  if (text.size() > limits.bytes)
    throw InputError(concat(file_, ": larger than ", limits.bytes, " bytes"));
  const tinyxml2::XMLError error = document_->Parse(text.data(), text.size());
  if (error != tinyxml2::XML_SUCCESS || document_->RootElement() == nullptr) {
    throw InputError(
        concat(file_, ":", std::max(1, document_->ErrorLineNum()),
               ": this is no XML file: ", tinyxml2::XMLDocument::ErrorIDToName(error)));
  }
  // Document types, with entities and files that they name, are of no use here.
  for (const tinyxml2::XMLNode* n = document_->FirstChild(); n != nullptr; n = n->NextSibling()) {
    if (n->ToUnknown() == nullptr) continue;
    throw InputError(
        concat(file_, ":", n->GetLineNum(), ": document types (<!...>) are not read; remove it"));
  }
  checkSize(document_->RootElement(), file_, limits);
}

XmlFile::~XmlFile() = default;

XmlElement XmlFile::root() const {
  return {document_->RootElement(), &file_};
}

std::string_view XmlElement::name() const {
  return element_->Name();
}

std::string XmlElement::place() const {
  return concat(*file_, ":", element_->GetLineNum());
}

void XmlElement::fail(const std::string& what) const {
  throw InputError(concat(place(), " <", printable(name()), ">: ", what));
}

std::optional<std::string> XmlElement::find(const char* attribute) const {
  const char* const text = element_->Attribute(attribute);
  if (text == nullptr) return std::nullopt;
  return text;
}

std::string XmlElement::require(const char* attribute) const {
  const std::optional<std::string> text = find(attribute);
  if (!text) fail(concat("expected an attribute \"", attribute, "\""));
  return *text;
}

std::vector<std::pair<std::string, std::string>> XmlElement::attributes() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const tinyxml2::XMLAttribute* a = element_->FirstAttribute(); a != nullptr; a = a->Next())
    all.emplace_back(a->Name(), a->Value());
  return all;
}

std::vector<double> XmlElement::numbers(const char* attribute, std::string_view text) const {
  constexpr std::size_t kMost = 1'000'000;
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<double> values;
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(kBlanks, at);
    if (at == std::string_view::npos) return values;
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    double value = 0.0;
    constexpr double kLargest = std::numeric_limits<double>::max();
    if (!parseNumber(word, value, true) || !(value >= -kLargest && value <= kLargest))
      fail(concat("\"", attribute, "\": expected finite numbers, got ", quoted(word)));
    if (values.size() == kMost) fail(concat("\"", attribute, "\": too many numbers"));
    values.push_back(value);
    at = end;
  }
}

std::optional<XmlElement> XmlElement::child(const char* name) const {
  const tinyxml2::XMLElement* const found = element_->FirstChildElement(name);
  if (found == nullptr) return std::nullopt;
  return XmlElement(found, file_);
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> all;
  for (const tinyxml2::XMLElement* e = element_->FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement())
    all.emplace_back(e, file_);
  return all;
}

}  // namespace abut::inline v0_1::io
