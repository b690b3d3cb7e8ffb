// SPDX-License-Identifier: MIT
//
// Momenta of islands that have no hold in the world. A blow acts at the arms that bodies have when
// they meet, while they are taken to be where they were when the step began; steps by the new
// velocity and displacements that take overlap out keep the angular momentum to first order only.
// What they change of it is a rigid turn of the whole island, which no joint or contact sees, and
// is given back as one.
#include "joints/jointed_island.hpp"

namespace abut::inline v0_1 {
namespace {

/// Momenta that are off by less than this part of what is summed are not.
constexpr double kRounding = 64.0 * 2.2204460492503131e-16;
/// Accelerations by forces that differ by less than this part are one: gravity's.
constexpr double kSameForce = 1e-13;

/// Of bodies together, about their centre of mass.
struct Momenta {
  double mass = 0.0;
  Vec3 center, linear, angular;
  double pushes = 0.0, turns = 0.0;  ///< Sizes of what they are the sums of.
  Mat3 inertia{{}, {}, {}};
};

template <class BodiesOf>
Momenta momentaOf(std::size_t count, BodiesOf bodiesOf) {
  Momenta sum;
  for (std::size_t i = 0; i < count; ++i) {
    for (const MechanismBody& b : bodiesOf(i)) {
      sum.mass += b.mass;
      sum.center += b.position * b.mass;
      sum.linear += b.velocity * b.mass;
      sum.pushes += norm(b.velocity) * b.mass;
    }
  }
  sum.center *= 1.0 / sum.mass;
  const Vec3 mean = sum.linear / sum.mass;
  for (std::size_t i = 0; i < count; ++i) {
    for (const MechanismBody& b : bodiesOf(i)) {
      const Vec3 r = b.position - sum.center;
      const Mat3 turned = toMatrix(b.orientation);
      const Mat3 own = (turned * b.inertia) * transpose(turned);
      const Vec3 orbit = cross(r, (b.velocity - mean) * b.mass), spin = own * b.spin;
      sum.angular += orbit + spin;
      sum.turns += norm(orbit) + norm(spin);
      const double square = squaredNorm(r);
      sum.inertia = sum.inertia + own;
      sum.inertia.x += (Vec3{square, 0.0, 0.0} - r * r.x) * b.mass;
      sum.inertia.y += (Vec3{0.0, square, 0.0} - r * r.y) * b.mass;
      sum.inertia.z += (Vec3{0.0, 0.0, square} - r * r.z) * b.mass;
    }
  }
  return sum;
}

}  // namespace

/// Whether nothing but gravity acts on the island from outside.
bool JointedIsland::isFree() const {
  for (const JointedContact& c : contacts) {
    if (c.side1.mechanism == kWorldBody || c.side2.mechanism == kWorldBody) return false;
  }
  const MechanismBody* first = nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    for (const MechanismJoint& j : mechanisms_[i].joints) {
      if (j.body1 == kWorldBody || j.body2 == kWorldBody) return false;
    }
    for (const MechanismBody& b : mechanisms_[i].bodies) {
      if (!b.isMobile || b.locks != 0 || b.torque != Vec3{}) return false;
      if (first == nullptr) first = &b;
      const Vec3 own = b.force / b.mass, other = first->force / first->mass;
      if (norm(own - other) > kSameForce * norm(own)) return false;
    }
  }
  return first != nullptr;
}

/// Changes the velocities of a body after the step, and before its overlap was taken out.
void JointedIsland::change(std::size_t i, std::size_t k, const Vec3& dv, const Vec3& dw) {
  MechanismBody &b = mechanisms_[i].bodies[k], &end = ends_[i][k];
  b.velocity += dv;
  b.spin += dw;
  end.velocity += dv;
  // Displacements turn the spin with the body.
  const bool isTurned = end.orientation != b.orientation;
  end.spin +=
      isTurned ? toMatrix(end.orientation) * transposeTimes(toMatrix(b.orientation), dw) : dw;
}

/// Velocities against those of the island as one rigid body become slower, which joints and momenta
/// allow, so that this energy is gone.
void JointedIsland::takeFromWithin(double energy) {
  const Momenta all =
      momentaOf(count_, [&](std::size_t i) { return std::span(mechanisms_[i].bodies); });
  const Vec3 mean = all.linear / all.mass, turning = inverse(all.inertia) * all.angular;
  if (!isFinite(turning)) return;
  const double rigid = 0.5 * (dot(all.linear, mean) + dot(all.angular, turning));
  const double within = balance().kinetic - rigid;
  if (!(energy > 0.0) || !(within > 0.0)) return;
  const double factor = std::sqrt(maxOf(0.0, 1.0 - energy / within));
  taken_ += (1.0 - factor * factor) * within;
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t k = 0; k < mechanisms_[i].bodies.size(); ++k) {
      const MechanismBody& b = mechanisms_[i].bodies[k];
      const Vec3 at = mean + cross(turning, b.position - all.center);
      change(i, k, (at - b.velocity) * (1.0 - factor), (turning - b.spin) * (1.0 - factor));
    }
    for (MechanismJoint& j : mechanisms_[i].joints) {
      for (double& rate : j.memory.rotor) rate *= factor;
    }
  }
}

/// After all else: gives back what the step changed of the momenta, and books the energy that this
/// takes; beyond what the step lost it is taken from the bodies' motion against each other.
void JointedIsland::keepMomenta(double dt) {
  const Momenta before = momentaOf(count_, [&](std::size_t i) { return std::span(starts_[i]); });
  const Momenta after =
      momentaOf(count_, [&](std::size_t i) { return std::span(mechanisms_[i].bodies); });
  const MechanismBody& any = mechanisms_[0].bodies[0];
  const Vec3 fall = any.force * (before.mass * dt / any.mass);
  Vec3 push = (before.linear + fall) - after.linear, turn = before.angular - after.angular;
  if (norm(push) <= kRounding * (before.pushes + after.pushes)) push = {};
  if (norm(turn) <= kRounding * (before.turns + after.turns)) turn = {};
  const Vec3 dv = push / before.mass, dw = inverse(after.inertia) * turn;
  if ((dv == Vec3{} && dw == Vec3{}) || !isFinite(dv) || !isFinite(dw)) return;
  const double energy = balance().kinetic;
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t k = 0; k < mechanisms_[i].bodies.size(); ++k) {
      const Vec3 r = mechanisms_[i].bodies[k].position - after.center;
      change(i, k, dv + cross(dw, r), dw);
    }
  }
  const double gain = balance().kinetic - energy;
  ends_[0][0].excess += gain;
  if (gain > loss_left_) takeFromWithin(gain - loss_left_);
}

}  // namespace abut::inline v0_1
