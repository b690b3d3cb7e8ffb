// SPDX-License-Identifier: MIT
#include "pair_scene.hpp"

#include <vector>

#include <abut/math/convert.hpp>

#include "random_pose.hpp"
#include "specimens.hpp"

namespace golden {
namespace {

using namespace abut;

/// A rotation that maps axes to axes: a product of quarter turns, exact.
Mat3 quarterTurns(Generator& random) {
  const Mat3 aboutX{{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}};
  const Mat3 aboutZ{{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
  Mat3 rotation;
  const std::uint64_t draw = random.next();
  for (std::uint64_t i = 0; i < draw % 4; ++i) rotation = rotation * aboutX;
  for (std::uint64_t i = 0; i < draw / 4 % 4; ++i) rotation = rotation * aboutZ;
  return rotation;
}

Vec3 gridPoint(Generator& random, double reach) {
  const Eigen::Vector3d r = random.vector(reach * 4.0);
  return {static_cast<int>(r.x()) * 0.25, static_cast<int>(r.y()) * 0.25,
          static_cast<int>(r.z()) * 0.25};
}

Vec3 offset(Generator& random, Placing placing) {
  if (placing == Placing::Overlapping) return toVec3(random.vector(0.45));
  Vec3 v = toVec3(random.vector(1.0));
  double* coordinates[3] = {&v.x, &v.y, &v.z};
  double& longest = *coordinates[random.next() % 3];
  longest = longest < 0.0 ? longest - 1.8 : longest + 1.8;
  return v;
}

}  // namespace

std::string_view toString(Placing placing) {
  constexpr std::string_view kNames[] = {"separated", "touching", "overlapping", "aligned"};
  return kNames[static_cast<std::size_t>(placing)];
}

void forEachTypePair(
    const std::function<void(const std::string&, std::span<const PairOfSpecimens>)>& call) {
  for (std::size_t a = 0; a < specimens().size(); a += 2) {
    for (std::size_t b = a; b < specimens().size(); b += 2) {
      const std::string name = std::string(toString(specimens()[a]->getType())) + "." +
                               std::string(toString(specimens()[b]->getType()));
      const PairOfSpecimens candidates[] = {{a, b}, {a, b + 1}, {a + 1, b}, {a + 1, b + 1}};
      call(name, candidates);
    }
  }
}

std::pair<PlacedShape, PlacedShape> place(const PairOfSpecimens& pair, Placing placing,
                                          Generator& random) {
  const bool named = random.next() % 2 == 0;
  PlacedShape object1{specimens()[pair.first].get(), {}, named ? 1u : kNoObject};
  PlacedShape object2{specimens()[pair.second].get(), {}, named ? 2u : kNoObject};
  if (placing == Placing::Aligned) {
    object1.pose.rotation = quarterTurns(random);
    object1.pose.translation = gridPoint(random, 2.0);
    object2.pose.rotation = quarterTurns(random);
    object2.pose.translation = object1.pose.translation + gridPoint(random, 1.0);
    return {object1, object2};
  }
  object1.pose = randomPose(random, 2.0);
  object2.pose = randomPose(random, 0.0);
  object2.pose.translation = object1.pose.translation + offset(random, placing);
  DistanceResult gap;
  if (placing == Placing::Touching && distance(object1, object2, gap).isOk()) {
    object2.pose.translation += toVec3(gap.normal) * gap.distance;
  }
  return {object1, object2};
}

}  // namespace golden
