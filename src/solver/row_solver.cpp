// SPDX-License-Identifier: MIT
#include "solver/row_solver.hpp"

#include <atomic>
#include <cmath>
#include <utility>

#include "dynamics/point_velocity.hpp"
#include "solver/displacement_limit.hpp"

namespace abut::inline v0_1 {
namespace {

/// Islands of so many rows are shared out colour by colour; smaller ones go side by side.
constexpr std::uint32_t kLargeIsland = 512;
/// Small islands go together up to so many rows.
constexpr std::uint32_t kBundle = 64;
/// Rows and bodies that a thread takes at once.
constexpr std::size_t kRowGrain = 256, kBodyGrain = 256;
/// Bodies whose sums round by far less than this, as a part of them.
constexpr std::size_t kMostRough = 1000000;
constexpr double kBeyondRounding = 1e-9;
/// Sweeps of the position correction.
constexpr int kCorrectionSweeps = 4;
/// Part of the slop by which contacts said to be solved may sink in a step: less cannot be told
/// from what the correction leaves open.
constexpr double kSinkOfSlop = 0.1;
/// The same where no overlap is left alone, in parts of what gravity moves in a step.
constexpr double kSinkOfFall = 1e-3;

bool pushes(const ManifoldRow& row) {
  for (int i = 0; i < row.count; ++i) {
    if (row.points[i].normalImpulse > 0.0) return true;
  }
  return false;
}

/// Whether the bodies move faster, in the mean, than half a step of gravity makes them. What rests
/// must be solved well to go on resting; in a heap in motion fewer sweeps do.
bool isInMotion(const RowProblem& p, std::span<const std::uint32_t> members, Halo* halo,
                std::vector<MassInMotion>& parts, Crew& crew) {
  constexpr double kSteps = 0.5;
  const double limit = kSteps * kSteps * squaredNorm(p.gravity) * (p.dt * p.dt);
  if (halo == nullptr && members.size() < kMostRough) {
    // Sums that round decide but where both sides are nearly equal.
    parts.resize((members.size() + kBodyGrain - 1) / kBodyGrain);
    shareChunks(crew, members.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
      MassInMotion& part = parts[begin / kBodyGrain] = {};
      for (const std::uint32_t b : members.subspan(begin, end - begin)) {
        const double m = p.bodies.facts[b].mass;
        part.mass += m;
        part.energy += m * squaredNorm(p.start[b].linear);
      }
    });
    double mass = 0.0, energy = 0.0;
    for (const MassInMotion& part : parts) {
      mass += part.mass;
      energy += part.energy;
    }
    if (energy > limit * mass * (1.0 + kBeyondRounding)) return true;
    if (energy < limit * mass * (1.0 - kBeyondRounding)) return false;
  }
  ExactSum mass, energy;
  for (const std::uint32_t b : members) {
    if (halo != nullptr && halo->isGhost[b] != 0) continue;
    mass.add(p.bodies.facts[b].mass);
    energy.add(p.bodies.facts[b].mass * squaredNorm(p.start[b].linear));
  }
  if (halo != nullptr) {
    ExactSum* const sums[] = {&mass, &energy};
    addOverRanks(halo->comm, sums);
  }
  return energy.value() > limit * mass.value();
}

/// The least share of the impulses to take away so that they make no energy; 0 if they make none.
///   (1 - s) (power - s answered) - |v' - v - s d|^2 / 2 = 0
double shareToTakeAway(double power, double changed, double answered, double both) {
  const double gain = power - 0.5 * changed;
  if (!(gain > 0.0)) return 0.0;
  const double slope = (power + answered) - both;
  const double inside = slope * slope - 2.0 * answered * gain;
  const double root = std::sqrt(inside > 0.0 ? inside : 0.0);
  const double share = slope + root > 0.0 ? 2.0 * gain / (slope + root) : 1.0;
  constexpr double kBeyond = 1.0 + 1e-9;
  return minOf(1.0, share * kBeyond);
}

/// Whether some rows are of bodies that lie deep in one another, none of which is thinner than
/// that.
bool areCrowded(const RowProblem& p, std::span<const std::uint32_t> rows, double thinnest) {
  bool crowded = false;
  for (const std::uint32_t k : rows) {
    const ManifoldRow& row = p.rows[k];
    for (int i = 0; i < row.count; ++i) {
      if (!(-row.points[i].separation > kCrowdedOfWidth * thinnest)) continue;
      crowded = crowded || isCrowded(p.bodies.facts[row.body1], p.bodies.facts[row.body2],
                                     -row.points[i].separation);
    }
  }
  return crowded;
}

/// Bounds the displacements of an island by the sizes of its bodies. Where bodies lie deep in one
/// another, few sweeps do not tell what holds against what: nothing then goes into what does not
/// move.
void limitToSizes(const RowProblem& p, std::span<const std::uint32_t> order,
                  std::span<const std::uint32_t> members, ManifoldSolver& sweeps, Halo* halo,
                  std::vector<SizeLimit>& parts, Crew& crew) {
  parts.resize((members.size() + kBodyGrain - 1) / kBodyGrain);
  shareChunks(crew, members.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    SizeLimit& part = parts[begin / kBodyGrain] = {};
    for (const std::uint32_t b : members.subspan(begin, end - begin)) {
      const BodyFacts& f = p.bodies.facts[b];
      part.share = minOf(part.share, shareOfDisplacement(f, sweeps.displacementOf(b)));
      part.thinnest = minOf(part.thinnest, f.halfWidth);
    }
  });
  double share = 1.0, thinnest = kMaxBodyCoordinate;
  for (const SizeLimit& part : parts) {
    share = minOf(share, part.share);
    thinnest = minOf(thinnest, part.thinnest);
  }
  if (halo != nullptr) share = halo->least(share);
  bool crowded = share < 1.0;
  for (std::size_t i = 0; i < members.size() && crowded; ++i) {
    const BodyVelocity d = sweeps.displacementOf(members[i]);
    sweeps.setDisplacement(members[i], {d.linear * share, d.angular * share});
  }
  if (!crowded) {
    std::atomic<bool> any{false};
    shareChunks(crew, order.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
      if (areCrowded(p, order.subspan(begin, end - begin), thinnest)) {
        any.store(true, std::memory_order_relaxed);
      }
    });
    crowded = any.load(std::memory_order_relaxed);
  }
  if (halo != nullptr) crowded = halo->any(crowded);
  if (!crowded) return;
  const auto moves = [&p](std::uint32_t b) { return p.bodies.facts[b].type == BodyType::Dynamic; };
  for (const std::uint32_t k : order) {
    const ManifoldRow& row = p.rows[k];
    if (moves(row.body1) && moves(row.body2)) continue;
    const bool first = moves(row.body1);
    const std::uint32_t body = first ? row.body1 : row.body2;
    BodyVelocity d = sweeps.displacementOf(body);
    for (int i = 0; i < row.count; ++i) {
      const Vec3 u = relativeVelocity(p.end[row.body1], row.points[i].arm1, p.end[row.body2],
                                      row.points[i].arm2, row.offset);
      const double gap = row.points[i].separation + dot(row.normal, u) * p.dt;
      keepOut(first ? row.normal : -row.normal, first ? row.points[i].arm1 : row.points[i].arm2,
              gap, d);
    }
    sweeps.setDisplacement(body, d);
  }
}

}  // namespace

void RowSolver::solve(const RowProblem& problem, TaskRunner* tasks, StageRoom* room,
                      RowOutcome& outcome) {
  main_.sweeps.setRoom(room);
  const auto islands = problem.order.getIslands();
  outcome.touched.assign(problem.bodies.size(), 0);
  solved_.resize(islands.size());
  outcome.shifts.resize(problem.order.getBodies().size());
  main_.sweeps.setBodies(problem.bodies.mobility, problem.end);
  bool isAnyLarge = false;
  for (const LinkOrder::Island& island : islands) {
    isAnyLarge = isAnyLarge || island.numLinks >= kLargeIsland;
  }
  const auto isSpread = [&problem](std::size_t i) { return problem.order.isSpread(i); };
  if (isAnyLarge) {
    Crew::run(tasks, [&](Crew& crew) {
      main_.sweeps.setCrew(&crew);
      for (std::size_t i = 0; i < islands.size(); ++i) {
        if (islands[i].numLinks < kLargeIsland || isSpread(i)) continue;
        solveIsland(problem, i, main_, crew, outcome);
      }
    });
    main_.sweeps.setCrew(nullptr);
  }
  findBundles(problem.order);
  forChunks(tasks, bundles_.size(), 1, [&](std::size_t begin, std::size_t end) {
    Crew alone;
    std::unique_ptr<Worker> worker = take();
    worker->sweeps.shareBodies(main_.sweeps);
    for (std::size_t k = begin; k < end; ++k) {
      for (std::size_t i = bundles_[k].begin; i < bundles_[k].end; ++i) {
        if (islands[i].numLinks >= kLargeIsland || isSpread(i)) continue;
        solveIsland(problem, i, *worker, alone, outcome);
      }
    }
    giveBack(std::move(worker));
  });
  if (problem.division == nullptr) return sumUp(problem, outcome);
  solveSpread(problem, outcome);
  sumUpPart(problem, outcome);
}

void RowSolver::findBundles(const LinkOrder& order) {
  bundles_.clear();
  const auto islands = order.getIslands();
  std::uint32_t rows = kBundle;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    if (islands[i].numLinks >= kLargeIsland) continue;
    if (rows >= kBundle) {
      bundles_.push_back({i, i});
      rows = 0;
    }
    bundles_.back().end = i + 1;
    rows += islands[i].numLinks;
  }
}

std::unique_ptr<RowSolver::Worker> RowSolver::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (free_.empty()) return std::make_unique<Worker>();
  std::unique_ptr<Worker> worker = std::move(free_.back());
  free_.pop_back();
  return worker;
}

void RowSolver::giveBack(std::unique_ptr<Worker> worker) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(std::move(worker));
}

void RowSolver::solvePart(const RowProblem& p, const Part& part, Solved& solved, Worker& worker,
                          Crew& crew, RowOutcome& outcome) {
  const LinkOrder::Island& island = part.island;
  const auto members = p.order.getBodies().subspan(island.firstBody, island.numBodies);
  const auto order = p.order.getLinks().subspan(island.firstLink, island.numLinks);
  ManifoldSolver& sweeps = worker.sweeps;
  sweeps.begin(p.rows, p.order.getVisits().subspan(island.firstLink, island.numLinks));
  const double fall = norm(p.gravity) * p.dt;
  solved.report = worker.islands.solve(
      {p.rows, order, members, p.bodies.mobility, p.end, static_cast<std::size_t>(part.numBodies)},
      {p.options, isInMotion(p, members, part.halo, worker.motion, crew), fall}, sweeps);
  sweeps.store(p.rows);
  shareChunks(crew, order.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (const std::uint32_t k : order.subspan(begin, end - begin)) {
      const ManifoldRow& row = p.rows[k];
      if (!pushes(row)) continue;
      // Rows on other threads may say the same.
      for (const std::uint32_t body : {row.body1, row.body2}) {
        __atomic_store_n(&outcome.touched[body], std::uint8_t{1}, __ATOMIC_RELAXED);
      }
    }
  });
  limitEnergy(p, part, worker, crew, outcome);
  shareChunks(crew, members.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (const std::uint32_t b : members.subspan(begin, end - begin)) {
      p.end[b] = sweeps.velocityOf(b);
    }
  });
  solved.isDeep = sweeps.project(p.dt, p.correctionShare, kCorrectionSweeps, members);
  solved.worstRow = sweeps.worstRow();
  solved.worstMiss = sweeps.worstMiss();
  const double sink =
      maxOf(kSinkOfSlop * p.correctionSlop, kSinkOfFall * norm(p.gravity) * (p.dt * p.dt));
  solved.converged = solved.report.converged && !(sweeps.approachLeft() * p.dt > sink);
  if (!solved.isDeep) return;
  limitToSizes(p, order, members, sweeps, part.halo, worker.limits, crew);
  shareChunks(crew, members.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      outcome.shifts[island.firstBody + i] = {members[i], sweeps.displacementOf(members[i])};
    }
  });
}

/// Whether sums that round, and without what spin adds to |v' - v|^2, suffice to say that impulses
/// make no energy; see limitEnergy().
bool RowSolver::makesNoEnergy(const RowProblem& p, const Part& own, Worker& worker, Crew& crew,
                              const RowOutcome& outcome) {
  const auto members = p.order.getBodies().subspan(own.island.firstBody, own.island.numBodies);
  if (own.halo != nullptr || members.size() > kMostRough) return false;
  worker.changes.resize((members.size() + kBodyGrain - 1) / kBodyGrain);
  shareChunks(crew, members.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    double changed = 0.0;
    for (const std::uint32_t b : members.subspan(begin, end - begin)) {
      if (outcome.touched[b] == 0) continue;
      const Vec3 dv = worker.sweeps.velocityOf(b).linear - p.start[b].linear;
      changed += p.bodies.facts[b].mass * squaredNorm(dv);
    }
    worker.changes[begin / kBodyGrain] = changed;
  });
  double changed = 0.0;
  for (const double part : worker.changes) changed += part;
  return worker.sweeps.isWorkBelow(0.5 * changed * (1.0 - kBeyondRounding));
}

/// With positions moved by the new velocities v', contact impulses p change the energy by
///   p u' - |v' - v|^2 / 2
/// over the bodies they touch, which is never positive where p solves the problem. What sweeps
/// leave unsolved may make it so; then all impulses of the island are reduced by the share that
/// brings it to zero, so that no energy is made.
void RowSolver::limitEnergy(const RowProblem& p, const Part& own, Worker& worker, Crew& crew,
                            const RowOutcome& outcome) {
  const LinkOrder::Island& island = own.island;
  const auto members = p.order.getBodies().subspan(island.firstBody, island.numBodies);
  ManifoldSolver& sweeps = worker.sweeps;
  if (makesNoEnergy(p, own, worker, crew, outcome)) return;
  const std::size_t parts = (members.size() + kBodyGrain - 1) / kBodyGrain;
  if (worker.sums.size() < parts + 1) worker.sums.resize(parts + 1);
  if (parts == 0) worker.sums[0] = {};
  shareChunks(crew, members.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    EnergySums& sums = worker.sums[begin / kBodyGrain];
    sums.changed.clear();
    sums.answered.clear();
    sums.both.clear();
    for (const std::uint32_t b : members.subspan(begin, end - begin)) {
      if (outcome.touched[b] == 0 || (own.halo != nullptr && own.halo->isGhost[b] != 0)) continue;
      const BodyVelocity now = sweeps.velocityOf(b);
      const Vec3 dv = now.linear - p.start[b].linear, dw = now.angular - p.start[b].angular;
      const Vec3 cv = now.linear - p.end[b].linear, cw = now.angular - p.end[b].angular;
      const double m = p.bodies.facts[b].mass;
      const Mat3& inertia = p.bodies.facts[b].inertia.tensor;
      const Mat3 turn = toMatrix(p.bodies.orientation[b]);
      const Vec3 dl = transposeTimes(turn, dw), cl = transposeTimes(turn, cw), spin = inertia * dl;
      sums.changed.add(m * squaredNorm(dv) + dot(dl, spin));
      sums.answered.add(m * squaredNorm(cv) + dot(cl, inertia * cl));
      sums.both.add(m * dot(dv, cv) + dot(cl, spin));
    }
  });
  EnergySums& sum = worker.sums[0];
  for (std::size_t i = 1; i < parts; ++i) {
    sum.changed.merge(worker.sums[i].changed);
    sum.answered.merge(worker.sums[i].answered);
    sum.both.merge(worker.sums[i].both);
  }
  if (own.halo != nullptr) {
    ExactSum* const sums[] = {&sum.changed, &sum.answered, &sum.both};
    addOverRanks(own.halo->comm, sums);
  }
  const double share =
      shareToTakeAway(sweeps.work(), sum.changed.value(), sum.answered.value(), sum.both.value());
  if (!(share > 0.0)) return;
  sweeps.shrink(1.0 - share);
  sweeps.store(p.rows);
  for (const std::uint32_t b : members) {
    const BodyVelocity now = sweeps.velocityOf(b);
    sweeps.setVelocity(b, {now.linear + (p.end[b].linear - now.linear) * share,
                           now.angular + (p.end[b].angular - now.angular) * share});
  }
}

/// Islands in their order.
void RowSolver::sumUp(const RowProblem& p, RowOutcome& outcome) const {
  const auto islands = p.order.getIslands();
  outcome.converged = true;
  outcome.sweeps = outcome.newtonSteps = 0;
  outcome.worstError = 0.0;
  outcome.worst1 = outcome.worst2 = RowOutcome::kNone;
  std::size_t numShifts = 0;  // In place: islands that are not deep have none.
  std::size_t worst = islands.size();
  for (std::size_t i = 0; i < islands.size(); ++i) {
    const Solved& solved = solved_[i];
    outcome.converged = outcome.converged && solved.converged;
    outcome.sweeps += solved.report.sweeps;
    outcome.newtonSteps += solved.report.newtonSteps;
    if (!solved.report.converged && solved.report.error > outcome.worstError) worst = i;
    outcome.worstError = maxOf(outcome.worstError, solved.report.error);
    if (!solved.isDeep) continue;
    for (std::size_t k = islands[i].firstBody; k < islands[i].firstBody + islands[i].numBodies;
         ++k) {
      outcome.shifts[numShifts++] = outcome.shifts[k];
    }
  }
  outcome.shifts.resize(numShifts);
  // The error of sweeps is one number for the island; the place is where it misses by most.
  if (worst == islands.size()) return;
  outcome.worst1 = p.rows[solved_[worst].worstRow].body1;
  outcome.worst2 = p.rows[solved_[worst].worstRow].body2;
}

}  // namespace abut::inline v0_1
