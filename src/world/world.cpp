// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include <abut/math/convert.hpp>
#include <abut/world/world.hpp>

#include "world/state.hpp"

namespace abut {
namespace {

Status unknown(const char* call, ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         std::string("World::") + call + ": no body " + std::to_string(id), id);
}

Status checkFinite(const char* call, ObjectId id, const Eigen::Vector3d& a,
                   const Eigen::Vector3d& b) {
  if (isFinite(toVec3(a)) && isFinite(toVec3(b))) return {};
  return Status::failure(
      StatusCode::NonFinite,
      std::string("World::") + call + ": body " + std::to_string(id) + ": expected finite numbers",
      id);
}

ContactManifoldCacheOptions cacheOptions() {
  ContactManifoldCacheOptions options;
  options.allowNegativeDepth = true;  // Contacts within reach of a step count before they touch.
  return options;
}

}  // namespace

World::World(const WorldOptions& options) : state_(std::make_unique<WorldState>()) {
  checkFinite("World", kNoObject, options.gravity, options.gravity).orThrow();
  requireInRange("WorldOptions::detectionMargin", options.detectionMargin, 0.0, 1e6, "m");
  requireInRange("WorldOptions::correctionSlop", options.correctionSlop, 0.0, 1e6, "m");
  requireInRange("WorldOptions::correctionShare", options.correctionShare, 0.0, 1.0, "1");
  requireInRange("WorldOptions::baumgarte", options.baumgarte, 0.0, 1.0, "1");
  requireInRange("WorldOptions::maxStep", options.maxStep, 1e-12, 1e6, "s");
  state_->options = options;
  state_->cache.setOptions(cacheOptions()).orThrow();
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

MaterialTable& World::materials() {
  return state_->materials;
}

Status World::addBody(const BodyDescription& description, std::vector<BodyShape> shapes,
                      ObjectId& id) {
  WorldState& s = *state_;
  const ObjectId given = description.id == kNoObject ? s.nextId : description.id;
  Status status = s.bodies.add(description, std::move(shapes), s.materials, given);
  if (!status) return status;
  const std::size_t i = s.bodies.find(given);
  if (s.bodies.facts[i].shape) {
    status = s.broadPhase.add(given, s.bodies.facts[i].shape->computeAabb(s.bodies.shapePoseOf(i)));
    if (!status) {
      s.bodies.remove(i);
      return status;
    }
  }
  if (given >= s.nextId) s.nextId = given + 1;
  id = given;
  return {};
}

ObjectId World::addBody(const BodyDescription& description, std::shared_ptr<const Shape> shape,
                        MaterialId material) {
  ObjectId id = kNoObject;
  addBody(description, {{std::move(shape), Pose{}, material}}, id).orThrow();
  return id;
}

Status World::removeBody(ObjectId id) {
  WorldState& s = *state_;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("removeBody", id);
  if (s.bodies.facts[i].shape) s.broadPhase.remove(id).orThrow();
  s.cache.forgetObject(id);
  s.bodies.remove(i);
  return {};
}

std::size_t World::numBodies() const {
  return state_->bodies.size();
}

Status World::getMotion(ObjectId id, BodyMotion& motion) const {
  const WorldState& s = *state_;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("getMotion", id);
  motion.pose = s.bodies.poseOf(i);
  motion.orientation = s.bodies.orientation[i];
  motion.centerOfMass = toEigen(s.bodies.position[i]);
  motion.linearVelocity = toEigen(s.bodies.velocity[i].linear);
  motion.angularVelocity = toEigen(s.bodies.velocity[i].angular);
  return {};
}

Status World::getMass(ObjectId id, MassProperties& mass) const {
  const WorldState& s = *state_;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("getMass", id);
  const BodyFacts& f = s.bodies.facts[i];
  const Mat3& tensor = f.inertia.tensor;
  mass = {};
  mass.center = toEigen(f.center);
  if (f.type != BodyType::Dynamic) return {};
  mass.mass = f.mass;
  mass.inertia = {tensor.x.x, tensor.y.y, tensor.z.z};
  mass.products = {tensor.y.x, tensor.z.x, tensor.z.y};
  return {};
}

Status World::setVelocity(ObjectId id, const Eigen::Vector3d& linear,
                          const Eigen::Vector3d& angular) {
  WorldState& s = *state_;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setVelocity", id);
  Status status = checkFinite("setVelocity", id, linear, angular);
  if (!status) return status;
  if (s.bodies.facts[i].type == BodyType::Static) {
    return Status::failure(StatusCode::OutOfRange,
                           "World::setVelocity: body " + std::to_string(id) +
                               " is static; make it kinematic to move it",
                           id);
  }
  s.bodies.velocity[i] = {toVec3(linear), toVec3(angular)};
  return {};
}

Status World::setPose(ObjectId id, const Eigen::Vector3d& position, const Quat& q) {
  WorldState& s = *state_;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setPose", id);
  Status status = checkFinite("setPose", id, position, {q.x, q.y, q.z});
  if (!status) return status;
  const double length2 = ((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z;
  constexpr double kUnit = 1e-6;
  if (!(absOf(length2 - 1.0) <= kUnit)) {
    return Status::failure(StatusCode::NotARotation,
                           "World::setPose: body " + std::to_string(id) +
                               ": expected a quaternion of unit length, got squared length " +
                               toText(length2),
                           id);
  }
  s.bodies.orientation[i] = normalized(q);
  s.bodies.position[i] =
      toVec3(position) + toMatrix(s.bodies.orientation[i]) * s.bodies.facts[i].center;
  s.bodies.refreshMobility(i);
  s.cache.forgetObject(id);
  return {};
}

Status World::applyForce(ObjectId id, const Eigen::Vector3d& force, const Eigen::Vector3d& torque) {
  WorldState& s = *state_;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("applyForce", id);
  Status status = checkFinite("applyForce", id, force, torque);
  if (!status) return status;
  s.bodies.force[i] += toVec3(force);
  s.bodies.torque[i] += toVec3(torque);
  return {};
}

Status World::step(double dt) {
  WorldState& s = *state_;
  if (dt == 0.0) return {};
  if (!(dt > 0.0) || !(dt <= s.options.maxStep)) {
    return Status::failure(isFinite(dt) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           "World::step: expected dt from 0 to " + toText(s.options.maxStep) +
                               " s (WorldOptions::maxStep), got " + toText(dt));
  }
  s.report = {};
  s.last = {};
  s.before = s.bodies.velocity;
  Status status = s.detect(dt);
  if (!status) return status;
  s.buildContacts(dt);
  s.findIslands();
  s.solveImpacts(dt);
  s.solveForces(dt);
  s.integrate(dt);
  s.closeBooks(dt);
  s.correctPositions();
  status = s.commit(dt);
  if (!status) return status;
  s.publish(dt);
  return {};
}

double World::getTime() const {
  return state_->time;
}
const StepReport& World::getReport() const {
  return state_->report;
}
std::span<const WorldContact> World::getContacts() const {
  return state_->worldContacts;
}
std::span<const DriverReport> World::getDrivers() const {
  return state_->drivers;
}
std::span<const ObjectPair> World::getBegunPairs() const {
  return state_->cache.getBegunPairs();
}
std::span<const ObjectPair> World::getEndedPairs() const {
  return state_->cache.getEndedPairs();
}
const EnergyAccount& World::getLedger() const {
  return state_->total;
}
const EnergyAccount& World::getStepLedger() const {
  return state_->last;
}

}  // namespace abut
