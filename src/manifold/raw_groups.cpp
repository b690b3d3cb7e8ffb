// SPDX-License-Identifier: MIT
#include "manifold/raw_groups.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include <abut/math/convert.hpp>

namespace abut {
namespace {

bool sourceLess(const RawGroups::Source& a, const RawGroups::Source& b) {
  if (a.key != b.key) return a.key < b.key;
  return lexicographicLess(a.normal, b.normal);
}

bool canonicalLess(const RawPoint& a, const RawPoint& b) {
  const ContactPoint &p = a.contact, &q = b.contact;
  if (p.feature1 != q.feature1) return p.feature1 < q.feature1;
  if (p.feature2 != q.feature2) return p.feature2 < q.feature2;
  const Vec3 a1 = toVec3(p.position), b1 = toVec3(q.position);
  if (a1 != b1) return lexicographicLess(a1, b1);
  if (p.depth != q.depth) return p.depth > q.depth;
  return lexicographicLess(toVec3(p.normal), toVec3(q.normal));
}

/// True if the point obeys the cache's invariants; makes its normal a unit vector.
bool admit(ContactPoint& contact, const ContactManifoldCacheOptions& options) {
  const Vec3 normal = toVec3(contact.normal);
  if (!isFinite(toVec3(contact.position)) || !isFinite(normal) || !isFinite(contact.depth)) {
    return false;
  }
  if (ContactPoint::isZeroNormal(contact.normal)) return false;
  if (contact.depth < 0.0 && !options.allowNegativeDepth) return false;
  // Detectors deliver unit vectors but for rounding; those stay as they are. Adding zero turns -0
  // into +0, so that a normal negated twice has the same bits.
  constexpr double kUnitTolerance = 1e-12;
  const bool isUnit = absOf(squaredNorm(normal) - 1.0) <= kUnitTolerance;
  contact.normal = toEigen((isUnit ? normal : normalized(normal)) + Vec3{});
  return true;
}

Status missingPose(ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         "ContactManifoldCache::update: no pose was given for object " +
                             std::to_string(id) + "; pass the poses of all objects that touch",
                         id);
}

}  // namespace

const Pose* findPose(std::span<const ObjectPose> poses, ObjectId id) {
  if (poses.empty() || id < poses.front().id) return nullptr;
  const ObjectId guess = id - poses.front().id;
  if (guess < poses.size()) {
    const ObjectPose& candidate = poses[static_cast<std::size_t>(guess)];
    if (candidate.id == id) return &candidate.pose;
  }
  const auto found = std::lower_bound(poses.begin(), poses.end(), id,
                                      [](const ObjectPose& p, ObjectId i) { return p.id < i; });
  return found != poses.end() && found->id == id ? &found->pose : nullptr;
}

Status RawGroups::collect(std::span<const ContactManifold> raw, std::span<const ObjectPose> poses,
                          const ContactManifoldCacheOptions& options, CacheReport& report) {
  sources.clear();
  points.clear();
  groups.clear();
  for (std::uint32_t i = 0; i < raw.size(); ++i) {
    const ContactManifold& m = raw[i];
    const ObjectId a = m.getObject1(), b = m.getObject2();
    if (a == b) {
      return Status::failure(StatusCode::SelfPair,
                             "ContactManifoldCache::update: manifold " + std::to_string(i) +
                                 " joins object " + std::to_string(a) + " with itself",
                             a);
    }
    const bool swap = b < a;
    const Vec3 n = toVec3(m.getSharedNormal());
    const ManifoldKey key{ObjectPair::of(a, b), swap ? m.getSubShape2() : m.getSubShape1(),
                          swap ? m.getSubShape1() : m.getSubShape2(), 0};
    sources.push_back({key, swap ? -n : n, i});
  }
  if (!std::is_sorted(sources.begin(), sources.end(), sourceLess)) {
    std::sort(sources.begin(), sources.end(), sourceLess);  // Ties merge into one group below.
  }

  Vec3 groupNormal;
  for (const Source& source : sources) {
    const bool sameParts = !groups.empty() && groups.back().key.pair == source.key.pair &&
                           groups.back().key.subShape1 == source.key.subShape1 &&
                           groups.back().key.subShape2 == source.key.subShape2;
    if (!sameParts || !(dot(groupNormal, source.normal) > options.normalThreshold)) {
      RawGroup group;
      group.key = source.key;
      group.key.ordinal = sameParts ? groups.back().key.ordinal + 1 : 0;
      group.first = static_cast<std::uint32_t>(points.size());
      group.type = raw[source.index].getType();
      group.pose1 = findPose(poses, source.key.pair.first);
      group.pose2 = findPose(poses, source.key.pair.second);
      if (group.pose1 == nullptr) return missingPose(source.key.pair.first);
      if (group.pose2 == nullptr) return missingPose(source.key.pair.second);
      groups.push_back(group);
      groupNormal = source.normal;
    }
    RawGroup& group = groups.back();
    const bool swap = raw[source.index].getObject2() < raw[source.index].getObject1();
    for (const ContactPoint& contact : raw[source.index].getContacts()) {
      RawPoint point{contact, {}, {}};
      if (swap) {
        std::swap(point.contact.feature1, point.contact.feature2);
        point.contact.normal = toEigen(-toVec3(contact.normal));
      }
      if (!admit(point.contact, options)) {
        ++report.pointsRejected;
        continue;
      }
      const Vec3 half = toVec3(point.contact.normal) * (0.5 * contact.depth);
      const Vec3 middle = toVec3(contact.position);
      point.local1 = applyInverse(*group.pose1, middle - half);
      point.local2 = applyInverse(*group.pose2, middle + half);
      if (group.count == 0 || contact.depth > group.depth) group.depth = contact.depth;
      points.push_back(point);
      ++group.count;
    }
  }
  std::erase_if(groups, [](const RawGroup& group) { return group.count == 0; });
  for (const RawGroup& group : groups) {
    const auto begin = points.begin() + group.first;
    if (!std::is_sorted(begin, begin + group.count, canonicalLess)) {
      std::sort(begin, begin + group.count, canonicalLess);  // Equal points are interchangeable.
    }
  }
  return {};
}

std::size_t RawGroups::limit(std::size_t most) {
  if (groups.size() <= most) return 0;
  std::sort(groups.begin(), groups.end(), [](const RawGroup& a, const RawGroup& b) {
    return a.depth != b.depth ? a.depth > b.depth : a.key < b.key;
  });
  const std::size_t leftOut = groups.size() - most;
  groups.resize(most);
  std::sort(groups.begin(), groups.end(),
            [](const RawGroup& a, const RawGroup& b) { return a.key < b.key; });
  return leftOut;
}

}  // namespace abut
