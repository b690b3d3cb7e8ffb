// SPDX-License-Identifier: MIT
#include "manifold/raw_groups.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <abut/math/convert.hpp>

namespace abut {
namespace {

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
  const double length2 = squaredNorm(normal);
  constexpr double kShortest2 = ContactPoint::kNormalEpsilon * ContactPoint::kNormalEpsilon;
  if (length2 < kShortest2) return false;
  if (contact.depth < 0.0 && !options.allowNegativeDepth) return false;
  // Detectors deliver unit vectors but for rounding; those stay as they are. Adding zero turns -0
  // into +0, so that a normal negated twice has the same bits.
  constexpr double kUnitTolerance = 1e-12;
  const bool isUnit = absOf(length2 - 1.0) <= kUnitTolerance;
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

bool RawGroups::sourceLess(const Source& a, const Source& b) {
  if (a.key != b.key) return a.key < b.key;
  return lexicographicLess(a.normal, b.normal);
}

Status RawGroups::collect(std::span<const ContactManifold> raw, std::span<const ObjectPose> poses,
                          const ContactManifoldCacheOptions& options) {
  sources_.clear();
  groups_.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const ContactManifold& m = raw[i];
    const ObjectId a = m.getObject1(), b = m.getObject2();
    if (a == b) {
      return Status::failure(StatusCode::SelfPair,
                             "ContactManifoldCache::update: manifold " + std::to_string(i) +
                                 " joins object " + std::to_string(a) + " with itself",
                             a);
    }
    const bool swap = b < a;
    const Vec3 n = m.hasContacts() ? toVec3(m.getContacts()[0].normal) : Vec3{};
    const ManifoldKey key{ObjectPair::of(a, b), swap ? m.getSubShape2() : m.getSubShape1(),
                          swap ? m.getSubShape1() : m.getSubShape2(), 0};
    sources_.push_back({key, swap ? -n : n, &m});
  }
  if (!std::is_sorted(sources_.begin(), sources_.end(), sourceLess)) {
    std::sort(sources_.begin(), sources_.end(), sourceLess);  // Ties end in one group.
  }
  Vec3 groupNormal;
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    const bool sameParts = !groups_.empty() && groups_.back().key.pair == source.key.pair &&
                           groups_.back().key.subShape1 == source.key.subShape1 &&
                           groups_.back().key.subShape2 == source.key.subShape2;
    if (!sameParts || !(dot(groupNormal, source.normal) > options.normalThreshold)) {
      RawGroup group;
      group.key = source.key;
      group.key.ordinal = sameParts ? groups_.back().key.ordinal + 1 : 0;
      group.first = i;
      group.type = source.manifold->getType();
      group.pose1 = findPose(poses, source.key.pair.first);
      group.pose2 = findPose(poses, source.key.pair.second);
      if (group.pose1 == nullptr) return missingPose(source.key.pair.first);
      if (group.pose2 == nullptr) return missingPose(source.key.pair.second);
      groups_.push_back(group);
      groupNormal = source.normal;
    }
    ++groups_.back().count;
  }
  return {};
}

void RawGroups::load(const RawGroup& group, const ContactManifoldCacheOptions& options,
                     std::vector<RawPoint>& points, CacheReport& report) const {
  points.clear();
  for (const Source& source : std::span(sources_).subspan(group.first, group.count)) {
    const bool swap = source.manifold->getObject2() < source.manifold->getObject1();
    for (const ContactPoint& contact : source.manifold->getContacts()) {
      RawPoint& point = points.emplace_back();
      point.contact = contact;
      if (swap) {
        std::swap(point.contact.feature1, point.contact.feature2);
        point.contact.normal = toEigen(-toVec3(contact.normal));
      }
      if (!admit(point.contact, options)) {
        ++report.pointsRejected;
        points.pop_back();
        continue;
      }
      const Vec3 half = toVec3(point.contact.normal) * (0.5 * contact.depth);
      const Vec3 middle = toVec3(contact.position);
      point.local1 = applyInverse(*group.pose1, middle - half);
      point.local2 = applyInverse(*group.pose2, middle + half);
    }
  }
  if (!std::is_sorted(points.begin(), points.end(), canonicalLess)) {
    std::sort(points.begin(), points.end(), canonicalLess);  // Equal points are interchangeable.
  }
}

std::size_t RawGroups::limit(std::size_t most) {
  if (groups_.size() <= most) return 0;
  const auto depthOf = [this](const RawGroup& group) {
    double greatest = -std::numeric_limits<double>::infinity();
    for (const Source& source : std::span(sources_).subspan(group.first, group.count)) {
      for (const ContactPoint& contact : source.manifold->getContacts()) {
        if (contact.depth > greatest) greatest = contact.depth;
      }
    }
    return greatest;
  };
  std::sort(groups_.begin(), groups_.end(), [&](const RawGroup& a, const RawGroup& b) {
    const double depthA = depthOf(a), depthB = depthOf(b);
    return depthA != depthB ? depthA > depthB : a.key < b.key;
  });
  const std::size_t leftOut = groups_.size() - most;
  groups_.resize(most);
  std::sort(groups_.begin(), groups_.end(),
            [](const RawGroup& a, const RawGroup& b) { return a.key < b.key; });
  return leftOut;
}

}  // namespace abut
