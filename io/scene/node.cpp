// SPDX-License-Identifier: MIT
#include "io/scene/node.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <abut/shapes/shape.hpp>

#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

using Kind = JsonValue::Kind;

/// What other programs call it, and what it is called here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 48> kOtherNames = {{
    {"iterations", "sweeps"},
    {"maxIterations", "sweeps"},
    {"maxSweeps", "sweeps"},
    {"allowDirect", "direct"},
    {"velocity", "linearVelocity"},
    {"omega", "angularVelocity"},
    {"mu", "friction"},
    {"frictionCoefficient", "friction"},
    {"bounce", "restitution"},
    {"bounciness", "restitution"},
    {"elasticity", "restitution"},
    {"dt", "step"},
    {"timeStep", "step"},
    {"timestep", "step"},
    {"endTime", "duration"},
    {"halfExtents", "size"},
    {"extents", "size"},
    {"dimensions", "size"},
    {"translation", "position"},
    {"origin", "position"},
    {"pos", "position"},
    {"quaternion", "orientation"},
    {"rotation", "orientation"},
    {"rpy", "rollPitchYaw"},
    {"euler", "rollPitchYawDegrees"},
    {"fixed", "lock"},
    {"constraints", "lock"},
    {"geometry", "shapes"},
    {"collision", "shapes"},
    {"objects", "bodies"},
    {"children", "shapes"},
    {"ball", "sphere"},
    {"cube", "box"},
    {"cuboid", "box"},
    {"convex", "hull"},
    {"convexHull", "hull"},
    {"trimesh", "mesh"},
    {"terrain", "heightField"},
    {"heightmap", "heightField"},
    {"pointCloud", "cloud"},
    {"ground", "plane"},
    {"halfSpace", "plane"},
    {"height", "length"},
    {"length", "height"},
    {"diameter", "radius"},
    {"rx", "rotationX"},
    {"ry", "rotationY"},
    {"rz", "rotationZ"},
}};

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  const auto isCandidate = [&](std::string_view name) {
    for (const std::string_view c : candidates)
      if (c == name) return true;
    return false;
  };
  for (const auto& [other, ours] : kOtherNames)
    if (other == word && isCandidate(ours)) best = ours;
  if (best.empty()) best = nearest(word, candidates);
  if (best.empty()) {
    std::vector<std::string_view> others;
    for (const auto& [name, ours] : kOtherNames)
      if (isCandidate(ours)) others.push_back(name);
    const std::string_view like = nearest(word, others);
    for (const auto& [name, ours] : kOtherNames)
      if (name == like && best.empty() && isCandidate(ours)) best = ours;
  }
  return best.empty() ? "" : concat("; did you mean ", quoted(best), "?");
}

std::string Node::path() const {
  if (parent_ == nullptr) return "";
  return parent_->path() + (key_.data() != nullptr ? pathStep(key_) : concat("/", index_));
}

std::string Node::place() const {
  const std::string p = path();
  return concat(file_, ":", value_.place.line, ":", value_.place.column, p.empty() ? "" : " ", p);
}

void Node::fail(const std::string& what) const {
  throw InputError(concat(place(), ": ", what));
}

void Node::failExpected(std::string_view expected) const {
  fail(concat("expected ", expected, ", got ", show(value_)));
}

void Node::allowKeys(std::span<const std::string_view> keys) const {
  if (value_.kind != Kind::Object) failExpected("an object { ... }");
  for (const JsonMember& m : value_.members()) {
    bool known = false;
    for (const std::string_view key : keys) known = known || key == m.key;
    if (known) continue;
    throw InputError(concat(file_, ":", m.place.line, ":", m.place.column, " ", path(),
                            pathStep(m.key), ": unknown key", suggestion(m.key, keys),
                            " (allowed: ", join(keys), ")"));
  }
}

bool Node::has(std::string_view key) const {
  return find(key).has_value();
}

std::optional<Node> Node::find(std::string_view key) const {
  for (const JsonMember& m : value_.members())
    if (m.key == key) return Node(m.value, file_, *this, m.key, 0);
  return std::nullopt;
}

Node Node::require(std::string_view key, std::string_view what) const {
  if (value_.kind != Kind::Object) failExpected("an object { ... }");
  for (const JsonMember& m : value_.members())
    if (m.key == key) return Node(m.value, file_, *this, m.key, 0);
  fail(concat("the key ", quoted(key), " is missing; expected ", what));
}

Node Node::member(std::size_t i) const {
  const JsonMember& m = value_.members()[i];
  return Node(m.value, file_, *this, m.key, 0);
}

std::size_t Node::list(std::string_view what, std::size_t least, std::size_t most) const {
  if (!isList()) failExpected(concat("a list of ", what));
  const std::size_t size = value_.items().size();
  if (size < least)
    fail(concat("expected at least ", least, " ", what, ", got ",
                size == 0 ? "none" : std::to_string(size)));
  if (size > most) fail(concat("expected at most ", most, " ", what, ", got ", size));
  return size;
}

Node Node::at(std::size_t i) const {
  return Node(value_.items()[i], file_, *this, {}, i);
}

double Node::number(std::string_view what) const {
  if (value_.kind != Kind::Number) failExpected(what);
  return value_.number;
}

double Node::number(std::string_view what, double least, double most) const {
  const double x = number(what);
  if (x >= least && x <= most) return x;
  const bool open = std::isinf(most) || most == std::numeric_limits<double>::max();
  failExpected(open ? concat(what, " of at least ", least)
                    : concat(what, " from ", least, " to ", most));
}

std::uint64_t Node::count(std::string_view what, std::uint64_t least, std::uint64_t most) const {
  const double x = number(what);
  if (!(x >= static_cast<double>(least)) || !(x <= static_cast<double>(most)) || x != std::floor(x))
    failExpected(concat("a whole number from ", least, " to ", most, " (", what, ")"));
  return static_cast<std::uint64_t>(x);
}

Vec3 Node::vec3(std::string_view what) const {
  const auto& items = value_.items();
  bool good = isList() && items.size() == 3;
  for (const JsonValue& item : items) good = good && item.kind == Kind::Number;
  if (!good) failExpected(concat("3 numbers (", what, ")"));
  return {items[0].number, items[1].number, items[2].number};
}

Vec3 Node::lengths3() const {
  const auto& items = value_.items();
  bool good = isList() && items.size() == 3;
  for (const JsonValue& item : items) good = good && item.kind == Kind::Number && item.number > 0.0;
  if (!good) failExpected("3 positive lengths [m]");
  return {items[0].number, items[1].number, items[2].number};
}

bool Node::boolean() const {
  if (value_.kind != Kind::Bool) failExpected("true or false");
  return value_.number != 0.0;
}

const std::string& Node::text(std::string_view what) const {
  if (value_.kind != Kind::Text) failExpected(what);
  return value_.text();
}

std::size_t Node::oneOf(std::span<const std::string_view> words) const {
  const std::string expected = concat("one of ", join(words));
  const std::string& word = text(expected);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return i;
  fail(concat("expected ", expected, ", got ", quoted(word), suggestion(word, words)));
}

}  // namespace abut::inline v0_1::io
