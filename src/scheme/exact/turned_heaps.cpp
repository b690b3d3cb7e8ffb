// SPDX-License-Identifier: MIT
#include "scheme/exact/turned_heaps.hpp"

namespace abut::inline v0_1 {
namespace {

/// Velocities that differ from the table's by less than this share of it, or of what gravity adds
/// in a step, are the table's.
constexpr double kCarried = 1e-2;
/// A normal that is the axis has no more than this share across it.
constexpr double kUpright = 1e-6;
constexpr std::uint32_t kNoTable = 0xffffffffu;

/// The one body of the island that turns by a motion of its own; none if there are several, which
/// carry nothing round together.
std::uint32_t tableOf(const ExactStep& s, const Island& island) {
  std::uint32_t table = kNoTable;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    for (const std::uint32_t b : {c.body1, c.body2}) {
      if (s.in.bodies.facts[b].type != BodyType::Kinematic || b == table) continue;
      if (s.motion.startVelocity[b].angular == Vec3{}) continue;
      if (table != kNoTable) return kNoTable;
      table = b;
    }
  }
  return table;
}

/// Whether blows were made in this step: their rows stay as they were solved.
bool isStruck(const ExactStep& s, const Island& island) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    if (c.impact != Vec3{} || c.carry != Vec3{} || c.later.impulses != Vec3{}) return true;
  }
  return false;
}

bool isCarried(const ExactStep& s, std::uint32_t table, std::uint32_t body) {
  if (body == table) return true;
  if (s.in.bodies.facts[body].type != BodyType::Dynamic) return false;
  const BodyVelocity &t = s.motion.startVelocity[table], &v = s.motion.startVelocity[body];
  const Vec3 way = s.in.bodies.position[body] - s.in.bodies.position[table];
  const Vec3 there = t.linear + cross(t.angular, way);
  const double most = kCarried * (norm(there) + s.in.fall());
  return norm(v.linear - there) <= most &&
         norm(v.angular - t.angular) <= kCarried * norm(t.angular);
}

}  // namespace

void turnWithTable(ExactStep& s, const Island& island) {
  const std::uint32_t table = tableOf(s, island);
  if (table == kNoTable || isStruck(s, island)) return;
  const Vec3 spin = s.motion.startVelocity[table].angular;
  const Mat3 turn = toMatrix(quatFromRotationVector(spin * s.in.dt));
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    if (norm(cross(spin, c.row.normal)) > kUpright * norm(spin)) continue;
    if (!isCarried(s, table, c.body1) || !isCarried(s, table, c.body2)) continue;
    c.row.arm1 = turn * c.row.arm1;
    c.row.arm2 = turn * c.row.arm2;
  }
}

}  // namespace abut::inline v0_1
