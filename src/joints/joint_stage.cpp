// SPDX-License-Identifier: MIT
#include "joints/joint_stage.hpp"

#include <algorithm>

#include "joints/cayley.hpp"
#include "math/rotation_vector.hpp"
#include "solver/pair_rank.hpp"

namespace abut::inline v0_1 {
namespace {

/// Turn of a body in one part of a step [rad]; see MechanismOptions::mostTurn.
constexpr double kExactTurn = 0.1, kRealTimeTurn = 0.5;
/// Islands are divided among at most so many.
constexpr std::size_t kMostWorkers = 16;
/// Islands of more contacts than these are moved one after the other, each by all threads.
constexpr std::size_t kSharedContacts = 100;

}  // namespace

std::uint32_t JointStage::rootOf(std::uint32_t body) {
  while (root_[body] != body) body = root_[body] = root_[root_[body]];
  return body;
}

/// The smaller is the root.
void JointStage::unite(std::uint32_t a, std::uint32_t b) {
  a = rootOf(a);
  b = rootOf(b);
  root_[std::max(a, b)] = std::min(a, b);
}

void JointStage::begin(const JointTable& table, const BodyTable& bodies) {
  joints_.clear();
  ends_.clear();
  islands_.clear();
  members_.clear();
  contacts.clear();
  num_linked_ = 0;
  if (table.joints.empty()) return;
  root_.assign(bodies.size(), kNone);
  taken_.assign(bodies.size(), 0);
  place_of_.joints.assign(table.joints.size(), Member{});
  active_of_.assign(table.joints.size(), kNone);
  const auto isHeld = [&](std::uint32_t b) {
    return b != kNone && bodies.facts[b].type == BodyType::Dynamic;
  };
  for (std::uint32_t j = 0; j < table.joints.size(); ++j) {
    const JointDescription& d = table.joints[j].description;
    std::array<std::uint32_t, 2> ends{kNone, kNone};
    if (d.body1 != kNoObject) ends[0] = static_cast<std::uint32_t>(bodies.indexOf(d.body1));
    if (d.body2 != kNoObject) ends[1] = static_cast<std::uint32_t>(bodies.indexOf(d.body2));
    if (!isHeld(ends[0]) && !isHeld(ends[1])) continue;  // A call took it from the last one.
    bool isAsleep = false;
    for (const std::uint32_t b : ends)
      isAsleep = isAsleep || (isHeld(b) && bodies.rest[b].isAsleep());
    if (isAsleep) continue;
    active_of_[j] = static_cast<std::uint32_t>(joints_.size());
    joints_.push_back(j);
    ends_.push_back(ends);
    for (const std::uint32_t b : ends) {
      if (isHeld(b) && root_[b] == kNone) root_[b] = b;
    }
    if (isHeld(ends[0]) && isHeld(ends[1])) unite(ends[0], ends[1]);
  }
  // Coupled mechanisms are one.
  for (const CouplingRecord& c : table.couplings) {
    const std::uint32_t j1 = active_of_[table.find(c.description.joint1)];
    const std::uint32_t j2 = active_of_[table.find(c.description.joint2)];
    if (j1 != kNone && j2 != kNone) unite(heldBy(j1, bodies), heldBy(j2, bodies));
  }
  for (std::uint32_t b = 0; b < root_.size(); ++b) {
    if (root_[b] != kNone) root_[b] = rootOf(b);
  }
}

/// A dynamic body of a joint.
std::uint32_t JointStage::heldBy(std::uint32_t active, const BodyTable& bodies) const {
  const std::uint32_t first = ends_[active][0];
  const bool isFirst = first != kNone && bodies.facts[first].type == BodyType::Dynamic;
  return isFirst ? first : ends_[active][1];
}

void JointStage::findIslands(std::span<const Link> contactLinks, const BodyTable& bodies) {
  if (!isActive()) return;
  graph_.links.assign(contactLinks.begin(), contactLinks.end());
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (a == kNone || b == kNone || a == b) return;
    const ObjectPair pair = ObjectPair::of(bodies.ids[a], bodies.ids[b]);
    const auto part = static_cast<std::uint32_t>(graph_.links.size());
    const std::uint32_t low = std::min(a, b), high = std::max(a, b);
    graph_.links.push_back(
        {low, high, 0, rankOf(bodies.marks[low], bodies.marks[high]), pair, part});
  };
  for (const std::array<std::uint32_t, 2>& ends : ends_) add(ends[0], ends[1]);
  for (std::uint32_t b = 0; b < root_.size(); ++b) {
    if (root_[b] != kNone) add(root_[b], b);
  }
  graph_.isDynamic.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    graph_.isDynamic[i] = bodies.facts[i].type == BodyType::Dynamic ? 1 : 0;
  }
  graph_.order.build(graph_.links, graph_.isDynamic);
  for (const LinkOrder::Island& island : graph_.order.getIslands()) {
    takeIsland(graph_.order.getBodies().subspan(island.firstBody, island.numBodies));
  }
  num_linked_ = islands_.size();
  // What no link joins to others: single bodies on joints to the world.
  for (std::uint32_t b = 0; b < root_.size(); ++b) {
    if (root_[b] != kNone && taken_[b] == 0) takeIsland({&b, 1});
  }
  island_of_.assign(bodies.size(), kNone);
  for (std::uint32_t i = 0; i < islands_.size(); ++i) {
    for (const std::uint32_t b : membersOf(i)) island_of_[b] = i;
  }
}

/// An island of which joints hold a body.
void JointStage::takeIsland(std::span<const std::uint32_t> members) {
  bool any = false;
  for (const std::uint32_t b : members) any = any || root_[b] != kNone;
  if (!any) return;
  IslandRange range;
  range.firstBody = static_cast<std::uint32_t>(members_.size());
  range.numBodies = static_cast<std::uint32_t>(members.size());
  islands_.push_back(range);
  members_.insert(members_.end(), members.begin(), members.end());
  for (const std::uint32_t b : members) taken_[b] = 1;
}

std::uint32_t JointStage::islandOf(const StageContact& c) const {
  return island_of_[c.body1] != kNone ? island_of_[c.body1] : island_of_[c.body2];
}

/// By island, as they were given.
void JointStage::sortContacts() {
  for (IslandRange& range : islands_) range.numContacts = 0;
  for (const StageContact& c : contacts) ++islands_[islandOf(c)].numContacts;
  std::uint32_t count = 0;
  for (IslandRange& range : islands_) {
    range.firstContact = count;
    count += range.numContacts;
    range.numContacts = 0;
  }
  contacts_of_island_.resize(count);
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    IslandRange& range = islands_[islandOf(contacts[k])];
    contacts_of_island_[range.firstContact + range.numContacts++] = k;
  }
}

StageReport JointStage::solve(const StageSetting& setting, const JointTable& table,
                              const BodyTable& bodies, StepMotion& motion) {
  report_ = {};
  if (!isActive()) return report_;
  motions_.assign(bodies.size(), JointedMotion{});
  means_ = motion.startVelocity;
  place_of_.bodies.assign(bodies.size(), Member{});
  results_.resize(table.joints.size());
  coupling_forces_.assign(table.couplings.size(), 0.0);
  place_of_.couplings.assign(table.couplings.size(), Member{});
  sortContacts();
  sortJoints(table, bodies);
  mechanism_of_root_.resize(bodies.size(), kNone);
  results_of_.assign(islands_.size(), IslandResult{});
  const std::size_t grain = (islands_.size() + kMostWorkers - 1) / kMostWorkers;
  if (workers_.empty()) workers_.resize(kMostWorkers);
  const auto isLarge = [&](std::size_t i) {
    return !setting.isExact && islands_[i].numContacts > kSharedContacts;
  };
  forChunks(setting.tasks, islands_.size(), grain, [&](std::size_t begin, std::size_t end) {
    Worker& worker = workers_[begin / grain];
    Crew alone;
    for (std::size_t i = begin; i < end; ++i) {
      if (!isLarge(i)) solveIsland(i, setting, table, bodies, worker, alone, motion);
    }
  });
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    if (!isLarge(i)) continue;
    Crew::run(setting.tasks, [&](Crew& crew) {
      solveIsland(i, setting, table, bodies, workers_[0], crew, motion);
    });
  }
  sumUp();
  return report_;
}

/// In the order of the islands.
void JointStage::sumUp() {
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    const IslandReport& r = results_of_[i].report;
    report_.newtonSteps += r.newtonSteps;
    report_.sweeps += r.sweeps;
    report_.converged = report_.converged && r.converged;
    if (!(r.error > report_.worstError) || islands_[i].numContacts == 0) continue;
    report_.worstError = r.error;
    report_.worstContact = contacts_of_island_[islands_[i].firstContact + r.worstContact];
  }
}

/// Joints and couplings of each island.
void JointStage::sortJoints(const JointTable& table, const BodyTable& bodies) {
  for (IslandRange& range : islands_) range.numJoints = range.numCouplings = 0;
  const auto islandOfJoint = [&](std::uint32_t active) -> IslandRange& {
    return islands_[island_of_[heldBy(active, bodies)]];
  };
  const auto activeJoint = [&](const CouplingRecord& c) {
    const std::uint32_t j1 = active_of_[table.find(c.description.joint1)];
    return active_of_[table.find(c.description.joint2)] == kNone ? kNone : j1;
  };
  for (std::uint32_t k = 0; k < joints_.size(); ++k) ++islandOfJoint(k).numJoints;
  for (const CouplingRecord& c : table.couplings) {
    if (activeJoint(c) != kNone) ++islandOfJoint(activeJoint(c)).numCouplings;
  }
  std::uint32_t joints = 0, couplings = 0;
  for (IslandRange& range : islands_) {
    range.firstJoint = joints;
    range.firstCoupling = couplings;
    joints += range.numJoints;
    couplings += range.numCouplings;
    range.numJoints = range.numCouplings = 0;
  }
  of_island_.resize(joints);
  couplings_of_island_.resize(couplings);
  for (std::uint32_t k = 0; k < joints_.size(); ++k) {
    IslandRange& range = islandOfJoint(k);
    of_island_[range.firstJoint + range.numJoints++] = k;
  }
  for (std::uint32_t c = 0; c < table.couplings.size(); ++c) {
    const std::uint32_t active = activeJoint(table.couplings[c]);
    if (active == kNone) continue;
    IslandRange& range = islandOfJoint(active);
    couplings_of_island_[range.firstCoupling + range.numCouplings++] = c;
  }
}

std::uint32_t JointStage::addBody(Mechanism& m, std::uint32_t b, const StageSetting& setting,
                                  const BodyTable& bodies, const StepMotion& motion) {
  const BodyFacts& f = bodies.facts[b];
  MechanismBody body;
  body.isMobile = f.type == BodyType::Dynamic;
  body.locks = f.locks;
  body.position = bodies.position[b];
  body.orientation = bodies.orientation[b];
  body.velocity = motion.startVelocity[b].linear;
  body.spin = motion.startVelocity[b].angular;
  if (body.isMobile) {
    body.mass = f.mass;
    body.inertia = f.inertia.tensor;
    body.force = setting.gravity * (f.mass * f.gravityScale) + bodies.force[b];
    body.torque = bodies.torque[b];
    if (f.drive->isLimited && f.locks != 0) {
      body.carried = lockedPart(f.locks, toVec6(body.velocity, body.spin));
    }
  } else {
    body.nextPosition = motion.newPosition[b];
    body.nextOrientation = motion.newOrientation[b];
    const BodyVelocity& last = f.drive->wasSet ? f.drive->before : bodies.velocity[b];
    body.lastVelocity = last.linear;
    body.lastSpin = last.angular;
  }
  m.bodies.push_back(body);
  return static_cast<std::uint32_t>(m.bodies.size() - 1);
}

/// The mechanisms of an island: each by its smallest body, bodies ascending.
void JointStage::gather(const IslandRange& range, const StageSetting& setting,
                        const JointTable& table, const BodyTable& bodies, const StepMotion& motion,
                        JointedIsland& island) {
  const std::span<const std::uint32_t> members{members_.data() + range.firstBody, range.numBodies};
  std::uint32_t count = 0;
  for (const std::uint32_t b : members) {
    const std::uint32_t root = root_[b] == kNone ? b : root_[b];
    mechanism_of_root_[root] = kNone;
  }
  for (const std::uint32_t b : members) {
    const std::uint32_t root = root_[b] == kNone ? b : root_[b];
    if (mechanism_of_root_[root] == kNone) mechanism_of_root_[root] = count++;
    place_of_.bodies[b].mechanism = mechanism_of_root_[root];
  }
  island.begin(count);
  for (const std::uint32_t b : members) {
    place_of_.bodies[b].body =
        addBody(island.mechanism(place_of_.bodies[b].mechanism), b, setting, bodies, motion);
  }
  for (std::uint32_t k = 0; k < range.numJoints; ++k) {
    addJoint(of_island_[range.firstJoint + k], setting, table, bodies, motion, island);
  }
  for (std::uint32_t k = 0; k < range.numCouplings; ++k) {
    addCoupling(couplings_of_island_[range.firstCoupling + k], table, island);
  }
}

void JointStage::addJoint(std::uint32_t active, const StageSetting& setting,
                          const JointTable& table, const BodyTable& bodies,
                          const StepMotion& motion, JointedIsland& island) {
  const std::uint32_t index = joints_[active];
  const JointRecord& record = table.joints[index];
  const std::uint32_t mechanism = place_of_.bodies[heldBy(active, bodies)].mechanism;
  Mechanism& m = island.mechanism(mechanism);
  MechanismJoint joint;
  joint.model = &record.model;
  joint.axes = &record.description.axes;
  joint.memory = record.memory;
  const auto placeOf = [&](std::uint32_t b) {
    if (b == kNone) return kWorldBody;
    const bool isDynamic = bodies.facts[b].type == BodyType::Dynamic;
    return isDynamic ? place_of_.bodies[b].body : addBody(m, b, setting, bodies, motion);
  };
  joint.body1 = placeOf(ends_[active][0]);
  joint.body2 = placeOf(ends_[active][1]);
  place_of_.joints[index] = {mechanism, static_cast<std::uint32_t>(m.joints.size())};
  m.joints.push_back(joint);
}

void JointStage::addCoupling(std::uint32_t c, const JointTable& table, JointedIsland& island) {
  const CouplingDescription& d = table.couplings[c].description;
  const std::size_t j1 = table.find(d.joint1), j2 = table.find(d.joint2);
  Mechanism& m = island.mechanism(place_of_.joints[j1].mechanism);
  MechanismCoupling coupling;
  coupling.joint1 = place_of_.joints[j1].body;
  coupling.joint2 = place_of_.joints[j2].body;
  coupling.row1 = table.joints[j1].model.rowOfAxis(d.axis1);
  coupling.row2 = table.joints[j2].model.rowOfAxis(d.axis2);
  coupling.ratio = d.ratio;
  coupling.offset = d.offset;
  coupling.force = table.couplings[c].force;
  place_of_.couplings[c] = {place_of_.joints[j1].mechanism,
                            static_cast<std::uint32_t>(m.couplings.size())};
  m.couplings.push_back(coupling);
}

void JointStage::addContacts(const IslandRange& range, const BodyTable& bodies,
                             const StepMotion& motion, JointedIsland& island) {
  for (std::uint32_t k = 0; k < range.numContacts; ++k) {
    StageContact& c = contacts[contacts_of_island_[range.firstContact + k]];
    const auto side = [&](std::uint32_t b, const Vec3& arm) {
      JointedContact::Side s;
      s.arm = arm;
      if (bodies.facts[b].type == BodyType::Dynamic) {
        s.mechanism = place_of_.bodies[b].mechanism;
        s.body = place_of_.bodies[b].body;
      } else {
        s.given = motion.startVelocity[b];
      }
      return s;
    };
    c.row.side1 = side(c.body1, c.arm1);
    c.row.side2 = side(c.body2, c.arm2);
    island.contacts.push_back(c.row);
  }
}

void JointStage::solveIsland(std::size_t number, const StageSetting& setting,
                             const JointTable& table, const BodyTable& bodies, Worker& worker,
                             Crew& crew, StepMotion& motion) {
  JointedIsland& island = worker.island;
  const IslandRange range = islands_[number];
  gather(range, setting, table, bodies, motion, island);
  addContacts(range, bodies, motion, island);
  IslandSetting own;
  own.dt = setting.dt;
  own.share = setting.isExact ? 0.5 : 1.0;
  own.mostTurn = setting.isExact ? kExactTurn : kRealTimeTurn;
  own.isFourthOrder = setting.isExact;
  own.slowestImpact = setting.slowestImpact;
  own.solver = setting.solver;
  for (std::uint32_t k = 0; k < range.numJoints; ++k) {
    const std::uint32_t active = of_island_[range.firstJoint + k];
    own.isFresh = own.isFresh || table.joints[joints_[active]].isFresh;
    // With contacts, what drivers change at once is a blow.
    for (const std::uint32_t b : ends_[active]) {
      const bool isSet = b != kNone && bodies.facts[b].drive->wasSet;
      own.isFresh = own.isFresh || (isSet && range.numContacts > 0);
    }
  }
  for (std::size_t m = 0; m < island.numMechanisms() && own.isFresh; ++m) {
    readPositions(island.mechanism(m));
  }
  IslandResult& result = results_of_[number];
  result.report = island.run(own, worker.solver, crew);
  result.springCorrection = island.springCorrection();
  result.taken = island.taken();
  for (std::uint32_t k = 0; k < range.numContacts; ++k) {
    contacts[contacts_of_island_[range.firstContact + k]].row = island.contacts[k];
  }
  store(range, setting, bodies, island, motion);
}

/// What came out, for the table's bodies and joints.
void JointStage::store(const IslandRange& range, const StageSetting& setting,
                       const BodyTable& bodies, JointedIsland& island, StepMotion& motion) {
  for (std::uint32_t i = 0; i < range.numBodies; ++i) {
    const std::uint32_t b = members_[range.firstBody + i];
    const Member at = place_of_.bodies[b];
    const MechanismBody& corrected = island.mechanism(at.mechanism).bodies[at.body];
    const MechanismBody& end = island.endOf(at.mechanism, at.body);
    const MechanismBody& start = island.startOf(at.mechanism, at.body);
    motion.newPosition[b] = end.position;
    motion.newOrientation[b] = end.orientation;
    motion.endVelocity[b] = {end.velocity, end.spin};
    motion.freeSpin[b] = end.spin;
    JointedMotion& m = motions_[b];
    m.closing = start.position - bodies.position[b];
    m.way = end.position - start.position;
    m.turn = end.turn;
    m.excess = end.excess;
    m.correction = corrected.position - end.position;
    m.correctionTurn = rotationBetween(end.orientation, corrected.orientation);
    means_[b] = {m.way / setting.dt, m.turn / setting.dt};
    if (!bodies.facts[b].drive->isLimited) continue;
    // What its limit did and what it did not keep for itself.
    m.supplied = (dot(end.force, m.way) + dot(end.torque, m.turn)) + end.excess;
    m.supplied -= kineticEnergy(end) - kineticEnergy(start);
  }
  for (std::uint32_t k = 0; k < range.numJoints; ++k) {
    const std::uint32_t j = joints_[of_island_[range.firstJoint + k]];
    results_[j] = island.mechanism(place_of_.joints[j].mechanism).joints[place_of_.joints[j].body];
  }
  for (std::uint32_t k = 0; k < range.numCouplings; ++k) {
    const std::uint32_t c = couplings_of_island_[range.firstCoupling + k];
    const Member at = place_of_.couplings[c];
    coupling_forces_[c] = island.mechanism(at.mechanism).couplings[at.body].force;
  }
}

}  // namespace abut::inline v0_1
