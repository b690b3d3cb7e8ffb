// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/core/text.hpp"
#include "io/mesh/mesh_file.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::string_view kSpace = " \t\r\v\f";

/// The next word of a line, or nothing.
std::string_view nextWord(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    line = {};
    return {};
  }
  const std::size_t end = std::min(line.find_first_of(kSpace, first), line.size());
  const std::string_view word = line.substr(first, end - first);
  line.remove_prefix(end);
  return word;
}

class ObjReader {
public:
  ObjReader(std::string_view name, const MeshLimits& limits) : name_(name), limits_(limits) {}

  MeshFile read(std::string_view content) {
    while (!content.empty()) {
      ++line_;
      const std::size_t end = std::min(content.find('\n'), content.size());
      readLine(content.substr(0, end));
      content.remove_prefix(std::min(end + 1, content.size()));
    }
    if (mesh_.triangles.empty())
      throw InputError(
          concat("mesh ", printable(name_, 200), ": no faces (lines \"f ...\") in it"));
    return std::move(mesh_);
  }

private:
  std::string_view name_;
  const MeshLimits& limits_;
  MeshFile mesh_;
  std::uint64_t line_ = 0;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(concat("mesh ", printable(name_, 200), ":", line_, ": ", what));
  }

  void readLine(std::string_view line) {
    const std::string_view kind = nextWord(line);
    if (kind == "v") {
      readVertex(line);
    } else if (kind == "f") {
      readFace(line);
    } else if (line.size() > 1 && line.back() == '\\') {
      fail("lines continued with a backslash are not read; join them");
    }
  }

  void readVertex(std::string_view line) {
    if (mesh_.vertices.size() >= limits_.vertices)
      fail(concat("more than ", limits_.vertices, " vertices"));
    double v[3];
    for (double& x : v) {
      const std::string_view word = nextWord(line);
      if (!parseNumber(word, x, true) || !std::isfinite(x))
        fail(concat("expected three finite numbers after \"v\", got ", quoted(word)));
    }
    mesh_.vertices.emplace_back(v[0], v[1], v[2]);
  }

  std::uint32_t readCorner(std::string_view word) {
    const std::string_view digits = word.substr(0, word.find('/'));
    double value = 0.0;
    const auto count = static_cast<double>(mesh_.vertices.size());
    const bool read =
        digits.find_first_of(".eE") == std::string_view::npos && parseNumber(digits, value, true);
    const double index = value < 0.0 ? count + value : value - 1.0;
    if (!read || !(index >= 0.0) || !(index < count)) {
      fail(concat("expected a vertex from 1 to ", mesh_.vertices.size(),
                  " (or -1 for the last), got ", quoted(word),
                  "; faces refer to vertices above them"));
    }
    return static_cast<std::uint32_t>(index);
  }

  void readFace(std::string_view line) {
    std::uint32_t first = 0, previous = 0;
    std::size_t corners = 0;
    for (std::string_view word; !(word = nextWord(line)).empty(); ++corners) {
      if (word[0] == '#') break;
      const std::uint32_t corner = readCorner(word);
      if (corners == 0) first = corner;
      if (corners >= 2) {
        if (mesh_.triangles.size() >= limits_.triangles)
          fail(concat("more than ", limits_.triangles, " triangles"));
        mesh_.triangles.push_back({first, previous, corner});
      }
      previous = corner;
    }
    if (corners < 3) fail(concat("expected a face of at least 3 corners, got ", corners));
  }
};

}  // namespace

MeshFile parseObj(std::string_view content, std::string_view name, const MeshLimits& limits) {
  return ObjReader(name, limits).read(content);
}

MeshFile parseMeshFile(std::string_view content, std::string_view name, const MeshLimits& limits) {
  std::string ending(name.substr(name.size() - std::min<std::size_t>(name.size(), 4)));
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (ending == ".obj") return parseObj(content, name, limits);
  if (ending == ".stl") return parseStl(content, name, limits);
  throw InputError(
      concat("mesh ", printable(name, 200), ": expected a file that ends in .obj or .stl"));
}

}  // namespace abut::inline v0_1::io
