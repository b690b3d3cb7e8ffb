// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/math/convert.hpp>

#include "dynamics/point_velocity.hpp"
#include "scheme/real_time/real_time_solver.hpp"

namespace abut::inline v0_1 {
namespace {

/// Rows and bodies that a thread takes at once.
constexpr std::size_t kRowGrain = 128, kBodyGrain = 256;

bool carriesNothing(const ManifoldRow& row) {
  bool nothing = row.tangentImpulse == Vec3{};
  for (int i = 0; i < row.count; ++i) nothing = nothing && row.points[i].normalImpulse == 0.0;
  return nothing;
}

/// What a row's impulses did: those along the normal at the points, friction at their centre, twist
/// and resistances as couples.
Exchange exchangeOf(const ManifoldRow& row, std::span<const BodyVelocity> mean) {
  const BodyVelocity &v1 = mean[row.body1], &v2 = mean[row.body2];
  const Vec3 couple = row.normal * row.twistImpulse + row.resistingImpulse;
  Exchange e;
  e.body1 = row.body1;
  e.body2 = row.body2;
  e.impulse = row.tangentImpulse;
  for (int i = 0; i < row.count; ++i) {
    const Vec3 u = relativeVelocity(v1, row.points[i].arm1, v2, row.points[i].arm2, row.offset);
    e.normalWork += row.points[i].normalImpulse * dot(row.normal, u);
    e.impulse += row.normal * row.points[i].normalImpulse;
  }
  const Vec3 centre1 = centre1Of(row), centre2 = centre2Of(row);
  const Vec3 slip = relativeVelocity(v1, centre1, v2, centre2, row.offset);
  e.moment1 = couple + cross(centre1, row.tangentImpulse);
  e.moment2 = couple + cross(centre2, row.tangentImpulse);
  for (int i = 0; i < row.count; ++i) {
    const Vec3 push = row.normal * row.points[i].normalImpulse;
    e.moment1 += cross(row.points[i].arm1, push);
    e.moment2 += cross(row.points[i].arm2, push);
  }
  e.frictionWork = dot(row.tangentImpulse, slip) + dot(couple, v1.angular - v2.angular);
  return e;
}

/// The same for a row between bodies of which none drives others: its work alone counts.
void bookWork(const ManifoldRow& row, std::span<const BodyVelocity> mean, StepBooks& books) {
  const BodyVelocity &v1 = mean[row.body1], &v2 = mean[row.body2];
  double normalWork = 0.0;
  Vec3 slip;
  for (int i = 0; i < row.count; ++i) {
    const RowPoint& point = row.points[i];
    slip = relativeVelocity(v1, point.arm1, v2, point.arm2, row.offset);
    normalWork += point.normalImpulse * dot(row.normal, slip);
  }
  if (row.count > 1) {
    slip = relativeVelocity(v1, centre1Of(row), v2, centre2Of(row), row.offset);
  }
  double frictionWork = dot(row.tangentImpulse, slip);
  if (row.twistImpulse != 0.0 || row.resistingImpulse != Vec3{}) {
    const Vec3 couple = row.normal * row.twistImpulse + row.resistingImpulse;
    frictionWork += dot(couple, v1.angular - v2.angular);
  }
  books.impact += normalWork;
  books.friction += frictionWork;
}

/// Shares of a row's friction and twist at its points: they add up to its force and couple.
class FrictionShares {
public:
  explicit FrictionShares(const ManifoldRow& row)
      : row_(row),
        centre_(row.count == 1 ? row.points[0].arm1 : centre1Of(row)),
        force_(row.tangentImpulse / static_cast<double>(row.count)) {
    if (row.count == 1) return;
    double squares = 0.0;
    for (int i = 0; i < row.count; ++i) {
      const Vec3 from = row.points[i].arm1 - centre_;
      const double along = dot(row.normal, from);
      squares += squaredNorm(from) - along * along;
    }
    if (squares > 0.0) twist_ = row.twistImpulse / squares;
  }
  [[nodiscard]] Vec3 operator[](int i) const {
    return force_ + cross(row_.normal, row_.points[i].arm1 - centre_) * twist_;
  }

private:
  const ManifoldRow& row_;
  Vec3 centre_, force_;
  double twist_ = 0.0;
};

/// The first that is not before a pair.
const Touch* firstTouch(std::span<const Touch> touching, const ObjectPair& pair) {
  return std::lower_bound(touching.data(), touching.data() + touching.size(), pair,
                          [](const Touch& t, const ObjectPair& p) { return t.pair < p; });
}

/// For each row, the number of its island.
void numberIslands(const LinkOrder& order, std::vector<std::uint32_t>& islandOf) {
  islandOf.resize(order.getLinks().size());
  std::uint32_t number = 0;
  for (const LinkOrder::Island& island : order.getIslands()) {
    for (const std::uint32_t row : order.getLinks().subspan(island.firstLink, island.numLinks)) {
      islandOf[row] = number;
    }
    ++number;
  }
}

}  // namespace

/// What contacts and forces did, in one phase.
void RealTimeSolver::book(const StepProblem& problem, const StepMotion& motion, StepBooks& books) {
  const StepInput& in = problem.in;
  const BodyTable& bodies = in.bodies;
  if (in.room != nullptr) in.room->beginStage();
  pushed_.take(in.room, motion.endVelocity.size());
  mean_.take(in.room, pushed_.size());
  drives_.take(in.room, pushed_.size());
  forChunks(in.tasks, pushed_.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pushed_[i] = {motion.endVelocity[i].linear, motion.freeSpin[i]};
      mean_[i] = meanOf(motion.startVelocity[i], pushed_[i]);
      drives_[i] = isDriver(bodies.facts[i]) ? 1 : 0;
    }
  });
  const Phase phase{motion.startVelocity, pushed_.view()};
  books.inParts(in.tasks, rows_.all.size(), kRowGrain,
                [&](StepBooks& part, std::size_t begin, std::size_t end) {
                  for (const ManifoldRow& row : rows_.all.subspan(begin, end - begin)) {
                    if (carriesNothing(row) || !in.counts(row.body1, row.body2)) continue;
                    const bool hasDriver = drives_[row.body1] != 0 || drives_[row.body2] != 0;
                    if (!hasDriver) {
                      bookWork(row, mean_.view(), part);
                      continue;
                    }
                    const Exchange e = exchangeOf(row, mean_.view());
                    if (e.impulse != Vec3{}) part.exchange(bodies, phase, e);
                  }
                });
  books.inParts(in.tasks, bodies.size(), kBodyGrain,
                [&](StepBooks& part, std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i) {
                    if (motion.isJointed(i) || !in.counts(i)) continue;
                    const BodyVelocity& start = motion.startVelocity[i];
                    if (!part.bodyBefore(bodies, i, in.gravity, start)) continue;
                    part.bodyInPhase(bodies, i, in.gravity, in.dt, start, phase,
                                     motion.newPosition[i]);
                  }
                });
}

/// Contacts for the caller; impulses for the next step.
void RealTimeSolver::show(const StepProblem& problem, const StepMotion& motion,
                          ContactManifoldCache& cache, ContactPublisher& publisher) {
  numberIslands(rows_.linkOrder, island_of_);
  const std::size_t numCached = cache.getContacts().size();
  publisher.expect(numCached + rows_.fast.size());
  const std::size_t count = rows_.all.size();
  const std::span<const Touch> touching = publisher.getTouching();
  depths_.assign((count + kRowGrain - 1) / kRowGrain, {});
  forChunks(problem.in.tasks, count, kRowGrain, [&](std::size_t begin, std::size_t end) {
    ContactPublisher::Depths& depths = depths_[begin / kRowGrain];
    const Touch* touch = firstTouch(touching, rows_.links[begin].pair);
    for (std::size_t r = begin; r < end; ++r) {
      if (r >= rows_.ordinary) {
        showFast(problem.in, motion, r, numCached, publisher, depths);
        continue;
      }
      const ObjectPair& pair = rows_.links[r].pair;
      while (touch != touching.data() + touching.size() && touch->pair < pair) ++touch;
      const bool touched = touch != touching.data() + touching.size() && touch->pair == pair;
      showRow(problem.in, motion, r, touched, cache, publisher, depths);
    }
  });
  for (const ContactPublisher::Depths& depths : depths_) publisher.note(depths);
  if (!rows_.fast.empty()) publisher.noteDisorder();
}

/// How fast a point of a row closes at the beginning of the step.
double RealTimeSolver::speedAt(const StepMotion& motion, const ManifoldRow& row, int i) const {
  return dot(row.normal,
             relativeVelocity(motion.startVelocity[row.body1], row.points[i].arm1,
                              motion.startVelocity[row.body2], row.points[i].arm2, row.offset));
}

/// A row of fast bodies; nothing of it is kept.
void RealTimeSolver::showFast(const StepInput& in, const StepMotion& motion, std::size_t r,
                              std::size_t numCached, ContactPublisher& publisher,
                              ContactPublisher::Depths& depths) const {
  const ManifoldRow& row = rows_.all[r];
  const FrictionShares friction(row);
  const BodyVelocity &end1 = motion.endVelocity[row.body1], &end2 = motion.endVelocity[row.body2];
  for (int i = 0; i < row.count; ++i) {
    const std::uint32_t k = row.points[i].contact;
    ContactOutcome out;
    out.body1 = row.body1;
    out.body2 = row.body2;
    out.island = island_of_[r];
    out.normal = row.normal;
    out.friction = row.friction;
    out.couple = row.resistingImpulse / static_cast<double>(row.count);
    out.position = rows_.fast[k].position;
    const Vec3 u = relativeVelocity(end1, row.points[i].arm1, end2, row.points[i].arm2, row.offset);
    out.slip = u - row.normal * dot(row.normal, u);
    out.depth = -row.points[i].separation;
    out.normalImpulse = row.points[i].normalImpulse;
    out.frictionImpulse = friction[i];
    if (out.depth < 0.0) {
      out.speed = speedAt(motion, row, i);
      out.pull = dot(row.normal, in.freeAcceleration(row.body1) - in.freeAcceleration(row.body2));
    }
    publisher.show(numCached + k, out, depths);
  }
}

/// `touched`: the pair touched in the last step.
void RealTimeSolver::showRow(const StepInput& in, const StepMotion& motion, std::size_t r,
                             bool touched, ContactManifoldCache& cache, ContactPublisher& publisher,
                             ContactPublisher::Depths& depths) const {
  const PersistentContacts found = cache.getContacts();
  const ManifoldRow& row = rows_.all[r];
  const std::span<const PersistentManifold> manifolds = cache.getManifolds();
  constexpr std::size_t kAhead = 4;  // Rows whose manifolds are fetched before they are written.
  if (r + kAhead < rows_.ordinary) {
    const PersistentManifold& coming = manifolds[rows_.sources[r + kAhead].manifold];
    for (int i = 0; i < rows_.all[r + kAhead].count; ++i) {
      __builtin_prefetch(&coming.points[static_cast<std::size_t>(i)].normalImpulse, 1);
    }
  }
  const PersistentPoint* const known = manifolds[rows_.sources[r].manifold].points.data();
  const FrictionShares friction(row);
  const ObjectPair& pair = rows_.links[r].pair;
  const BodyVelocity &end1 = motion.endVelocity[row.body1], &end2 = motion.endVelocity[row.body2];
  const double dt = in.dt;
  const Eigen::Vector3d couple =
      toEigen(row.resistingImpulse / static_cast<double>(row.count) / dt);
  for (int i = 0; i < row.count; ++i) {
    const RowPoint& point = row.points[i];
    const PersistentPoint& from = known[found.placeOf(point.contact).point];
    const double depth = -point.separation, push = point.normalImpulse;
    const Vec3 rub = friction[i];
    const Vec3 u = relativeVelocity(end1, point.arm1, end2, point.arm2, row.offset);
    const auto [out, facts] = publisher.placeAt(point.contact);
    out.object1 = pair.first;
    out.object2 = pair.second;
    out.position = from.contact.position;
    out.normal = toEigen(row.normal);
    out.depth = depth;
    out.normalForce = push / dt;
    out.frictionForce = toEigen(rub / dt);
    out.resistingCouple = couple;
    out.impactImpulse = {0.0, 0.0, 0.0};
    out.slip = toEigen(u - row.normal * dot(row.normal, u));
    out.friction = row.friction;
    out.island = island_of_[r];
    out.id = from.id;
    facts.pair = pair;
    facts.impulse = (row.normal * push + rub) + Vec3{};
    facts.normalImpulse = push + 0.0;
    facts.depth = depth;
    facts.speed = facts.pull = facts.late = 0.0;
    // Only of surfaces that close a gap does an event ask when, and of pairs that did not touch.
    if (depth < 0.0 && !touched && (depth >= -PairEvents::kTouching || facts.impulse != Vec3{})) {
      facts.speed = speedAt(motion, row, i);
      facts.pull = dot(row.normal, in.freeAcceleration(row.body1) - in.freeAcceleration(row.body2));
    }
    publisher.noteDepth(row.body1, row.body2, depth, depths);
    // The cone bounds the row's force, not each point's share of it.
    constexpr double kNoCone = 1e30;
    if (!isFinite(push) || !isFinite(rub)) continue;
    cache.storeImpulse(point.contact, push, toEigen(rub), kNoCone);
  }
}

}  // namespace abut::inline v0_1
