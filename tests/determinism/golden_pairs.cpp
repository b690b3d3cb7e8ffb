// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "digest.hpp"
#include "pair_scene.hpp"
#include "results.hpp"
#include "specimens.hpp"

namespace golden {
namespace {

using namespace abut;

void addCollide(Digest& digest, const PlacedShape& object1, const PlacedShape& object2) {
  CollisionOption margin = CollisionOption::fullContacts();
  margin.margin = 0.1;
  for (const CollisionOption& option :
       {CollisionOption::fullContacts(), CollisionOption::fullContacts(2),
        CollisionOption::binaryCheck(), margin}) {
    CollisionResult result;
    add(digest, collide(object1, object2, option, result));
    add(digest, result);
  }
}

void addDistance(Digest& digest, const PlacedShape& object1, const PlacedShape& object2) {
  DistanceResult result;
  add(digest, distance(object1, object2, result));
  add(digest, result);
}

void addRay(Digest& digest, const PlacedShape& object, Generator& random) {
  Ray ray;
  ray.origin = random.vector(3.0);
  ray.direction = random.vector(2.0);
  ray.maxFraction = 4.0;
  bool found = false;
  RayHit hit;
  add(digest, raycast(object, ray, found, hit));
  digest.add(found), digest.add(hit.fraction), digest.add(hit.point), digest.add(hit.normal);
  digest.add(hit.subShape);
}

}  // namespace

void pairs() {
  Digest rays;
  Generator random(41);
  forEachTypePair([&](const std::string& name, std::span<const PairOfSpecimens> candidates) {
    for (const Placing placing : kPlacings) {
      Digest contacts, distances;
      Generator poses(seedOf(placing));
      for (const PairOfSpecimens& pair : candidates) {
        for (int i = 0; i < kPosesPerPair; ++i) {
          const auto [object1, object2] = place(pair, placing, poses);
          addCollide(contacts, object1, object2);
          addCollide(contacts, object2, object1);
          addDistance(distances, object1, object2);
          addDistance(distances, object2, object1);
          addRay(rays, object1, random);
        }
      }
      print("collide." + name + "." + std::string(toString(placing)), contacts);
      print("distance." + name + "." + std::string(toString(placing)), distances);
    }
  });
  print("raycast.placed", rays);
}

}  // namespace golden
