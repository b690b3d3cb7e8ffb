// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <vector>

#include <abut/broad_phase/brute_force_broad_phase.hpp>
#include <abut/broad_phase/bvh_broad_phase.hpp>

#include "digest.hpp"

namespace golden {
namespace {

using namespace abut;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr ObjectId kObjects = 300;

/// Mostly small boxes, some a hundred times as large, one half-space; some on a grid so that boxes
/// touch exactly.
Aabb randomBox(Generator& random, ObjectId id) {
  if (id == 7) return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, -9.0}};
  Eigen::Vector3d at = random.vector(10.0);
  if (id % 5 == 0) {
    for (int i = 0; i < 3; ++i) at[i] = static_cast<double>(static_cast<int>(at[i]));
    const Eigen::Vector3d corner(at.x() + 1.0, at.y() + 1.0, at.z() + 1.0);
    return {at, corner};
  }
  const double size = id % 41 == 0 ? 20.0 : random.between(0.05, 0.9);
  return {at, {at.x() + size, at.y() + size, at.z() + random.between(0.0, 1.0)}};
}

void addQueries(const BroadPhase& broadPhase, Generator& random, Digest& digest) {
  std::vector<ObjectId> ids;
  std::vector<RayCandidate> candidates;
  for (int i = 0; i < 40; ++i) {
    const Aabb box = randomBox(random, 1);
    const Eigen::Vector3d origin = random.vector(12.0);
    Eigen::Vector3d direction = random.vector(1.0);
    if (i % 8 == 0) direction = {0.0, 0.0, -1.0};
    digest.add(broadPhase.overlap(box, ids).getCode());
    for (const ObjectId id : ids) digest.add(id);
    digest.add(broadPhase.sweep(box, direction, ids).getCode());
    for (const ObjectId id : ids) digest.add(id);
    const double reach = i % 3 == 0 ? kInfinity : 5.0;
    digest.add(broadPhase.raycast(origin, direction, reach, candidates).getCode());
    for (const RayCandidate& c : candidates) digest.add(c.entry), digest.add(c.id);
  }
}

void run(BroadPhase& broadPhase, const std::string& name) {
  Generator random(11);
  Digest pairsDigest, queries;
  std::vector<ObjectPair> pairs;
  for (ObjectId id = 1; id <= kObjects; ++id) {
    broadPhase.add(id, randomBox(random, id)).orThrow();
  }
  for (int step = 0; step < 4; ++step) {
    for (ObjectId id = 1 + random.next() % 3; id <= kObjects; id += 3) {
      if (broadPhase.contains(id)) broadPhase.update(id, randomBox(random, id)).orThrow();
    }
    broadPhase.computePotentialPairs(pairs);
    pairsDigest.add(pairs.size());
    for (const ObjectPair& pair : pairs) pairsDigest.add(pair.first), pairsDigest.add(pair.second);
    addQueries(broadPhase, random, queries);
    broadPhase.remove(1 + random.next() % kObjects).orThrow();
  }
  Aabb box;
  const Status unknown = broadPhase.getBox(kObjects + 1, box);
  queries.add(unknown.getCode()), queries.add(unknown.getMessage()), queries.add(broadPhase.size());
  print("broad_phase." + name + ".pairs", pairsDigest);
  print("broad_phase." + name + ".queries", queries);
}

}  // namespace

// The two implementations must print the same hashes as each other, too.
void broadPhase() {
  BruteForceBroadPhase bruteForce;
  run(bruteForce, "brute_force");
  BvhBroadPhase bvh;
  run(bvh, "bvh");
}

}  // namespace golden
