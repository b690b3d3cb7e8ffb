// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/world.hpp>

#include "math/rotation_vector.hpp"
#include "math/unit_quat.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

struct Place {
  Vec3 position;
  Quat orientation;
};

Place placeAt(const std::vector<PathPoint>& path, double time) {
  const auto later =
      std::upper_bound(path.begin(), path.end(), time,
                       [](double t, const PathPoint& point) { return t < point.time; });
  const auto next = static_cast<std::size_t>(later - path.begin());
  if (next == 0) return {toVec3(path[0].position), path[0].orientation};
  const PathPoint& a = path[next - 1];
  if (next == path.size()) return {toVec3(a.position), a.orientation};
  const PathPoint& b = path[next];
  const double f = (time - a.time) / (b.time - a.time);
  const Vec3 from = toVec3(a.position);
  const Vec3 turn = rotationBetween(a.orientation, b.orientation);
  return {from + (toVec3(b.position) - from) * f,
          normalized(quatFromRotationVector(turn * f) * a.orientation)};
}

Status refuse(ObjectId id, StatusCode code, const std::string& what) {
  return Status::failure(code, "World::setPath: body " + std::to_string(id) + ": " + what, id);
}

Status checkPath(ObjectId id, std::span<const PathPoint> path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PathPoint& p = path[i];
    const std::string name = "point " + std::to_string(i) + ": ";
    const double length2 = squaredNorm(p.orientation);
    if (!isFinite(p.time) || !isFinite(toVec3(p.position)) || !isFinite(length2)) {
      return refuse(id, StatusCode::NonFinite, name + "expected finite numbers");
    }
    if (i > 0 && !(p.time > path[i - 1].time)) {
      return refuse(
          id, StatusCode::OutOfRange,
          name + "expected a time after " + toText(path[i - 1].time) + " s, got " + toText(p.time));
    }
    for (int k = 0; k < 3; ++k) {
      if (absOf(p.position[k]) <= kMaxBodyCoordinate) continue;
      return refuse(id, StatusCode::OutOfRange,
                    name + "expected coordinates up to " + toText(kMaxBodyCoordinate) + " m");
    }
    if (!isUnit(p.orientation)) {
      return refuse(
          id, StatusCode::NotARotation,
          name + "expected a quaternion of unit length, got squared length " + toText(length2));
    }
  }
  return {};
}

}  // namespace

Status World::setPath(ObjectId id, std::span<const PathPoint> path) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return refuse(id, StatusCode::UnknownObject, "there is none");
  if (s.bodies.facts[i].type != BodyType::Kinematic) {
    return refuse(id, StatusCode::OutOfRange, "only a kinematic body can follow a path");
  }
  Status status = checkPath(id, path);
  if (!status) return status;
  std::vector<PathPoint> points(path.begin(), path.end());
  for (PathPoint& p : points) p.orientation = normalized(p.orientation);
  if (!points.empty()) {
    const Place place = placeAt(points, s.time);
    status = setPose(id, toEigen(place.position), place.orientation);
    if (!status) return status;
  }
  s.bodies.velocity[i] = {};
  s.bodies.facts[i].path = std::move(points);
  return {};
}

/// Velocities that lead bodies on paths to where they are to be at the end of the step.
void WorldState::aimAlongPaths(double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.path.empty()) continue;
    const Place place = placeAt(f.path, time + dt);
    before[i] = {(place.position - bodies.position[i]) / dt,
                 rotationBetween(bodies.orientation[i], place.orientation) / dt};
  }
}

/// Bodies on paths are at their points exactly, not up to the rounding of a velocity.
void WorldState::arriveOnPaths(double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.path.empty()) continue;
    const Place place = placeAt(f.path, time + dt);
    moved[i] = place.position;
    rotated[i] = place.orientation;
  }
}

}  // namespace abut
