// SPDX-License-Identifier: MIT
#include "io/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <abut/math/convert.hpp>
#include <abut/world/inspect.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/run/energy.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr double kTwoPi = 6.28318530717958647693;

double between(double a, double b, double share) {
  return a + (b - a) * share;
}
Vec3 between(const Vec3& a, const Vec3& b, double share) {
  return {between(a.x, b.x, share), between(a.y, b.y, share), between(a.z, b.z, share)};
}

/// ", worst between "a" and "b"", or nothing.
std::string worstPair(const Scene& scene, const StepReport& report) {
  const SceneBody* a = findBody(scene, report.worst1);
  const SceneBody* b = findBody(scene, report.worst2);
  if (a == nullptr || b == nullptr) return "";
  return concat(", worst between ", quoted(a->name), " and ", quoted(b->name));
}

}  // namespace

MotionKey velocityAt(const KinematicMotion& motion, double time) {
  if (motion.kind == KinematicMotion::Kind::Oscillation) {
    // x = A sin(2 pi f t + phase), so v = 2 pi f A cos(...). Whole turns are taken off first.
    const double turns = motion.frequency * time;
    const double angle = kTwoPi * (turns - std::floor(turns)) + motion.phase;
    const double c = poseFromRollPitchYaw({0, 0, 0}, 0, 0, angle).rotation.x.x;
    const double rate = kTwoPi * motion.frequency * c;
    return {time,
            {motion.amplitude.x * rate, motion.amplitude.y * rate, motion.amplitude.z * rate},
            {}};
  }
  const auto later = std::upper_bound(motion.keys.begin(), motion.keys.end(), time,
                                      [](double t, const MotionKey& key) { return t < key.time; });
  if (later == motion.keys.begin()) return motion.keys.front();
  const MotionKey& a = *(later - 1);
  if (later == motion.keys.end() || motion.kind == KinematicMotion::Kind::Hold) return a;
  const double share = (time - a.time) / (later->time - a.time);
  return {time, between(a.linear, later->linear, share), between(a.angular, later->angular, share)};
}

namespace {

/// All but bodies and joints.
RunHeader beginHeader(const Scene& scene) {
  RunHeader header;
  header.scene = scene.name;
  header.step = scene.variable ? 0.0 : scene.step;
  header.duration = scene.duration;
  header.every = scene.record.every;
  header.gravity = toVec3(scene.options.gravity);
  for (const SceneMaterial& m : scene.materials) header.materials.push_back({m.name, m.material});
  return header;
}

/// Whether a scene's text and files have the same hash on all ranks.
bool isSameEverywhere(const Scene& scene, Communicator& communicator) {
  std::uint64_t hash = idOfName(scene.text);
  for (const auto& [name, content] : scene.files) hash += idOfName(name) * 3 + idOfName(content);
  std::uint64_t numbers[] = {hash, 0};
  communicator.add({numbers, 1});
  numbers[1] = numbers[0] != hash * static_cast<std::uint64_t>(communicator.getSize()) ? 1 : 0;
  communicator.add({numbers + 1, 1});
  return numbers[1] == 0;
}

}  // namespace

namespace {

void takeMass(const World& world, ObjectId id, BodyRecord& record) {
  MassProperties mass;
  world.getMass(id, mass).orThrow();
  record.mass = mass.mass;
  record.inertia = toVec3(mass.inertia);
  record.products = toVec3(mass.products);
  record.center = toVec3(mass.center);
}

/// What a recording says of a body, which has the mass of one in a world.
BodyRecord recordOf(const Scene& scene, const SceneBody& body, const World& world, ObjectId like) {
  BodyRecord record;
  record.id = body.description.id;
  record.name = body.name;
  record.type = body.description.type;
  record.locks = body.description.locks;
  takeMass(world, like, record);
  for (const BodyShape& shape : body.shapes) {
    Pose pose = shape.pose;
    pose.translation = {pose.translation.x - record.center.x, pose.translation.y - record.center.y,
                        pose.translation.z - record.center.z};
    describeShape(*shape.shape, pose, scene.materials[shape.material].name, record.shapes);
  }
  return record;
}

/// Of a scene that comes in parts, whose copies have the mass of the first.
RunHeader makeHeader(const DividedScene& divided) {
  const Scene& scene = divided.scene;
  const World kinds = buildKinds(divided);
  RunHeader header = beginHeader(scene);
  for (const SceneBody& body : scene.bodies)
    header.bodies.push_back(recordOf(scene, body, kinds, body.description.id));
  for (const SceneGrid& grid : divided.grids) {
    const BodyRecord first = recordOf(scene, grid.at(0), kinds, grid.at(0).description.id);
    for (std::uint64_t i = 0; i < grid.size; ++i) {
      const SceneBody body = grid.at(i);
      header.bodies.push_back(first);
      header.bodies.back().id = body.description.id;
      header.bodies.back().name = body.name;
    }
  }
  std::sort(header.bodies.begin(), header.bodies.end(),
            [](const BodyRecord& a, const BodyRecord& b) { return a.id < b.id; });
  return header;
}

}  // namespace

RunHeader makeHeader(const Scene& scene, const World& world) {
  RunHeader header = beginHeader(scene);
  for (const SceneBody& body : scene.bodies)
    header.bodies.push_back(recordOf(scene, body, world, body.description.id));
  header.joints = describeJoints(world);
  for (JointRecord& record : header.joints) {
    for (const SceneJoint& joint : scene.joints)
      if (joint.description.id == record.id) record.name = joint.name;
  }
  return header;
}

Simulation::Simulation(const Scene& scene)
    : scene_(scene),
      world_(buildWorld(scene)),
      header_(makeHeader(scene, world_)),
      changer_(world_) {
  listActive();
}

Simulation::Simulation(const DividedScene& divided, int rank, int ranks)
    : scene_(divided.scene),
      parts_(&divided),
      world_(buildPart(divided, rank, ranks)),
      header_(beginHeader(divided.scene)),
      changer_(world_) {
  listActive();
}

void Simulation::listActive() {
  for (const SceneBody& body : scene_.bodies) {
    const bool byWorld = body.motion.kind == KinematicMotion::Kind::Constant ||
                         body.motion.kind == KinematicMotion::Kind::Path;
    if (!byWorld) driven_.push_back(&body);
    if (!body.forces.empty()) pushed_.push_back(&body);
  }
}

namespace {

/// Drives follow their programs. Targets are those of the end of the step, where drives act.
void driveJoints(World& world, const Scene& scene) {
  for (const SceneJoint& joint : scene.joints) {
    for (std::size_t axis = 0; axis < joint.programs.size(); ++axis) {
      if (joint.programs[axis].targets.empty()) continue;
      const DriveTarget t = targetAt(joint.programs[axis], world.getTime() + scene.step);
      JointDrive drive = joint.description.axes[axis].drive;
      drive.target = t.target;
      drive.targetRate = t.targetRate;
      const Status status =
          world.setJointDrive(joint.description.id, static_cast<int>(axis), drive);
      // A joint that broke is gone.
      if (status.getCode() != StatusCode::UnknownObject) status.orThrow();
    }
  }
}

}  // namespace

void Simulation::drive() {
  const double now = world_.getTime();
  for (const SceneBody* body : driven_) {
    const MotionKey v = velocityAt(body->motion, now + 0.5 * scene_.step);
    world_.setVelocity(body->description.id, toEigen(v.linear), toEigen(v.angular)).orThrow();
  }
  driveJoints(world_, scene_);
  for (const SceneBody* body : pushed_) {
    if (divided_ && !divided_->isHere(body->description.id)) continue;
    for (const ForceSpan& span : body->forces) {
      if (now < span.from || now >= span.to) continue;
      Vec3 force = span.force, torque = span.torque;
      if (span.inBodyFrame) {
        BodyMotion motion;
        world_.getMotion(body->description.id, motion).orThrow();
        force = rotate(motion.pose.rotation, force);
        torque = rotate(motion.pose.rotation, torque);
      }
      world_.applyForce(body->description.id, toEigen(force), toEigen(torque)).orThrow();
    }
  }
  changer_.beforeStep(world_);
}

void Simulation::beginDivided(Communicator& communicator, bool shows) {
  communicator_ = &communicator;
  shows_ = shows;
  if (!isSameEverywhere(scene_, communicator)) {
    throw Error(StatusCode::BadData,
                "the scene is not the same on all ranks: its hashes differ; give all ranks the "
                "same scene and the same version of the program");
  }
  // All bodies are listed where a recording begins, and nowhere else.
  if (parts_ != nullptr && shows && communicator.getRank() == 0) header_ = makeHeader(*parts_);
}

void Simulation::divide(Communicator& communicator, bool shows) {
  beginDivided(communicator, shows);
  if (parts_ != nullptr) {
    divided_ = std::make_unique<DistributedWorld>(world_, buildKinds(*parts_), communicator);
    return;
  }
  divided_ = std::make_unique<DistributedWorld>(world_, communicator);
}

void Simulation::divide(Communicator& communicator, bool shows, SnapshotSource& snapshot,
                        std::uint64_t step, std::uint64_t hash) {
  beginDivided(communicator, shows);
  const World kinds = parts_ != nullptr ? buildKinds(*parts_) : World();
  divided_ = std::make_unique<DistributedWorld>(world_, kinds, snapshot, communicator);
  if (divided_->hash() != hash) {
    throw Error(StatusCode::BadData,
                "the state that it goes on from has another hash than it says");
  }
  changer_.restart(world_);
  step_ = step;
}

std::size_t Simulation::numContacts() const {
  return divided_ ? world_.getReport().contacts : world_.getContacts().size();
}

std::size_t Simulation::numJoints() const {
  return divided_ ? divided_->numJoints() : world_.numJoints();
}

std::vector<std::byte> Simulation::snapshot() const {
  return divided_ ? divided_->snapshot() : world_.snapshot();
}

SnapshotRange Simulation::snapshotRange(std::size_t unit) const {
  if (divided_) return divided_->snapshotRange(unit);
  SnapshotRange all;
  all.bytes = world_.snapshot();
  all.total = all.bytes.size();
  all.hash = world_.hash();
  return all;
}

Status Simulation::change(const RunChange& change) {
  if (divided_) {
    return Status::failure(StatusCode::OutOfRange,
                           "a run on several ranks takes no changes; run it on one");
  }
  const Status status = changer_.apply(world_, change);
  if (status) return status;
  return Status::failure(status.getCode(), withNames(status.getMessage(), scene_));
}

Status Simulation::step() {
  Status status;
  try {
    drive();
    status = world_.step(scene_.step);
  } catch (const std::bad_alloc&) {
    status = Status::outOfMemory();
  }
  // Others may wait for this rank within the step: there is nothing to go back to.
  if (divided_ && status.getCode() == StatusCode::OutOfMemory) throw std::bad_alloc();
  try {
    if (!status) {
      fault_ = concat("step ", step_ + 1, ", t = ", world_.getTime(),
                      " s: ", withNames(status.getMessage(), scene_), "; state kept");
      return status;
    }
    ++step_;
    if (shows_ && divided_) {
      std::vector<ContactEvent> own;
      divided_->getOwnEvents(own);
      captureEvents(own, world_.getTime(), events_);
      event_steps_.resize(events_.size(), step_);
    } else if (shows_) {
      captureEvents(world_, events_);
    }
    if (fault_.empty()) judge();
  } catch (const std::bad_alloc&) {
    fault_ = "out of memory";  // The step is what it is; what it shows is not complete.
  }
  return status;
}

Status Simulation::restore(std::span<const std::byte> snapshot, std::uint64_t step) {
  Status status = divided_ ? divided_->restore(snapshot) : world_.restore(snapshot);
  if (!status) return status;
  changer_.restart(world_);
  step_ = step;
  events_.clear();
  event_steps_.clear();
  fault_.clear();
  return status;
}

void Simulation::judge() {
  const StepReport& report = world_.getReport();
  const auto at = [&] { return concat("step ", step_, ", t = ", world_.getTime(), " s: "); };
  if (!report.converged && !(report.worstError <= scene_.limits.residual)) {
    fault_ = concat(at(), "residual ", toShortText(report.worstError), " after ", report.sweeps,
                    " sweeps exceeds ", scene_.limits.residual, worstPair(scene_, report),
                    "; state kept");
    return;
  }
  const EnergyAccount& books = world_.getStepLedger();
  const double unexplained = std::fabs(books.residual());
  if (!(unexplained <= scene_.limits.energy * books.largestEntry())) {
    fault_ = concat(at(), toShortText(unexplained), " J of energy unaccounted for, more than ",
                    scene_.limits.energy, " of the ledger's largest entry, ",
                    toShortText(books.largestEntry()), " J; state kept");
  }
}

void Simulation::capture(Frame& frame) {
  captureFrame(world_, header_.bodies, step_, frame);
  if (step_ == 0) {
    // The world opens its books with the first step.
    const HeldEnergy held = heldEnergy(scene_, header_, frame);
    EnergyAccount& books = frame.totalEnergy;
    books.kineticBefore = books.kineticAfter = held.kinetic;
    books.potentialBefore = books.potentialAfter = held.potential;
  }
  frame.events = events_;
  events_.clear();
  if (!scene_.record.hasContacts(step_ / scene_.record.every)) frame.contacts.clear();
}

void Simulation::capturePart(FramePart& part) {
  const bool isFirst = communicator_->getRank() == 0;
  Frame& frame = part.frame;
  frame = {};
  part.bodies.clear();
  part.held.clear();
  const Vec3 gravity = toVec3(scene_.options.gravity);
  for (const ObjectId id : world_.bodies()) {
    // What is not dynamic is on all ranks.
    const auto describe = [&] { return describeBody(world_, id).description; };
    if (!divided_->isOwn(id) && (!isFirst || describe().type == BodyType::Dynamic)) continue;
    part.bodies.push_back(id);
    frame.bodies.push_back(captureBody(world_, id));
    if (step_ > 0) continue;
    // The world opens its books with the first step.
    BodyRecord body;
    takeMass(world_, id, body);
    const HeldEnergy held = heldEnergy(body, frame.bodies.back(), gravity, describe().gravityScale);
    part.held.push_back(held.kinetic);
    part.held.push_back(held.potential);
  }
  frame.step = step_;
  frame.hash = divided_->hash();
  part.contacts = divided_->packContacts();
  captureJoints(world_, frame.joints);
  frame.events.swap(events_);
  part.steps.swap(event_steps_);
  events_.clear();
  event_steps_.clear();
  part.hasContacts = scene_.record.hasContacts(step_ / scene_.record.every);
  if (!isFirst) return;
  frame.time = world_.getTime();
  frame.drivers.assign(world_.getDrivers().begin(), world_.getDrivers().end());
  frame.stepEnergy = world_.getStepLedger();
  frame.totalEnergy = world_.getLedger();
  frame.report = world_.getReport();
}

}  // namespace abut::inline v0_1::io
