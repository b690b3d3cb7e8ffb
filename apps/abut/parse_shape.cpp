// SPDX-License-Identifier: MIT
#include "parse_shape.hpp"

#include <charconv>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include <abut/abut.hpp>

#include "io/core/text.hpp"

namespace abut::tool {

const char* const kShapeHelp =
    "Shapes (lengths in metres, axes along z, centred at the origin of their pose):\n"
    "  sphere RADIUS\n"
    "  box SIZE_X SIZE_Y SIZE_Z        full side lengths\n"
    "  capsule RADIUS LENGTH           length of the segment, without the caps\n"
    "  cylinder RADIUS HEIGHT\n"
    "  cone RADIUS HEIGHT              apex up\n"
    "  plane NX NY NZ [OFFSET]         half-space below the plane\n"
    "  hull X Y Z  X Y Z  ...          convex hull of at least four points\n"
    "  cloud RADIUS  X Y Z  ...        balls of one radius\n"
    "  mesh X Y Z  X Y Z  X Y Z  ...   nine numbers a triangle, counter-clockwise from outside";

namespace {

using Numbers = std::vector<double>;

struct Kind {
  const char* name;
  const char* arguments;
  std::size_t least, most;  ///< Count of numbers.
  std::function<std::shared_ptr<const Shape>(const Numbers&)> make;
};

std::vector<Eigen::Vector3d> points(const Numbers& v, std::size_t first) {
  std::vector<Eigen::Vector3d> result;
  for (std::size_t i = first; i + 2 < v.size(); i += 3)
    result.emplace_back(v[i], v[i + 1], v[i + 2]);
  return result;
}

std::shared_ptr<const Shape> makeMesh(const Numbers& v) {
  const std::vector<Eigen::Vector3d> corners = points(v, 0);
  std::vector<MeshShape::Triangle> triangles;
  for (std::uint32_t i = 0; i + 2 < corners.size(); i += 3) triangles.push_back({i, i + 1, i + 2});
  return std::make_shared<MeshShape>(corners, triangles);
}

constexpr std::size_t kMaxNumbers = 30000;

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list = {
      {"sphere", "RADIUS", 1, 1,
       [](const Numbers& v) { return std::make_shared<SphereShape>(v[0]); }},
      {"box", "SIZE_X SIZE_Y SIZE_Z", 3, 3,
       [](const Numbers& v) {
         if (!(v[0] > 0 && v[1] > 0 && v[2] > 0)) {
           throw Error(
               StatusCode::OutOfRange,
               fmt::format("box: expected 3 positive lengths [m], got {} {} {}", v[0], v[1], v[2]));
         }
         return std::make_shared<BoxShape>(Eigen::Vector3d(v[0] / 2, v[1] / 2, v[2] / 2));
       }},
      {"capsule", "RADIUS LENGTH", 2, 2,
       [](const Numbers& v) { return std::make_shared<CapsuleShape>(v[0], v[1]); }},
      {"cylinder", "RADIUS HEIGHT", 2, 2,
       [](const Numbers& v) { return std::make_shared<CylinderShape>(v[0], v[1]); }},
      {"cone", "RADIUS HEIGHT", 2, 2,
       [](const Numbers& v) { return std::make_shared<ConeShape>(v[0], v[1]); }},
      {"plane", "NX NY NZ [OFFSET]", 3, 4,
       [](const Numbers& v) {
         return std::make_shared<PlaneShape>(Eigen::Vector3d(v[0], v[1], v[2]),
                                             v.size() > 3 ? v[3] : 0.0);
       }},
      {"hull", "X Y Z  X Y Z  X Y Z  X Y Z ...", 12, kMaxNumbers,
       [](const Numbers& v) { return std::make_shared<ConvexShape>(points(v, 0)); }},
      {"cloud", "RADIUS  X Y Z ...", 4, kMaxNumbers,
       [](const Numbers& v) { return std::make_shared<PointCloudShape>(points(v, 1), v[0]); }},
      {"mesh", "nine numbers for each triangle", 9, kMaxNumbers, makeMesh},
  };
  return list;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\t' && c != ',' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

Numbers parseNumbers(const std::string& option, const std::vector<std::string>& words,
                     std::size_t first) {
  Numbers numbers;
  for (std::size_t i = first; i < words.size(); ++i) {
    const std::string& word = words[i];
    double value = 0.0;
    const char* begin = word.data() + (word[0] == '+' ? 1 : 0);
    const std::from_chars_result end = std::from_chars(begin, word.data() + word.size(), value);
    if (end.ec != std::errc() || end.ptr != word.data() + word.size()) {
      throw Error(StatusCode::OutOfRange,
                  fmt::format("{}: expected a number, got \"{}\"", option, word));
    }
    numbers.push_back(value);
  }
  return numbers;
}

std::string nearestKind(const std::string& word) {
  std::string best;
  std::size_t least = 4;  // Farther than three letters is no likeness.
  for (const Kind& kind : kinds()) {
    const std::size_t d = io::editDistance(word, kind.name);
    if (d >= least) continue;
    least = d;
    best = kind.name;
  }
  return best;
}

}  // namespace

std::shared_ptr<const Shape> parseShape(const std::string& option, const std::string& text) {
  const std::vector<std::string> words = split(text);
  if (words.empty()) {
    throw Error(StatusCode::OutOfRange,
                fmt::format("{}: expected a shape such as \"box 1 1 1\", got nothing", option));
  }
  for (const Kind& kind : kinds()) {
    if (words[0] != kind.name) continue;
    const Numbers numbers = parseNumbers(option, words, 1);
    const bool wholePoints = kind.most < kMaxNumbers || (numbers.size() - kind.least) % 3 == 0;
    const bool wholeTriangles = std::string(kind.name) != "mesh" || numbers.size() % 9 == 0;
    if (numbers.size() < kind.least || numbers.size() > kind.most || !wholePoints ||
        !wholeTriangles) {
      throw Error(StatusCode::OutOfRange,
                  fmt::format("{}: expected \"{} {}\", got {} numbers", option, kind.name,
                              kind.arguments, numbers.size()));
    }
    try {
      return kind.make(numbers);
    } catch (const Error& error) {
      throw Error(error.getCode(), fmt::format("{}: {}", option, error.what()));
    }
  }
  const std::string near = nearestKind(words[0]);
  std::string known;
  for (const Kind& kind : kinds()) known += (known.empty() ? "" : ", ") + std::string(kind.name);
  throw Error(StatusCode::OutOfRange,
              fmt::format("{}: unknown shape \"{}\"{} (known: {})", option, words[0],
                          near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near), known));
}

Pose parsePose(const std::string& option, const std::string& text) {
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  const Numbers v = parseNumbers(option, split(text), 0);
  if (v.size() != 3 && v.size() != 6) {
    throw Error(StatusCode::OutOfRange,
                fmt::format("{}: expected \"x y z\" or \"x y z roll pitch yaw\" (metres, degrees), "
                            "got {} numbers",
                            option, v.size()));
  }
  const Eigen::Vector3d position(v[0], v[1], v[2]);
  try {
    return v.size() == 3
               ? poseFromRollPitchYaw(position, 0.0, 0.0, 0.0)
               : poseFromRollPitchYaw(position, v[3] * kDegree, v[4] * kDegree, v[5] * kDegree);
  } catch (const Error& error) {
    throw Error(error.getCode(), fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace abut::tool
