// SPDX-License-Identifier: MIT
#include <string>
#include <type_traits>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/option_list.hpp>

#include "integration/paths.hpp"
#include "math/unit_quat.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

Status unknown(const char* call, ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         std::string("World::") + call + ": no body " + std::to_string(id), id);
}

/// Numbers that are finite and at most `most` in magnitude.
Status checkVector(const char* call, const char* what, ObjectId id, const Eigen::Vector3d& v,
                   double most) {
  for (int i = 0; i < 3; ++i) {
    if (absOf(v[i]) <= most) continue;
    return Status::failure(isFinite(v[i]) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           std::string("World::") + call + ": body " + std::to_string(id) + ": " +
                               what + ": expected numbers up to " + toText(most) + ", got " +
                               toText(v[i]),
                           id);
  }
  return {};
}

constexpr double kMaxLoad = 1e30;  // [N], [N m]: beyond every mass and speed that bodies may have.

/// Throws Error unless the value is in the option's range.
template <typename T>
void check(const OptionInfo& info, const T& value) {
  if constexpr (std::is_same_v<T, Eigen::Vector3d>) {
    for (int i = 0; i < 3; ++i) check(info, value[i]);
  } else {
    const char* unit = info.unit.empty() ? "1" : info.unit.data();
    requireInRange(info.name.data(), static_cast<double>(value), info.min, info.max, unit);
  }
}

/// An option that a scheme does not know is refused: ignoring it in silence would be worse.
void requireKnown(const WorldOptions& options) {
  if (options.scheme != StepScheme::RealTime) return;
  const auto refuse = [](const std::string& what) {
    throw Error(StatusCode::OutOfRange,
                "WorldOptions: StepScheme::RealTime " + what + ", or choose StepScheme::Exact");
  };
  if (options.solver.model != ContactModel::ExactCoulomb) {
    refuse("knows no contact model but ContactModel::ExactCoulomb; set solver.model to it");
  }
  if (options.baumgarte != 0.0) refuse("knows no Baumgarte term; set baumgarte to 0");
}

ContactManifoldCacheOptions cacheOptions() {
  ContactManifoldCacheOptions options;
  options.allowNegativeDepth = true;  // Contacts within reach of a step count before they touch.
  return options;
}

}  // namespace

WorldOptions WorldOptions::realTime() {
  WorldOptions options;
  options.scheme = StepScheme::RealTime;
  options.correctionSlop = 1e-3;
  options.solver.tolerance = 1e-4;
  options.solver.maxSweeps = 60;
  options.sleepSpeed = 0.3;  // Above what unsolved rests of a heap jitter with.
  return options;
}

void requireSound(const WorldOptions& options) {
  forEachOption(options, [](const OptionInfo& info, const auto& value) { check(info, value); });
  requireKnown(options);
}

World::World(const WorldOptions& options) {
  state_->setOptions(options);
  state_->options.tasks = nullptr;
  state_->tasks = options.tasks;
  state_->cache.setOptions(cacheOptions()).orThrow();
  state_->asleep.cache.setOptions(cacheOptions()).orThrow();
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

MaterialTable& World::materials() {
  return state_->materials;
}

Status WorldBodies::addBody(const BodyDescription& description, std::vector<BodyShape> shapes,
                            ObjectId& id) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("addBody"); !locked) return locked;
  const ObjectId given = description.id == kNoObject ? s.nextId : description.id;
  Status status = s.bodies.add(description, std::move(shapes), s.materials, given);
  if (!status) return status;
  const std::size_t i = s.bodies.indexOf(given);
  if (s.bodies.facts[i].shape) {
    status =
        s.detector.awake.add(given, s.bodies.facts[i].shape->computeAabb(s.bodies.shapePoseOf(i)));
    if (!status) {
      s.bodies.remove(i);
      return status;
    }
  }
  if (s.bodies.facts[i].type != BodyType::Dynamic) s.wakeAround(i).orThrow();
  if (given >= s.nextId) s.nextId = given + 1;
  s.queries.changed();
  id = given;
  return {};
}

ObjectId WorldBodies::addBody(const BodyDescription& description,
                              std::shared_ptr<const Shape> shape, MaterialId material) {
  ObjectId id = kNoObject;
  addBody(description, {{std::move(shape), Pose{}, material}}, id).orThrow();
  return id;
}

Status WorldBodies::removeBody(ObjectId id) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("removeBody"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("removeBody", id);
  s.wake(id);
  if (s.bodies.facts[i].shape) s.detector.awake.remove(id).orThrow();
  s.cache.forgetObject(id);
  s.joints.removeOf(id);
  s.bodies.remove(i);
  std::erase_if(s.sensed, [id](const Sensed& t) { return t.sensor == id; });
  s.queries.changed();
  return {};
}

std::size_t WorldBodies::numBodies() const {
  return state_->bodies.size();
}

Status WorldBodies::getMotion(ObjectId id, BodyMotion& motion) const {
  const FloatEnvironment environment;
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

BodyMotion WorldBodies::motion(ObjectId id) const {
  BodyMotion motion;
  getMotion(id, motion).orThrow();
  return motion;
}

MassProperties WorldBodies::mass(ObjectId id) const {
  MassProperties mass;
  getMass(id, mass).orThrow();
  return mass;
}

Status WorldBodies::getMass(ObjectId id, MassProperties& mass) const {
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

Status WorldBodies::setVelocity(ObjectId id, const Eigen::Vector3d& linear,
                                const Eigen::Vector3d& angular) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setVelocity"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setVelocity", id);
  Status status = checkVector("setVelocity", "linear", id, linear, kMaxBodySpeed);
  if (status) status = checkVector("setVelocity", "angular", id, angular, kMaxBodySpin);
  if (!status) return status;
  if (s.bodies.facts[i].type == BodyType::Static) {
    return Status::failure(StatusCode::OutOfRange,
                           "World::setVelocity: body " + std::to_string(id) +
                               " is static; make it kinematic to move it",
                           id);
  }
  if (s.bodies.facts[i].type == BodyType::Dynamic) {
    s.wake(id);
    s.bodies.rest[i].still = 0.0;
  }
  BodyFacts& f = s.bodies.facts[i];
  f.drive.target = {toVec3(linear), toVec3(angular)};
  if (!f.drive.isLimited) s.bodies.velocity[i] = f.drive.target;
  s.joints.refresh(id);
  f.path.clear();
  return {};
}

Status WorldBodies::setPose(ObjectId id, const Eigen::Vector3d& position, const Quat& q) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("setPose"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("setPose", id);
  Status status = checkVector("setPose", "position", id, position, kMaxBodyCoordinate);
  if (!status) return status;
  if (!isUnit(q)) {
    const double length2 = squaredNorm(q);
    return Status::failure(isFinite(length2) ? StatusCode::NotARotation : StatusCode::NonFinite,
                           "World::setPose: body " + std::to_string(id) +
                               ": expected a quaternion of unit length, got squared length " +
                               toText(length2),
                           id);
  }
  s.wake(id);
  s.bodies.rest[i].still = 0.0;
  s.bodies.orientation[i] = normalized(q);
  s.bodies.position[i] =
      toVec3(position) + toMatrix(s.bodies.orientation[i]) * s.bodies.facts[i].center;
  s.bodies.facts[i].path.clear();
  s.bodies.refreshMobility(i);
  s.queries.changed();
  s.joints.refresh(id);
  s.cache.forgetObject(id);
  if (s.bodies.facts[i].type != BodyType::Dynamic) return s.wakeAround(i);
  return {};
}

Status WorldBodies::applyForce(ObjectId id, const Eigen::Vector3d& force,
                               const Eigen::Vector3d& torque) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("applyForce"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("applyForce", id);
  const Vec3 newForce = s.bodies.force[i] + toVec3(force);
  const Vec3 newTorque = s.bodies.torque[i] + toVec3(torque);
  Status status = checkVector("applyForce", "sum of forces", id, toEigen(newForce), kMaxLoad);
  if (status)
    status = checkVector("applyForce", "sum of torques", id, toEigen(newTorque), kMaxLoad);
  if (!status) return status;
  if (newForce != Vec3{} || newTorque != Vec3{}) {
    s.wake(id);
    s.bodies.rest[i].still = 0.0;
  }
  s.bodies.force[i] = newForce;
  s.bodies.torque[i] = newTorque;
  return {};
}

void World::setObserver(StepObserver* observer) {
  state_->observer = observer;
}

void World::setTasks(TaskRunner* tasks) {
  state_->tasks = tasks;
}

bool WorldBodies::isAsleep(ObjectId id) const {
  const std::size_t i = state_->bodies.find(id);
  return i < state_->bodies.size() && state_->bodies.rest[i].isAsleep();
}

Status WorldBodies::wake(ObjectId id) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("wake"); !locked) return locked;
  const std::size_t i = s.bodies.find(id);
  if (i == s.bodies.size()) return unknown("wake", id);
  s.wake(id);
  s.bodies.rest[i].still = 0.0;
  return {};
}

Status World::step(double dt) {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("step"); !locked) return locked;
  if (dt == 0.0) return {};
  if (!(dt > 0.0) || !(dt <= s.options.maxStep)) {
    return Status::failure(isFinite(dt) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           "World::step: expected dt from 0 to " + toText(s.options.maxStep) +
                               " s (WorldOptions::maxStep), got " + toText(dt));
  }
  // Ignoring it in silence would be worse.
  if (s.materials.hasResistance() && s.options.solver.model != ContactModel::ExactCoulomb &&
      s.options.scheme == StepScheme::Exact) {
    return Status::failure(StatusCode::OutOfRange,
                           "World::step: a material has rolling or spinning resistance, which only "
                           "ContactModel::ExactCoulomb knows; set it to 0 or choose that model");
  }
  const WorldState::Stepping stepping(s);
  s.sensors.begin(s.bodies);
  const Status status = s.options.substeps == 1 ? makeStep(s, dt) : s.substeps.run(s, dt);
  s.queries.changed();
  if (status) {
    s.sensors.update(s.bodies, s.time, s.sensed, s.nextShown.sensorEvents);
    std::swap(s.shown, s.nextShown);
  }
  if (s.observer != nullptr) s.observer->onEnd();
  return status;
}

double World::getTime() const {
  return state_->time;
}
const StepReport& World::getReport() const {
  return state_->shown.report;
}
std::span<const WorldContact> World::getContacts() const {
  return state_->shown.contacts;
}
std::span<const DriverReport> World::getDrivers() const {
  return state_->shown.drivers;
}
std::span<const ContactEvent> World::getEvents() const {
  return state_->shown.events;
}
std::span<const ObjectPair> World::getBegunPairs() const {
  return state_->shown.begunPairs;
}
std::span<const ObjectPair> World::getEndedPairs() const {
  return state_->shown.endedPairs;
}
std::span<const SleepEvent> World::getSleepEvents() const {
  return state_->shown.sleepEvents;
}
std::span<const SensorEvent> World::getSensorEvents() const {
  return state_->shown.sensorEvents;
}
const EnergyAccount& World::getLedger() const {
  return state_->total;
}
const EnergyAccount& World::getStepLedger() const {
  return state_->shown.account;
}

}  // namespace abut
