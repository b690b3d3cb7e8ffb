// SPDX-License-Identifier: MIT
#include "manifold/merge.hpp"

#include <algorithm>
#include <utility>

#include <abut/math/convert.hpp>

#include "core/inline.hpp"
#include "math/wide_vec3.hpp"

namespace abut::inline v0_1 {
namespace {

/// Points of one manifold closer than this part of its extent are the same point, however large
/// positionThreshold is: small bodies keep their corners.
constexpr double kUniquePart = 0.01;

constexpr std::uint8_t kUnmatched = 0xff;

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");
#endif

bool sameFeatures(const ContactPoint& a, const ContactPoint& b) {
  return a.feature1.kind != Feature::Kind::None && a.feature1 == b.feature1 &&
         a.feature2 == b.feature2;
}

bool normalsAgree(const ContactPoint& a, const ContactPoint& b,
                  const ContactManifoldCacheOptions& options) {
  return dot(toVec3(a.normal), toVec3(b.normal)) > options.normalThreshold;
}

double squaredDistance(const Vec3& a, const Vec3& b) {
  return squaredNorm(a - b);
}

/// The poses of two objects, as vectors V.
template <class V>
struct PairPose {
  const Pose &pose1, &pose2;
  MatOf<V> rotation1 = loadAs<V>(pose1.rotation), rotation2 = loadAs<V>(pose2.rotation);
  V translation1 = loadAs<V>(pose1.translation), translation2 = loadAs<V>(pose2.translation);
};

/// A point's place and depth under the current poses; the normal stays.
template <class V>
ABUT_ALWAYS_INLINE void reevaluate(PersistentPoint& point, const PairPose<V>& at) {
  const V p1 = times(at.rotation1, point.local1) + at.translation1;
  const V p2 = times(at.rotation2, point.local2) + at.translation2;
  store((p1 + p2) * 0.5, point.contact.position);
  point.contact.depth = -dot(loadAs<V>(point.contact.normal), p1 - p2);
}

/// Length of the part of p1 - p2 across the normal: how far the anchors slid apart [m].
double slide(const PersistentPoint& point, const Pose& pose1, const Pose& pose2) {
  const Vec3 d = apply(pose1, point.local1) - apply(pose2, point.local2);
  const Vec3 n = toVec3(point.contact.normal);
  return norm(d - n * dot(n, d));
}

bool stillContact(const PersistentPoint& point, const Pose& pose1, const Pose& pose2,
                  const ContactManifoldCacheOptions& options) {
  return point.contact.depth >= 0.0 && slide(point, pose1, pose2) <= options.positionThreshold;
}

/// Impulses of an earlier point for its successor: dropped if the normal turned, else the
/// tangential part is projected on the new plane and clamped to the cone.
void carryImpulses(const PersistentPoint& from, const ContactManifoldCacheOptions& options,
                   PersistentPoint& to, CacheReport& report) {
  to.friction = from.friction;
  if (from.normalImpulse == 0.0 && toVec3(from.tangentImpulse) == Vec3{}) return;
  if (!normalsAgree(from.contact, to.contact, options)) {
    ++report.impulsesDropped;
    return;
  }
  const Vec3 n = toVec3(to.contact.normal), t = toVec3(from.tangentImpulse);
  Vec3 projected = t - n * dot(n, t);
  const double bound = from.friction * from.normalImpulse, length = norm(projected);
  if (length > bound) projected = projected * (bound / length);
  to.normalImpulse = from.normalImpulse;
  to.tangentImpulse = toEigen(projected);
  to.couple = from.couple;
}

/// A number for a new point that depends on nothing but its key and features, so that a world built
/// afresh gives the same one; `taken` numbers are avoided in a fixed way.
std::uint64_t makeId(const ManifoldKey& key, const ContactPoint& contact,
                     std::span<const PersistentPoint> taken) {
  std::uint64_t h = 0;
  const auto mix = [&h](std::uint64_t value) {
    h += value + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
  };
  for (const std::uint64_t part : {key.pair.first, key.pair.second, key.subShape1, key.subShape2,
                                   std::uint64_t{key.ordinal}}) {
    mix(part);
  }
  for (const Feature& f : {contact.feature1, contact.feature2}) {
    mix((static_cast<std::uint64_t>(f.kind) << 32) | f.index);
  }
  const auto isTaken = [&](const PersistentPoint& p) { return p.id == h; };
  while (std::any_of(taken.begin(), taken.end(), isTaken)) mix(1);
  return h;
}

/// Indices of the raw points that are unique; of near duplicates the deeper one, then the first.
void keepUnique(std::span<const RawPoint> points, const ContactManifoldCacheOptions& options,
                std::vector<std::uint32_t>& kept) {
  kept.clear();
  if (points.size() == 1) {
    kept.push_back(0);
    return;
  }
  double extent = 0.0;
  for (const RawPoint& p : points) {
    extent = maxOf(extent,
                   squaredDistance(toVec3(p.contact.position), toVec3(points[0].contact.position)));
  }
  const double limit = minOf(options.positionThreshold, kUniquePart * std::sqrt(extent));
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    bool duplicate = false;
    for (std::uint32_t& k : kept) {
      const RawPoint &a = points[i], &b = points[k];
      const double d = squaredDistance(toVec3(a.contact.position), toVec3(b.contact.position));
      if (d > limit * limit) continue;
      if (!normalsAgree(a.contact, b.contact, options)) continue;
      if (a.contact.depth > b.contact.depth) k = i;
      duplicate = true;
      break;
    }
    if (!duplicate) kept.push_back(i);
  }
}

/// match[i] is the earlier point that new point i continues, or kUnmatched.
void matchPoints(std::span<const PersistentPoint> fresh, std::span<const PersistentPoint> old,
                 const ContactManifoldCacheOptions& options, std::array<std::uint8_t, 4>& match,
                 CacheReport& report) {
  std::array<bool, 4> used{};
  match.fill(kUnmatched);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    for (std::size_t j = 0; j < old.size(); ++j) {
      if (used[j] || !sameFeatures(fresh[i].contact, old[j].contact)) continue;
      match[i] = static_cast<std::uint8_t>(j);
      used[j] = true;
      ++report.pointsByFeature;
      break;
    }
  }
  const double limit = options.positionThreshold * options.positionThreshold;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (match[i] != kUnmatched) continue;
    double nearest = limit;
    for (std::size_t j = 0; j < old.size(); ++j) {
      if (used[j] || !normalsAgree(fresh[i].contact, old[j].contact, options)) continue;
      const double d = minOf(squaredDistance(fresh[i].local1, old[j].local1),
                             squaredDistance(fresh[i].local2, old[j].local2));
      if (!(d < nearest)) continue;
      nearest = d;
      match[i] = static_cast<std::uint8_t>(j);
    }
    if (match[i] != kUnmatched) used[match[i]] = true;
  }
}

/// Earlier points that are no raw point's predecessor but still touch, as further candidates.
void addEarlierPoints(const RawGroup& group, const PersistentManifold& old,
                      const ContactManifoldCacheOptions& options,
                      std::vector<RawPoint>& candidates) {
  const std::size_t numRaw = candidates.size();
  for (const PersistentPoint& point : old.getPoints()) {
    PersistentPoint moved = point;
    reevaluate(moved, PairPose<Vec3>{*group.pose1, *group.pose2});
    if (!stillContact(moved, *group.pose1, *group.pose2, options)) continue;
    const bool superseded =
        std::any_of(candidates.begin(), candidates.begin() + numRaw,
                    [&](const RawPoint& raw) { return sameFeatures(raw.contact, moved.contact); });
    if (!superseded) candidates.push_back({moved.contact, moved.local1, moved.local2});
  }
}

}  // namespace

bool contactLess(const ContactPoint& a, const ContactPoint& b) {
  if (a.depth != b.depth) return a.depth > b.depth;
  const Vec3 p = toVec3(a.position), q = toVec3(b.position);
  if (p != q) return lexicographicLess(p, q);
  return lexicographicLess(toVec3(a.normal), toVec3(b.normal));
}

void mergeSeen(const RawGroup& group, const PersistentManifold* old,
               const ContactManifoldCacheOptions& options, std::uint32_t frame,
               MergeScratch& scratch, PersistentManifold& out, CacheReport& report) {
  if (old != nullptr && options.accumulate) addEarlierPoints(group, *old, options, scratch.points);
  const std::span<const RawPoint> candidates = scratch.points;
  keepUnique(candidates, options, scratch.kept);

  std::array<std::uint32_t, 4> chosen{0, 1, 2, 3};
  std::size_t count = scratch.kept.size();
  if (count > options.maxPointsPerPair) {
    std::vector<Candidate>& pool = scratch.pool;
    pool.clear();
    for (const std::uint32_t i : scratch.kept) {
      pool.push_back({toVec3(candidates[i].contact.position), candidates[i].contact.depth});
    }
    count = static_cast<std::size_t>(
        selectPoints(pool, toVec3(candidates[scratch.kept[0]].contact.normal),
                     options.maxPointsPerPair, options.depthEpsilon, chosen));
  }

  // Order first, so that every point is written once, in its place.
  const auto at = [&](std::uint32_t i) -> const RawPoint& { return candidates[scratch.kept[i]]; };
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t j = i; j > 0 && contactLess(at(chosen[j]).contact, at(chosen[j - 1]).contact);
         --j) {
      std::swap(chosen[j], chosen[j - 1]);
    }
  }
  out.key = group.key;
  out.type = group.type;
  out.framesSinceSeen = 0;
  out.lastUpdateFrame = frame;
  out.detected = relative(*group.pose1, *group.pose2);
  out.normal1 = transposeTimes(group.pose1->rotation, toVec3(at(chosen[0]).contact.normal));
  out.points.makeRoom(count, scratch.spare);
  out.count = static_cast<std::uint8_t>(count);
  const std::span<PersistentPoint> fresh(out.points.data(), count);
  for (std::size_t i = 0; i < count; ++i) {
    const RawPoint& source = at(chosen[i]);
    PersistentPoint& point = fresh[i];
    point.contact = source.contact;
    point.local1 = source.local1;
    point.local2 = source.local2;
    point.normalImpulse = 0.0;
    point.tangentImpulse = {0.0, 0.0, 0.0};
    point.couple = {};
    point.friction = 0.0;
    point.id = 0;
    point.age = 0;
    point.emitted = true;
  }

  std::array<std::uint8_t, 4> match;
  const std::span<const PersistentPoint> before =
      old != nullptr ? old->getPoints() : std::span<const PersistentPoint>{};
  matchPoints(fresh, before, options, match, report);
  std::size_t matched = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (match[i] == kUnmatched) continue;
    const PersistentPoint& from = before[match[i]];
    fresh[i].id = from.id;
    fresh[i].age = from.age + 1;
    carryImpulses(from, options, fresh[i], report);
    ++matched;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (match[i] == kUnmatched) fresh[i].id = makeId(group.key, fresh[i].contact, fresh);
  }
  report.pointsMatched += matched;
  report.pointsAdded += count - matched;
  report.pointsReplaced += before.size() - matched;
}

namespace {

/// What a manifold keeps of where its only contact is in the frames of its objects.
template <class V>
ABUT_ALWAYS_INLINE void placeOneAs(const ContactPoint& contact, const Pose& pose1,
                                   const Pose& pose2, PersistentManifold& out) {
  // Products with the transposed matrices sum as transposeTimes() does.
  const MatOf<V> back1 = transposed(loadAs<V>(pose1.rotation));
  const MatOf<V> back2 = transposed(loadAs<V>(pose2.rotation));
  const V center1 = loadAs<V>(pose1.translation), center2 = loadAs<V>(pose2.translation);
  Pose& detected = out.detected;
  store(times(back1, pose2.rotation.x), detected.rotation.x);
  store(times(back1, pose2.rotation.y), detected.rotation.y);
  store(times(back1, pose2.rotation.z), detected.rotation.z);
  store(times(back1, center2 - center1), detected.translation);
  const V normal = loadAs<V>(contact.normal), middle = loadAs<V>(contact.position);
  store(times(back1, normal), out.normal1);
  const V half = normal * (0.5 * contact.depth);
  store(times(back1, (middle - half) - center1), out.points[0].local1);
  store(times(back2, (middle + half) - center2), out.points[0].local2);
}

#if ABUT_HAS_WIDE
ABUT_WIDE void placeOneWide(const ContactPoint& contact, const Pose& pose1, const Pose& pose2,
                            PersistentManifold& out) {
  placeOneAs<WideVec3>(contact, pose1, pose2, out);
}
#endif

void placeOne(const ContactPoint& contact, const Pose& pose1, const Pose& pose2,
              PersistentManifold& out) {
#if ABUT_HAS_WIDE
  if (kHasWide) return placeOneWide(contact, pose1, pose2, out);
#endif
  placeOneAs<Vec3>(contact, pose1, pose2, out);
}

}  // namespace

void mergeOne(const RawGroup& group, const ContactPoint& contact, const PersistentManifold* old,
              const ContactManifoldCacheOptions& options, std::uint32_t frame,
              MergeScratch& scratch, PersistentManifold& out, CacheReport& report) {
  const Pose &pose1 = *group.pose1, &pose2 = *group.pose2;
  out.key = group.key;
  out.type = group.type;
  out.framesSinceSeen = 0;
  out.lastUpdateFrame = frame;
  out.points.makeRoom(1, scratch.spare);
  out.count = 1;
  PersistentPoint& point = out.points[0];
  point.contact = contact;
  placeOne(contact, pose1, pose2, out);
  point.normalImpulse = 0.0;
  point.tangentImpulse = {0.0, 0.0, 0.0};
  point.couple = {};
  point.friction = 0.0;
  point.emitted = true;
  const std::span<const PersistentPoint> before =
      old != nullptr ? old->getPoints() : std::span<const PersistentPoint>{};
  std::array<std::uint8_t, 4> match{kUnmatched};
  if (before.size() == 1 && sameFeatures(contact, before[0].contact)) {
    match[0] = 0;
    ++report.pointsByFeature;
  } else if (!before.empty()) {
    matchPoints({&point, 1}, before, options, match, report);
  }
  if (match[0] != kUnmatched) {
    const PersistentPoint& from = before[match[0]];
    point.id = from.id;
    point.age = from.age + 1;
    carryImpulses(from, options, point, report);
    ++report.pointsMatched;
    report.pointsReplaced += before.size() - 1;
  } else {
    point.age = 0;
    point.id = makeId(group.key, contact, {});
    ++report.pointsAdded;
    report.pointsReplaced += before.size();
  }
}

void copyManifold(const PersistentManifold& from, MergeScratch& scratch, PersistentManifold& to) {
  to.key = from.key;
  to.points.makeRoom(from.count, scratch.spare);
  std::copy_n(from.points.data(), from.count, to.points.data());
  to.count = from.count;
  to.type = from.type;
  to.framesSinceSeen = from.framesSinceSeen;
  to.lastUpdateFrame = from.lastUpdateFrame;
  to.detected = from.detected;
  to.normal1 = from.normal1;
}

namespace {

/// The normal of a manifold as the objects have turned since it was detected: with that which
/// touches by a face, else with both.
template <class V>
ABUT_ALWAYS_INLINE V turnedNormal(const PairPose<V>& at, const PersistentManifold& manifold) {
  const V n1 = times(at.rotation1, manifold.normal1);
  const ContactPoint& contact = manifold.points[0].contact;
  if (manifold.type == ContactType::Face || contact.feature1.kind == Feature::Kind::Face) return n1;
  const V n2 = times(at.rotation2, transposeTimes(manifold.detected.rotation, manifold.normal1));
  return contact.feature2.kind == Feature::Kind::Face ? n2 : normalized(n1 + n2);
}

template <class V>
ABUT_ALWAYS_INLINE void carryPointsAs(PersistentManifold& manifold, const Pose& pose1,
                                      const Pose& pose2, bool recycled,
                                      const ContactManifoldCacheOptions& options) {
  const PairPose<V> at{pose1, pose2};
  V turned{};
  if (recycled) turned = turnedNormal(at, manifold);
  for (PersistentPoint& point : std::span(manifold.points.data(), manifold.count)) {
    if (recycled) {
      // Friction stays in the plane.
      store(turned, point.contact.normal);
      const V t = loadAs<V>(point.tangentImpulse);
      store(t - turned * dot(turned, t), point.tangentImpulse);
    }
    reevaluate(point, at);
    ++point.age;
    point.emitted = recycled ? point.contact.depth >= 0.0 || options.allowNegativeDepth
                             : stillContact(point, pose1, pose2, options);
  }
}

#if ABUT_HAS_WIDE
ABUT_WIDE void carryPointsWide(PersistentManifold& manifold, const Pose& pose1, const Pose& pose2,
                               bool recycled, const ContactManifoldCacheOptions& options) {
  carryPointsAs<WideVec3>(manifold, pose1, pose2, recycled, options);
}
#endif

void carryPoints(PersistentManifold& manifold, const Pose& pose1, const Pose& pose2, bool recycled,
                 const ContactManifoldCacheOptions& options) {
#if ABUT_HAS_WIDE
  if (kHasWide) return carryPointsWide(manifold, pose1, pose2, recycled, options);
#endif
  carryPointsAs<Vec3>(manifold, pose1, pose2, recycled, options);
}

}  // namespace

void carryOver(PersistentManifold& manifold, const Pose& pose1, const Pose& pose2, bool recycled,
               const ContactManifoldCacheOptions& options, std::uint32_t frame) {
  manifold.framesSinceSeen =
      recycled ? std::uint16_t{0} : static_cast<std::uint16_t>(manifold.framesSinceSeen + 1);
  if (!recycled && options.emitUnseen) return;  // The literal rule: emitted unchanged.
  manifold.lastUpdateFrame = frame;
  carryPoints(manifold, pose1, pose2, recycled, options);
  const auto less = [](const PersistentPoint& a, const PersistentPoint& b) {
    return contactLess(a.contact, b.contact);
  };
  PersistentPoint *const begin = manifold.points.data(), *const end = begin + manifold.count;
  if (!std::is_sorted(begin, end, less)) std::sort(begin, end, less);
}

}  // namespace abut::inline v0_1
