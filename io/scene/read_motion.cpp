// SPDX-License-Identifier: MIT
// How kinematic bodies move, and forces on dynamic ones.
#include <array>
#include <cmath>

#include <abut/math/convert.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180.0;
constexpr double kMaxForce = 1e15;  ///< [N], [N m]
constexpr std::size_t kMaxKeys = 100'000;

/// The time of an entry of a list; later than that of the entry before.
double readKeyTime(const Node& key, const double* before) {
  const Node time = key.require("time", "a time [s]");
  const double value = time.number("a time [s]", 0, kMaxTime);
  if (before != nullptr && !(value > *before))
    time.fail(concat("expected a time after the entry before, ", *before, " s"));
  return value;
}

KinematicMotion readKeys(const Node& node) {
  node.allowKeys({"interpolation", "keys"});
  KinematicMotion motion;
  motion.kind = KinematicMotion::Kind::Hold;
  if (const std::optional<Node> kind = node.find("interpolation")) {
    if (kind->oneOf({"hold", "linear"}) == 1) motion.kind = KinematicMotion::Kind::Linear;
  }
  const Node list = node.require("keys", "a list of times with velocities");
  const std::size_t count = list.list("keys", 1, kMaxKeys);
  for (std::size_t i = 0; i < count; ++i) {
    const Node key = list.at(i);
    key.allowKeys({"time", "linearVelocity", "angularVelocity"});
    MotionKey out;
    out.time = readKeyTime(key, i > 0 ? &motion.keys.back().time : nullptr);
    out.linear = optionalVec3(key, "linearVelocity", "velocities [m/s]", kMaxVelocity);
    out.angular = optionalVec3(key, "angularVelocity", "velocities [rad/s]", kMaxVelocity);
    motion.keys.push_back(out);
  }
  return motion;
}

KinematicMotion readOscillation(const Node& node) {
  node.allowKeys({"oscillation"});
  const Node o = *node.find("oscillation");
  o.allowKeys({"amplitude", "frequency", "phaseDegrees"});
  KinematicMotion motion;
  motion.kind = KinematicMotion::Kind::Oscillation;
  motion.amplitude = boundedVec3(o.require("amplitude", "3 lengths [m]"), "lengths [m]", 1e6);
  motion.frequency =
      o.require("frequency", "a frequency [Hz]").number("a frequency [Hz]", 1e-9, 1e6);
  if (const std::optional<Node> phase = o.find("phaseDegrees"))
    motion.phase = phase->number("an angle [degrees]", -360, 360) * kRadiansPerDegree;
  return motion;
}

bool hasOrientation(const Node& node) {
  return node.has("orientation") || node.has("rollPitchYaw") || node.has("rollPitchYawDegrees");
}

/// Between two places a body turns by the shorter way. Angles that mean a longer one are refused:
/// 0 and 360 degrees are the same place.
void checkTurn(const Node& before, const Node& after) {
  constexpr double kHalfTurn = 180.0;
  for (const auto& [key, unit] : {std::pair{"rollPitchYawDegrees", 1.0},
                                  std::pair{"rollPitchYaw", 1.0 / kRadiansPerDegree}}) {
    const std::optional<Node> a = before.find(key), b = after.find(key);
    if (!a || !b) continue;
    const Vec3 from = a->vec3("angles"), to = b->vec3("angles");
    for (const double turn : {to.x - from.x, to.y - from.y, to.z - from.z}) {
      if (std::fabs(turn) * unit < kHalfTurn) continue;
      b->fail(concat("a turn of ", std::fabs(turn) * unit,
                     " degrees from the entry before; a path takes the shorter way, so it would "
                     "turn otherwise: expected less than 180, put entries in between"));
    }
  }
}

/// The first entry is where the body begins: there it may be given once, or twice alike.
void checkBeginning(const Node& body, const PathPoint& at, const Node& first) {
  const char* const remedy = "; leave it out at the body or in the path";
  if (body.has("position") && first.has("position") && readPosition(body) != toVec3(at.position))
    first.find("position")->fail(concat("the path begins elsewhere than the body stands", remedy));
  if (hasOrientation(body) && hasOrientation(first) && readOrientation(body) != at.orientation)
    first.fail(concat("the path begins with another orientation than the body has", remedy));
}

/// Spherical interpolation at share / unit of the way, exactly, by halving: the middle of two unit
/// quaternions is their sum, normalised. `unit` is a power of two, `share` less than it.
Quat turnedBy(std::uint64_t share, std::uint64_t unit, Quat a, Quat b) {
  if (share == 0) return a;
  if (((a.w * b.w + a.x * b.x) + a.y * b.y) + a.z * b.z < 0.0) b = {-b.w, -b.x, -b.y, -b.z};
  for (std::uint64_t bit = unit / 2; bit > 0; bit /= 2) {
    const Quat sum{a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
    const double length =
        std::sqrt(((sum.w * sum.w + sum.x * sum.x) + sum.y * sum.y) + sum.z * sum.z);
    const Quat middle{sum.w / length, sum.x / length, sum.y / length, sum.z / length};
    ((share & bit) != 0 ? a : b) = middle;
  }
  return a;
}

/// Appends the way from the last point to `to`: evenly, or beginning and ending at rest in pieces
/// along 3 s^2 - 2 s^3. A piece is no longer than a step of the run, as far as kMostPieces go: a
/// body moves evenly within a piece, and where its velocity jumped by more than gravity adds in a
/// step, what lies on it would lose its hold.
void appendLeg(std::vector<PathPoint>& path, const PathPoint& to, bool smooth, double step) {
  constexpr std::uint64_t kLeastPieces = 64, kMostPieces = 4096;
  const PathPoint from = path.back();
  std::uint64_t pieces = kLeastPieces;
  while (pieces < kMostPieces && static_cast<double>(pieces) * step < to.time - from.time)
    pieces *= 2;
  const std::uint64_t unit = pieces * pieces * pieces;
  for (std::uint64_t k = 1; smooth && k < pieces; ++k) {
    const std::uint64_t share = k * k * (3 * pieces - 2 * k);  // Of `unit`; both are exact doubles.
    const double f = static_cast<double>(share) / static_cast<double>(unit);
    PathPoint p;
    p.time =
        from.time + (to.time - from.time) * (static_cast<double>(k) / static_cast<double>(pieces));
    if (!(p.time > path.back().time) || !(p.time < to.time)) continue;
    for (int i = 0; i < 3; ++i)
      p.position[i] = from.position[i] + (to.position[i] - from.position[i]) * f;
    p.orientation = turnedBy(share, unit, from.orientation, to.orientation);
    path.push_back(p);
  }
  path.push_back(to);
}

KinematicMotion readPath(const Node& node, const Node& body, double step) {
  node.allowKeys({"path", "interpolation"});
  KinematicMotion motion;
  motion.kind = KinematicMotion::Kind::Path;
  const std::optional<Node> kind = node.find("interpolation");
  const bool smooth = kind && kind->oneOf({"linear", "smooth"}) == 1;
  const Node list = node.require("path", "a list of times with places");
  const std::size_t count = list.list("waypoints", 1, kMaxKeys);
  PathPoint at{0.0, toEigen(readPosition(body)), readOrientation(body)};
  for (std::size_t i = 0; i < count; ++i) {
    const Node entry = list.at(i);
    entry.allowKeys({"time", "position", "orientation", "rollPitchYaw", "rollPitchYawDegrees"});
    at.time = readKeyTime(entry, i > 0 ? &motion.path.back().time : nullptr);
    if (entry.has("position")) at.position = toEigen(readPosition(entry));
    if (hasOrientation(entry)) at.orientation = readOrientation(entry);
    if (i == 0) {
      checkBeginning(body, at, entry);
      motion.path.push_back(at);
    } else {
      checkTurn(list.at(i - 1), entry);
      appendLeg(motion.path, at, smooth, step);
    }
  }
  return motion;
}

}  // namespace

Vec3 boundedVec3(const Node& node, std::string_view what, double most) {
  const Vec3 v = node.vec3(what);
  for (const double x : {v.x, v.y, v.z})
    if (!(std::fabs(x) <= most)) node.failExpected(concat(what, ", each at most ", most));
  return v;
}

Vec3 optionalVec3(const Node& node, std::string_view key, std::string_view what, double most) {
  const std::optional<Node> value = node.find(key);
  return value ? boundedVec3(*value, what, most) : Vec3{};
}

std::vector<ForceSpan> readForces(const Node& list) {
  std::vector<ForceSpan> forces;
  constexpr std::size_t kMaxForces = 10'000;
  const std::size_t count = list.list("forces", 0, kMaxForces);
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = list.at(i);
    node.allowKeys({"from", "to", "force", "torque", "frame"});
    if (!node.has("force") && !node.has("torque"))
      node.fail("expected \"force\" [N] or \"torque\" [N m]");
    ForceSpan span;
    span.to = kMaxTime;
    if (const std::optional<Node> from = node.find("from"))
      span.from = from->number("a time [s]", 0, kMaxTime);
    if (const std::optional<Node> to = node.find("to")) {
      span.to = to->number("a time [s]", 0, kMaxTime);
      if (!(span.to > span.from)) to->fail(concat("expected a time after ", span.from, " s"));
    }
    span.force = optionalVec3(node, "force", "forces [N]", kMaxForce);
    span.torque = optionalVec3(node, "torque", "torques [N m]", kMaxForce);
    if (const std::optional<Node> frame = node.find("frame"))
      span.inBodyFrame = frame->oneOf({"world", "body"}) == 1;
    forces.push_back(span);
  }
  return forces;
}

KinematicMotion readMotion(const Node& node, const Node& body, double step) {
  for (const std::string_view key : {"linearVelocity", "angularVelocity"}) {
    if (const std::optional<Node> value = body.find(key))
      value->fail(concat("this body has a \"motion\", which says how it moves; remove ",
                         quoted(key), " or \"motion\""));
  }
  if (!node.isObject()) node.failExpected("an object with \"keys\", \"path\" or \"oscillation\"");
  if (node.has("oscillation")) return readOscillation(node);
  if (!node.has("keys") && !node.has("path")) {
    node.allowKeys({"interpolation", "keys", "path", "oscillation"});  // A misspelt one is named.
  }
  return node.has("path") ? readPath(node, body, step) : readKeys(node);
}

}  // namespace abut::inline v0_1::io
