// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "dynamics/point_velocity.hpp"
#include "scheme/real_time/real_time_solver.hpp"

namespace abut {
namespace {

/// What a row's impulses did: those along the normal at the points, friction at their centre, twist
/// and resistances as couples.
Exchange exchangeOf(const ManifoldRow& row, const Phase& phase) {
  const BodyVelocity v1 = meanOf(phase.start[row.body1], phase.end[row.body1]);
  const BodyVelocity v2 = meanOf(phase.start[row.body2], phase.end[row.body2]);
  const Vec3 centre1 = centreOf(row.arm1, row.count), centre2 = centreOf(row.arm2, row.count);
  const Vec3 couple = row.normal * row.twistImpulse + row.resistingImpulse;
  Exchange e;
  e.body1 = row.body1;
  e.body2 = row.body2;
  e.impulse = row.tangentImpulse;
  e.moment1 = couple + cross(centre1, row.tangentImpulse);
  e.moment2 = couple + cross(centre2, row.tangentImpulse);
  for (int i = 0; i < row.count; ++i) {
    const Vec3 u = relativeVelocity(v1, row.arm1[i], v2, row.arm2[i], row.offset);
    const Vec3 push = row.normal * row.normalImpulse[i];
    e.normalWork += row.normalImpulse[i] * dot(row.normal, u);
    e.impulse += push;
    e.moment1 += cross(row.arm1[i], push);
    e.moment2 += cross(row.arm2[i], push);
  }
  const Vec3 slip = relativeVelocity(v1, centre1, v2, centre2, row.offset);
  e.frictionWork = dot(row.tangentImpulse, slip) + dot(couple, v1.angular - v2.angular);
  return e;
}

/// Shares of a row's friction and twist at its points: they add up to its force and couple.
class FrictionShares {
public:
  explicit FrictionShares(const ManifoldRow& row)
      : row_(row),
        centre_(centreOf(row.arm1, row.count)),
        force_(row.tangentImpulse / static_cast<double>(row.count)) {
    double squares = 0.0;
    for (int i = 0; i < row.count; ++i) {
      const Vec3 from = row.arm1[i] - centre_;
      const double along = dot(row.normal, from);
      squares += squaredNorm(from) - along * along;
    }
    if (squares > 0.0) twist_ = row.twistImpulse / squares;
  }
  [[nodiscard]] Vec3 operator[](int i) const {
    return force_ + cross(row_.normal, row_.arm1[i] - centre_) * twist_;
  }

private:
  const ManifoldRow& row_;
  Vec3 centre_, force_;
  double twist_ = 0.0;
};

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
  pushed_.assign(motion.endVelocity.begin(), motion.endVelocity.end());
  for (std::size_t i = 0; i < pushed_.size(); ++i) pushed_[i].angular = motion.freeSpin[i];
  const Phase phase{motion.startVelocity, pushed_};
  for (const ManifoldRow& row : rows_.all) {
    const Exchange e = exchangeOf(row, phase);
    if (e.impulse != Vec3{}) books.exchange(bodies, phase, e);
  }

  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!books.bodyBefore(bodies, i, in.gravity, motion.startVelocity[i])) continue;
    books.bodyInPhase(bodies, i, in.gravity, in.dt, motion.startVelocity[i], phase,
                      motion.newPosition[i]);
  }
}

/// Contacts for the caller; impulses for the next step.
void RealTimeSolver::show(const StepProblem& problem, const StepMotion& motion,
                          ContactManifoldCache& cache, ContactPublisher& publisher) {
  const StepInput& in = problem.in;
  const std::vector<StepContact>& contacts = rows_.fast;
  const auto found = cache.getContacts();
  const auto manifolds = cache.getManifolds();
  constexpr std::size_t kAhead = 4;  // Rows whose manifolds are fetched before they are written.
  numberIslands(rows_.linkOrder, islandOf_);
  publisher.expect(found.size() + contacts.size());
  for (std::size_t r = 0; r < rows_.all.size(); ++r) {
    const ManifoldRow& row = rows_.all[r];
    if (r + kAhead < rows_.ordinary) {
      const PersistentManifold& coming = manifolds[rows_.sources[r + kAhead].manifold];
      for (const PersistentPoint& p : coming.points) __builtin_prefetch(&p.normalImpulse, 1);
    }
    const bool isCached = rows_.sources[r].manifold != RowSource::kNoManifold;
    const FrictionShares friction(row);
    ContactOutcome out;
    out.body1 = row.body1;
    out.body2 = row.body2;
    out.island = islandOf_[r];
    out.normal = row.normal;
    out.pull = dot(row.normal, in.freeAcceleration(row.body1) - in.freeAcceleration(row.body2));
    out.friction = row.friction;
    out.couple = row.resistingImpulse / static_cast<double>(row.count);
    for (int i = 0; i < row.count; ++i) {
      const std::uint32_t k = rows_.sources[r].contact[i];
      out.cacheIndex = isCached ? k : kNoCacheIndex;
      out.position = isCached ? toVec3(found[k].contact.position) : contacts[k].position;
      const auto velocityIn = [&](const std::vector<BodyVelocity>& v) {
        return relativeVelocity(v[row.body1], row.arm1[i], v[row.body2], row.arm2[i], row.offset);
      };
      const Vec3 u = velocityIn(motion.endVelocity);
      out.slip = u - row.normal * dot(row.normal, u);
      out.speed = dot(row.normal, velocityIn(motion.startVelocity));
      out.depth = -row.separation[i];
      out.normalImpulse = row.normalImpulse[i];
      out.frictionImpulse = friction[i];
      publisher.show(isCached ? k : found.size() + k, out);
      if (!isCached) continue;
      // The cone bounds the row's force, not each point's share of it.
      constexpr double kNoCone = 1e30;
      (void)cache.setImpulse(k, out.normalImpulse, toEigen(out.frictionImpulse), kNoCone);
    }
  }
  if (!contacts.empty()) publisher.sort();
}

}  // namespace abut
