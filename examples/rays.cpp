// SPDX-License-Identifier: MIT
// Detection alone: rays, casts and distances in a group of objects, without a world.
#include <cstdio>
#include <vector>

#include <abut/abut.hpp>

int main() {
  abut::CollisionGroup group;
  for (int i = 0; i < 10; ++i) {
    const Eigen::Isometry3d place(Eigen::Translation3d(2.0 * i, 0, 0));
    group
        .add(abut::CollisionObject(std::make_shared<abut::CylinderShape>(0.5, 1.0), place, 100 + i))
        .orThrow();
  }
  bool found = false;
  abut::GroupRayHit first;
  group.raycast({{-5, 0, 0}, {1, 0, 0}, 100}, found, first).orThrow();
  std::printf("first hit: object %d at x = %g m\n", static_cast<int>(first.object),
              first.hit.point.x());
  std::vector<abut::GroupRayHit> all;
  group.raycastAll({{-5, 0, 0}, {1, 0, 0}, 100}, all).orThrow();
  std::printf("objects along the ray: %zu\n", all.size());

  const abut::CollisionObject ball(std::make_shared<abut::SphereShape>(0.25),
                                   Eigen::Isometry3d(Eigen::Translation3d(4, 3, 0)), 1);
  abut::CastResult cast;
  group.shapeCast(ball, {0, -3, 0}, cast).orThrow();
  std::printf("the ball meets object %d after %g m\n", static_cast<int>(cast.object2),
              3 * cast.fraction);
  abut::GroupDistance closest;
  group.distance(ball, closest).orThrow();
  std::printf("and is %g m from it now\n", closest.result.distance);
  return found && first.object == 100 && all.size() == 10 && cast.object2 == 102 ? 0 : 1;
}
