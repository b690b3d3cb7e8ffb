// SPDX-License-Identifier: MIT
//
// Impacts of the exact scheme. Contacts with restitution are thrown back in the order of their
// times within the step (Blows); what still approaches is stopped, all at once. A blow at time t
// changes velocities as if it had acted at the beginning; the displacement that this overstates,
// M^-1 J^T p t, is taken back after integration, and the work that free flight until t adds to it,
// p t (a1 - a2), is booked with it.
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "math/rotation_vector.hpp"
#include "world/contact_speed.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

/// Approach slower than this [m/s], or than this part of what gravity adds in a step, is no impact:
/// it is ended by the contact forces of the step.
constexpr double kSlowestImpact = 1e-12;
constexpr double kSlowestOfFall = 1e-6;
/// Bodies that fall on each other and close slower than this many times what gravity adds in a
/// step come to rest on each other: what bounces they have left take less than four steps.
constexpr double kSettlesOfFall = 2.0;
/// A normal that turned by more than 60 degrees is that of another face: the next step's.
constexpr double kSameFace = 0.5;

/// Contacts of an island where its bodies are when they close.
class IslandGeometry final : public BlowGeometry {
public:
  IslandGeometry(WorldState& world, const Island& island) : world_(world), island_(island) {}

  void look(std::uint32_t contact, std::span<const BodyVelocity> ways, SolverContact& row,
            double& gap) override {
    StepContact& c = world_.contacts[world_.contactOrder[island_.firstContact + contact]];
    const BodyVelocity &way1 = ways[row.body1], &way2 = ways[row.body2];
    const BodyFacts &f = world_.bodies.facts[c.body1], &g = world_.bodies.facts[c.body2];
    CollisionResult& found = world_.exact.found;
    found.clear();
    CollisionOption option;
    option.margin = world_.options.detectionMargin;
    const PlacedShape placed1{f.shape.get(), placeAt(c.body1, way1), f.id};
    const PlacedShape placed2{g.shape.get(), placeAt(c.body2, way2), g.id};
    if (!collide(placed1, placed2, option, found)) return;
    const Vec3 center1 = world_.bodies.position[c.body1] + way1.linear;
    const Vec3 center2 = world_.bodies.position[c.body2] + way2.linear;
    const Vec3 place = (center1 + c.row.arm1) + cross(way1.angular, c.row.arm1);
    double nearest = kMaxBodyCoordinate;
    const ContactPoint* best = nullptr;
    bool inOrder = true;
    for (const ContactManifold& m : found.getManifolds()) {
      for (const ContactPoint& p : m.getContacts()) {
        const double distance = norm(toVec3(p.position) - place);
        if (!(distance < nearest)) continue;
        nearest = distance;
        best = &p;
        inOrder = m.getObject1() == f.id;
      }
    }
    if (best == nullptr) return;
    const Vec3 n = toVec3(best->normal) * (inOrder ? 1.0 : -1.0);
    if (dot(n, row.normal) < kSameFace) return;
    row.normal = n;
    row.tangent1 = anyPerpendicular(n);
    row.tangent2 = cross(n, row.tangent1);
    row.arm1 = toVec3(inOrder ? best->point1() : best->point2()) - center1;
    row.arm2 = toVec3(inOrder ? best->point2() : best->point1()) - center2;
    gap = maxOf(0.0, -best->depth);
    take(row, world_.exact.local.contacts[contact]);
    take(row, c.row);
    c.located = true;
    c.open = -best->depth - dot(n, (way1.linear + cross(way1.angular, row.arm1)) -
                                       (way2.linear + cross(way2.angular, row.arm2)));
  }

private:
  [[nodiscard]] Pose placeAt(std::uint32_t b, const BodyVelocity& way) const {
    const Mat3 r = way.angular == Vec3{} ? Mat3{} : toMatrix(quatFromRotationVector(way.angular));
    const Pose& p = world_.shapePoses[b];
    const Vec3& center = world_.bodies.position[b];
    return {r * p.rotation, (center + way.linear) + r * (p.translation - center)};
  }
  static void take(const SolverContact& from, SolverContact& to) {
    to.normal = from.normal;
    to.tangent1 = from.tangent1;
    to.tangent2 = from.tangent2;
    to.arm1 = from.arm1;
    to.arm2 = from.arm2;
  }

  WorldState& world_;
  const Island& island_;
};

}  // namespace

/// What blows later than the beginning add to a contact's gap at the end.
double WorldState::shiftAlong(const StepContact& c) const {
  if (impactShift.empty()) return 0.0;
  const BodyVelocity &a = impactShift[c.body1], &b = impactShift[c.body2];
  return dot(c.row.normal,
             (a.linear + cross(a.angular, c.row.arm1)) - (b.linear + cross(b.angular, c.row.arm2)));
}

/// Bounds of the contacts, and whether any approaches.
bool WorldState::beginImpacts(const Island& island, double slowest, double dt) {
  bool approaching = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = contacts[contactOrder[island.firstContact + k]];
    c.impact = {};
    const double u = normalVelocity(c.row, motion.startVelocity);
    c.open = gapOf(c.depth) - c.late * u;
    c.row.bound =
        c.depth > 0.0 ? options.baumgarte * c.depth / dt : -gapOf(c.depth) / (dt - c.late);
    const bool bounces = c.material.restitution > 0.0 && closesWithin(c, dt) &&
                         (absOf(u) > slowest || gapOf(c.depth) > kTouchingGap);
    approaching = approaching || bounces || c.late > 0.0 || u < c.row.bound - slowest;
  }
  return approaching;
}

/// Rows for the blows of an island, and whether there is any to throw back. Where two dynamic
/// bodies meet of which one falls freely, times within the step are not known well enough for their
/// ways not to cross: their blows are those of the beginning, in order.
bool WorldState::gatherBlows(const Island& island, double slowest, double dt, bool& located) {
  LocalProblem& local = exact.local;
  Blows& blows = exact.blows;
  blows.acceleration.assign(local.bodies.size(), Vec3{});
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    if (bodies.facts[b].type == BodyType::Dynamic) blows.acceleration[i] = freeAcceleration(b);
  }
  const auto contactAt = [&](std::uint32_t k) -> const StepContact& {
    return contacts[contactOrder[island.firstContact + k]];
  };
  // A body that lies on another does not fall freely.
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const SolverContact& row = local.contacts[k];
    if (gapOf(contactAt(k).depth) > kTouchingGap || contactAt(k).late > 0.0) continue;
    if (absOf(normalVelocity(row, local.velocities)) > slowest) continue;
    blows.acceleration[row.body1] = blows.acceleration[row.body2] = {};
  }
  bool crossing = false, isLate = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = contactAt(k);
    const SolverContact& row = local.contacts[k];
    isLate = isLate || c.late > 0.0;
    const bool meet = bodies.facts[c.body1].type == BodyType::Dynamic &&
                      bodies.facts[c.body2].type == BodyType::Dynamic &&
                      (gapOf(c.depth) <= kTouchingGap || closesWithin(c, dt));
    crossing = crossing || (meet && (blows.acceleration[row.body1] != Vec3{} ||
                                     blows.acceleration[row.body2] != Vec3{}));
  }
  located = !crossing || isLate;
  if (!located) blows.acceleration.assign(local.bodies.size(), Vec3{});
  const double settles = maxOf(slowest, kSettlesOfFall * norm(toVec3(options.gravity)) * dt);
  blows.rows.assign(local.contacts.size(), BlowRow{});
  blows.restitution.resize(local.contacts.size());
  bool any = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = contactAt(k);
    const SolverContact& row = local.contacts[k];
    BlowRow& r = blows.rows[k];
    blows.restitution[k] = c.material.restitution;
    r.gap = c.late > 0.0 || (!located && closesWithin(c, dt)) ? 0.0 : gapOf(c.depth);
    r.open = r.gap > kTouchingGap || c.late > 0.0;
    r.late = c.late;
    r.looks = located ? 0 : kMaxBlowLooks;
    r.slowest = !located && c.material.restitution < 1.0 ? settles : slowest;
    r.takesPart = c.material.restitution > 0.0 || c.late > 0.0;
    r.pull = dot(row.normal, blows.acceleration[row.body1] - blows.acceleration[row.body2]);
    any = any || r.takesPart;
  }
  return any;
}

/// The blows of an island, what they lack in displacement, and their report.
void WorldState::makeBlows(const Island& island, double dt, bool located) {
  LocalProblem& local = exact.local;
  Blows& blows = exact.blows;
  // A contact that is thrown back is thrown back from what it was, not from its bound.
  blows.contacts.assign(local.contacts.begin(), local.contacts.end());
  for (SolverContact& c : blows.contacts) c.bound = 0.0;
  IslandGeometry geometry(*this, island);
  const Blows::Report done =
      blows.run(local.mobility, dt, geometry, local.impulses, local.velocities);
  report.restitutionAsked += done.work.asked;
  report.restitutionDelivered += done.work.delivered;
  if (done.gaveUp) ++report.unfinishedImpacts;
  if (impactShift.empty()) {
    impactShift.assign(bodies.size(), BodyVelocity{});
    flightGain.assign(bodies.size(), Vec3{});
  }
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    local.velocities[i].linear -= blows.acceleration[i] * done.time;
    flightGain[local.bodies[i]] = blows.acceleration[i];
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = contacts[contactOrder[island.firstContact + k]];
    c.rests = blows.rows[k].rests;
    if (!located || blows.delayed[k] == Vec3{}) continue;
    c.delayed = blows.delayed[k];
    const auto shift = [&c](const PreparedContact::Side& side, double sign, BodyVelocity& s) {
      const Vec3 r = c.delayed * sign;
      s.linear += (side.linear[0] * r.x + side.linear[1] * r.y) + side.linear[2] * r.z;
      s.angular += (side.angular[0] * r.x + side.angular[1] * r.y) + side.angular[2] * r.z;
    };
    shift(blows.prepared[k].side1, -1.0, impactShift[c.body1]);
    shift(blows.prepared[k].side2, 1.0, impactShift[c.body2]);
  }
}

/// Stops what still approaches, so that nothing overlaps at the end of the step.
void WorldState::stopApproach(const Island& island, double dt) {
  LocalProblem& local = exact.local;
  std::vector<double>& approach = exact.approach;
  approach.resize(local.contacts.size());
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    approach[k] = normalVelocity(local.contacts[k], local.velocities);
  }
  const double fastest = local.fastest();
  std::vector<Vec3>& stopping = exact.stopping;
  stopping.assign(local.impulses.size(), Vec3{});
  const SolverReport r = solver.solve({local.mobility, local.contacts}, solverOptionsOf(island),
                                      settingOf(island), stopping, local.couples, local.velocities);
  noteSolve(r, fastest, dt);
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = contacts[contactOrder[island.firstContact + k]];
    c.impact = local.impulses[k] + stopping[k];
    if (!local.couples.empty()) c.impactCouple = local.couples[k];
    const double least = exact.blows.rows[k].slowest;
    if (c.rests || !(c.material.restitution > 0.0) || !(approach[k] < -least)) continue;
    const double parting = normalVelocity(local.contacts[k], local.velocities);
    report.restitutionAsked -= 0.5 * stopping[k].x * c.material.restitution * approach[k];
    report.restitutionDelivered += 0.5 * stopping[k].x * maxOf(0.0, parting);
  }
}

/// Throws back or stops what would overlap.
void WorldState::solveImpacts(double dt) {
  motion.impactedVelocity = motion.startVelocity;
  impactShift.clear();
  flightGain.clear();
  const double slowest = maxOf(kSlowestImpact, kSlowestOfFall * norm(toVec3(options.gravity)) * dt);
  LocalProblem& local = exact.local;
  for (const Island& island : islands) {
    if (!beginImpacts(island, slowest, dt)) continue;
    local.gather(*this, island);
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      local.velocities[i] = motion.startVelocity[local.bodies[i]];
    }
    bool located = true;
    if (gatherBlows(island, slowest, dt, located)) makeBlows(island, dt, located);
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      const StepContact& c = contacts[contactOrder[island.firstContact + k]];
      if (c.late == 0.0 && c.depth > 0.0) continue;
      local.contacts[k].bound = minOf(0.0, -(c.open + shiftAlong(c)) / dt);
    }
    stopApproach(island, dt);
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      motion.impactedVelocity[local.bodies[i]] = local.velocities[i];
    }
  }
}

/// Blows act within the step: what they overstate in displacement is taken back, and what bounced
/// to rest lies on what it fell on. Bodies that lie on others are left where they are, since they
/// would be pushed into what those lie on.
void WorldState::shiftLateBodies() {
  holdBack.begin();
  for (std::size_t i = 0; i < impactShift.size(); ++i) {
    if (bodies.facts[i].type != BodyType::Dynamic) continue;
    const BodyVelocity& s = impactShift[i];
    motion.newPosition[i] += s.linear;
    if (s.angular == Vec3{}) continue;
    holdBack.keepSpin(*this, i);
    motion.newOrientation[i] =
        normalized(quatFromRotationVector(s.angular) * motion.newOrientation[i]);
  }
  for (const StepContact& c : contacts) {
    if (!c.rests) continue;
    const Vec3 m1 = bodies.mobility[c.body1].inverseMass, m2 = bodies.mobility[c.body2].inverseMass;
    if ((m1 != Vec3{}) == (m2 != Vec3{})) continue;
    const auto way = [&](std::uint32_t b, const Vec3& arm) {
      return (motion.newPosition[b] - bodies.position[b]) +
             cross(rotationBetween(bodies.orientation[b], motion.newOrientation[b]), arm);
    };
    const double gap =
        -c.depth + dot(c.row.normal, way(c.body1, c.row.arm1) - way(c.body2, c.row.arm2));
    if (!(gap > 0.0)) continue;
    if (m1 != Vec3{}) motion.newPosition[c.body1] -= c.row.normal * gap;
    if (m2 != Vec3{}) motion.newPosition[c.body2] += c.row.normal * gap;
  }
}

}  // namespace abut
