// SPDX-License-Identifier: MIT
#include "manifold/raw_groups.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace abut::inline v0_1 {
namespace {

/// Raw manifolds that a thread takes at once.
constexpr std::size_t kGrain = 256;

bool canonicalLess(const RawPoint& a, const RawPoint& b) {
  const ContactPoint &p = a.contact, &q = b.contact;
  if (p.feature1 != q.feature1) return p.feature1 < q.feature1;
  if (p.feature2 != q.feature2) return p.feature2 < q.feature2;
  const Vec3 a1 = toVec3(p.position), b1 = toVec3(q.position);
  if (a1 != b1) return lexicographicLess(a1, b1);
  if (p.depth != q.depth) return p.depth > q.depth;
  return lexicographicLess(toVec3(p.normal), toVec3(q.normal));
}

Status missingPose(ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         "ContactManifoldCache::update: no pose was given for object " +
                             std::to_string(id) + "; pass the poses of all objects that touch",
                         id);
}

}  // namespace

const Pose* searchPose(std::span<const ObjectPose> poses, ObjectId id) {
  const auto found = std::lower_bound(poses.begin(), poses.end(), id,
                                      [](const ObjectPose& p, ObjectId i) { return p.id < i; });
  return found != poses.end() && found->id == id ? &found->pose : nullptr;
}

bool RawGroups::sourceLess(const Source& a, const Source& b) {
  if (a.key != b.key) return a.key < b.key;
  return lexicographicLess(a.normal, b.normal);
}

/// Whether some raw manifolds come in the order of their keys, no two of them alike, and all their
/// objects have poses.
bool RawGroups::arePlain(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end; ++i) {
    const RawManifold& m = (*raw_)[i];
    if (!(m.object1 < m.object2)) return false;
    if (findPose(poses_, m.object1) == nullptr || findPose(poses_, m.object2) == nullptr) {
      return false;
    }
    if (i == 0) continue;
    const RawManifold& last = (*raw_)[i - 1];
    if (last.object1 != m.object1) {
      if (m.object1 < last.object1) return false;
    } else if (last.object2 != m.object2) {
      if (m.object2 < last.object2) return false;
    } else if (std::pair(last.subShape1, last.subShape2) >= std::pair(m.subShape1, m.subShape2)) {
      return false;
    }
  }
  return true;
}

/// The sources of some raw manifolds.
void RawGroups::fill(Part& part) {
  const RawContacts& raw = *raw_;
  part.isSorted = true;
  part.selfPair = raw.size();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const RawManifold& m = raw[i];
    const ObjectId a = m.object1, b = m.object2;
    if (a == b && part.selfPair == raw.size()) part.selfPair = i;
    const bool swap = b < a;
    const Vec3 n = m.count != 0 ? toVec3(raw.pointsOf(m)[0].normal) : Vec3{};
    const ManifoldKey key{ObjectPair::of(a, b), swap ? m.subShape2 : m.subShape1,
                          swap ? m.subShape1 : m.subShape2, 0};
    sources_[i] = {key, swap ? -n : n, static_cast<std::uint32_t>(i)};
    if (i > part.begin && sourceLess(sources_[i], sources_[i - 1])) part.isSorted = false;
  }
}

/// After the parts were filled.
Status RawGroups::sortSources() {
  const RawContacts& raw = *raw_;
  bool isSorted = true;
  for (const Part& part : parts_) {
    if (part.selfPair != raw.size()) {
      const ObjectId id = raw[part.selfPair].object1;
      return Status::failure(StatusCode::SelfPair,
                             "ContactManifoldCache::update: manifold " +
                                 std::to_string(part.selfPair) + " joins object " +
                                 std::to_string(id) + " with itself",
                             id);
    }
    isSorted = isSorted && part.isSorted &&
               (part.begin == 0 || !sourceLess(sources_[part.begin], sources_[part.begin - 1]));
  }
  if (!isSorted) std::sort(sources_.begin(), sources_.end(), sourceLess);  // Ties: in one group.
  return {};
}

/// The groups of a part, one after the other.
template <class Append>
void RawGroups::group(const ContactManifoldCacheOptions& options, std::span<const ObjectPose> poses,
                      Part& part, Append&& append) const {
  part.missing = kNoObject;
  RawGroup* last = nullptr;
  Vec3 groupNormal;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Source& source = sources_[i];
    const bool sameParts = last != nullptr && last->key.pair == source.key.pair &&
                           last->key.subShape1 == source.key.subShape1 &&
                           last->key.subShape2 == source.key.subShape2;
    if (!sameParts || !(dot(groupNormal, source.normal) > options.normalThreshold)) {
      RawGroup next;
      next.key = source.key;
      next.key.ordinal = sameParts ? last->key.ordinal + 1 : 0;
      next.first = static_cast<std::uint32_t>(i);
      next.type = (*raw_)[source.manifold].type;
      next.pose1 = findPose(poses, source.key.pair.first);
      next.pose2 = findPose(poses, source.key.pair.second);
      if (next.pose1 == nullptr || next.pose2 == nullptr) {
        part.missing = next.pose1 == nullptr ? source.key.pair.first : source.key.pair.second;
        return;
      }
      last = append(next);
      groupNormal = source.normal;
    }
    ++last->count;
  }
}

Status RawGroups::collect(const RawContacts& raw, std::span<const ObjectPose> poses,
                          const ContactManifoldCacheOptions& options, TaskRunner* tasks) {
  const std::size_t grain = tasks == nullptr ? raw.size() + 1 : kGrain;
  parts_.clear();
  for (std::size_t begin = 0; begin < raw.size(); begin += grain) {
    Part& part = parts_.emplace_back();
    part.begin = begin;
    part.end = std::min(begin + grain, raw.size());
  }
  raw_ = &raw;
  poses_ = poses;
  groups_.clear();
  is_plain_ = true;
  forChunks(tasks, parts_.size(), 1, [&](std::size_t i, std::size_t) {
    parts_[i].isSorted = arePlain(parts_[i].begin, parts_[i].end);
  });
  for (const Part& part : parts_) is_plain_ = is_plain_ && part.isSorted;
  if (is_plain_ && options.maxPairs == 0) return {};
  is_plain_ = false;
  sources_.resize(raw.size());
  forChunks(tasks, parts_.size(), 1, [&](std::size_t i, std::size_t) { fill(parts_[i]); });
  const Status status = sortSources();
  if (!status) return status;
  if (parts_.size() == 1) {
    group(options, poses, parts_[0], [&](const RawGroup& g) { return &groups_.emplace_back(g); });
    return parts_[0].missing == kNoObject ? Status{} : missingPose(parts_[0].missing);
  }
  // Whole pairs: what follows looks at one pair at a time. First counted, then filled in.
  std::size_t end = 0;
  for (Part& part : parts_) {
    part.begin = end;
    end = std::max(end, part.end);
    while (end > 0 && end < sources_.size() &&
           sources_[end].key.pair == sources_[end - 1].key.pair) {
      ++end;
    }
    part.end = end;
  }
  forChunks(tasks, parts_.size(), 1, [&](std::size_t i, std::size_t) {
    RawGroup scratch;
    parts_[i].numGroups = 0;
    group(options, poses, parts_[i], [&](const RawGroup& g) {
      ++parts_[i].numGroups;
      scratch = g;
      return &scratch;
    });
  });
  std::size_t total = 0;
  for (Part& part : parts_) {
    if (part.missing != kNoObject) return missingPose(part.missing);
    part.firstGroup = total;
    total += part.numGroups;
  }
  groups_.resize(total);
  forChunks(tasks, parts_.size(), 1, [&](std::size_t i, std::size_t) {
    RawGroup* at = groups_.data() + parts_[i].firstGroup;
    group(options, poses, parts_[i], [&](const RawGroup& g) {
      *at = g;
      return at++;
    });
  });
  return {};
}

void RawGroups::load(const RawGroup& group, const ContactManifoldCacheOptions& options,
                     std::vector<RawPoint>& points, CacheReport& report) const {
  points.clear();
  for (std::uint32_t k = group.first; k < group.first + group.count; ++k) {
    const RawManifold& manifold = (*raw_)[is_plain_ ? k : sources_[k].manifold];
    const bool swap = manifold.object2 < manifold.object1;
    for (const ContactPoint& contact : raw_->pointsOf(manifold)) {
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
      setWitnesses(point.contact, *group.pose1, *group.pose2, point.local1, point.local2);
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
      for (const ContactPoint& contact : raw_->pointsOf((*raw_)[source.manifold])) {
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

}  // namespace abut::inline v0_1
