// SPDX-License-Identifier: MIT
#include "integration/paths.hpp"

#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/world.hpp>

#include "math/unit_quat.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

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

Status WorldBodies::setPath(ObjectId id, std::span<const PathPoint> path) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setPath"); !locked) return locked;
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
    const PlaceOnPath place = placeAt(points, s.time);
    status = setPose(id, toEigen(place.position), place.orientation);
    if (!status) return status;
  }
  if (!s.bodies.facts[i].drive.isLimited) s.bodies.velocity[i] = {};
  s.bodies.facts[i].drive.target = {};
  s.bodies.facts[i].path = std::move(points);
  return {};
}

}  // namespace abut
