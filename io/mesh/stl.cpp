// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#include "io/core/text.hpp"
#include "io/mesh/mesh_file.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::size_t kHeaderBytes = 84;  // 80 of text, then the count.
constexpr std::size_t kTriangleBytes = 50;

std::uint32_t readU32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

double readFloat(std::string_view bytes, std::size_t at) {
  static_assert(sizeof(float) == 4);
  const std::uint32_t bits = readU32(bytes, at);
  float value = 0.0f;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

[[noreturn]] void fail(std::string_view name, const std::string& what) {
  throw InputError(concat("mesh ", printable(name, 200), ": ", what));
}

void addTriangle(MeshFile& mesh, const Eigen::Vector3d (&corners)[3]) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Eigen::Vector3d& corner : corners) mesh.vertices.push_back(corner);
  mesh.triangles.push_back({first, first + 1, first + 2});
}

MeshFile readBinary(std::string_view content, std::string_view name, const MeshLimits& limits) {
  const std::uint32_t count = readU32(content, kHeaderBytes - 4);
  if (count == 0) fail(name, "no triangles in it");
  if (count > limits.triangles)
    fail(name, concat(count, " triangles; at most ", limits.triangles, " are read"));
  MeshFile mesh;
  mesh.vertices.reserve(std::size_t{3} * count);
  mesh.triangles.reserve(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    const std::size_t base = kHeaderBytes + kTriangleBytes * t + 12;  // After the normal.
    Eigen::Vector3d corners[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = base + 12 * k;
      corners[k] = {readFloat(content, at), readFloat(content, at + 4), readFloat(content, at + 8)};
      if (!corners[k].allFinite())
        fail(name, concat("triangle ", t, ": expected finite numbers, got ", corners[k].x(), " ",
                          corners[k].y(), " ", corners[k].z()));
    }
    addTriangle(mesh, corners);
  }
  return mesh;
}

/// Words of a text, with the line they stand in.
struct Words {
  std::string_view rest;
  std::uint64_t line = 1;

  std::string_view next() {
    while (!rest.empty() && (rest[0] == ' ' || (rest[0] >= '\t' && rest[0] <= '\r'))) {
      if (rest[0] == '\n') ++line;
      rest.remove_prefix(1);
    }
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n\v\f"), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
  }
  void skipLine() { rest.remove_prefix(std::min(rest.find('\n'), rest.size())); }
};

class TextReader {
public:
  TextReader(std::string_view content, std::string_view name, const MeshLimits& limits)
      : words_{content}, name_(name), limits_(limits) {}

  MeshFile read() {
    // "solid NAME", then facets, then "endsolid NAME"; several solids may follow each other.
    for (std::string_view word; !(word = words_.next()).empty();) {
      if (word == "solid" || word == "endsolid") {
        words_.skipLine();
      } else if (word == "facet") {
        readFacet();
      } else {
        failHere("facet", word);
      }
    }
    if (mesh_.triangles.empty()) fail(name_, "no triangles in it");
    return std::move(mesh_);
  }

private:
  Words words_;
  std::string_view name_;
  const MeshLimits& limits_;
  MeshFile mesh_;

  [[noreturn]] void failHere(std::string_view expected, std::string_view got) const {
    fail(
        concat(name_, ":", words_.line),
        concat("expected ", expected, ", got ", got.empty() ? "the end of the file" : quoted(got)));
  }
  void expect(std::string_view expected) {
    const std::string_view word = words_.next();
    if (word != expected) failHere(quoted(expected), word);
  }
  double number() {
    const std::string_view word = words_.next();
    double value = 0.0;
    if (!parseNumber(word, value, true) || !std::isfinite(value)) failHere("a finite number", word);
    return value;
  }

  void readFacet() {
    if (mesh_.triangles.size() >= limits_.triangles)
      fail(name_, concat("more than ", limits_.triangles, " triangles"));
    expect("normal");
    for (int i = 0; i < 3; ++i) words_.next();  // Some programs write nan here; it is not used.
    expect("outer");
    expect("loop");
    Eigen::Vector3d corners[3];
    for (Eigen::Vector3d& corner : corners) {
      expect("vertex");
      for (int i = 0; i < 3; ++i) corner[i] = number();
    }
    expect("endloop");
    expect("endfacet");
    addTriangle(mesh_, corners);
  }
};

}  // namespace

MeshFile parseStl(std::string_view content, std::string_view name, const MeshLimits& limits) {
  // Binary files may begin with "solid" too, so the length decides.
  if (content.size() >= kHeaderBytes) {
    const std::uint64_t count = readU32(content, kHeaderBytes - 4);
    if (content.size() == kHeaderBytes + kTriangleBytes * count)
      return readBinary(content, name, limits);
  }
  const std::size_t start = std::min(content.find_first_not_of(" \t\r\n"), content.size());
  if (content.substr(start, 5) == "solid") return TextReader(content, name, limits).read();
  if (content.size() < kHeaderBytes)
    fail(name, concat(content.size(), " bytes are too few for an STL file"));
  const std::uint64_t count = readU32(content, kHeaderBytes - 4);
  fail(name, concat("the header counts ", count, " triangles, which take ",
                    kHeaderBytes + kTriangleBytes * count, " bytes, but the file has ",
                    content.size(), "; it is cut off or not an STL file"));
}

}  // namespace abut::inline v0_1::io
