// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "support/standard_scenes.hpp"

namespace abut::bench {

/// Spheres in a box of walls as high as it needs to be.
inline test::StandardScene manySpheres(int count) {
  test::StandardScene scene = test::makeStandardScenes()[1];
  scene.id = 's';
  scene.title = std::to_string(count) + " spheres";
  const int side = static_cast<int>(std::cbrt(count));
  scene.bodies.clear();
  const double half = 0.55 * side + 0.5;
  test::SceneBody wall;
  wall.isStatic = true;
  wall.half = {half + 2, half + 2, 1};
  wall.position = {0, 0, -1};
  scene.bodies.push_back(wall);
  for (const double end : {-1.0, 1.0}) {
    wall.half = {1, half + 2, 200};
    wall.position = {end * (half + 1), 0, 200};
    scene.bodies.push_back(wall);
    wall.half = {half + 2, 1, 200};
    wall.position = {0, end * (half + 1), 200};
    scene.bodies.push_back(wall);
  }
  std::uint32_t state = 12345;
  const auto jitter = [&] {
    state = state * 1664525u + 1013904223u;
    return 0.1 * (static_cast<double>(state >> 8u) / 16777216.0 - 0.5);
  };
  for (int i = 0; i < count; ++i) {
    test::SceneBody body;
    body.kind = test::Kind::Sphere;
    body.position.x = (i % side - 0.5 * (side - 1)) * 1.1 + jitter();
    body.position.y = (i / side % side - 0.5 * (side - 1)) * 1.1 + jitter();
    body.position.z = 0.6 + (i / (side * side)) * 1.1 + jitter();
    scene.bodies.push_back(body);
  }
  return scene;
}

}  // namespace abut::bench
