// SPDX-License-Identifier: MIT
#include "scheme/exact/island_geometry.hpp"

#include <abut/math/convert.hpp>

namespace abut::inline v0_1 {
namespace {

/// A normal that turned by more than 60 degrees is that of another face: the next step's.
constexpr double kSameFace = 0.5;
/// Normals that differ by less, and arms by less than this part of them, are the same.
constexpr double kSame = 1e-9;

/// How far displacements part a contact.
double along(const SolverContact& row, const BodyVelocity& way1, const BodyVelocity& way2) {
  return dot(row.normal, (way1.linear + cross(way1.angular, row.arm1)) -
                             (way2.linear + cross(way2.angular, row.arm2)));
}

void take(const SolverContact& from, SolverContact& to) {
  to.normal = from.normal;
  to.tangent1 = from.tangent1;
  to.tangent2 = from.tangent2;
  to.arm1 = from.arm1;
  to.arm2 = from.arm2;
}

bool isNear(const Vec3& a, const Vec3& b) {
  return norm(a - b) <= kSame * norm(b);
}

}  // namespace

bool IslandGeometry::collideAt(const StepContact& c, const BodyVelocity& way1,
                               const BodyVelocity& way2, double margin) {
  const BodyFacts &f = s_.in.bodies.facts[c.body1], &g = s_.in.bodies.facts[c.body2];
  found_.clear();
  CollisionOption option;
  option.margin = margin;
  const auto placeAt = [this](std::uint32_t b, const BodyVelocity& way) {
    return placedAlong(s_.found.placed[b].pose, s_.in.bodies.position[b], way);
  };
  const PlacedShape placed1{f.shape.get(), placeAt(c.body1, way1), f.id};
  const PlacedShape placed2{g.shape.get(), placeAt(c.body2, way2), g.id};
  return static_cast<bool>(collide(placed1, placed2, option, found_));
}

/// Of what was found, what is nearest to where the contact would be; false if nothing was.
bool IslandGeometry::nearestOf(const StepContact& c, const BodyVelocity& way1,
                               const BodyVelocity& way2, Sight& sight) const {
  const BodyFacts& f = s_.in.bodies.facts[c.body1];
  const Vec3 center1 = s_.in.bodies.position[c.body1] + way1.linear;
  const Vec3 center2 = s_.in.bodies.position[c.body2] + way2.linear;
  const Vec3 place = (center1 + c.row.arm1) + cross(way1.angular, c.row.arm1);
  double nearest = kMaxBodyCoordinate;
  const ContactPoint* best = nullptr;
  bool inOrder = true;
  for (const ContactManifold& m : found_.getManifolds()) {
    for (const ContactPoint& p : m.getContacts()) {
      const double distance = norm(toVec3(p.position) - place);
      if (!(distance < nearest)) continue;
      nearest = distance;
      best = &p;
      inOrder = m.getObject1() == f.id;
    }
  }
  if (best == nullptr) return false;
  sight.normal = toVec3(best->normal) * (inOrder ? 1.0 : -1.0);
  sight.arm1 = toVec3(inOrder ? best->point1() : best->point2()) - center1;
  sight.arm2 = toVec3(inOrder ? best->point2() : best->point1()) - center2;
  sight.depth = best->depth;
  return true;
}

void IslandGeometry::look(std::uint32_t contact, std::span<const BodyVelocity> ways,
                          SolverContact& row, double& gap) {
  StepContact& c = s_.contacts.at(island_, contact);
  const BodyVelocity &way1 = ways[row.body1], &way2 = ways[row.body2];
  const double reach =
      maxOf(s_.found.margins[c.body1] + s_.found.margins[c.body2], c.meeting.reach);
  if (!collideAt(c, way1, way2, s_.in.detectionMargin)) return;
  if (found_.numManifolds() == 0 && !collideAt(c, way1, way2, reach)) return;
  Sight sight;
  if (!nearestOf(c, way1, way2, sight)) {
    gap = reach;
    c.open = gap - along(row, way1, way2);
    return;
  }
  if (dot(sight.normal, row.normal) < kSameFace && !(-sight.depth > kTouchingGap)) return;
  row.normal = sight.normal;
  row.tangent1 = anyPerpendicular(sight.normal);
  row.tangent2 = cross(sight.normal, row.tangent1);
  row.arm1 = sight.arm1;
  row.arm2 = sight.arm2;
  gap = maxOf(0.0, -sight.depth);
  take(row, s_.local.contacts[contact]);
  take(row, c.row);
  c.located = true;
  c.open = gap - along(row, way1, way2);
}

void IslandGeometry::leaveCourse(std::uint32_t contact, std::span<const BodyVelocity> ways,
                                 SolverContact& row, double& gap) {
  look(contact, ways, row, gap);
  StepContact& c = s_.contacts.at(island_, contact);
  c.late = 0.0;
  c.depth = -c.open;
}

void IslandGeometry::meet(std::uint32_t contact, std::span<const BodyVelocity> ways,
                          SolverContact& row, double& gap) {
  look(contact, ways, row, gap);
  s_.contacts.at(island_, contact).depth = -gap;
}

bool IslandGeometry::isSame(std::uint32_t contact, std::span<const BodyVelocity> ways,
                            const SolverContact& row) {
  const StepContact& c = s_.contacts.at(island_, contact);
  const BodyVelocity &way1 = ways[row.body1], &way2 = ways[row.body2];
  Sight sight;
  if (!collideAt(c, way1, way2, s_.in.detectionMargin) || !nearestOf(c, way1, way2, sight))
    return false;
  const auto isDynamic = [this](std::uint32_t b) {
    return s_.in.bodies.facts[b].type == BodyType::Dynamic;
  };
  return isNear(sight.normal, row.normal) && -sight.depth <= kTouchingGap &&
         (!isDynamic(c.body1) || isNear(sight.arm1, row.arm1)) &&
         (!isDynamic(c.body2) || isNear(sight.arm2, row.arm2));
}

bool IslandGeometry::areApart(std::uint32_t contact, const BodyVelocity& way1,
                              const BodyVelocity& way2) {
  const StepContact& c = s_.contacts.at(island_, contact);
  if (!collideAt(c, way1, way2, s_.in.detectionMargin)) return false;
  for (const ContactManifold& m : found_.getManifolds()) {
    for (const ContactPoint& p : m.getContacts()) {
      if (p.depth > -kTouchingGap) return false;
    }
  }
  return true;
}

}  // namespace abut::inline v0_1
