// SPDX-License-Identifier: MIT
#include <vector>

#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/math/convert.hpp>

#include "digest.hpp"
#include "random_pose.hpp"
#include "results.hpp"

namespace golden {
namespace {

using namespace abut;

constexpr ObjectId kObjects = 8;

/// A manifold of up to four points near the middle of two objects; the normal turns a little from
/// step to step, some points come and go.
ContactManifold makeManifold(ObjectId first, ObjectId second, const std::vector<ObjectPose>& poses,
                             Generator& random) {
  ContactManifold manifold;
  manifold.setObjects(first, second);
  manifold.setSubShapes(random.next() % 2, 0);
  manifold.setType(ContactType::Face);
  const Vec3& at = poses[static_cast<std::size_t>(first - 1)].pose.translation;
  const Eigen::Vector3d tilt = random.vector(0.05);
  const Eigen::Vector3d normal = toEigen(normalized(Vec3{tilt.x(), tilt.y(), 1.0}));
  const std::uint32_t count = 1 + static_cast<std::uint32_t>(random.next() % 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    ContactPoint point;
    const Eigen::Vector3d noise = random.vector(1e-3);
    point.position = {at.x + (i % 2 == 0 ? 0.5 : -0.5) + noise.x(),
                      at.y + (i / 2 == 0 ? 0.5 : -0.5) + noise.y(), at.z - 0.5 + noise.z()};
    point.normal = normal;
    point.depth = random.between(-1e-4, 1e-2);
    point.feature1 = {Feature::Kind::Vertex, i};
    point.feature2 = {Feature::Kind::Face, static_cast<std::uint32_t>(random.next() % 2)};
    manifold.addContact(point);
  }
  return manifold;
}

void addState(Digest& digest, const ContactManifoldCache& cache) {
  for (const PersistentContact& c : cache.getContacts()) {
    digest.add(c.pair.first), digest.add(c.pair.second), add(digest, c.contact);
    digest.add(c.normalImpulse), digest.add(c.tangentImpulse);
    digest.add(c.id), digest.add(c.manifold), digest.add(c.point), digest.add(c.age);
  }
  for (const PersistentManifold& m : cache.getManifolds()) {
    digest.add(m.key.subShape1), digest.add(m.key.ordinal), digest.add(m.framesSinceSeen);
    digest.add(m.detected);
    for (const PersistentPoint& p : m.getPoints()) digest.add(p.local1), digest.add(p.local2);
  }
  for (const ObjectPair& pair : cache.getBegunPairs()) digest.add(pair.first);
  for (const ObjectPair& pair : cache.getEndedPairs()) digest.add(pair.second);
}

void run(const char* name, const ContactManifoldCacheOptions& options) {
  Generator random(61);
  Digest digest;
  ContactManifoldCache cache(options);
  std::vector<ObjectPose> poses;
  for (ObjectId id = 1; id <= kObjects; ++id) poses.push_back({id, randomPose(random, 2.0)});
  for (int step = 0; step < 30; ++step) {
    for (ObjectPose& pose : poses) pose.pose.translation += toVec3(random.vector(1e-3));
    std::vector<ContactManifold> raw;
    for (ObjectId id = kObjects; id > 1; --id) {
      if (random.next() % 4 != 0) raw.push_back(makeManifold(id - 1, id, poses, random));
    }
    const CacheReport report = cache.update(raw, poses);
    add(digest, report.status);
    digest.add(report.pairsAdded), digest.add(report.pairsMatched), digest.add(report.pairsDropped);
    digest.add(report.pointsMatched), digest.add(report.pointsRejected);
    digest.add(report.impulsesDropped), digest.add(report.contactsEmitted);
    addState(digest, cache);
    for (std::size_t i = 0; i < cache.getContacts().size(); ++i) {
      const double normal = random.between(0.0, 2.0);
      cache.setImpulse(i, normal, random.vector(1.5), 0.6).orThrow();
    }
    digest.add(cache.canRecycle({1, 2}, poses[0].pose, poses[1].pose));
    if (step % 9 == 8) digest.add(cache.forgetObject(1 + random.next() % kObjects));
  }
  print(name, digest);
}

}  // namespace

void manifolds() {
  run("manifold.cache", {});
  ContactManifoldCacheOptions options;
  options.accumulate = true;
  options.allowNegativeDepth = true;
  options.maxPairs = 5;
  run("manifold.cache_accumulating", options);
}

}  // namespace golden
