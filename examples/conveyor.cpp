// SPDX-License-Identifier: MIT
// A belt carries boxes past a light barrier; those that are too tall are counted. The belt is a
// static body whose surface moves (BodyDescription::surfaceVelocity).
#include <cstdio>
#include <vector>

#include <abut/abut.hpp>
#include <abut/world/inspect.hpp>

int main() {
  abut::World world;
  const auto belt = std::make_shared<const abut::BoxShape>(Eigen::Vector3d(5, 0.5, 0.1));
  abut::BodyDescription description;
  description.type = abut::BodyType::Static;
  description.position = {0, 0, -0.1};
  description.surfaceVelocity = {0.5, 0, 0};
  world.addBody(description, belt);
  std::vector<abut::ObjectId> boxes;
  for (int i = 0; i < 5; ++i) {
    const double half = i % 2 == 0 ? 0.1 : 0.2;
    boxes.push_back(
        world.addBody({.position = {-2.0 + 0.8 * i, 0, half}}, abut::BoxShape({0.1, 0.1, half})));
  }
  // The barrier: a ray across the belt, 30 cm above it.
  const abut::Ray ray{{2.5, -1, 0.3}, {0, 2, 0}, 1.0};
  int tall = 0;
  bool wasBroken = false;
  for (int step = 0; step < 2000; ++step) {
    world.step(1.0 / 240).orThrow();
    bool isBroken = false;
    for (const abut::ObjectId id : boxes) {
      abut::BodyDescription now;
      std::vector<abut::BodyShape> shapes;
      describeBody(world, id, now, shapes).orThrow();
      abut::BodyMotion motion;
      world.getMotion(id, motion).orThrow();
      bool found = false;
      abut::RayHit hit;
      abut::raycast({shapes[0].shape.get(), motion.pose, id}, ray, found, hit).orThrow();
      isBroken = isBroken || found;
    }
    if (isBroken && !wasBroken) {
      ++tall;
      std::printf("t = %5.2f s: box %d is too tall\n", world.getTime(), tall);
    }
    wasBroken = isBroken;
  }
  return tall == 2 ? 0 : 1;
}
