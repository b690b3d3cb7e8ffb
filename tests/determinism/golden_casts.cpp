// SPDX-License-Identifier: MIT
#include <abut/narrow_phase/cast.hpp>

#include "digest.hpp"
#include "pair_scene.hpp"
#include "results.hpp"

namespace golden {
namespace {

using namespace abut;

void add(Digest& digest, const CastResult& result) {
  digest.add(result.hit), digest.add(result.fraction), digest.add(result.normal);
  digest.add(result.point), digest.add(result.object1), digest.add(result.object2);
  add(digest, result.feature1), add(digest, result.feature2);
  digest.add(result.subShape1), digest.add(result.subShape2);
  digest.add(result.status), digest.add(result.iterations);
}

}  // namespace

void casts() {
  forEachTypePair([](const std::string& name, std::span<const PairOfSpecimens> candidates) {
    Generator random(71);
    Digest linear, turning;
    for (const PairOfSpecimens& pair : candidates) {
      for (int i = 0; i < 3; ++i) {
        const auto [object1, object2] = place(pair, Placing::Separated, random);
        const Vec3& from = object1.pose.translation;
        const Vec3& to = object2.pose.translation;
        // Towards the other object, and a little past it.
        const Eigen::Vector3d aim = random.vector(0.5);
        Motion motion;
        motion.linear = {to.x - from.x + aim.x(), to.y - from.y + aim.y(), to.z - from.z + aim.z()};
        CastResult result;
        add(linear, shapeCast(object1, motion.linear, object2, {0.0, 0.0, 0.0}, result));
        add(linear, result);
        motion.angular = random.vector(2.0);
        Motion other;
        other.angular = random.vector(1.0);
        CastResult impact;
        add(turning, timeOfImpact(object1, motion, object2, other, impact));
        add(turning, impact);
        turning.add(poseAt(object1.pose, motion, 0.3));
      }
    }
    print("shapeCast." + name, linear);
    print("timeOfImpact." + name, turning);
  });
}

}  // namespace golden
