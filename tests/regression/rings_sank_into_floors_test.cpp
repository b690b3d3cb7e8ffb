// SPDX-License-Identifier: MIT
// Symptom: a torus of triangles that fell on a floor at 60 Hz lay up to 48 mm deep in it, at a
// radius of 18 cm of its tube, and sank further while it rocked. Cause: only corners lower than all
// around them were contacts, three or four at one side of the ring; what pushed that side up pushed
// the other down. Mechanism: the outermost corners of a curved mesh below a face are contacts of
// it, and the guard counts how thick a mesh is, not its box.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/world/world.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

std::shared_ptr<const Shape> ring(std::uint32_t around, std::uint32_t across) {
  const double pi = std::acos(-1.0);
  std::vector<Eigen::Vector3d> corners;
  std::vector<MeshShape::Triangle> faces;
  for (std::uint32_t i = 0; i < around; ++i) {
    for (std::uint32_t k = 0; k < across; ++k) {
      const double a = 2 * pi * i / around, b = 2 * pi * k / across;
      const double out = 0.45 + 0.18 * std::cos(b);
      corners.emplace_back(out * std::cos(a), out * std::sin(a), 0.18 * std::sin(b));
      const std::uint32_t next = (i + 1) % around * across, up = (k + 1) % across;
      faces.push_back({i * across + k, next + k, next + up});
      faces.push_back({i * across + k, next + up, i * across + up});
    }
  }
  return std::make_shared<MeshShape>(corners, faces);
}

class RingsOnFloors : public testing::TestWithParam<bool> {};

TEST_P(RingsOnFloors, DoNotSinkIn) {
  for (const std::uint32_t fineness : {8u, 16u}) {
    const auto shape = ring(2 * fineness, fineness);
    test::Random random(5);
    for (int drop = 0; drop < 6; ++drop) {
      World world(GetParam() ? WorldOptions::realTime() : WorldOptions{});
      Material m;
      m.friction = random.between(0, 1);
      const MaterialId id = world.materials().add(m);
      BodyDescription d;
      d.type = BodyType::Static;
      world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(5, 5, 0.5)), id);
      d.type = BodyType::Dynamic;
      d.position = {0, 0, 1.8};
      d.orientation = random.quaternion();
      d.angularVelocity = toEigen(random.direction() * 4.0);
      world.addBody(d, shape, id);
      double deepest = 0.0;
      for (int i = 0; i < 60; ++i) {
        world.step(1.0 / 60).orThrow();
        deepest = std::max(deepest, world.getReport().greatestDepth);
      }
      EXPECT_LT(deepest, 0.02) << fineness << ' ' << drop;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, RingsOnFloors, testing::Bool(),
                         [](const auto& scheme) { return scheme.param ? "RealTime" : "Exact"; });

}  // namespace
}  // namespace abut
