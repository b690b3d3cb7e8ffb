// SPDX-License-Identifier: MIT
#include "scheme/jointed/jointed_solver.hpp"

#include <abut/math/convert.hpp>

#include "constraints/contact_site.hpp"
#include "dynamics/crushing.hpp"
#include "dynamics/point_velocity.hpp"
#include "joints/joint_stage.hpp"
#include "scheme/step_contact.hpp"
#include "solver/pair_rank.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {
namespace {

/// Approach slower than this many times what gravity adds in a step does not bounce.
constexpr double kBounceOfFall = 2.0;

/// What a contact did: its impulse on the velocity that it does its work on.
Exchange exchangeOf(const StepContact& c, const Vec3& p, const Vec3& u, const Vec3& couple,
                    const Vec3& turning) {
  Exchange e;
  e.body1 = c.body1;
  e.body2 = c.body2;
  e.impulse = inWorld(c.row, p);
  const Vec3 moment = inWorld(c.row, couple);
  e.moment1 = cross(c.row.arm1, e.impulse) + moment;
  e.moment2 = cross(c.row.arm2, e.impulse) + moment;
  e.normalWork = p.x * u.x;
  e.frictionWork = (p.y * u.y + p.z * u.z) + dot(couple, turning);
  return e;
}

constexpr std::uint32_t kNoBody = 0xffffffffu;

/// What a side of a joint gives it, its moment about the body's centre.
struct JointGift {
  std::uint32_t body = kNoBody;  ///< None: the side is the world.
  Vec3 impulse, moment;
};
JointGift giftOf(const StepInput& in, const JointRecord& record, const JointOutcome& o,
                 bool isFirst) {
  const JointDescription& d = record.description;
  const ObjectId id = isFirst ? d.body1 : d.body2;
  if (id == kNoObject) return {};
  const auto b = static_cast<std::uint32_t>(in.bodies.indexOf(id));
  const Vec3 given = isFirst ? o.impulse : -o.impulse;
  const Vec3 origin =
      apply(in.bodies.poseOf(b), isFirst ? d.frame1.translation : d.frame2.translation);
  const Vec3 moment = isFirst ? o.moment : -o.moment;
  return {b, given, moment + cross(origin - in.bodies.position[b], given)};
}

}  // namespace

struct JointedSolver::Work {
  JointStage stage;
  std::vector<StepContact> contacts;  ///< Those of the stage, in its order.
  std::vector<Link> links;
  StableOrder<StepContact> sorter;

  void findIslands(const StepProblem& problem, StepMotion& motion);
  void addContacts(const StepProblem& problem, const StepMotion& motion);
  void give(const StepInput& in, const StepMotion& motion);
  void bookJoint(const StepInput& in, const JointRecord& record, std::size_t joint,
                 StepBooks& books) const;
  void bookBodies(const StepInput& in, const StepMotion& motion, StepBooks& books) const;
  void leaveStalled(const StepInput& in, const StepMotion& motion, StepBooks& books,
                    std::vector<BodyVelocity>& start, std::vector<BodyVelocity>& mean) const;
};

JointedSolver::JointedSolver() : work_(std::make_unique<Work>()) {}
JointedSolver::~JointedSolver() = default;
JointedSolver::JointedSolver(JointedSolver&&) noexcept = default;
JointedSolver& JointedSolver::operator=(JointedSolver&&) noexcept = default;

void JointedSolver::build(const StepProblem& problem, const JointTable& joints,
                          StepMotion& motion) {
  Work& w = *work_;
  w.contacts.clear();
  motion.jointed.clear();
  motion.jointedBodies.clear();
  motion.jointedEnds.clear();
  motion.jointedLinked = 0;
  w.stage.begin(joints, problem.in.bodies);
  if (!w.stage.isActive()) return;
  w.findIslands(problem, motion);
  w.addContacts(problem, motion);
  w.give(problem.in, motion);
}

/// By the pairs that have contacts, and by joints.
void JointedSolver::Work::findIslands(const StepProblem& problem, StepMotion& motion) {
  const BodyTable& bodies = problem.in.bodies;
  links.clear();
  const auto add = [&](std::uint32_t b1, std::uint32_t b2) {
    const ObjectPair pair{bodies.ids[b1], bodies.ids[b2]};
    links.push_back({b1, b2, 0, rankOf(bodies.marks[b1], bodies.marks[b2]), pair,
                     static_cast<std::uint32_t>(links.size())});
  };
  const auto found = problem.cache.getContacts();
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k > 0 && found[k - 1].pair == found[k].pair) continue;
    add(static_cast<std::uint32_t>(bodies.indexOf(found[k].pair.first)),
        static_cast<std::uint32_t>(bodies.indexOf(found[k].pair.second)));
  }
  for (const FastHit& h : problem.found.fastHits) add(h.body1, h.body2);
  stage.findIslands(links, bodies);
  motion.jointed.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) motion.jointed[i] = stage.moves(i) ? 1 : 0;
  motion.jointedLinked = stage.numLinked();
  for (std::size_t i = 0; i < stage.numIslands(); ++i) {
    const auto members = stage.membersOf(i);
    motion.jointedBodies.insert(motion.jointedBodies.end(), members.begin(), members.end());
    motion.jointedEnds.push_back(static_cast<std::uint32_t>(motion.jointedBodies.size()));
  }
}

/// Contacts of the cache and at the first hits of fast bodies, as the exact scheme has them.
void JointedSolver::Work::addContacts(const StepProblem& problem, const StepMotion& motion) {
  const StepInput& in = problem.in;
  const BodyTable& bodies = in.bodies;
  const auto manifolds = problem.cache.getManifolds();
  SurfacePairs surfaces(in.materials);
  std::uint32_t index = 0;
  for (const PersistentContact& c : problem.cache.getContacts()) {
    StepContact contact;
    contact.body1 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.first));
    contact.body2 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.second));
    contact.cacheIndex = index++;
    if (!motion.isJointed(contact.body1) && !motion.isJointed(contact.body2)) continue;
    const BodyFacts &f = bodies.facts[contact.body1], &g = bodies.facts[contact.body2];
    const ManifoldKey& key = manifolds[c.manifold].key;
    contact.material = surfaces.between(f, key.subShape1, g, key.subShape2);
    contact.depth = c.contact.depth;
    const ContactSite site = siteAt(toVec3(c.contact.position), toVec3(c.contact.normal),
                                    in.speculative ? c.contact.depth : 0.0,
                                    bodies.position[contact.body1], bodies.position[contact.body2]);
    contact.row = toSolverContact(site, contact.body1, contact.body2, c.manifold,
                                  surfaceOffset(f, g), contact.material);
    const Vec3 tangent = toVec3(c.tangentImpulse);
    contact.impulse = Vec3{c.normalImpulse, dot(contact.row.tangent1, tangent),
                           dot(contact.row.tangent2, tangent)} *
                      in.rescale();
    contact.pull = normalAcceleration(in, contact);
    contacts.push_back(contact);
  }
  addFastContacts(problem, motion, true, sorter, contacts);
}

/// Hands them to the stage.
void JointedSolver::Work::give(const StepInput& in, const StepMotion& motion) {
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const StepContact& c = contacts[k];
    const std::vector<BodyVelocity>& v = motion.startVelocity;
    const double u = dot(c.row.normal, relativeVelocity(v[c.body1], c.row.arm1, v[c.body2],
                                                        c.row.arm2, c.row.offset));
    const double late = maxOf(0.0, -c.depth - (u + 0.5 * c.pull * c.late) * c.late);
    const double slop = in.slopOf(c.body1, c.body2);
    StageContact s;
    s.body1 = c.body1;
    s.body2 = c.body2;
    s.arm1 = c.row.arm1;
    s.arm2 = c.row.arm2;
    s.row.normal = c.row.normal;
    s.row.tangent1 = c.row.tangent1;
    s.row.tangent2 = c.row.tangent2;
    s.row.offset = c.row.offset;
    s.row.friction = c.row.friction;
    s.row.restitution = c.material.restitution;
    s.row.spinning = c.material.spinningResistance;
    s.row.rolling = c.material.rollingResistance;
    s.row.gap = c.late > 0.0 ? late : -c.depth;
    if (c.depth > slop) s.row.correction = in.correctionShare * (c.depth - slop);
    s.row.isCrushed =
        isCrushed(in.bodies.facts[c.body1], in.bodies.facts[c.body2], c.depth, in.correctionSlop);
    s.row.impulse = c.impulse;
    stage.contacts.push_back(s);
  }
}

void JointedSolver::solve(const StepProblem& problem, bool isExact, const JointTable& joints,
                          StepMotion& motion, StepReport& report) {
  Work& w = *work_;
  if (!w.stage.isActive()) return;
  StageSetting setting;
  setting.dt = problem.in.dt;
  setting.gravity = problem.in.gravity;
  setting.isExact = isExact;
  setting.slowestImpact = kBounceOfFall * problem.in.fall();
  setting.solver = problem.solver;
  setting.tasks = problem.in.tasks;
  const StageReport r = w.stage.solve(setting, joints, problem.in.bodies, motion);
  for (std::size_t k = 0; k < w.contacts.size(); ++k) {
    w.contacts[k].impulse = w.stage.contacts[k].row.impulse;
    w.contacts[k].impact = w.stage.contacts[k].row.impact;
    w.contacts[k].couple = w.stage.contacts[k].row.couple;
    w.contacts[k].impactCouple = w.stage.contacts[k].row.impactCouple;
  }
  report.converged = report.converged && r.converged;
  report.sweeps += r.sweeps;
  report.newtonSteps += r.newtonSteps;
  if (!(r.worstError > report.worstError)) return;
  report.worstError = r.worstError;
  report.worst1 = problem.in.bodies.ids[w.contacts[r.worstContact].body1];
  report.worst2 = problem.in.bodies.ids[w.contacts[r.worstContact].body2];
}

void JointedSolver::react(const StepInput& in, const JointTable& joints,
                          LimitedDrivers& drivers) const {
  const Work& w = *work_;
  for (const StepContact& c : w.contacts) {
    const Vec3 p = inWorld(c.row, c.impulse + c.impact);
    const Vec3 couple = inWorld(c.row, c.couple + c.impactCouple);
    drivers.addReaction(c.body1, p, cross(c.row.arm1, p) + couple);
    drivers.addReaction(c.body2, -p, -(cross(c.row.arm2, p) + couple));
  }
  for (std::size_t j = 0; j < joints.joints.size(); ++j) {
    if (!w.stage.tookPart(j)) continue;
    for (const bool isFirst : {true, false}) {
      const JointGift given = giftOf(in, joints.joints[j], w.stage.resultOf(j).outcome, isFirst);
      if (given.body != kNoBody) drivers.addReaction(given.body, -given.impulse, -given.moment);
    }
  }
}

/// Energy that a joint stores, the work of its parts, and that of bodies that drive others by it.
void JointedSolver::Work::bookJoint(const StepInput& in, const JointRecord& record,
                                    std::size_t joint, StepBooks& books) const {
  MechanismJoint known;
  known.model = &record.model;
  known.axes = &record.description.axes;
  known.memory = record.memory;
  const JointEnergy before = energyOf(known);
  books.elasticBefore += before.springs;
  if (!stage.tookPart(joint)) {
    books.elasticAfter += before.springs;
    return;
  }
  const MechanismJoint& result = stage.resultOf(joint);
  const JointEnergy after = energyOf(result);
  const JointOutcome& o = result.outcome;
  books.kineticBefore += before.armatures;
  books.kineticAfter += after.armatures;
  books.elasticAfter += after.springs;
  books.motors += o.work.motors;
  books.dampers += o.work.dampers;
  books.limits += o.work.limits;
  books.jointFriction += o.work.friction;
  books.joints += o.held;
  // What springs and armatures did and what they store differ by rounding.
  books.integrator += o.work.springs;
  books.integrator += after.springs;
  books.integrator -= before.springs;
  books.integrator += o.armature;
  for (const bool isFirst : {true, false}) {
    const JointGift given = giftOf(in, record, o, isFirst);
    if (given.body == kNoBody || in.bodies.facts[given.body].type != BodyType::Kinematic) continue;
    // A drive that stalls is booked by what it was supplied with; the work is that of the other.
    const double work = stage.moves(given.body) ? 0.0 : o.drivers;
    books.drive(given.body, work, given.impulse, given.moment);
  }
}

void JointedSolver::Work::bookBodies(const StepInput& in, const StepMotion& motion,
                                     StepBooks& books) const {
  const BodyTable& bodies = in.bodies;
  for (const std::uint32_t i : motion.jointedBodies) {
    if (!books.bodyBefore(bodies, i, in.gravity, motion.startVelocity[i])) continue;
    const JointedMotion& m = stage.motionOf(i);
    const BodyFacts& f = bodies.facts[i];
    books.bodyOnWay(bodies, i, in.gravity, m.way + m.closing, m.turn, motion.newOrientation[i],
                    motion.endVelocity[i].angular, motion.newPosition[i]);
    books.integrator += m.excess;
    if (m.closing == Vec3{}) continue;
    books.correction -= f.mass * f.gravityScale * dot(in.gravity, m.closing);
    books.forces -= dot(bodies.force[i], m.closing);
  }
}

/// A drive that stalls was part of an island. What it did to all others follows from what its limit
/// did and what it kept: of each of them its contacts are booked as if it stood.
void JointedSolver::Work::leaveStalled(const StepInput& in, const StepMotion& motion,
                                       StepBooks& books, std::vector<BodyVelocity>& start,
                                       std::vector<BodyVelocity>& mean) const {
  for (const std::uint32_t i : motion.jointedBodies) {
    if (in.bodies.facts[i].type == BodyType::Dynamic) continue;
    if (start.empty()) {
      start = motion.startVelocity;
      mean.assign(stage.meanVelocities().begin(), stage.meanVelocities().end());
    }
    start[i] = mean[i] = {};
    books.drive(i, stage.motionOf(i).supplied, Vec3{}, Vec3{});
  }
}

void JointedSolver::book(const StepProblem& problem, const JointTable& joints,
                         const StepMotion& motion, StepBooks& books) {
  const Work& w = *work_;
  for (std::size_t j = 0; j < joints.joints.size(); ++j) {
    w.bookJoint(problem.in, joints.joints[j], j, books);
  }
  if (!w.stage.isActive()) return;
  w.bookBodies(problem.in, motion, books);
  for (std::size_t i = 0; i < w.stage.numIslands(); ++i) {
    books.correction += w.stage.springCorrection(i);
    books.integrator -= w.stage.springCorrection(i);
    books.impact -= w.stage.taken(i);
  }
  std::vector<BodyVelocity> started, meant;
  w.leaveStalled(problem.in, motion, books, started, meant);
  const std::span<const BodyVelocity> from = started.empty() ? motion.startVelocity : started;
  const std::span<const BodyVelocity> by = meant.empty() ? w.stage.meanVelocities() : meant;
  const Phase start{from, from};
  const Phase mean{by, by};
  for (std::size_t k = 0; k < w.contacts.size(); ++k) {
    const StepContact& c = w.contacts[k];
    const JointedContact& row = w.stage.contacts[k].row;
    if (c.impact != Vec3{} || c.impactCouple != Vec3{}) {
      books.exchange(
          problem.in.bodies, start,
          exchangeOf(c, c.impact, row.impactVelocity, c.impactCouple, row.impactTurning));
    }
    if (c.impulse != Vec3{} || c.couple != Vec3{}) {
      books.exchange(problem.in.bodies, mean,
                     exchangeOf(c, c.impulse, row.meanVelocity, c.couple, row.meanTurning));
    }
  }
}

void JointedSolver::correct(const StepProblem& problem, StepMotion& motion, StepBooks& books) {
  const StepInput& in = problem.in;
  for (const std::uint32_t i : motion.jointedBodies) {
    const JointedMotion& m = work_->stage.motionOf(i);
    if (m.correction == Vec3{} && m.correctionTurn == Vec3{}) continue;
    const Quat turn = quatFromRotationVector(m.correctionTurn);
    motion.newPosition[i] += m.correction;
    motion.newOrientation[i] = normalized(turn * motion.newOrientation[i]);
    motion.endVelocity[i].angular = toMatrix(turn) * motion.endVelocity[i].angular;
    const BodyFacts& f = in.bodies.facts[i];
    books.correction -= f.mass * f.gravityScale * dot(in.gravity, m.correction);
  }
}

void JointedSolver::commit(double dt, JointTable& joints, std::vector<JointShown>& shown,
                           std::vector<JointEvent>& events) {
  const JointStage& stage = work_->stage;
  if (!stage.isActive()) return;
  for (const std::uint32_t j : stage.activeJoints()) {
    JointRecord& record = joints.joints[j];
    const JointOutcome& o = stage.resultOf(j).outcome;
    record.memory = stage.resultOf(j).memory;
    record.isFresh = false;
    JointShown carried;
    carried.joint = record.description.id;
    carried.impulse = o.impulse;
    carried.moment = o.moment;
    carried.duration = dt;
    carried.work = o.work;
    for (std::size_t r = 0; r < kJointRows; ++r) {
      const JointRow& row = record.model.rows[r];
      if (isAxisKind(row.kind)) carried.drive[row.axis] = o.drive[r];
    }
    add(o.work, record.work);
    shown.push_back(carried);
  }
  for (std::size_t c = 0; c < joints.couplings.size(); ++c) {
    joints.couplings[c].force = stage.couplingForce(c);
  }
  for (const JointShown& carried : shown) {
    const JointDescription& d = joints.joints[joints.find(carried.joint)].description;
    const double force = norm(carried.impulse) / dt, torque = norm(carried.moment) / dt;
    if (!(force > d.breakForce) && !(torque > d.breakTorque)) continue;
    events.push_back({d.id, d.body1, d.body2, force, torque});
  }
  joints.removeBroken(events);
}

void JointedSolver::show(const StepMotion& motion, bool isExact, std::size_t numShown,
                         ContactManifoldCache& cache, ContactPublisher& publisher) {
  const Work& w = *work_;
  if (w.contacts.empty()) return;
  std::size_t more = 0;  // Of contacts that have no place among those shown.
  for (const StepContact& c : w.contacts) {
    if (isExact || c.cacheIndex == kNoCacheIndex) ++more;
  }
  publisher.extend(numShown + more);
  std::size_t next = numShown;
  for (std::size_t k = 0; k < w.contacts.size(); ++k) {
    const StepContact& c = w.contacts[k];
    const bool isCached = c.cacheIndex != kNoCacheIndex;
    const auto velocityIn = [&](const std::vector<BodyVelocity>& v) {
      return relativeVelocity(v[c.body1], c.row.arm1, v[c.body2], c.row.arm2, c.row.offset);
    };
    const Vec3 u = velocityIn(motion.endVelocity);
    ContactOutcome out;
    out.body1 = c.body1;
    out.body2 = c.body2;
    out.cacheIndex = c.cacheIndex;
    out.island = w.stage.islandOf(motion.isJointed(c.body1) ? c.body1 : c.body2);
    out.position =
        isCached ? toVec3(cache.getContacts()[c.cacheIndex].contact.position) : c.position;
    out.normal = c.row.normal;
    out.depth = c.depth;
    out.friction = c.row.friction;
    out.normalImpulse = c.impulse.x;
    out.frictionImpulse = c.row.tangent1 * c.impulse.y + c.row.tangent2 * c.impulse.z;
    out.impact = inWorld(c.row, c.impact);
    out.couple = inWorld(c.row, c.couple);
    out.normalImpact = c.impact.x;
    out.speed = dot(c.row.normal, velocityIn(motion.startVelocity));
    out.pull = c.pull;
    out.late = c.late;
    out.slip = u - c.row.normal * dot(c.row.normal, u);
    const bool hasPlace = isCached && !isExact;
    publisher.show(hasPlace ? c.cacheIndex : next, out);
    if (!hasPlace) ++next;
    if (!isCached) continue;
    // Impulses are finite and inside the cone, so this cannot be refused.
    (void)cache.setImpulse(c.cacheIndex, c.impulse.x, toEigen(out.frictionImpulse), c.row.friction);
  }
  publisher.noteDisorder();
}

}  // namespace abut::inline v0_1
