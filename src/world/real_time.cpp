// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "constraints/contact_site.hpp"
#include "dynamics/point_velocity.hpp"
#include "integration/paths.hpp"
#include "solver/pair_rank.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kNoRow = 0xffffffffu;  // Of a manifold without contacts.
/// Approach slower than this many times what gravity adds in a step does not bounce.
constexpr double kBounceOfFall = 2.0;

double normalVelocity(const ManifoldRow& r, int i, const BodyVelocity& v1, const BodyVelocity& v2) {
  return dot(r.normal, relativeVelocity(v1, r.arm1[i], v2, r.arm2[i], r.offset));
}

}  // namespace

Status WorldState::stepInRealTime(double dt) {
  enter(StepStage::Contacts);
  buildRows(dt);
  addFastRows(dt);
  orderRows();
  enter(StepStage::Forces);
  solveRows(dt);
  enter(StepStage::Integration);
  moveRows(dt);
  holdBack.begin();
  Status status = holdBack.run(*this, dt);
  if (!status) return status;
  holdBack.turnSpins(*this);
  enter(StepStage::Books);
  closeRowBooks(dt);
  enter(StepStage::Correction);
  applyShifts();
  enter(StepStage::Results);
  const double start = time;
  status = commit(dt);
  if (!status) return status;
  showRows(dt);
  publish(start, dt);
  return {};
}

/// One row for each manifold that has contacts in this step.
void WorldState::buildRows(double dt) {
  const auto found = cache.getContacts();
  const auto manifolds = cache.getManifolds();
  const double rescale = lastStep > 0.0 ? dt / lastStep : 0.0;
  const double slowest = kBounceOfFall * norm(toVec3(options.gravity)) * dt;
  real.rowOf.assign(manifolds.size(), kNoRow);
  std::uint32_t count = 0;
  SurfacePairs surfaces(materials);
  for (std::uint32_t k = 0; k < found.size(); ++k) {
    const PersistentContact& c = found[k];
    std::uint32_t& at = real.rowOf[c.manifold];
    if (at == kNoRow) {
      at = count++;
      if (real.storage.size() < count) {
        real.storage.resize(2 * count);
        real.sources.resize(2 * count);
      }
      ManifoldRow& row = real.storage[at];
      RowSource& source = real.sources[at];
      row.body1 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.first));
      row.body2 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.second));
      const BodyFacts &f = bodies.facts[row.body1], &g = bodies.facts[row.body2];
      const ManifoldKey& key = manifolds[c.manifold].key;
      const PairMaterial& material = surfaces.between(f, key.subShape1, g, key.subShape2);
      row.count = 0;
      row.normal = toVec3(c.contact.normal);
      row.offset = surfaceOffset(f, g);
      row.friction = material.friction;
      row.rolling = material.rollingResistance;
      row.spinning = material.spinningResistance;
      row.slop = slopOf(row.body1, row.body2);
      row.resistingImpulse = {};
      row.tangentImpulse = {};
      row.twistImpulse = 0.0;
      source.manifold = c.manifold;
      source.restitution = material.restitution;
    }
    ManifoldRow& row = real.storage[at];
    const int i = row.count++;
    real.sources[at].contact[i] = k;
    const ContactSite site = siteAt(toVec3(c.contact.position), row.normal, c.contact.depth,
                                    bodies.position[row.body1], bodies.position[row.body2]);
    row.arm1[i] = site.arm1;
    row.arm2[i] = site.arm2;
    row.separation[i] = -c.contact.depth;
    row.bound[i] = c.contact.depth < 0.0 ? c.contact.depth / dt : 0.0;
    if (real.sources[at].restitution > 0.0) {
      const double u =
          normalVelocity(row, i, motion.startVelocity[row.body1], motion.startVelocity[row.body2]);
      if (u < -slowest && u < row.bound[i]) row.bound[i] = -real.sources[at].restitution * u;
    }
    row.normalImpulse[i] = c.normalImpulse * rescale;
    row.tangentImpulse += toVec3(c.tangentImpulse) * rescale;
  }
  real.rows = {real.storage.data(), count};
  real.ordinary = count;
  for (ManifoldRow& row : real.rows) {
    if (row.count < 2) continue;
    const RowSource& source = real.sources[static_cast<std::size_t>(&row - real.rows.data())];
    const Vec3 centre = centreOf(row.arm1, row.count);
    for (int i = 0; i < row.count; ++i) {
      const Vec3 t = toVec3(found[source.contact[i]].tangentImpulse) * rescale;
      row.twistImpulse += dot(row.normal, cross(row.arm1[i] - centre, t));
    }
  }
}

/// Rows for fast bodies at the place where they first hit, as far away as the way to it: they may
/// approach until they are there.
void WorldState::addFastRows(double dt) {
  contacts.clear();
  lateTime.clear();
  if (fastHits.empty()) return;
  addFastContacts();  // Nothing else is in the list.
  std::size_t count = real.rows.size();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const StepContact& c = contacts[k];
    const bool next = k > 0 && contacts[k - 1].row.manifold == c.row.manifold;
    if (!next) ++count;
    if (real.storage.size() < count) {
      real.storage.resize(2 * count);
      real.sources.resize(2 * count);
    }
    ManifoldRow& row = real.storage[count - 1];
    RowSource& source = real.sources[count - 1];
    if (!next) {
      row = ManifoldRow{};
      row.body1 = c.body1;
      row.body2 = c.body2;
      row.normal = c.row.normal;
      row.offset = c.row.offset;
      row.friction = c.material.friction;
      row.rolling = c.material.rollingResistance;
      row.spinning = c.material.spinningResistance;
      row.slop = slopOf(c.body1, c.body2);
      source.manifold = RowSource::kNoManifold;
      source.restitution = c.material.restitution;
    }
    const int i = row.count++;
    row.arm1[i] = c.row.arm1;
    row.arm2[i] = c.row.arm2;
    const double u =
        normalVelocity(row, i, motion.startVelocity[c.body1], motion.startVelocity[c.body2]);
    const double gap = maxOf(0.0, -c.depth - (u + 0.5 * c.pull * c.late) * c.late);
    row.separation[i] = gap;
    row.bound[i] = source.restitution > 0.0 ? -source.restitution * u : -gap / dt;
    source.contact[i] = static_cast<std::uint32_t>(k);
  }
  real.rows = {real.storage.data(), count};
  lateTime.clear();
}

void WorldState::orderRows() {
  markMovingBodies();
  real.links.resize(real.rows.size());
  for (std::size_t i = 0; i < real.rows.size(); ++i) {
    const ManifoldRow& row = real.rows[i];
    bool pushed = false;
    for (int k = 0; k < row.count; ++k) pushed = pushed || row.normalImpulse[k] > 0.0;
    // By number of points; those that did not push before are likely to go on so: together they can
    // be passed over.
    const std::uint32_t kind = 2 * static_cast<std::uint32_t>(row.count) + (pushed ? 0 : 1);
    const ObjectPair pair{bodies.ids[row.body1], bodies.ids[row.body2]};
    // Rows of a pair lie in the order of their keys, those of fast bodies after the others.
    real.links[i] = {row.body1,      row.body2, kind,
                     hashPair(pair), pair,      static_cast<std::uint32_t>(i)};
  }
  linkOrder.build(real.links, moves);
  for (std::uint32_t i = 0; i < real.rows.size(); ++i) {
    real.rows[i].colour = linkOrder.colourOf(i);
  }
}

/// Forces, then contacts that answer them.
void WorldState::solveRows(double dt) {
  const std::size_t n = bodies.size();
  const Vec3 gravity = toVec3(options.gravity);
  motion.impactedVelocity = motion.startVelocity;
  motion.endVelocity = motion.startVelocity;
  motion.freeSpin.resize(n);
  motion.newPosition.resize(n);
  motion.newOrientation.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.type != BodyType::Dynamic || bodies.rest[i].isAsleep()) continue;
    const Vec3 push = gravity * (f.mass * f.gravityScale) + bodies.force[i];
    motion.endVelocity[i].linear += scaled(bodies.mobility[i].inverseMass, push) * dt;
    motion.endVelocity[i].angular += (bodies.mobility[i].inverseInertia * bodies.torque[i]) * dt;
  }
  real.solver.solve({real.rows, linkOrder, bodies, motion.startVelocity, motion.endVelocity,
                     options.solver, gravity, dt, options.correctionShare, options.correctionSlop},
                    tasks, real.outcome);
  const RowOutcome& outcome = real.outcome;
  report.converged = report.converged && outcome.converged;
  report.sweeps += outcome.sweeps;
  report.newtonSteps += outcome.newtonSteps;
  report.worstError = maxOf(report.worstError, outcome.worstError);
  if (outcome.worst1 != RowOutcome::kNone) {
    report.worst1 = bodies.ids[outcome.worst1];
    report.worst2 = bodies.ids[outcome.worst2];
  }
  for (const BodyShift& s : outcome.shifts) {
    const BodyFacts& f = bodies.facts[s.body];
    books.correction -= f.mass * f.gravityScale * dot(gravity, s.shift.linear);
  }
}

/// Bodies that contacts push move with their new velocity, all others by the mean of old and new,
/// which is exact in free flight. All turn freely with their new angular velocity.
void WorldState::moveRows(double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 v = real.outcome.touched[i] != 0
                       ? motion.endVelocity[i].linear
                       : (motion.startVelocity[i].linear + motion.endVelocity[i].linear) * 0.5;
    motion.newPosition[i] = bodies.position[i];
    motion.newOrientation[i] = bodies.orientation[i];
    motion.freeSpin[i] = motion.endVelocity[i].angular;
    const BodyFacts& f = bodies.facts[i];
    if (bodies.rest[i].isAsleep()) continue;
    motion.newPosition[i] += v * dt;
    if (f.type == BodyType::Static) continue;
    const bool free = f.type == BodyType::Dynamic && (f.locks & kLockRotation) == 0;
    const LocalInertia none;
    rotateFreely(free ? f.inertia : none, dt, motion.newOrientation[i],
                 motion.endVelocity[i].angular);
  }
  arriveOnPaths(bodies, time + dt, motion.newPosition, motion.newOrientation);
}

void WorldState::applyShifts() {
  for (const BodyShift& s : real.outcome.shifts) {
    motion.newPosition[s.body] += s.shift.linear;
    const Quat turn = quatFromRotationVector(s.shift.angular);
    motion.newOrientation[s.body] = normalized(turn * motion.newOrientation[s.body]);
    motion.endVelocity[s.body].angular = toMatrix(turn) * motion.endVelocity[s.body].angular;
  }
}

}  // namespace abut
