// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "math/pose.hpp"
#include "solver/one_contact.hpp"

namespace abut::inline v0_1 {

/// A contact with everything a sweep needs: its frame, the levers of both bodies, and how the
/// bodies' velocities answer a unit impulse along each axis.
struct PreparedContact {
  struct Side {
    std::uint32_t body;
    Vec3 lever[3];    ///< arm x axis.
    Vec3 linear[3];   ///< Answer of the linear velocity.
    Vec3 angular[3];  ///< Answer of the angular velocity.
    double reach;     ///< |arm| [m].
  };

  Vec3 axis[3];  ///< Normal, tangent 1, tangent 2.
  Side side1, side2;
  Vec3 offset;  ///< Along the axes, the bound taken off the normal.
  double friction;
  ContactBlock block;
};

void prepareContact(const ContactProblem& problem, std::size_t index, PreparedContact& contact);
void prepareContacts(const ContactProblem& problem, std::vector<PreparedContact>& contacts);

/// Relative velocity along the axes, less the bound.
inline Vec3 relativeVelocity(const PreparedContact& c, std::span<const BodyVelocity> v) {
  const BodyVelocity &v1 = v[c.side1.body], &v2 = v[c.side2.body];
  const auto along = [&](int i) {
    return (dot(c.axis[i], v1.linear) + dot(c.side1.lever[i], v1.angular)) -
           (dot(c.axis[i], v2.linear) + dot(c.side2.lever[i], v2.angular));
  };
  return Vec3{along(0), along(1), along(2)} + c.offset;
}

/// Size of the terms that the relative velocity is a sum of [m/s].
inline double speedAt(const PreparedContact& c, std::span<const BodyVelocity> v) {
  const auto speed = [&v](const PreparedContact::Side& side) {
    return norm(v[side.body].linear) + side.reach * norm(v[side.body].angular);
  };
  return (speed(c.side1) + speed(c.side2)) + norm(c.offset);
}

inline void applyImpulse(const PreparedContact& c, const Vec3& r, std::span<BodyVelocity> v) {
  BodyVelocity &v1 = v[c.side1.body], &v2 = v[c.side2.body];
  v1.linear += (c.side1.linear[0] * r.x + c.side1.linear[1] * r.y) + c.side1.linear[2] * r.z;
  v1.angular += (c.side1.angular[0] * r.x + c.side1.angular[1] * r.y) + c.side1.angular[2] * r.z;
  v2.linear -= (c.side2.linear[0] * r.x + c.side2.linear[1] * r.y) + c.side2.linear[2] * r.z;
  v2.angular -= (c.side2.angular[0] * r.x + c.side2.angular[1] * r.y) + c.side2.angular[2] * r.z;
}

}  // namespace abut::inline v0_1
