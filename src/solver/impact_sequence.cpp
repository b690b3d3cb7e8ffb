// SPDX-License-Identifier: MIT
#include "solver/impact_sequence.hpp"

namespace abut {
namespace {

constexpr int kImpactsPerContact = 200;
constexpr int kMaxHalvings = 20;

/// The impulse that throws one contact back at restitution e without adding energy.
Vec3 throwBack(const PreparedContact& c, const Vec3& u, double e) {
  for (int i = 0; i < kMaxHalvings; ++i) {
    // Demanding u_n = -e u_n- is demanding 0 of a velocity shifted by that.
    double alpha = 0.0;
    const Vec3 r = solveOneContact(c.block, {u.x + e * u.x, u.y, u.z}, c.friction, alpha);
    const Vec3 after = u + times(c.block, r);
    if (dot(r, u + after) <= 0.0) return r;
    e = i + 2 < kMaxHalvings ? 0.5 * e : 0.0;
  }
  return {};
}

}  // namespace

int resolveImpactSequence(std::span<const PreparedContact> contacts,
                          std::span<const double> restitution, double slowest,
                          std::span<Vec3> impulses, std::span<BodyVelocity> velocities) {
  const int limit = kImpactsPerContact * static_cast<int>(contacts.size());
  int count = 0;
  for (; count < limit; ++count) {
    std::size_t fastest = contacts.size();
    double speed = -slowest;
    Vec3 velocity;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (!(restitution[k] > 0.0)) continue;
      const Vec3 u = relativeVelocity(contacts[k], velocities);
      if (!(u.x < speed)) continue;
      speed = u.x;
      fastest = k;
      velocity = u;
    }
    if (fastest == contacts.size()) break;
    const Vec3 r = throwBack(contacts[fastest], velocity, restitution[fastest]);
    impulses[fastest] += r;
    applyImpulse(contacts[fastest], r, velocities);
  }
  return count;
}

}  // namespace abut
