// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <abut/abut.hpp>

namespace abut::bench {

/// Ten thousand cubes that come to rest on the ground, and a sphere, the last body, that rolls past
/// them.
inline World makeSleepers() {
  WorldOptions options = WorldOptions::realTime();
  options.sleeping = true;
  World world(options);
  const auto cube = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
  world.addBody({.type = BodyType::Static}, BoxShape({200, 200, 1}));
  for (int i = 0; i < 10000; ++i) {
    BodyDescription body;
    body.position = {1.5 * (i % 100) - 75, 1.5 * (i / 100) - 75, 1.5};
    world.addBody(body, cube);
  }
  BodyDescription runner;
  runner.position = {-100, 0, 1.5};
  runner.linearVelocity = {1, 0, 0};
  runner.angularVelocity = {0, 2, 0};
  world.addBody(runner, SphereShape(0.5));
  return world;
}

}  // namespace abut::bench
