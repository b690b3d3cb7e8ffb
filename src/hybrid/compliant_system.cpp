// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/hybrid/compliant_system.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/world.hpp>

#include "dynamics/describe_body.hpp"
#include "hybrid/contact_force.hpp"
#include "hybrid/moving_bodies.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Hysteresis of the sign of the force, in units of the elastic force, and of sticking, in units of
/// the friction and of the friction velocity: a root is not zero after its event.
constexpr double kSignEps = 1e-6;
/// A contact that breaks sticks again when it moves back at this part of the friction velocity.
constexpr double kBackward = 0.05;
constexpr std::size_t kAggregates = 4;

/// Root functions of a contact beside its distance. Positive as long as nothing changes.
struct ContactRoots {
  double sign = 1.0, stick = 1.0;
};

}  // namespace

struct CompliantSystem::Impl final : ContactResponseSource {
  CompliantOptions options;
  MovingBodies world;
  ContactForces forces;
  ContactEventTracker tracker;
  std::vector<ContactMode> modes;  // Of the contacts, sorted by pair.
  std::vector<Vec3> force, torque;
  std::vector<CompliantForce> points;

  Impl(const World& w, const CompliantOptions& o)
      : options(o), world(w), forces(world, options), tracker(o.events) {}

  Status respond(const TrackedPair& pair, ContactResponse& response) override {
    return forces.respond(pair, response);
  }
  Status at(double time, const Status& status) const {
    if (status || status.getMessage().find("t = ") != std::string::npos) return status;
    return Status::failure(status.getCode(),
                           "CompliantSystem, t = " + toText(time) + " s: " + status.getMessage(),
                           status.getObject());
  }
  bool mayStick(const ContactEffect& effect) const {
    return options.frictionLaw == FrictionLaw::StickEvents && effect.points == 1;
  }

  Status matchModes();
  Status evaluateForces();
  ContactRoots rootsOf(const TrackedContact& contact, const ContactMode& mode,
                       const ContactEffect& effect) const;
  Status fillRoots(std::span<double> roots);
  Status switchModes(double time, std::vector<HybridEvent>& events);
  void stick(const ContactEffect& effect, const Vec3& direction, const TrackedContact& contact,
             ContactMode& mode) const;
};

/// One mode for each contact: kept for those that go on, new for those that begin.
Status CompliantSystem::Impl::matchModes() {
  std::vector<ContactMode> next;
  for (const TrackedContact& c : tracker.getContacts()) {
    const auto at =
        std::lower_bound(modes.begin(), modes.end(), c.pair,
                         [](const ContactMode& m, const ObjectPair& p) { return m.pair < p; });
    if (at != modes.end() && at->pair == c.pair) {
      next.push_back(*at);
      continue;
    }
    ContactMode mode;
    mode.pair = c.pair;
    ContactEffect effect;
    Status status = forces.evaluate(c.pair, c.response, mode, nullptr, nullptr, nullptr, effect);
    if (!status) return status;
    mode.pushing = effect.pushFactor > 0.0;
    const bool slow = norm(effect.slipVelocity) <= options.frictionVelocity;
    if (mayStick(effect) && slow) stick(effect, Vec3{}, c, mode);
    next.push_back(mode);
  }
  modes.swap(next);
  return {};
}

Status CompliantSystem::Impl::evaluateForces() {
  force.assign(world.bodies.size(), Vec3{});
  torque.assign(world.bodies.size(), Vec3{});
  points.clear();
  ContactEffect effect;
  const std::span<const TrackedContact> contacts = tracker.getContacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Status status = forces.evaluate(contacts[i].pair, contacts[i].response, modes[i], &force,
                                    &torque, &points, effect);
    if (!status) return status;
  }
  // Between touch and the event, 2 zEps deeper, the contact is elastic: so nothing is gained by
  // beginning deeper than it ends.
  for (const TrackedPair& p : tracker.getNearPairs()) {
    if (!(p.distanceOrg < 0.0)) continue;
    ContactResponse response;
    Status status = forces.respond(p, response);
    if (!status) return status;
    response.damping = 0.0;
    status = forces.evaluate(p.pair, response, ContactMode{}, &force, &torque, &points, effect);
    if (!status) return status;
  }
  return {};
}

ContactRoots CompliantSystem::Impl::rootsOf(const TrackedContact& contact, const ContactMode& mode,
                                            const ContactEffect& effect) const {
  ContactRoots roots;
  roots.sign = mode.pushing ? effect.pushFactor + kSignEps : kSignEps - effect.pushFactor;
  if (!mayStick(effect)) return roots;
  const double slip = norm(effect.slipVelocity) / options.frictionVelocity;
  if (mode.slip == SlipMode::Sliding) {
    roots.stick = slip - 1.0;
  } else if (mode.slip == SlipMode::Sticking) {
    const double most = contact.response.friction * effect.normalForce;
    roots.stick = most > 0.0 ? (1.0 + kSignEps) - norm(effect.friction) / most : 1.0;
  } else {
    const double forward = dot(effect.slipVelocity, mode.pull) / options.frictionVelocity;
    roots.stick = minOf((1.0 + kSignEps) - slip, forward + kBackward);
  }
  return roots;
}

Status CompliantSystem::Impl::fillRoots(std::span<double> roots) {
  const std::size_t nz = options.events.nzMax;
  const std::span<const TrackedContact> contacts = tracker.getContacts();
  double sign = 1.0, stick = 1.0;
  if (!options.aggregateRoots)
    std::fill(roots.begin() + static_cast<std::ptrdiff_t>(nz), roots.end(), 1.0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ContactEffect effect;
    Status status = forces.evaluate(contacts[i].pair, contacts[i].response, modes[i], nullptr,
                                    nullptr, nullptr, effect);
    if (!status) return status;
    const ContactRoots r = rootsOf(contacts[i], modes[i], effect);
    if (!options.aggregateRoots) {
      roots[nz + i] = r.sign;
      roots[2 * nz + i] = r.stick;
      continue;
    }
    sign = minOf(sign, r.sign);
    stick = minOf(stick, r.stick);
  }
  if (options.aggregateRoots) {
    const std::array<double, 2> z = tracker.getAggregateRoots();
    roots[0] = z[0];
    roots[1] = z[1];
    roots[2] = sign;
    roots[3] = stick;
  } else {
    const std::span<const double> z = tracker.getRoots();
    std::copy(z.begin(), z.end(), roots.begin());
  }
  return {};
}

/// The tangential spring begins with full friction against the direction of slip, or with none.
void CompliantSystem::Impl::stick(const ContactEffect& effect, const Vec3& direction,
                                  const TrackedContact& contact, ContactMode& mode) const {
  const std::size_t body1 = world.bodies.indexOf(contact.pair.first);
  const std::size_t body2 = world.bodies.indexOf(contact.pair.second);
  const double depth = -contact.distanceOrg;
  const double k = depth > 0.0 ? contact.response.stiffness * std::sqrt(depth) : 0.0;
  const double most = contact.response.friction * effect.normalForce;
  const Vec3 stretch = k > 0.0 ? direction * (most / k) : Vec3{};
  mode.slip = SlipMode::Sticking;
  mode.anchor1 = applyInverse(world.bodies.poseOf(body1), effect.position);
  mode.anchor2 = applyInverse(world.bodies.poseOf(body2), effect.position - stretch);
}

/// Signs of forces and sticking, as they are now.
Status CompliantSystem::Impl::switchModes(double time, std::vector<HybridEvent>& events) {
  const std::span<const TrackedContact> contacts = tracker.getContacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const TrackedContact& c = contacts[i];
    ContactMode& mode = modes[i];
    ContactEffect effect;
    Status status = forces.evaluate(c.pair, c.response, mode, nullptr, nullptr, nullptr, effect);
    if (!status) return status;
    const auto report = [&](HybridEventKind kind) {
      events.push_back(
          {time, time, kind, c.pair, forces.distanceRate(c), toEigen(effect.position)});
    };
    const ContactRoots roots = rootsOf(c, mode, effect);
    if (roots.sign <= 0.0) {
      mode.pushing = !mode.pushing;
      report(mode.pushing ? HybridEventKind::ForceReturns : HybridEventKind::ForceVanishes);
    }
    if (!mayStick(effect) || roots.stick > 0.0) continue;
    if (mode.slip == SlipMode::Sticking) {
      mode.slip = SlipMode::Breaking;
      mode.pull = -normalized(effect.friction);
      report(HybridEventKind::SlipBegin);
    } else if (mode.slip == SlipMode::Breaking &&
               norm(effect.slipVelocity) > options.frictionVelocity) {
      mode.slip = SlipMode::Sliding;
    } else {
      stick(effect, mode.slip == SlipMode::Breaking ? mode.pull : normalized(effect.slipVelocity),
            c, mode);
      report(HybridEventKind::StickBegin);
    }
  }
  return {};
}

CompliantSystem::CompliantSystem(const World& world, const CompliantOptions& options) {
  const FloatEnvironment environment;
  constexpr double kLeast = 1e-12, kMost = 1e6;
  requireInRange("CompliantOptions::frictionVelocity", options.frictionVelocity, kLeast, kMost,
                 "m/s");
  requireInRange("CompliantOptions::rollingVelocity", options.rollingVelocity, kLeast, kMost,
                 "rad/s");
  requireInRange("CompliantOptions::slowestImpact", options.slowestImpact, kLeast, kMost, "m/s");
  requireInRange("CompliantOptions::largestRadius", options.largestRadius, 0.0, kMost, "m");
  impl_ = std::make_unique<Impl>(world, options);
  if (impl_->world.materials.givesWay()) {
    throw Error(StatusCode::OutOfRange,
                "CompliantSystem: a material has a stiffness, which only steps of fixed length in "
                "StepScheme::Exact have; set it to 0 and give youngsModulus");
  }
}
CompliantSystem::~CompliantSystem() = default;

Status CompliantSystem::setForce(ObjectId id, const Eigen::Vector3d& force,
                                 const Eigen::Vector3d& torque) {
  BodyTable& bodies = impl_->world.bodies;
  const std::size_t i = bodies.find(id);
  if (i == bodies.size()) {
    return Status::failure(StatusCode::UnknownObject,
                           "CompliantSystem::setForce: no body " + std::to_string(id), id);
  }
  if (!isFinite(toVec3(force)) || !isFinite(toVec3(torque))) {
    return Status::failure(
        StatusCode::NonFinite,
        "CompliantSystem::setForce: body " + std::to_string(id) + ": expected finite numbers", id);
  }
  bodies.force[i] = toVec3(force);
  bodies.torque[i] = toVec3(torque);
  return {};
}

std::size_t CompliantSystem::numStates() const {
  return impl_->world.numStates();
}
std::size_t CompliantSystem::numRoots() const {
  return impl_->options.aggregateRoots ? kAggregates : 3 * impl_->options.events.nzMax;
}
double CompliantSystem::getStartTime() const {
  return impl_->world.startTime;
}
void CompliantSystem::getState(std::span<double> y) const {
  impl_->world.getState(y);
}

Status CompliantSystem::initialize(double time, std::span<const double> y) {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  Status status = s.world.place(time, y);
  if (status) status = s.tracker.initialize(s.world.objects, time, &s);
  if (!status) return s.at(time, status);
  s.modes.clear();
  return s.at(time, s.matchModes());
}

Status CompliantSystem::computeDerivatives(double time, std::span<const double> y,
                                           std::span<double> derivatives) {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  Status status = s.world.place(time, y);
  if (status) status = s.tracker.updateValues(s.world.objects);
  if (status) status = s.evaluateForces();
  if (!status) return s.at(time, status);
  const BodyTable& b = s.world.bodies;
  std::size_t k = 0;
  for (const std::uint32_t i : s.world.dynamic) {
    const BodyFacts& f = b.facts[i];
    const Vec3 &v = b.velocity[i].linear, &w = b.velocity[i].angular;
    const double* state = y.data() + k;
    const Quat q{state[3], state[4], state[5], state[6]};
    const Quat spin = Quat{0.0, w.x, w.y, w.z} * q;
    const Vec3 push = (s.world.gravity * (f.mass * f.gravityScale) + b.force[i]) + s.force[i];
    const Vec3 a = scaled(b.mobility[i].inverseMass, push);
    const Vec3 gyroscopic = cross(w, b.inertiaOf(i) * w);
    const Vec3 alpha = b.mobility[i].inverseInertia * ((b.torque[i] + s.torque[i]) - gyroscopic);
    for (const double value : {v.x, v.y, v.z, 0.5 * spin.w, 0.5 * spin.x, 0.5 * spin.y,
                               0.5 * spin.z, a.x, a.y, a.z, alpha.x, alpha.y, alpha.z}) {
      derivatives[k++] = value;
    }
  }
  return {};
}

Status CompliantSystem::computeRoots(double time, std::span<const double> y,
                                     std::span<double> roots) {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  Status status = s.world.place(time, y);
  if (status) status = s.tracker.updateRoots(s.world.objects);
  if (status) status = s.fillRoots(roots);
  return s.at(time, status);
}

Status CompliantSystem::handleEvent(double time, std::span<double> y,
                                    std::vector<HybridEvent>& events) {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  std::vector<ContactChange> changes;
  Status status = s.world.place(time, y);
  if (status) status = s.tracker.handleEvent(s.world.objects, time, changes, &s);
  if (status) status = s.matchModes();
  if (!status) return s.at(time, status);
  for (const ContactChange& c : changes) {
    HybridEvent event;
    event.time = event.touchTime = time;
    event.kind = c.begins ? HybridEventKind::ContactBegin : HybridEventKind::ContactEnd;
    event.pair = c.state.pair;
    event.normalSpeed = s.forces.distanceRate(c.state);
    event.position =
        toEigen((toVec3(c.state.closest.point1) + toVec3(c.state.closest.point2)) * 0.5);
    if (c.begins && event.normalSpeed < 0.0) {
      event.touchTime = time - c.state.distanceOrg / event.normalSpeed;
    }
    events.push_back(event);
  }
  return s.at(time, s.switchModes(time, events));
}

ObjectPair CompliantSystem::getRootPair(std::size_t root) const {
  const Impl& s = *impl_;
  const std::span<const TrackedContact> contacts = s.tracker.getContacts();
  const std::span<const PairKey> closest = s.tracker.getClosestPairs();
  if (s.options.aggregateRoots) {
    return root == 1 && !closest.empty() ? closest.front().pair : ObjectPair{};
  }
  const std::size_t i = root % s.options.events.nzMax;
  if (i < contacts.size()) return contacts[i].pair;
  const std::size_t j = i - contacts.size();
  return root < s.options.events.nzMax && j < closest.size() ? closest[j].pair : ObjectPair{};
}

double CompliantSystem::longestStep(double time, std::span<const double> y) const {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  if (!s.world.place(time, y)) return environment.keep(kInfinity);
  // No point may go far into or out of a body that moves, turning included. What does not move may
  // be without thickness: it is the other's width that must not be stepped over.
  constexpr double kShare = 0.25, kLeastOfRadius = 1e-3;
  double width = kInfinity, speed = 0.0;
  for (std::size_t k = 0; k < s.world.objects.size(); ++k) {
    const Shape& shape = *s.world.objects[k].placed.shape;
    const double radius = shape.boundingRadius();
    const std::size_t b = s.world.bodyOf[k];
    const BodyVelocity& v = s.world.bodies.velocity[b];
    if (!isFinite(radius)) continue;
    const BodyFacts& f = s.world.bodies.facts[b];
    if (f.type == BodyType::Dynamic) {
      width = minOf(width, maxOf(f.halfWidth, kLeastOfRadius * radius));
    }
    const double reach = radius + norm(f.shapePose->translation - f.center);
    speed = maxOf(speed, norm(v.linear) + norm(v.angular) * reach);
  }
  // The mean speed of a step counts: gravity may double it on the way.
  const double rest = std::sqrt(kShare * width / maxOf(norm(s.world.gravity), 1e-300));
  return environment.keep(isFinite(width) && speed > 0.0 ? minOf(kShare * width / speed, rest)
                                                         : rest);
}

Status CompliantSystem::getMotion(double time, std::span<const double> y, ObjectId id,
                                  BodyMotion& motion) const {
  const FloatEnvironment environment;
  MovingBodies& w = impl_->world;
  const std::size_t i = w.bodies.find(id);
  if (i == w.bodies.size()) {
    return Status::failure(StatusCode::UnknownObject,
                           "CompliantSystem::getMotion: no body " + std::to_string(id), id);
  }
  Status status = w.place(time, y);
  if (!status) return status;
  motion = motionOf(w.bodies, i);
  return {};
}

Status CompliantSystem::computeEnergy(double time, std::span<const double> y,
                                      CompliantEnergy& energy) {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  Status status = s.world.place(time, y);
  if (status) status = s.tracker.updateValues(s.world.objects);
  CompliantEnergy sum;
  const auto addContact = [&](const TrackedPair& p, const ContactResponse& response) {
    ContactEffect effect;
    Status result =
        s.forces.evaluate(p.pair, response, ContactMode{}, nullptr, nullptr, nullptr, effect);
    sum.elastic += effect.elastic;
    return result;
  };
  for (std::size_t i = 0; status && i < s.tracker.getContacts().size(); ++i) {
    status = addContact(s.tracker.getContacts()[i], s.tracker.getContacts()[i].response);
  }
  for (std::size_t i = 0; status && i < s.tracker.getNearPairs().size(); ++i) {
    const TrackedPair& p = s.tracker.getNearPairs()[i];
    if (!(p.distanceOrg < 0.0)) continue;
    ContactResponse response;
    status = s.forces.respond(p, response);
    if (status) status = addContact(p, response);
  }
  if (!status) return s.at(time, status);
  for (const std::uint32_t i : s.world.dynamic) {
    const BodyFacts& f = s.world.bodies.facts[i];
    sum.kinetic += s.world.bodies.kineticEnergy(i);
    sum.potential -= f.mass * f.gravityScale * dot(s.world.gravity, s.world.bodies.position[i]);
  }
  energy = sum;
  return {};
}

std::span<const CompliantForce> CompliantSystem::getForces() const {
  return impl_->points;
}
const ContactEventTracker& CompliantSystem::getTracker() const {
  return impl_->tracker;
}

Status CompliantSystem::store(double time, std::span<const double> y, World& world) const {
  const FloatEnvironment environment;
  MovingBodies& w = impl_->world;
  Status status = w.place(time, y);
  for (std::size_t i = 0; status && i < w.bodies.size(); ++i) {
    const BodyFacts& f = w.bodies.facts[i];
    if (f.type == BodyType::Static) continue;
    const Pose pose = w.bodies.poseOf(i);
    status = world.setPose(f.id, toEigen(pose.translation), w.bodies.orientation[i]);
    if (status) {
      status = world.setVelocity(f.id, toEigen(w.bodies.velocity[i].linear),
                                 toEigen(w.bodies.velocity[i].angular));
    }
  }
  return status;
}

}  // namespace abut::inline v0_1
