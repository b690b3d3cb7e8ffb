// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "constraints/contact_site.hpp"
#include "dynamics/point_velocity.hpp"
#include "integration/paths.hpp"
#include "math/exact_sum.hpp"
#include "solver/pair_rank.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kNoRow = 0xffffffffu;  // Of a manifold without contacts.
/// Sweeps of the position correction.
constexpr int kCorrectionSweeps = 4;
/// Part of the slop by which contacts said to be solved may sink in a step: less cannot be told
/// from what the correction leaves open.
constexpr double kSinkOfSlop = 0.1;
/// The same where no overlap is left alone, in parts of what gravity moves in a step.
constexpr double kSinkOfFall = 1e-3;
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

/// Forces, then contacts that answer them, island by island.
void WorldState::solveRows(double dt) {
  const std::size_t n = bodies.size();
  const Vec3 gravity = toVec3(options.gravity);
  motion.impactedVelocity = motion.startVelocity;
  motion.endVelocity = motion.startVelocity;
  motion.freeSpin.resize(n);
  motion.newPosition.resize(n);
  motion.newOrientation.resize(n);
  real.touched.assign(n, 0);
  real.shifts.clear();
  real.correction.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.type != BodyType::Dynamic || bodies.rest[i].isAsleep()) continue;
    const Vec3 push = gravity * (f.mass * f.gravityScale) + bodies.force[i];
    motion.endVelocity[i].linear += scaled(bodies.mobility[i].inverseMass, push) * dt;
    motion.endVelocity[i].angular += (bodies.mobility[i].inverseInertia * bodies.torque[i]) * dt;
  }
  real.solver.setBodies(bodies.mobility, motion.endVelocity);
  const double fall = norm(gravity) * dt;
  for (const LinkOrder::Island& island : linkOrder.getIslands()) {
    const auto members = linkOrder.getBodies().subspan(island.firstBody, island.numBodies);
    const auto order = linkOrder.getLinks().subspan(island.firstLink, island.numLinks);
    real.solver.begin(real.rows, order);
    const SolverReport r =
        real.islands.solve({real.rows, order, members, bodies.mobility, motion.endVelocity},
                           {options.solver, isInMotion(members, dt), fall}, real.solver);
    report.converged = report.converged && r.converged;
    report.sweeps += r.sweeps;
    report.newtonSteps += r.newtonSteps;
    real.solver.store(real.rows);
    noteRows(r, order);
    limitEnergy(island);
    for (const std::uint32_t b : members) motion.endVelocity[b] = real.solver.velocityOf(b);
    correctRows(members, dt);
  }
  books.correction += real.correction.value();
}

/// Which bodies are pushed, and where the error is. The error of sweeps is one number for the
/// island; to name a place, the contact is taken whose normal velocity is farthest from what its
/// impulse calls for.
void WorldState::noteRows(const SolverReport& of, std::span<const std::uint32_t> order) {
  const bool isWorst = !of.converged && of.error > report.worstError;
  double worst = 0.0;
  std::uint32_t body1 = real.rows[order[0]].body1, body2 = real.rows[order[0]].body2;
  for (const std::uint32_t k : order) {
    const ManifoldRow& row = real.rows[k];
    bool pushes = false;
    for (int i = 0; i < row.count; ++i) pushes = pushes || row.normalImpulse[i] > 0.0;
    if (pushes) real.touched[row.body1] = real.touched[row.body2] = 1;
    if (!isWorst) continue;
    const BodyVelocity v1 = real.solver.velocityOf(row.body1);
    const BodyVelocity v2 = real.solver.velocityOf(row.body2);
    for (int i = 0; i < row.count; ++i) {
      const double beyond = normalVelocity(row, i, v1, v2) - row.bound[i];
      const double miss = row.normalImpulse[i] > 0.0 ? absOf(beyond) : maxOf(0.0, -beyond);
      if (!(miss > worst)) continue;
      worst = miss;
      body1 = row.body1;
      body2 = row.body2;
    }
  }
  if (isWorst) noteError(of, body1, body2);
  report.worstError = maxOf(report.worstError, of.error);
}

/// Whether the bodies move faster, in the mean, than half a step of gravity makes them. What rests
/// must be solved well to go on resting; in a heap in motion half the sweeps do.
bool WorldState::isInMotion(std::span<const std::uint32_t> members, double dt) const {
  constexpr double kSteps = 0.5;
  const double limit = kSteps * kSteps * squaredNorm(toVec3(options.gravity)) * (dt * dt);
  ExactSum mass, energy;
  for (const std::uint32_t b : members) {
    mass.add(bodies.facts[b].mass);
    energy.add(bodies.facts[b].mass * squaredNorm(motion.startVelocity[b].linear));
  }
  return energy.value() > limit * mass.value();
}

/// Takes a share of the overlap out by displacement; velocities do not change.
void WorldState::correctRows(std::span<const std::uint32_t> members, double dt) {
  const bool deep = real.solver.project(dt, options.correctionShare, kCorrectionSweeps, members);
  const double sink = maxOf(kSinkOfSlop * options.correctionSlop,
                            kSinkOfFall * norm(toVec3(options.gravity)) * (dt * dt));
  if (real.solver.approachLeft() * dt > sink) report.converged = false;
  if (!deep) return;
  const Vec3 gravity = toVec3(options.gravity);
  for (const std::uint32_t b : members) {
    const BodyVelocity shift = real.solver.displacementOf(b);
    real.shifts.push_back({b, shift});
    const BodyFacts& f = bodies.facts[b];
    real.correction.add(-(f.mass * f.gravityScale * dot(gravity, shift.linear)));
  }
}

/// With positions moved by the new velocities v', contact impulses p change the energy by
///   p u' - |v' - v|^2 / 2
/// over the bodies they touch, which is never positive where p solves the problem. What sweeps
/// leave unsolved may make it so; then all impulses of the island are reduced by the share that
/// brings it to zero, so that no energy is made.
void WorldState::limitEnergy(const LinkOrder::Island& island) {
  const auto members = linkOrder.getBodies().subspan(island.firstBody, island.numBodies);
  ExactSum changedSum, answeredSum, bothSum;  // |v' - v|^2, |d|^2, (v' - v) d.
  for (const std::uint32_t b : members) {
    if (real.touched[b] == 0) continue;
    const BodyVelocity now = real.solver.velocityOf(b);
    const Vec3 dv = now.linear - motion.startVelocity[b].linear,
               dw = now.angular - motion.startVelocity[b].angular;
    const Vec3 cv = now.linear - motion.endVelocity[b].linear,
               cw = now.angular - motion.endVelocity[b].angular;
    const double m = bodies.facts[b].mass;
    const Mat3 inertia = bodies.inertiaOf(b);
    const Vec3 lw = inertia * dw;
    changedSum.add(m * squaredNorm(dv) + dot(dw, lw));
    answeredSum.add(m * squaredNorm(cv) + dot(cw, inertia * cw));
    bothSum.add(m * dot(dv, cv) + dot(cw, lw));
  }
  const double power = real.solver.work();
  const double gain = power - 0.5 * changedSum.value();
  if (!(gain > 0.0)) return;
  const double answered = answeredSum.value(), both = bothSum.value();
  // (1 - s) (power - s answered) - |v' - v - s d|^2 / 2 = 0 for the smallest s.
  const double slope = (power + answered) - both;
  const double inside = slope * slope - 2.0 * answered * gain;
  const double root = std::sqrt(inside > 0.0 ? inside : 0.0);
  double share = slope + root > 0.0 ? 2.0 * gain / (slope + root) : 1.0;
  constexpr double kBeyondRounding = 1.0 + 1e-9;
  share = minOf(1.0, share * kBeyondRounding);
  real.solver.shrink(1.0 - share);
  real.solver.store(real.rows);
  for (const std::uint32_t b : members) {
    const BodyVelocity now = real.solver.velocityOf(b);
    real.solver.setVelocity(b,
                            {now.linear + (motion.endVelocity[b].linear - now.linear) * share,
                             now.angular + (motion.endVelocity[b].angular - now.angular) * share});
  }
}

/// Bodies that contacts push move with their new velocity, all others by the mean of old and new,
/// which is exact in free flight. All turn freely with their new angular velocity.
void WorldState::moveRows(double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 v = real.touched[i] != 0
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
  for (const BodyShift& s : real.shifts) {
    motion.newPosition[s.body] += s.shift.linear;
    const Quat turn = quatFromRotationVector(s.shift.angular);
    motion.newOrientation[s.body] = normalized(turn * motion.newOrientation[s.body]);
    motion.endVelocity[s.body].angular = toMatrix(turn) * motion.endVelocity[s.body].angular;
  }
}

}  // namespace abut
