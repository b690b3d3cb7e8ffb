// SPDX-License-Identifier: MIT
#include "hybrid/flight.hpp"

#include <limits>
#include <string>

#include <abut/math/convert.hpp>

#include "integration/rigid_rotation.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Surfaces this close [m] have met: above the rounding of a distance at coordinates of some
/// metres.
constexpr double kMet = 1e-14;
/// Bounds that advance by less than this angle [rad] are left for samples that far apart.
constexpr double kSampleAngle = 0.01;
constexpr int kMaxAdvances = 10000;
constexpr int kBisections = 100;

/// Largest distance of a point of body i's surface from its centre of mass that turning moves [m]:
/// a ball about its own centre does not count.
double turningRadius(const MovingBodies& world, std::size_t i) {
  const BodyFacts& f = world.bodies.facts[i];
  const double offset = norm(f.shapePose->translation - f.center);
  if (f.shape->getType() == ShapeType::Sphere) return offset;
  return offset + f.shape->boundingRadius();
}

/// First time > 0 at which gap + speed t + acceleration t^2 / 2 comes down to zero; gap >= 0.
/// Infinity if it does not.
double timeToZero(double gap, double speed, double acceleration) {
  const double square = speed * speed - 2.0 * acceleration * gap;
  if (!(square >= 0.0)) return kInfinity;
  const double root = std::sqrt(square);
  if (speed < 0.0) {
    const double t = 2.0 * gap / (root - speed);
    return t > 0.0 ? t : 0.0;
  }
  // Goes up first: comes down only against an acceleration.
  return acceleration < 0.0 ? (speed + root) / -acceleration : kInfinity;
}

struct Search {
  const Flight& flight;
  const MovingBodies& world;
  std::size_t body1, body2;
  long& queries;
  bool straight;  ///< Convex or plane: the gap along the normal bounds the distance from below.
  double zero;    ///< The distance that counts as touching: that of now, if it is an overlap.

  /// Distance, and the speed and acceleration along the normal of body 1 off body 2.
  struct Sample {
    double gap, rate, speed, acceleration;
  };
  Status at(double time, Sample& sample) const;
};

Status Search::at(double time, Sample& sample) const {
  ++queries;
  DistanceResult d;
  const PlacedShape shape1 = flight.shapeAt(body1, time), shape2 = flight.shapeAt(body2, time);
  Status status = distance(shape1, shape2, d);
  if (status && d.status == QueryStatus::IterationLimit) {
    status = Status::failure(StatusCode::NotConverged, "the distance did not converge");
  }
  if (!status) return status;
  Vec3 x1, x2;
  Quat q;
  BodyVelocity v1, v2;
  flight.at(body1, time, x1, q, v1);
  flight.at(body2, time, x2, q, v2);
  const Vec3 n = toVec3(d.normal);
  const Vec3 u1 = v1.linear + cross(v1.angular, toVec3(d.point1) - x1);
  const Vec3 u2 = v2.linear + cross(v2.angular, toVec3(d.point2) - x2);
  sample.gap = d.distance - zero;
  sample.rate = dot(n, u1 - u2);
  sample.speed = dot(n, v1.linear - v2.linear);
  sample.acceleration = dot(n, flight.linear[body1] - flight.linear[body2]);
  return {};
}

/// Between a time at which the bodies are apart (or part) and one at which they overlap.
Status bisect(const Search& search, double low, double high, double& time) {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    if (!(low < middle && middle < high)) break;
    Search::Sample sample{};
    Status status = search.at(middle, sample);
    if (!status) return status;
    (sample.gap < 0.0 ? high : low) = middle;
  }
  time = low;
  return {};
}

}  // namespace

void Flight::at(std::size_t i, double time, Vec3& position, Quat& orientation,
                BodyVelocity& v) const {
  const BodyTable& b = world_.bodies;
  const BodyFacts& f = b.facts[i];
  position = b.position[i] + (b.velocity[i].linear * time + linear[i] * (0.5 * time * time));
  orientation = b.orientation[i];
  v.linear = b.velocity[i].linear + linear[i] * time;
  v.angular = b.velocity[i].angular;
  const bool free = f.type == BodyType::Dynamic && (f.locks & kLockRotation) == 0;
  rotateFreely(free ? f.inertia : LocalInertia{}, time, orientation, v.angular);
  if (angular[i] == Vec3{}) return;
  orientation = normalized(quatFromRotationVector(angular[i] * (0.5 * time * time)) * orientation);
  v.angular += angular[i] * time;
}

PlacedShape Flight::shapeAt(std::size_t i, double time) const {
  const BodyFacts& f = world_.bodies.facts[i];
  if (f.type == BodyType::Static) return world_.objectOf(i).placed;
  Vec3 x;
  Quat q;
  BodyVelocity v;
  at(i, time, x, q, v);
  const Mat3 r = toMatrix(q);
  return {f.shape.get(), compose({r, x - r * f.center}, *f.shapePose), f.id};
}

double Flight::turningSpeed(std::size_t i, double time) const {
  // Free rotation may gain speed on the way, at most as the ratio of the moments allows.
  const BodyFacts& f = world_.bodies.facts[i];
  const double spin = norm(world_.bodies.velocity[i].angular) + norm(angular[i]) * time;
  if (spin == 0.0) return 0.0;
  double gain = 1.0;
  if (f.type == BodyType::Dynamic) {
    const Vec3 moments{f.inertia.tensor.x.x, f.inertia.tensor.y.y, f.inertia.tensor.z.z};
    const double least = minOf(minOf(moments.x, moments.y), moments.z);
    gain = std::sqrt(maxElement(moments) / least);
  }
  return spin * gain * turningRadius(world_, i);
}

double Flight::reach(std::size_t i, double time) const {
  if (world_.bodies.facts[i].type == BodyType::Static) return 0.0;
  const double path =
      norm(world_.bodies.velocity[i].linear) * time + 0.5 * norm(linear[i]) * time * time;
  const double turning = turningSpeed(i, time);
  // Turning moves the surface by at most twice its radius.
  return path + (turning > 0.0 ? minOf(turning * time, 2.0 * turningRadius(world_, i)) : 0.0);
}

Status findFirstTouch(const Flight& flight, const MovingBodies& world, std::size_t body1,
                      std::size_t body2, double span, double slowest, FirstTouch& result,
                      long& queries) {
  const Shape &shape1 = *world.bodies.facts[body1].shape,
              &shape2 = *world.bodies.facts[body2].shape;
  const auto straight = [](const Shape& s) {
    return s.isConvex() || s.getType() == ShapeType::Plane;
  };
  Search search{flight, world, body1, body2, queries, straight(shape1) && straight(shape2), 0.0};
  const double turning = flight.turningSpeed(body1, span) + flight.turningSpeed(body2, span);
  const double spin =
      norm(world.bodies.velocity[body1].angular) + norm(world.bodies.velocity[body2].angular);
  const double sampling = turning > 0.0 && spin > 0.0 ? kSampleAngle / spin : 0.0;
  result = {};
  double time = 0.0;
  for (int i = 0; i < kMaxAdvances; ++i) {
    Search::Sample s{};
    Status status = search.at(time, s);
    if (!status) return status;
    if (i == 0 && s.gap < 0.0) {
      search.zero = s.gap;
      s.gap = 0.0;
    }
    const bool met = s.gap <= kMet * (1.0 + norm(world.bodies.position[body1]));
    if (met && time > 0.0 && s.rate < -slowest) {
      result = {true, time};
      return {};
    }
    if (met && time == 0.0 && absOf(s.rate) <= slowest) return {};
    double advance = 0.0;
    if (search.straight) {
      advance = timeToZero(maxOf(s.gap, 0.0), s.speed - turning, s.acceleration);
    } else {
      const Vec3 u = flight.linear[body1] - flight.linear[body2];
      const double speed = flight.reach(body1, span) + flight.reach(body2, span);
      advance = timeToZero(maxOf(s.gap, 0.0), -speed / span, -norm(u));
    }
    // A bound that hardly moves: a longer look, with the risk that the class says.
    const double least = maxOf(sampling, search.straight ? 0.0 : 1e-4 * span);
    if (advance < least && least > 0.0) {
      const double next = minOf(time + least, span);
      Search::Sample ahead{};
      status = search.at(next, ahead);
      if (!status) return status;
      if (ahead.gap < 0.0) {
        status = bisect(search, time, next, time);
        result = {true, time};
        return status;
      }
      advance = least;
    }
    if (!(time + advance < span)) return {};
    if (time + advance == time && i > 0) {
      // Nothing left to advance, and not met to rounding: a graze.
      if (s.rate >= -slowest) return {};
      result = {true, time};
      return {};
    }
    time += advance;
  }
  return Status::failure(
      StatusCode::NotConverged,
      "pair " + std::to_string(world.bodies.facts[body1].id) + "/" +
          std::to_string(world.bodies.facts[body2].id) + ": the impact cannot be located after " +
          std::to_string(kMaxAdvances) + " advances; shorten longestFlight or round the shapes",
      world.bodies.facts[body1].id);
}

}  // namespace abut::inline v0_1
