// SPDX-License-Identifier: MIT
//
// The step with the geometry of both ends is symmetric in time: its error has even powers of the
// step only. A step made as a whole (A) and in two halves (B) gives (4 B - A) / 3 of fourth order.
#include "dynamics/point_velocity.hpp"
#include "math/rotation_vector.hpp"
#include "scheme/exact/moving_contacts.hpp"
#include "scheme/exact/stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// Slip below this [m/s] is sticking, to what passes leave.
constexpr double kSticks = 1e-7;

template <typename T>
T combined(const T& whole, const T& halves) {
  return halves + (halves - whole) * (1.0 / 3.0);
}

double kineticOf(const BodyFacts& f, const MovingBody& b) {
  return 0.5 * f.mass * squaredNorm(b.velocity.linear) +
         spinEnergy(f.inertia, b.orientation, b.velocity.angular);
}

}  // namespace

/// What a leg says of each contact: whether it presses, and slips at its ends. Legs of a smooth
/// motion say the same.
void MovingContacts::describe(const ExactStep& s, const Island& island,
                              std::vector<std::uint8_t>& kinds) const {
  kinds.clear();
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const MovingContact& m = contacts_[s.contacts.indexOf(island, k)];
    const bool presses = m.endImpulse != Vec3{};
    const bool slips = norm(m.legSlip) > kSticks;
    kinds.push_back(static_cast<std::uint8_t>((presses ? 1 : 0) | (presses && slips ? 2 : 0)));
  }
}

/// Whether nothing struck, and contacts that press stick at the beginning and at the end. A slide
/// is left alone: it may end within the step.
bool MovingContacts::isSmooth(const ExactStep& s, const Island& island) const {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    const StepContact& c = s.contacts.all[index];
    const MovingContact& m = contacts_[index];
    if (c.impact != Vec3{}) return false;
    if (m.endImpulse == Vec3{}) continue;
    if (norm(m.startSlip) > kSticks || norm(m.legSlip) > kSticks) return false;
  }
  return true;
}

void MovingContacts::keepWhole(const ExactStep& s, const Island& island) {
  const LocalProblem& local = s.local;
  whole_.bodies.clear();
  whole_.contacts.clear();
  for (const std::uint32_t b : local.bodies) whole_.bodies.push_back(bodies_[b]);
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    whole_.contacts.push_back(contacts_[s.contacts.indexOf(island, k)]);
  }
  whole_.rows = local.contacts;
  whole_.impulses = local.impulses;
  whole_.couples = local.couples;
  whole_.report = report_;
}

void MovingContacts::goBackToWhole(ExactStep& s, const Island& island) {
  LocalProblem& local = s.local;
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    bodies_[local.bodies[i]] = whole_.bodies[i];
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    contacts_[s.contacts.indexOf(island, k)] = whole_.contacts[k];
  }
  local.contacts = whole_.rows;
  local.impulses = whole_.impulses;
  local.couples = whole_.couples;
  report_ = whole_.report;
  leg_ = s.in.dt;
}

/// The step in two halves. False if one does not settle, or is of another kind than the whole.
bool MovingContacts::makeHalves(ExactStep& s, const Island& island) {
  describe(s, island, kinds_);
  const double speed = speed_;
  start(s, island, s.local);
  speed_ = speed;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    MovingContact& m = contacts_[s.contacts.indexOf(island, k)];
    m.endImpulse = whole_.contacts[k].startImpulse * 0.5;
    m.endCouple = whole_.contacts[k].startCouple * 0.5;
  }
  for (int half = 0; half < 2; ++half) {
    const double h = 0.5 * s.in.dt;
    if (!makePasses(s, island, h, false) || !passedBy(s, island)) return false;
    endLeg(s, island, s.local, h);
    describe(s, island, kinds_of_half_);
    if (kinds_of_half_ != kinds_) return false;
  }
  return true;
}

void MovingContacts::extrapolate(ExactStep& s, const Island& island) {
  if (!isSmooth(s, island)) return;
  keepWhole(s, island);
  if (!makeHalves(s, island)) {
    goBackToWhole(s, island);
    return;
  }
  // Each of both closes its books. Works are combined as all else is; what the energy of the
  // combination, which is not linear, differs from that is the integrator's.
  double defect = 0.0;
  for (std::size_t i = 0; i < s.local.bodies.size(); ++i) {
    const std::uint32_t b = s.local.bodies[i];
    const BodyFacts& f = s.in.bodies.facts[b];
    if (f.type != BodyType::Dynamic || s.in.bodies.rest[b].isAsleep()) continue;
    const MovingBody& whole = whole_.bodies[i];
    MovingBody& body = bodies_[b];
    defect -= combined(kineticOf(f, whole), kineticOf(f, body));
    body.way = combined(whole.way, body.way);
    body.position = combined(whole.position, body.position);
    body.turn = combined(whole.turn, body.turn);
    body.velocity.linear = combined(whole.velocity.linear, body.velocity.linear);
    body.velocity.angular = combined(whole.velocity.angular, body.velocity.angular);
    const Vec3 apart = rotationBetween(whole.orientation, body.orientation);
    body.orientation = normalized(quatFromRotationVector(apart * (1.0 / 3.0)) * body.orientation);
    defect += kineticOf(f, body);
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    MovingContact& m = contacts_[s.contacts.indexOf(island, k)];
    const MovingContact& whole = whole_.contacts[k];
    m.impulse = combined(whole.impulse, m.impulse);
    m.couple = combined(whole.couple, m.couple);
    m.moment1 = combined(whole.moment1, m.moment1);
    m.moment2 = combined(whole.moment2, m.moment2);
    m.normalWork = combined(whole.normalWork, m.normalWork);
    m.frictionWork = combined(whole.frictionWork, m.frictionWork);
    m.excess = combined(whole.excess, m.excess);
  }
  contacts_[s.contacts.indexOf(island, 0)].excess += defect;
}

}  // namespace abut::inline v0_1
