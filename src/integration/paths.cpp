// SPDX-License-Identifier: MIT
#include "integration/paths.hpp"

#include <algorithm>
#include <string>

#include <abut/math/convert.hpp>

#include "math/rotation_vector.hpp"
#include "math/unit_quat.hpp"

namespace abut::inline v0_1 {

PlaceOnPath placeAt(const std::vector<PathPoint>& path, double time) {
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

BodyVelocity velocityOnPath(const BodyTable& bodies, std::size_t i, double time, double dt) {
  const PlaceOnPath place = placeAt(bodies.facts[i].path, time + dt);
  return {(place.position - bodies.position[i]) / dt,
          rotationBetween(bodies.orientation[i], place.orientation) / dt};
}

void aimAlongPaths(const BodyTable& bodies, double time, double dt,
                   std::span<BodyVelocity> velocities) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.facts[i].path.empty()) velocities[i] = velocityOnPath(bodies, i, time, dt);
  }
}

void arriveOnPaths(const BodyTable& bodies, double time, std::span<Vec3> positions,
                   std::span<Quat> orientations) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.path.empty() || f.drive->lags) continue;
    const PlaceOnPath place = placeAt(f.path, time);
    positions[i] = place.position;
    orientations[i] = place.orientation;
  }
}

Status checkPath(std::span<const PathPoint> path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PathPoint& p = path[i];
    const std::string name = "point " + std::to_string(i) + ": ";
    const double length2 = squaredNorm(p.orientation);
    if (!isFinite(p.time) || !isFinite(toVec3(p.position)) || !isFinite(length2)) {
      return Status::failure(StatusCode::NonFinite, name + "expected finite numbers");
    }
    if (i > 0 && !(p.time > path[i - 1].time)) {
      return Status::failure(
          StatusCode::OutOfRange,
          name + "expected a time after " + toText(path[i - 1].time) + " s, got " + toText(p.time));
    }
    for (int k = 0; k < 3; ++k) {
      if (absOf(p.position[k]) <= kMaxBodyCoordinate) continue;
      return Status::failure(StatusCode::OutOfRange, name + "expected coordinates up to " +
                                                         toText(kMaxBodyCoordinate) + " m");
    }
    if (!isUnit(p.orientation)) {
      return Status::failure(
          StatusCode::NotARotation,
          name + "expected a quaternion of unit length, got squared length " + toText(length2));
    }
  }
  return {};
}

}  // namespace abut::inline v0_1
