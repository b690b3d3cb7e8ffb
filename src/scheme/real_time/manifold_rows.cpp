// SPDX-License-Identifier: MIT
#include "scheme/real_time/manifold_rows.hpp"

#include <abut/math/convert.hpp>

#include "constraints/coincident.hpp"
#include "constraints/contact_site.hpp"
#include "core/room.hpp"
#include "dynamics/index_near.hpp"
#include "scheme/real_time/row_vectors.hpp"
#include "scheme/step_solver.hpp"
#include "solver/lean_batch.hpp"
#include "solver/pair_rank.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNoRow = 0xffffffffu;  // Of a manifold without contacts.
/// Contacts and rows that a thread takes at once, about.
constexpr std::size_t kContactGrain = 256, kRowGrain = 256;
/// Approach slower than this many times what gravity adds in a step does not bounce.
constexpr double kBounceOfFall = 2.0;

/// Velocities at the end of the step move bodies through all of it: they are those of its middle,
/// and contacts belong to where they are then. On a table that spins about the normal this is half
/// a step further round: what lies on it takes its points along, but not down or up, since what is
/// round rolls on. Elsewhere a step is too short to tell, or the normal turns as well. Normals are
/// those of either body: what lies on a table leans by what overlaps differ, and what turns with it
/// meets no other velocity for that.
void moveOnTables(const StepInput& in, const StepMotion& motion, ManifoldRow& row) {
  constexpr double kUpright = 0.1;  // Of the spin, across the normal.
  const BodyTable& bodies = in.bodies;
  const bool isFirst = bodies.facts[row.body1].type == BodyType::Kinematic;
  const std::uint32_t table = isFirst ? row.body1 : row.body2;
  const std::uint32_t other = isFirst ? row.body2 : row.body1;
  const BodyVelocity &t = motion.startVelocity[table], &v = motion.startVelocity[other];
  const double spin = norm(t.angular);
  if (!(spin > 0.0) || bodies.facts[other].type != BodyType::Dynamic) return;
  if (norm(cross(t.angular, row.normal)) > kUpright * spin) return;
  const double half = 0.5 * in.dt;
  const Vec3 way = (v.linear - t.linear) * half;
  for (int i = 0; i < row.count; ++i) {
    Vec3 &onTable = isFirst ? row.points[i].arm1 : row.points[i].arm2,
         &own = isFirst ? row.points[i].arm2 : row.points[i].arm1;
    const Vec3 turn = cross(v.angular, own - row.normal * dot(row.normal, own)) * half;
    own += turn;
    onTable += turn + way;
  }
}

}  // namespace

double slowestBounce(const StepInput& in) {
  return kBounceOfFall * norm(in.gravity) * in.dt;
}

void ManifoldRows::build(const StepProblem& problem, const StepMotion& motion) {
  fast.clear();
  addFastContacts(problem, motion, false, sorter_, fast);
  addOrdinary(problem, motion);
  addFast(problem, motion);
  order(problem.in);
}

/// The last of so many rows.
ManifoldRow& ManifoldRows::addRow(std::size_t count) {
  if (storage_.size() < count) {
    if (storage_.capacity() < count) storage_.reserve(count + count / 16);
    storage_.resize(storage_.capacity());
  }
  if (sources.size() < storage_.size()) sources.resize(storage_.size());
  return storage_[count - 1];
}

/// Contacts of whole pairs, and how many rows they make: one for each of their manifolds.
void ManifoldRows::cut(const StepProblem& problem, const StepMotion& motion) {
  const auto found = problem.cache.getContacts();
  const auto known = problem.cache.getManifolds();
  TaskRunner* const tasks = problem.in.tasks;
  const BodyTable& bodies = problem.in.bodies;
  const auto isJointed = [&](const ObjectPair& pair) {
    return !motion.jointed.empty() && (motion.isJointed(bodies.indexOf(pair.first)) ||
                                       motion.isJointed(bodies.indexOf(pair.second)));
  };
  const std::size_t grain = tasks == nullptr ? found.size() : kContactGrain;
  parts_.clear();
  for (std::size_t begin = 0; begin < found.size();) {
    std::size_t end = begin + grain < found.size() ? begin + grain : found.size();
    while (end < found.size() && found.pairOf(end) == found.pairOf(end - 1)) ++end;
    parts_.push_back({begin, end, 0, 0, 0, 0});
    begin = end;
  }
  row_of_.assign(known.size(), kNoRow);
  forChunks(tasks, parts_.size(), 1, [&](std::size_t p, std::size_t) {
    Part& part = parts_[p];
    for (std::size_t k = part.begin; k < part.end; ++k) {
      const std::uint32_t manifold = found.placeOf(k).manifold;
      std::uint32_t& at = row_of_[manifold];
      if (at != kNoRow || isJointed(found.pairOf(k))) continue;
      at = part.numRows++;
      part.numPoints += known[manifold].count;
    }
  });
  std::uint32_t count = 0;
  num_points_ = 0;
  for (Part& part : parts_) {
    part.firstRow = count;
    count += part.numRows;
    part.firstPoint = num_points_;
    num_points_ += part.numPoints;
  }
  const std::size_t points = num_points_ + ManifoldRow::kMaxPoints * fast.size();
  fitRoom(points, points_);
  if (points_.size() < points) points_.resize(points_.capacity());
  fitRoom(count, storage_);
  fitRoom(count, sources);
  if (count > 0) addRow(count);
  all = {storage_.data(), count};
  ordinary = count;
}

/// One row for each manifold that has contacts in this step.
void ManifoldRows::addOrdinary(const StepProblem& problem, const StepMotion& motion) {
  cut(problem, motion);
  const BodyTable& bodies = problem.in.bodies;
  slops_.resize(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (bodies.facts[i].shape) slops_[i] = problem.in.slopOf(i, i);
  }
  forChunks(problem.in.tasks, parts_.size(), 1,
            [&](std::size_t p, std::size_t) { fill(problem, motion, parts_[p]); });
}

/// A row without points, of a manifold with this normal.
void ManifoldRows::startRow(const StepInput& in, const ManifoldKey& key, const Vec3& normal,
                            SurfacePairs& surfaces, ManifoldRow& row, RowSource& source) const {
  const BodyTable& bodies = in.bodies;
  row.body1 = static_cast<std::uint32_t>(indexNear(bodies, key.pair.first));
  row.body2 = static_cast<std::uint32_t>(indexNear(bodies, key.pair.second));
  const BodyFacts &f = bodies.facts[row.body1], &g = bodies.facts[row.body2];
  const PairMaterial& material = surfaces.between(f, key.subShape1, g, key.subShape2);
  const Vec3 &center1 = bodies.position[row.body1], &center2 = bodies.position[row.body2];
  row.normal = normal;
  if (const double width = minOf(f.halfWidth, g.halfWidth); areInOnePlace(center1, center2, width))
      [[unlikely]] {
    row.normal = partingNormal(normal, center1, center2, width,
                               rankOf(bodies.marks[row.body1], bodies.marks[row.body2]));
  }
  row.offset = surfaceOffset(f, g);
  row.friction = material.friction;
  row.rolling = material.rollingResistance;
  row.spinning = material.spinningResistance;
  row.slop = minOf(slops_[row.body1], slops_[row.body2]);
  row.resistingImpulse = {};
  row.tangentImpulse = {};
  row.twistImpulse = 0.0;
  row.restitution = material.restitution;
  source.meetsDriver = f.type == BodyType::Kinematic || g.type == BodyType::Kinematic;
}

/// The rows of a part.
template <class V>
ABUT_ALWAYS_INLINE void ManifoldRows::fillAs(const StepProblem& problem, const StepMotion& motion,
                                             const Part& part) {
  const StepInput& in = problem.in;
  const BodyTable& bodies = in.bodies;
  const double dt = in.dt, rescale = in.rescale();
  const double slowest = slowestBounce(in);
  const auto found = problem.cache.getContacts();
  const auto manifolds = problem.cache.getManifolds();
  const std::span<ManifoldRow> rows = all.subspan(part.firstRow, part.numRows);
  for (ManifoldRow& row : rows) row.count = 0;
  RowPoint* room = points_.data() + part.firstPoint;
  SurfacePairs surfaces(in.materials);
  for (std::size_t k = part.begin; k < part.end; ++k) {
    const ContactPlace& place = found.placeOf(k);
    const std::uint32_t at = row_of_[place.manifold];
    if (at == kNoRow) continue;
    const PersistentManifold& manifold = manifolds[place.manifold];
    const PersistentPoint& from = manifold.points[place.point];
    const ContactPoint& contact = from.contact;
    ManifoldRow& row = rows[at];
    RowSource& source = sources[part.firstRow + at];
    if (row.count == 0) {
      startRow(in, manifold.key, toVec3(contact.normal), surfaces, row, source);
      source.manifold = place.manifold;
      row.points = room;
      room += manifold.count;
    }
    const int i = row.count++;
    RowPoint& point = row.points[i];
    point.contact = static_cast<std::uint32_t>(k);
    // As in siteAt().
    const V position = loadAs<V>(contact.position);
    const V half = loadInner<V>(row.normal) * (0.5 * contact.depth);
    store((position - half) - loadAs<V>(bodies.position[row.body1]), point.arm1);
    store((position + half) - loadAs<V>(bodies.position[row.body2]), point.arm2);
    point.separation = -contact.depth;
    point.bound = contact.depth < 0.0 ? contact.depth / dt : 0.0;
    if (row.restitution > 0.0) {
      const double u =
          normalVelocity(row, i, motion.startVelocity[row.body1], motion.startVelocity[row.body2]);
      if (u < -slowest && u < point.bound) point.bound = -row.restitution * u;
    }
    point.normalImpulse = from.normalImpulse * rescale;
    const V carried = loadAs<V>(from.tangentImpulse) * rescale;
    store(loadInner<V>(row.tangentImpulse) + carried, row.tangentImpulse);
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    ManifoldRow& row = rows[r];
    const RowSource& source = sources[part.firstRow + r];
    if (source.meetsDriver) moveOnTables(in, motion, row);
    if (row.count < 2) continue;
    const V centre = centreOf<V>(row, &RowPoint::arm1), normal = loadInner<V>(row.normal);
    const PersistentPoint* const known = manifolds[source.manifold].points.data();
    for (int i = 0; i < row.count; ++i) {
      const PersistentPoint& from = known[found.placeOf(row.points[i].contact).point];
      const V t = loadAs<V>(from.tangentImpulse) * rescale;
      row.twistImpulse += dot(normal, cross(loadInner<V>(row.points[i].arm1) - centre, t));
    }
  }
}

#if ABUT_HAS_WIDE
ABUT_WIDE void ManifoldRows::fillWide(const StepProblem& problem, const StepMotion& motion,
                                      const Part& part) {
  fillAs<WideVec3>(problem, motion, part);
}
#endif

void ManifoldRows::fill(const StepProblem& problem, const StepMotion& motion, const Part& part) {
#if ABUT_HAS_WIDE
  static const bool kHasWide = __builtin_cpu_supports("avx2");
  if (kHasWide) return fillWide(problem, motion, part);
#endif
  fillAs<Vec3>(problem, motion, part);
}

/// Rows for fast bodies at the place where they first hit, as far away as the way to it: they may
/// approach until they are there.
void ManifoldRows::addFast(const StepProblem& problem, const StepMotion& motion) {
  const double dt = problem.in.dt;
  std::size_t count = all.size();
  RowPoint* room = points_.data() + num_points_;
  for (std::size_t k = 0; k < fast.size(); ++k) {
    const StepContact& c = fast[k];
    const bool next = k > 0 && fast[k - 1].row.manifold == c.row.manifold;
    if (!next) ++count;
    ManifoldRow& row = addRow(count);
    RowSource& source = sources[count - 1];
    if (!next) {
      row = ManifoldRow{};
      row.points = room;
      room += ManifoldRow::kMaxPoints;
      row.body1 = c.body1;
      row.body2 = c.body2;
      row.normal = c.row.normal;
      row.offset = c.row.offset;
      row.friction = c.material.friction;
      row.rolling = c.material.rollingResistance;
      row.spinning = c.material.spinningResistance;
      row.slop = problem.in.slopOf(c.body1, c.body2);
      source.manifold = RowSource::kNoManifold;
      row.restitution = c.material.restitution;
    }
    const int i = row.count++;
    RowPoint& point = row.points[i];
    point = {};
    point.arm1 = c.row.arm1;
    point.arm2 = c.row.arm2;
    const double u =
        normalVelocity(row, i, motion.startVelocity[c.body1], motion.startVelocity[c.body2]);
    const double gap = maxOf(0.0, -c.depth - (u + 0.5 * c.pull * c.late) * c.late);
    point.separation = gap;
    point.bound = row.restitution > 0.0 ? -row.restitution * u : -gap / dt;
    point.contact = static_cast<std::uint32_t>(k);
  }
  all = {storage_.data(), count};
}

void ManifoldRows::order(const StepInput& in) {
  const BodyTable& bodies = in.bodies;
  TaskRunner* const tasks = in.tasks;
  markMovingBodies(bodies, moves_);
  fitRoom(all.size(), links);
  links.resize(all.size());
  answers_.resize(bodies.size());
  forChunks(tasks, bodies.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) answers_[i] = answerOf(bodies.mobility[i]);
  });
  forChunks(tasks, all.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      ManifoldRow& row = all[i];
      row.isLean = isLean(row, answers_[row.body1], answers_[row.body2]);
      bool pushed = false;
      for (int k = 0; k < row.count; ++k) pushed = pushed || row.points[k].normalImpulse > 0.0;
      // By number of points, lean ones apart; those that did not push before are likely to go on
      // so: together they can be passed over.
      const std::uint32_t points = row.isLean ? 0 : static_cast<std::uint32_t>(row.count);
      const std::uint32_t kind = 2 * points + (pushed ? 0 : 1);
      const ObjectPair pair{bodies.ids[row.body1], bodies.ids[row.body2]};
      // Rows of a pair lie in the order of their keys, those of fast bodies after the others.
      const std::uint64_t rank = rankOf(bodies.marks[row.body1], bodies.marks[row.body2]);
      links[i] = {row.body1, row.body2, kind, rank, pair, static_cast<std::uint32_t>(i)};
    }
  });
  linkOrder.build(links, moves_, in.halo(), tasks, in.room);
  forChunks(tasks, all.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      all[i].colour = linkOrder.colourOf(static_cast<std::uint32_t>(i));
    }
  });
}

}  // namespace abut::inline v0_1
