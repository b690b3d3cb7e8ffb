// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "solver/prepared_contacts.hpp"

namespace abut::inline v0_1 {

/// Rolling and spinning resistance of a contact: a couple against the bodies' relative turning, at
/// most spinning * p_n about the normal and rolling * p_n across it, both at that limit wherever
/// the bodies turn against each other. Couples count like impulses: (about the normal, about
/// tangent 1, about tangent 2) [N m s], on body 1 as given, on body 2 negated.
struct PreparedCouple {
  std::uint32_t contact;  ///< Whose normal impulse limits it.
  std::uint32_t body1, body2;
  Vec3 axis[3];                 ///< Of the contact.
  Vec3 answer1[3], answer2[3];  ///< Of the angular velocities to a unit couple about each axis.
  double spinning, rolling;     ///< [m], >= 0.
  double spinResponse;          ///< About the normal [1/(kg m^2)].
  ContactBlock rollBlock;       ///< Across it, as the tangential part of a contact's.
  double response;              ///< The largest of the three; 0 if neither body can turn.
};

/// Fills in how the bodies answer, once bodies, axes and arms are there.
void prepareAnswer(std::span<const BodyMobility> bodies, PreparedCouple& couple);

/// The couples of the contacts that have a resistance, in the contacts' order.
void prepareCouples(const ContactProblem& problem, std::vector<PreparedCouple>& couples);

/// A vector of the world along the axes.
inline Vec3 alongAxes(const PreparedCouple& c, const Vec3& w) {
  return {dot(c.axis[0], w), dot(c.axis[1], w), dot(c.axis[2], w)};
}

/// Relative angular velocity along the axes [rad/s].
inline Vec3 relativeTurning(const PreparedCouple& c, std::span<const BodyVelocity> v) {
  return alongAxes(c, v[c.body1].angular - v[c.body2].angular);
}

/// Changes the velocities of its two bodies.
inline void applyCouple(const PreparedCouple& c, const Vec3& m, BodyVelocity& v1,
                        BodyVelocity& v2) {
  v1.angular += (c.answer1[0] * m.x + c.answer1[1] * m.y) + c.answer1[2] * m.z;
  v2.angular -= (c.answer2[0] * m.x + c.answer2[1] * m.y) + c.answer2[2] * m.z;
}
inline void applyCouple(const PreparedCouple& c, const Vec3& m, std::span<BodyVelocity> v) {
  applyCouple(c, m, v[c.body1], v[c.body2]);
}

/// The nearest couple that a normal impulse allows.
Vec3 limitCouple(const PreparedCouple& c, const Vec3& m, double normalImpulse);

/// The couple that stops the relative turning or opposes it at its limit, the spin before the roll,
/// given the relative turning `w` that belongs to the present couple `m`.
Vec3 relaxCouple(const PreparedCouple& c, const Vec3& w, const Vec3& m, double normalImpulse,
                 double& alpha);

}  // namespace abut::inline v0_1
