// SPDX-License-Identifier: MIT
//
// What cannot give way, in real time: presses, and drives with limits.
#include "scheme/real_time/real_time_solver.hpp"

namespace abut::inline v0_1 {
namespace {

/// Islands of more bodies are not looked at: their sweeps say that they are not solved.
constexpr std::size_t kMostPressed = 200;

/// Whether a body that no contact moves is driven along.
bool isDriven(const BodyTable& bodies, std::span<const BodyVelocity> start, std::uint32_t body) {
  if (bodies.facts[body].type != BodyType::Kinematic) return false;
  const BodyVelocity& v = start[body];
  return v.linear != Vec3{} || v.angular != Vec3{};
}

void addPoints(const ManifoldRow& row, std::vector<SolverContact>& points) {
  for (int i = 0; i < row.count; ++i) {
    SolverContact c;
    c.body1 = row.body1;
    c.body2 = row.body2;
    c.normal = row.normal;
    c.arm1 = row.points[i].arm1;
    c.arm2 = row.points[i].arm2;
    c.offset = row.offset;
    c.bound = row.points[i].bound;
    c.friction = row.friction;
    points.push_back(c);
  }
}

}  // namespace

/// Bounds of islands that are presses become those that can be kept, their warm start one that
/// squeezes.
void RealTimeSolver::yieldToPresses(const PressScene& s, PressRelief& presses, StepReport& report) {
  const auto islands = s.order.getIslands();
  for (std::uint32_t k = 0; k < islands.size(); ++k) {
    const auto order = s.order.getLinks().subspan(islands[k].firstLink, islands[k].numLinks);
    if (islands[k].numBodies > kMostPressed || s.order.isSpread(k)) continue;
    bool driven = false;
    for (const std::uint32_t r : order) {
      driven = driven || isDriven(s.bodies, s.start, s.rows[r].body1) ||
               isDriven(s.bodies, s.start, s.rows[r].body2);
    }
    if (!driven) continue;
    points_.clear();
    for (const std::uint32_t r : order) addPoints(s.rows[r], points_);
    const PressedIsland island{k, s.bodies.mobility, points_, s.end, {}};
    if (!presses.relieve(island, s.bodies.ids, report)) continue;
    std::size_t at = 0;
    for (const std::uint32_t r : order) {
      ManifoldRow& row = s.rows[r];
      for (int i = 0; i < row.count; ++i, ++at) {
        row.points[i].bound = points_[at].bound;
        row.points[i].normalImpulse = presses.squeezeOf(at);
      }
      row.tangentImpulse = {};
      row.twistImpulse = 0.0;
    }
  }
}

void RealTimeSolver::react(const StepMotion&, LimitedDrivers& drivers) const {
  presses_.tell(drivers);
  for (const ManifoldRow& row : rows_.all) {
    Vec3 impulse = row.tangentImpulse;
    const Vec3 couple = row.normal * row.twistImpulse + row.resistingImpulse;
    Vec3 moment1 = couple + cross(centre1Of(row), impulse);
    Vec3 moment2 = couple + cross(centre2Of(row), impulse);
    for (int i = 0; i < row.count; ++i) {
      const Vec3 push = row.normal * row.points[i].normalImpulse;
      impulse += push;
      moment1 += cross(row.points[i].arm1, push);
      moment2 += cross(row.points[i].arm2, push);
    }
    drivers.addReaction(row.body1, impulse, moment1);
    drivers.addReaction(row.body2, -impulse, -moment2);
  }
}

}  // namespace abut::inline v0_1
