// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/math/convert.hpp>

#include "dynamics/point_velocity.hpp"
#include "scheme/real_time/real_time_solver.hpp"
#include "scheme/real_time/row_vectors.hpp"

namespace abut::inline v0_1 {
namespace {

/// Rows and bodies that a thread takes at once.
constexpr std::size_t kRowGrain = 128, kBodyGrain = 256;

ABUT_ALWAYS_INLINE bool carriesNothing(const ManifoldRow& row) {
  for (int i = 0; i < row.count; ++i) {
    if (row.points[i].normalImpulse != 0.0) return false;
  }
  return row.tangentImpulse == Vec3{};
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
template <class V>
ABUT_ALWAYS_INLINE void bookWork(const ManifoldRow& row, std::span<const BodyVelocity> mean,
                                 StepBooks& books) {
  const Relative<V> relative(mean[row.body1], mean[row.body2], row.offset);
  const V normal = loadInner<V>(row.normal);
  double normalWork = 0.0;
  V slip{};
  for (int i = 0; i < row.count; ++i) {
    const RowPoint& point = row.points[i];
    slip = relative.at(loadInner<V>(point.arm1), loadInner<V>(point.arm2));
    normalWork += point.normalImpulse * dot(normal, slip);
  }
  if (row.count > 1) {
    slip = relative.at(centreOf<V>(row, &RowPoint::arm1), centreOf<V>(row, &RowPoint::arm2));
  }
  double frictionWork = dot(loadInner<V>(row.tangentImpulse), slip);
  if (row.twistImpulse != 0.0 || row.resistingImpulse != Vec3{}) {
    const V couple = normal * row.twistImpulse + loadInner<V>(row.resistingImpulse);
    frictionWork += dot(couple, relative.angular());
  }
  books.impact += normalWork;
  books.friction += frictionWork;
}

/// What rows are booked by.
struct RowBooking {
  const StepInput& in;
  std::span<const BodyVelocity> mean;
  std::span<const std::uint8_t> drives;
  const Phase& phase;
};

template <class V>
ABUT_ALWAYS_INLINE void bookRowsAs(const RowBooking& by, std::span<const ManifoldRow> rows,
                                   StepBooks& books) {
  for (const ManifoldRow& row : rows) {
    if (carriesNothing(row) || !by.in.counts(row.body1, row.body2)) continue;
    if (by.drives[row.body1] == 0 && by.drives[row.body2] == 0) {
      bookWork<V>(row, by.mean, books);
      continue;
    }
    const Exchange e = exchangeOf(row, by.mean);
    if (e.impulse != Vec3{}) books.exchange(by.in.bodies, by.phase, e);
  }
}

/// Shares of a row's friction and twist at its points: they add up to its force and couple.
template <class V>
class FrictionShares {
public:
  explicit ABUT_ALWAYS_INLINE FrictionShares(const ManifoldRow& row)
      : normal_(loadInner<V>(row.normal)),
        centre_(row.count == 1 ? loadInner<V>(row.points[0].arm1)
                               : centreOf<V>(row, &RowPoint::arm1)),
        force_(loadInner<V>(row.tangentImpulse) / static_cast<double>(row.count)) {
    if (row.count == 1) return;
    double squares = 0.0;
    for (int i = 0; i < row.count; ++i) {
      const V from = loadInner<V>(row.points[i].arm1) - centre_;
      const double along = dot(normal_, from);
      squares += squaredNorm(from) - along * along;
    }
    if (squares > 0.0) twist_ = row.twistImpulse / squares;
  }
  /// At a point with this arm.
  [[nodiscard]] ABUT_ALWAYS_INLINE V at(const V& arm1) const {
    return force_ + cross(normal_, arm1 - centre_) * twist_;
  }

private:
  V normal_, centre_, force_;
  double twist_ = 0.0;
};

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE void bookRowsWide(const RowBooking& by, std::span<const ManifoldRow> rows,
                            StepBooks& books) {
  bookRowsAs<WideVec3>(by, rows, books);
}
#endif

void bookRows(const RowBooking& by, std::span<const ManifoldRow> rows, StepBooks& books) {
#if ABUT_HAS_WIDE
  if (kHasWide) return bookRowsWide(by, rows, books);
#endif
  bookRowsAs<Vec3>(by, rows, books);
}

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
  const RowBooking by{in, mean_.view(), drives_.view(), phase};
  books.inParts(in.tasks, rows_.all.size(), kRowGrain,
                [&](StepBooks& part, std::size_t begin, std::size_t end) {
                  bookRows(by, rows_.all.subspan(begin, end - begin), part);
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

/// How fast a point of a row closes at the beginning of the step.
double RealTimeSolver::speedAt(const StepMotion& motion, const ManifoldRow& row, int i) const {
  return dot(row.normal,
             relativeVelocity(motion.startVelocity[row.body1], row.points[i].arm1,
                              motion.startVelocity[row.body2], row.points[i].arm2, row.offset));
}

/// `touched`: the pair touched in the last step.
template <class V>
ABUT_ALWAYS_INLINE void RealTimeSolver::showRow(const Showing& how, std::size_t r, bool touched,
                                                ContactPublisher::Depths& depths) const {
  const PersistentContacts found = how.cache.getContacts();
  const ManifoldRow& row = rows_.all[r];
  const ObjectPair& pair = rows_.links[r].pair;
  const FrictionShares<V> friction(row);
  const Relative<V> end(how.motion.endVelocity[row.body1], how.motion.endVelocity[row.body2],
                        row.offset);
  const double dt = how.in.dt;
  const V normal = loadInner<V>(row.normal);
  const V couple = loadInner<V>(row.resistingImpulse) / static_cast<double>(row.count) / dt;
  const V nothing = loadAs<V>(Vec3{});
  const PersistentPoint* const known =
      how.cache.getManifolds()[rows_.sources[r].manifold].points.data();
  for (int i = 0; i < row.count; ++i) {
    const RowPoint& point = row.points[i];
    const PersistentPoint& from = known[found.placeOf(point.contact).point];
    const double depth = -point.separation, push = point.normalImpulse;
    const V arm1 = loadInner<V>(point.arm1);
    const V rub = friction.at(arm1);
    // The cone bounds the row's force, not each point's share of it.
    constexpr double kNoCone = 1e30;
    if (isFinite(push) && isFinite(rub)) {
      how.cache.storeImpulse(point.contact, push, asEigen(rub), kNoCone);
    }
    const V u = end.at(arm1, loadInner<V>(point.arm2));
    const auto [out, facts] = how.publisher.placeAt(point.contact);
    out.object1 = pair.first;
    out.object2 = pair.second;
    store(loadAs<V>(from.contact.position), out.position);
    store(normal, out.normal);
    out.depth = depth;
    out.normalForce = push / dt;
    store(rub / dt, out.frictionForce);
    store(couple, out.resistingCouple);
    store(nothing, out.impactImpulse);
    store(u - normal * dot(normal, u), out.slip);
    out.friction = row.friction;
    out.island = island_of_[r];
    out.id = from.id;
    facts.pair = pair;
    const V impulse = (normal * push + rub) + nothing;
    store(impulse, facts.impulse);
    facts.normalImpulse = push + 0.0;
    facts.depth = depth;
    facts.speed = facts.pull = facts.late = 0.0;
    // Only of surfaces that close a gap does an event ask when, and of pairs that did not touch.
    if (depth < 0.0 && !touched && (depth >= -PairEvents::kTouching || facts.impulse != Vec3{})) {
      facts.speed = speedAt(how.motion, row, i);
      facts.pull =
          dot(row.normal, how.in.freeAcceleration(row.body1) - how.in.freeAcceleration(row.body2));
    }
    how.publisher.noteDepth(row.body1, row.body2, depth, depths);
  }
}

template <class V>
ABUT_ALWAYS_INLINE void RealTimeSolver::showRowsAs(const Showing& how, std::size_t begin,
                                                   std::size_t end,
                                                   ContactPublisher::Depths& depths) const {
  if (begin >= end) return;
  const std::span<const Touch> touching = how.publisher.getTouching();
  const Touch* const last = touching.data() + touching.size();
  const Touch* touch = firstTouch(touching, rows_.links[begin].pair);
  const std::span<const PersistentManifold> manifolds = how.cache.getManifolds();
  constexpr std::size_t kAhead = 4;  // Rows whose manifolds are fetched before they are written.
  for (std::size_t r = begin; r < end; ++r) {
    const ObjectPair& pair = rows_.links[r].pair;
    while (touch != last && touch->pair < pair) ++touch;
    const bool touched = touch != last && touch->pair == pair;
    if (r + kAhead < rows_.ordinary) {
      const PersistentManifold& coming = manifolds[rows_.sources[r + kAhead].manifold];
      for (int i = 0; i < rows_.all[r + kAhead].count; ++i) {
        __builtin_prefetch(&coming.points[static_cast<std::size_t>(i)].normalImpulse, 1);
      }
    }
    showRow<V>(how, r, touched, depths);
  }
}

#if ABUT_HAS_WIDE
ABUT_WIDE void RealTimeSolver::showRowsWide(const Showing& how, std::size_t begin, std::size_t end,
                                            ContactPublisher::Depths& depths) const {
  showRowsAs<WideVec3>(how, begin, end, depths);
}
#endif

/// Rows of the cache's manifolds.
void RealTimeSolver::showRows(const Showing& how, std::size_t begin, std::size_t end,
                              ContactPublisher::Depths& depths) const {
#if ABUT_HAS_WIDE
  if (kHasWide) return showRowsWide(how, begin, end, depths);
#endif
  showRowsAs<Vec3>(how, begin, end, depths);
}

/// A row of fast bodies; nothing of it is kept.
void RealTimeSolver::showFast(const Showing& how, std::size_t r,
                              ContactPublisher::Depths& depths) const {
  const StepMotion& motion = how.motion;
  const ManifoldRow& row = rows_.all[r];
  const FrictionShares<Vec3> friction(row);
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
    out.frictionImpulse = friction.at(row.points[i].arm1);
    if (out.depth < 0.0) {
      out.speed = speedAt(motion, row, i);
      out.pull =
          dot(row.normal, how.in.freeAcceleration(row.body1) - how.in.freeAcceleration(row.body2));
    }
    how.publisher.show(how.numCached + k, out, depths);
  }
}

/// Contacts for the caller; impulses for the next step.
void RealTimeSolver::show(const StepProblem& problem, const StepMotion& motion,
                          ContactManifoldCache& cache, ContactPublisher& publisher) {
  numberIslands(rows_.linkOrder, island_of_);
  const std::size_t numCached = cache.getContacts().size();
  publisher.expect(numCached + rows_.fast.size());
  const std::size_t count = rows_.all.size();
  depths_.assign((count + kRowGrain - 1) / kRowGrain, {});
  const Showing how{problem.in, motion, cache, publisher, numCached};
  forChunks(problem.in.tasks, count, kRowGrain, [&](std::size_t begin, std::size_t end) {
    ContactPublisher::Depths& depths = depths_[begin / kRowGrain];
    const std::size_t ordinary = std::min(std::max(begin, rows_.ordinary), end);
    showRows(how, begin, ordinary, depths);
    for (std::size_t r = ordinary; r < end; ++r) showFast(how, r, depths);
  });
  for (const ContactPublisher::Depths& depths : depths_) publisher.note(depths);
  if (!rows_.fast.empty()) publisher.noteDisorder();
}

}  // namespace abut::inline v0_1
