// SPDX-License-Identifier: MIT
#include "io/run/world_changer.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <abut/math/convert.hpp>
#include <abut/world/inspect.hpp>

#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

// The project's own order of operations: the bits of a pull are part of a run's.
Vec3 plus(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 times(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double lengthOf(const Vec3& a) {
  return std::sqrt((a.x * a.x + a.y * a.y) + a.z * a.z);
}
Vec3 rotated(const Mat3& m, const Vec3& v) {
  return plus(plus(times(v.x, m.x), times(v.y, m.y)), times(v.z, m.z));
}
bool isFinite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// Places beyond this [m] are no places to pull a body to.
constexpr double kFarthest = 1e9;

Status requireDynamic(const World& world, ObjectId body, MassProperties& mass) {
  Status status = world.getMass(body, mass);
  if (status && !(mass.mass > 0.0)) {
    status = Status::failure(StatusCode::OutOfRange,
                             concat("body ", body, " is not dynamic; only dynamic bodies yield"));
  }
  return status;
}

Status requirePlace(const char* name, const Vec3& place) {
  if (isFinite(place) && lengthOf(place) <= kFarthest) return {};
  return Status::failure(isFinite(place) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                         concat(name, ": expected 3 numbers, at most ", kFarthest, " m away, got [",
                                place.x, ", ", place.y, ", ", place.z, "]"));
}

Status requireAmount(const char* name, double value) {
  if (std::isfinite(value) && value >= 0.0) return {};
  return Status::failure(std::isfinite(value) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                         concat(name, ": expected a number from 0 on, got ", value));
}

/// How far a unit impulse at a point moves that point in a second, in the direction where that is
/// most: the largest eigenvalue of 1/m - [r] I^-1 [r] [1/kg].
double mobilityAt(const MassProperties& mass, const Vec3& point) {
  Eigen::Matrix3d inertia;
  inertia << mass.inertia.x(), mass.products.x(), mass.products.y(),  //
      mass.products.x(), mass.inertia.y(), mass.products.z(),         //
      mass.products.y(), mass.products.z(), mass.inertia.z();
  Eigen::Matrix3d arm;
  arm << 0.0, -point.z, point.y, point.z, 0.0, -point.x, -point.y, point.x, 0.0;
  const Eigen::Matrix3d k = Eigen::Matrix3d::Identity() / mass.mass - arm * inertia.inverse() * arm;
  // Without an inertia the centre's mobility is all there is.
  if (!k.allFinite()) return 1.0 / mass.mass;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(k, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace

WorldChanger::WorldChanger(const World& world) {
  restart(world);
}

void WorldChanger::restart(const World& world) {
  friction_.clear();
  given_.clear();
  pull_.reset();
  addMaterials(world);
  for (const auto& [pair, values] : materialsOf(world).getPairs()) given_.push_back(pair);
}

void WorldChanger::addMaterials(const World& world) {
  const MaterialTable& materials = materialsOf(world);
  for (std::size_t i = friction_.size(); i < materials.size(); ++i)
    friction_.push_back(materials.get(static_cast<MaterialId>(i)).friction);
}

Status WorldChanger::apply(World& world, const RunChange& change) {
  if (const auto* gravity = std::get_if<GravityChange>(&change))
    return world.setGravity(toEigen(gravity->gravity));
  if (const auto* friction = std::get_if<FrictionChange>(&change))
    return setFriction(world, *friction);
  if (const auto* pull = std::get_if<PullChange>(&change)) return setPull(world, *pull);
  pull_.reset();
  return {};
}

Status WorldChanger::setFriction(World& world, const FrictionChange& change) {
  const MaterialId m = change.material;
  if (m >= friction_.size()) {
    return Status::failure(StatusCode::UnknownObject,
                           concat("no material ", m, "; there are ", friction_.size()));
  }
  MaterialTable trial;
  if (Status status = trial.setPair(0, 0, {.friction = change.friction}); !status) return status;
  std::vector<std::pair<MaterialId, PairMaterial>> changed;
  // As MaterialTable::between(): equal factors give the factor itself.
  const auto mean = [](double x, double y) { return x == y ? x : std::sqrt(x * y); };
  for (std::size_t i = 0; i < friction_.size(); ++i) {
    const auto other = static_cast<MaterialId>(i);
    const std::pair<MaterialId, MaterialId> pair = std::minmax(m, other);
    if (std::binary_search(given_.begin(), given_.end(), pair)) continue;
    PairMaterial values = world.materials().between(m, other);
    values.friction = mean(change.friction, other == m ? change.friction : friction_[i]);
    changed.emplace_back(other, values);
  }
  const auto setAll = [&](MaterialTable& table) {
    Status status;
    for (std::size_t i = 0; i < changed.size() && status; ++i)
      status = table.setPair(m, changed[i].first, changed[i].second);
    return status;
  };
  {
    MaterialTable copy = world.materials();  // What fails, fails here.
    if (Status status = setAll(copy); !status) return status;
  }
  if (Status status = setAll(world.materials()); !status) return status;
  friction_[m] = change.friction;
  for (const ObjectId id : bodiesOf(world)) {
    if (Status status = world.wake(id); !status) return status;
  }
  return {};
}

Status WorldChanger::setPull(const World& world, const PullChange& change) {
  MassProperties mass;
  Status status = requireDynamic(world, change.body, mass);
  if (status) status = requirePlace("point", change.point);
  if (status) status = requirePlace("target", change.target);
  if (status) status = requireAmount("stiffness", change.stiffness);
  if (status) status = requireAmount("damping", change.damping);
  if (status) status = requireAmount("maxForce", change.maxForce);
  if (status) pull_ = change;
  return status;
}

void WorldChanger::beforeStep(World& world) {
  if (!pull_) return;
  BodyMotion motion;
  Status status = world.getMotion(pull_->body, motion);
  if (status) {
    const Vec3 arm = rotated(motion.pose.rotation, pull_->point);
    const Vec3 at = plus(toVec3(motion.centerOfMass), arm);
    const Vec3 velocity =
        plus(toVec3(motion.linearVelocity), cross(toVec3(motion.angularVelocity), arm));
    Vec3 force =
        minus(times(pull_->stiffness, minus(pull_->target, at)), times(pull_->damping, velocity));
    const double size = lengthOf(force);
    if (size > pull_->maxForce) force = times(pull_->maxForce / size, force);
    status = world.applyForceAt(pull_->body, toEigen(force), toEigen(at));
  }
  // A body that went, or became static, is pulled no more.
  if (!status) pull_.reset();
}

Status makePull(const World& world, ObjectId body, const Vec3& point, const Vec3& target, double dt,
                PullChange& pull) {
  MassProperties mass;
  Status status = requireDynamic(world, body, mass);
  if (status) status = requirePlace("point", point);
  if (status) status = requirePlace("target", target);
  if (!status) return status;
  constexpr double kSag = 0.1;        // Radii of gyration that a body hangs below the target.
  constexpr double kLeastRate = 8.0;  // Of the centre, also without gravity [1/s].
  constexpr double kRateStep = 0.2;   // rate * dt: far from where an explicit damper overshoots.
  constexpr double kMostWeights = 20.0;
  const double g = lengthOf(toVec3(optionsOf(world).gravity));
  const double gyration = std::sqrt(mass.inertia.maxCoeff() / mass.mass);
  double stiffness = mass.mass * kLeastRate * kLeastRate;
  if (gyration > 0.0) stiffness = std::max(stiffness, mass.mass * g / (kSag * gyration));
  const double effective = 1.0 / mobilityAt(mass, point);
  double rate = std::sqrt(stiffness / effective);
  if (dt > 0.0) rate = std::min(rate, kRateStep / dt);
  pull.body = body;
  pull.point = point;
  pull.target = target;
  pull.stiffness = effective * rate * rate;
  pull.damping = 2.0 * effective * rate;
  pull.maxForce = kMostWeights * mass.mass * std::max(g, 10.0);
  return {};
}

}  // namespace abut::inline v0_1::io
