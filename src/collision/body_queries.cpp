// SPDX-License-Identifier: MIT
#include "collision/body_queries.hpp"

#include <algorithm>
#include <string>

#include <abut/math/convert.hpp>

#include "math/place.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {
namespace {

bool isSeen(const BodyFacts& f, const QueryFilter& filter) {
  if (!f.shape || f.id == filter.except || (f.sensor && !filter.sensors)) return false;
  return (f.filter.category & filter.mask) != 0 && (f.filter.mask & filter.category) != 0;
}

PlacedShape placed(const BodyTable& bodies, std::size_t i) {
  return {bodies.facts[i].shape.get(), bodies.shapePoseOf(i), bodies.ids[i]};
}

bool arePlanes(const Shape& a, const Shape& b) {
  return a.getType() == ShapeType::Plane && b.getType() == ShapeType::Plane;
}

Status checkPose(const char* call, const Pose& pose) {
  const Mat3& r = pose.rotation;
  if (!isFinite(r.x) || !isFinite(r.y) || !isFinite(r.z) || !isFinite(pose.translation)) {
    return Status::failure(StatusCode::NonFinite,
                           std::string("World::") + call + ": expected a pose of finite numbers");
  }
  if (!isPlace(pose.translation)) {
    return Status::failure(StatusCode::OutOfRange, std::string("World::") + call +
                                                       ": expected a pose up to " +
                                                       toText(kMaxPlace) + " m from the origin");
  }
  if (isRotation(r)) return {};
  return Status::failure(
      StatusCode::NotARotation,
      std::string("World::") + call + ": the pose's matrix is no rotation; make it by poseFrom()");
}

Status checkMotion(const Motion& motion) {
  const auto check = [](const char* what, const Eigen::Vector3d& v, double most) -> Status {
    for (int i = 0; i < 3; ++i) {
      if (absOf(v[i]) <= most) continue;
      return Status::failure(isFinite(v[i]) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                             std::string("World::shapeCast: ") + what +
                                 ": expected numbers up to " + toText(most) + ", got " +
                                 toText(v[i]));
    }
    return {};
  };
  Status status = check("linear [m]", motion.linear, kMaxCastDisplacement);
  if (status) status = check("angular [rad]", motion.angular, kMaxCastRotation);
  return status;
}

/// The ray as shapes take it.
Status toRay(const WorldRay& given, Ray& ray) {
  const Vec3 way = toVec3(given.to) - toVec3(given.from);
  if (!isFinite(toVec3(given.from)) || !isFinite(toVec3(given.to))) {
    return Status::failure(StatusCode::NonFinite, "World::raycast: expected finite points");
  }
  if (!isPlace(toVec3(given.from)) || !isPlace(toVec3(given.to))) {
    return Status::failure(StatusCode::OutOfRange, "World::raycast: expected points up to " +
                                                       toText(kMaxPlace) + " m from the origin");
  }
  if (way == Vec3{}) {
    return Status::failure(StatusCode::OutOfRange,
                           "World::raycast: from and to are the same point; a ray needs a "
                           "direction, for what is at a point ask overlap()");
  }
  ray = {given.from, toEigen(way), 1.0};
  return {};
}

WorldRayHit toHit(ObjectId body, const RayHit& hit, double length) {
  return {body, hit.fraction, hit.fraction * length, hit.point, hit.normal, hit.subShape};
}

bool isBefore(const WorldRayHit& a, const WorldRayHit& b) {
  return a.fraction != b.fraction ? a.fraction < b.fraction : a.body < b.body;
}

/// The box from which a sweep starts; it holds the shape in every orientation that it takes.
Aabb castBox(const Shape& shape, const Pose& start, bool turns) {
  if (!turns) return touchingBox(shape, start);
  const double radius = shape.boundingRadius();
  if (!isFinite(radius)) return Aabb::infinite();
  constexpr double kReach = 1e-11;  // Rounding of the rotation, and what counts as touching.
  return Aabb::transformed(Aabb::forSphere(radius * (1.0 + kReach)), Pose{{}, start.translation});
}

}  // namespace

BodyQueries::BodyQueries(const BodyTable& bodies, QueryIndex& index)
    : bodies_(bodies), index_(index) {}

template <typename Take>
Status BodyQueries::hitsAlong(const WorldRay& given, const QueryFilter& filter, Take take) const {
  Ray ray;
  Status status = toRay(given, ray);
  if (!status) return status;
  const double length = norm(toVec3(ray.direction));
  std::vector<RayCandidate> candidates;
  status = index_.of(bodies_).raycast(ray.origin, ray.direction, 1.0, candidates);
  if (!status) return status;
  double reach = 1.0;
  for (const RayCandidate& candidate : candidates) {
    if (candidate.entry > reach) break;
    const std::size_t i = bodies_.indexOf(candidate.id);
    if (!isSeen(bodies_.facts[i], filter)) continue;
    bool found = false;
    RayHit hit;
    status = abut::raycast(placed(bodies_, i), ray, found, hit);
    if (!status) return status;
    if (found) reach = take(toHit(candidate.id, hit, length));
  }
  return {};
}

Status BodyQueries::raycast(const WorldRay& ray, const QueryFilter& filter,
                            std::optional<WorldRayHit>& hit) const {
  std::optional<WorldRayHit> best;
  const Status status = hitsAlong(ray, filter, [&](const WorldRayHit& found) {
    if (!best || isBefore(found, *best)) best = found;
    return best->fraction;
  });
  if (status) hit = best;
  return status;
}

Status BodyQueries::raycastAll(const WorldRay& ray, const QueryFilter& filter,
                               std::vector<WorldRayHit>& hits) const {
  std::vector<WorldRayHit> all;
  const Status status = hitsAlong(ray, filter, [&](const WorldRayHit& found) {
    all.push_back(found);
    return 1.0;  // All of the ray.
  });
  if (!status) return status;
  std::sort(all.begin(), all.end(), isBefore);
  hits.swap(all);
  return {};
}

Status BodyQueries::shapeCast(const Shape& shape, const Pose& start, const Motion& motion,
                              const QueryFilter& filter, CastResult& result) const {
  Status status = checkPose("shapeCast", start);
  if (status) status = checkMotion(motion);
  if (!status) return status;
  const bool turns = toVec3(motion.angular) != Vec3{};
  std::vector<ObjectId> near;
  status = index_.of(bodies_).sweep(castBox(shape, start, turns), motion.linear, near);
  if (!status) return status;
  CastResult best, cast;
  for (const ObjectId id : near) {
    const std::size_t i = bodies_.indexOf(id);
    if (!isSeen(bodies_.facts[i], filter) || arePlanes(shape, *bodies_.facts[i].shape)) continue;
    const PlacedShape mover{&shape, start, kNoObject}, body = placed(bodies_, i);
    status = turns ? timeOfImpact(mover, motion, body, Motion{}, cast)
                   : abut::shapeCast(mover, motion.linear, body, Eigen::Vector3d(0, 0, 0), cast);
    if (!status) return status;
    // What could not be decided counts from the fraction up to which it is known to be apart.
    if (!cast.hit && cast.status != QueryStatus::IterationLimit) continue;
    const bool isFirst =
        cast.fraction < best.fraction || (cast.fraction == best.fraction && !best.hit && cast.hit);
    if (isFirst) best = cast;
  }
  result = best;
  return {};
}

Status BodyQueries::overlap(const Shape& shape, const Pose& pose, const QueryFilter& filter,
                            std::vector<ObjectId>& found) const {
  Status status = checkPose("overlap", pose);
  if (!status) return status;
  std::vector<ObjectId> near, all;
  status = index_.of(bodies_).overlap(touchingBox(shape, pose), near);
  CollisionResult contacts;
  for (std::size_t k = 0; k < near.size() && status; ++k) {
    const std::size_t i = bodies_.indexOf(near[k]);
    if (!isSeen(bodies_.facts[i], filter) || arePlanes(shape, *bodies_.facts[i].shape)) continue;
    contacts.clear();
    status = collide({&shape, pose, kNoObject}, placed(bodies_, i), CollisionOption::binaryCheck(),
                     contacts);
    if (contacts.isCollision()) all.push_back(near[k]);
  }
  if (status) found.swap(all);
  return status;
}

Status BodyQueries::closest(const Shape& shape, const Pose& pose, double within,
                            const QueryFilter& filter, std::optional<WorldDistance>& result) const {
  Status status = checkPose("closest", pose);
  if (!status) return status;
  if (!(within >= 0.0)) {
    return Status::failure(
        StatusCode::OutOfRange,
        "World::closest: expected a distance >= 0 [m] to look within, got " + toText(within));
  }
  Aabb box = isFinite(within) ? touchingBox(shape, pose) : Aabb::infinite();
  if (isFinite(within)) box.expand(within * (1.0 + kTouchReach));
  std::vector<ObjectId> near;
  status = index_.of(bodies_).overlap(box, near);
  if (!status) return status;
  std::optional<WorldDistance> best;
  for (const ObjectId id : near) {
    const std::size_t i = bodies_.indexOf(id);
    if (!isSeen(bodies_.facts[i], filter) || arePlanes(shape, *bodies_.facts[i].shape)) continue;
    DistanceResult here;
    status = abut::distance({&shape, pose, kNoObject}, placed(bodies_, i), here);
    if (!status) return status;
    if (here.distance <= within && (!best || here.distance < best->result.distance)) {
      best = WorldDistance{id, here};
    }
  }
  result = best;
  return {};
}

Status BodyQueries::distance(ObjectId body1, ObjectId body2, DistanceResult& result) const {
  for (const ObjectId id : {body1, body2}) {
    if (bodies_.find(id) < bodies_.size()) continue;
    return Status::failure(StatusCode::UnknownObject,
                           "World::distance: no body " + std::to_string(id), id);
  }
  if (body1 == body2) {
    return Status::failure(
        StatusCode::SelfPair,
        "World::distance: body " + std::to_string(body1) + " has no distance from itself", body1);
  }
  const std::size_t i = bodies_.indexOf(body1), j = bodies_.indexOf(body2);
  for (const std::size_t b : {i, j}) {
    if (bodies_.facts[b].shape) continue;
    return Status::failure(
        StatusCode::NullObject,
        "World::distance: body " + std::to_string(bodies_.ids[b]) + " has no shape",
        bodies_.ids[b]);
  }
  return abut::distance(placed(bodies_, i), placed(bodies_, j), result);
}

}  // namespace abut::inline v0_1
