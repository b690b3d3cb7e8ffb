// SPDX-License-Identifier: MIT
#include <cmath>

#include <abut/math/convert.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180.0;
constexpr double kMaxAngle = 1e6;  ///< [rad]; beyond it an angle has lost its digits.

struct CosSin {
  double c = 1.0, s = 0.0;
};

/// By the library's own functions: the same bits on every machine.
CosSin cosSin(double angle) {
  const Mat3 r = poseFromRollPitchYaw({0, 0, 0}, 0, 0, angle).rotation;
  return {r.x.x, r.x.y};
}

/// Rodrigues' formula: c I + s [k]x + (1 - c) k k^T, for a unit axis k.
Mat3 rotationAbout(const Vec3& k, double angle) {
  const auto [c, s] = cosSin(angle);
  const double d = 1.0 - c;
  return {{c + d * k.x * k.x, d * k.x * k.y + s * k.z, d * k.x * k.z - s * k.y},
          {d * k.x * k.y - s * k.z, c + d * k.y * k.y, d * k.y * k.z + s * k.x},
          {d * k.x * k.z + s * k.y, d * k.y * k.z - s * k.x, c + d * k.z * k.z}};
}

Quat fromRollPitchYaw(const Node& node, double unit) {
  const Vec3 angles = node.vec3("roll, pitch and yaw");
  for (const double a : {angles.x, angles.y, angles.z})
    if (!(std::fabs(a * unit) <= kMaxAngle)) node.failExpected("angles of at most 1e6 rad");
  const auto [cx, sx] = cosSin(0.5 * (angles.x * unit));
  const auto [cy, sy] = cosSin(0.5 * (angles.y * unit));
  const auto [cz, sz] = cosSin(0.5 * (angles.z * unit));
  return multiply({cz, 0, 0, sz}, multiply({cy, 0, sy, 0}, {cx, sx, 0, 0}));
}

Quat fromQuaternion(const Node& node) {
  constexpr double kUnit = 1e-6;  // As the world demands.
  if (!node.isList() || node.list("numbers", 0, 1'000'000) != 4)
    node.failExpected("4 numbers, a quaternion [w, x, y, z]");
  Quat q;
  q.w = node.at(0).number("a number");
  q.x = node.at(1).number("a number");
  q.y = node.at(2).number("a number");
  q.z = node.at(3).number("a number");
  const double square = ((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z;
  if (square == 0.0) node.fail("expected a quaternion [w, x, y, z] of length 1, got zeros");
  if (!(std::fabs(square - 1.0) <= kUnit)) {
    node.fail(concat("expected a quaternion [w, x, y, z] of length 1, got length ",
                     std::sqrt(square), "; divide by it"));
  }
  const double scale = 1.0 / std::sqrt(square);
  if (square == 1.0) return q;
  return {q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

void readTurn(const Node& node, Repeat& repeat) {
  node.allowKeys({"degrees", "axis", "about"});
  repeat.turns = true;
  const Node degrees = node.require("degrees", "the angle from copy to copy");
  repeat.angle = degrees.number("an angle [degrees]", -360, 360) * kRadiansPerDegree;
  if (const std::optional<Node> about = node.find("about")) {
    repeat.about = about->vec3("a point on the axis [m]");
    for (const double x : {repeat.about.x, repeat.about.y, repeat.about.z})
      if (!(std::fabs(x) <= kMaxCoordinate)) about->failExpected("coordinates of at most 1e9 m");
  }
  if (const std::optional<Node> axis = node.find("axis")) {
    const Vec3 v = axis->vec3("a direction");
    const double length = std::sqrt((v.x * v.x + v.y * v.y) + v.z * v.z);
    if (!(length >= 1e-9) || !(length <= 1e9)) axis->failExpected("a direction of usual length");
    repeat.axis = {v.x / length, v.y / length, v.z / length};
  }
}

Repeat readEntry(const Node& node, std::size_t depth, std::uint64_t most) {
  node.allowKeys({"count", "step", "turn", "countStep"});
  Repeat repeat;
  repeat.count = node.require("count", "how many copies").count("how many copies", 1, most);
  if (!node.has("step") && !node.has("turn"))
    node.fail("expected \"step\" [x, y, z], the way from copy to copy, or \"turn\"");
  if (const std::optional<Node> step = node.find("step")) {
    repeat.step = step->vec3("the way from copy to copy [m]");
    for (const double x : {repeat.step.x, repeat.step.y, repeat.step.z})
      if (!(std::fabs(x) <= kMaxCoordinate)) step->failExpected("lengths of at most 1e9 m");
  }
  if (const std::optional<Node> turn = node.find("turn")) readTurn(*turn, repeat);
  if (const std::optional<Node> change = node.find("countStep")) {
    if (depth == 0) change->fail("the outermost entry has no entry before it to count by");
    repeat.countStep = change->number("a whole number", -1e5, 1e5);
    if (repeat.countStep != std::floor(repeat.countStep)) change->failExpected("a whole number");
  }
  return repeat;
}

/// Makes a list of copies.
class Expansion {
public:
  Expansion(const std::vector<Repeat>& entries, const Node& node, std::size_t most)
      : entries_(entries), node_(node), most_(most) {}

  std::vector<Copy> run() {
    visit(0, 0, Copy{});
    if (copies_.empty()) node_.fail("no copy is left; check \"countStep\"");
    return std::move(copies_);
  }

private:
  const std::vector<Repeat>& entries_;
  const Node& node_;
  std::size_t most_, visits_ = 0;
  std::vector<Copy> copies_;

  void visit(std::size_t depth, std::uint64_t outerIndex, const Copy& outer) {
    if (depth == entries_.size()) {
      copies_.push_back(outer);
      return;
    }
    const Repeat& entry = entries_[depth];
    const double count =
        static_cast<double>(entry.count) + entry.countStep * static_cast<double>(outerIndex);
    for (std::uint64_t i = 0; static_cast<double>(i) < count; ++i) {
      // Grids that shrink to nothing are counted too, so that they end.
      if (++visits_ > most_ + most_)
        node_.fail(concat("more than ", most_, " copies; the limit of a scene is ", kMaxBodies,
                          " bodies"));
      visit(depth + 1, i, copyOf(entry, i, outer));
    }
  }
};

}  // namespace

Copy copyOf(const Repeat& entry, std::uint64_t i, const Copy& outer) {
  const auto n = static_cast<double>(i);
  Pose own;
  own.translation = {entry.step.x * n, entry.step.y * n, entry.step.z * n};
  if (entry.turns) {
    // x -> about + R (x - about) + n step
    own.rotation = rotationAbout(entry.axis, entry.angle * n);
    const Vec3 turned = rotate(own.rotation, entry.about);
    own.translation = {own.translation.x + (entry.about.x - turned.x),
                       own.translation.y + (entry.about.y - turned.y),
                       own.translation.z + (entry.about.z - turned.z)};
  }
  const Pose all = compose({outer.rotation, outer.shift}, own);
  return {concat(outer.suffix, "[", i, "]"), all.rotation, all.translation};
}

Quat readOrientation(const Node& node) {
  const std::optional<Node> quaternion = node.find("orientation");
  const std::optional<Node> radians = node.find("rollPitchYaw");
  const std::optional<Node> degrees = node.find("rollPitchYawDegrees");
  if (int{quaternion.has_value()} + int{radians.has_value()} + int{degrees.has_value()} > 1) {
    node.fail("expected only one of \"orientation\", \"rollPitchYaw\" and \"rollPitchYawDegrees\"");
  }
  if (quaternion) return fromQuaternion(*quaternion);
  if (radians) return fromRollPitchYaw(*radians, 1.0);
  if (degrees) return fromRollPitchYaw(*degrees, kRadiansPerDegree);
  return {};
}

Vec3 readPosition(const Node& node) {
  const std::optional<Node> position = node.find("position");
  if (!position) return {};
  const Vec3 p = position->vec3("a position [m]");
  for (const double x : {p.x, p.y, p.z})
    if (!(std::fabs(x) <= kMaxCoordinate)) position->failExpected("coordinates of at most 1e9 m");
  return p;
}

std::vector<Repeat> readRepeat(const Node& node, std::uint64_t most) {
  if (!node.isList()) return {readEntry(node, 0, most)};
  constexpr std::size_t kMaxNesting = 6;
  const std::size_t count = node.list("grids", 1, kMaxNesting);
  std::vector<Repeat> entries;
  for (std::size_t i = 0; i < count; ++i) entries.push_back(readEntry(node.at(i), i, most));
  return entries;
}

std::vector<Copy> expand(const std::vector<Repeat>& entries, const Node& node, std::size_t most) {
  return Expansion(entries, node, most).run();
}

}  // namespace abut::inline v0_1::io
