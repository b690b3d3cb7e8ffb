// SPDX-License-Identifier: MIT
#include <vector>

#include <abut/broad_phase/brute_force_broad_phase.hpp>
#include <abut/collision/collision_group.hpp>
#include <abut/math/convert.hpp>

#include "digest.hpp"
#include "random_pose.hpp"
#include "results.hpp"
#include "specimens.hpp"

namespace golden {
namespace {

using namespace abut;

constexpr int kObjects = 60;

void addReport(Digest& digest, const GroupReport& report) {
  digest.add(report.pairsFound), digest.add(report.pairsIgnored), digest.add(report.planePairs);
  digest.add(report.pairsTested);
}

void addContacts(Digest& digest, CollisionGroup& group) {
  for (const CollisionOption& option :
       {CollisionOption::fullContacts(), CollisionOption::binaryCheck()}) {
    CollisionResult result;
    GroupReport report;
    add(digest, group.collide(option, result, &report));
    add(digest, result);
    addReport(digest, report);
  }
}

void addRays(Digest& digest, CollisionGroup& group, Generator& random) {
  std::vector<GroupRayHit> hits;
  for (int i = 0; i < 20; ++i) {
    Ray ray;
    ray.origin = random.vector(5.0);
    ray.direction = random.vector(1.0);
    ray.maxFraction = 20.0;
    bool found = false;
    GroupRayHit first;
    add(digest, group.raycast(ray, found, first, i % 2 == 0 ? 0xffffffffu : 1u));
    digest.add(found), digest.add(first.object), digest.add(first.hit.fraction);
    add(digest, group.raycastAll(ray, hits));
    for (const GroupRayHit& hit : hits) {
      digest.add(hit.object), digest.add(hit.hit.fraction), digest.add(hit.hit.point);
      digest.add(hit.hit.normal), digest.add(hit.hit.subShape);
    }
  }
}

void addDistance(Digest& digest, const Status& status, const GroupDistance& closest) {
  add(digest, status);
  digest.add(closest.found), digest.add(closest.object1), digest.add(closest.object2);
  add(digest, closest.result);
}

void run(CollisionGroup group, const std::string& name) {
  Generator random(91);
  Digest contacts, distances, rays;
  for (int i = 0; i < kObjects; ++i) {
    const std::size_t shape = static_cast<std::size_t>(random.next() % specimens().size());
    CollisionObject object(specimens()[shape], toEigen(randomPose(random, 3.0)));
    if (i % 7 == 0) object.setCategory(2);
    if (i % 11 == 0) object.setMask(1);
    group.add(std::move(object)).orThrow();
  }
  CollisionGroup far;
  for (int i = 0; i < 5; ++i) {
    Pose pose = randomPose(random, 1.0);
    pose.translation.x += 12.0;
    far.add(CollisionObject(specimens()[2 * static_cast<std::size_t>(i)], toEigen(pose))).orThrow();
  }
  for (int step = 0; step < 2; ++step) {
    addContacts(contacts, group);
    addRays(rays, group, random);
    GroupDistance closest;
    const Status within = group.distance(closest);
    addDistance(distances, within, closest);
    const Status between = group.distance(far, closest);
    addDistance(distances, between, closest);
    const ObjectId moved = 1 + random.next() % kObjects;
    group.setTransform(moved, toEigen(randomPose(random, 2.0))).orThrow();
  }
  print("group." + name + ".collide", contacts);
  print("group." + name + ".distance", distances);
  print("group." + name + ".raycast", rays);
}

}  // namespace

// The two must print the same hashes as each other, too.
void collisionGroups() {
  run(CollisionGroup(), "bvh");
  run(CollisionGroup(std::make_unique<BruteForceBroadPhase>()), "brute_force");
}

}  // namespace golden
