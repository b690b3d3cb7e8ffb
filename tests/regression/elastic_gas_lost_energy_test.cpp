// SPDX-License-Identifier: MIT
// Symptom: a gas of 500 elastic balls lost 10 % of its energy in 30 s at 60 Hz.
// Cause: balls that touched at the beginning of a step, were thrown apart, and approached again
// after a later blow of the same step were stopped although they did not meet again in it.
// Mechanism: the bound of their velocities counts the way that they are apart since their blow,
// as that of balls with a gap does.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

void expectEnergyKept(std::uint64_t seed, double dt, int steps, bool wallsFirst,
                      double side = 1.0) {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  Material elastic;
  elastic.friction = 0.0;
  elastic.restitution = 1.0;
  MaterialId material = 0;
  world.materials().add(elastic, material).orThrow();
  const double radius = 0.05;
  for (int i = 0; i < 6; ++i) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.id = static_cast<ObjectId>(wallsFirst ? i + 1 : i + 1000);
    Eigen::Vector3d normal(0, 0, 0);
    normal[i / 2] = i % 2 == 0 ? 1.0 : -1.0;
    d.position = -0.5 * side * normal;
    world.addBody(d, PlaneShape(normal, 0.0), material);
  }
  test::Random random(seed);
  const int perSide = 6;
  double energy = 0.0;
  for (int i = 0; i < perSide * perSide * perSide; ++i) {
    const double step = (side - 2 * radius) / perSide;
    BodyDescription d;
    d.id = static_cast<ObjectId>(i) + 10;
    d.mass = 1.0;
    d.position = Eigen::Vector3d(i % perSide, i / perSide % perSide, i / perSide / perSide) * step +
                 Eigen::Vector3d::Constant(radius + 0.5 * step - 0.5 * side);
    const Vec3 v = random.direction() * 2.0;
    d.linearVelocity = {v.x, v.y, v.z};
    energy += 0.5 * squaredNorm(v);
    world.addBody(d, SphereShape(radius), material);
  }
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(world.step(dt));
  EXPECT_NEAR(world.getLedger().kineticAfter / energy, 1.0, 1e-9) << "seed " << seed;
}

TEST(ElasticGasLostEnergy, NotAtSixtyHertz) {
  expectEnergyKept(1, 1.0 / 60, 90, true);
  expectEnergyKept(2, 1.0 / 60, 90, false);
}

TEST(ElasticGasLostEnergy, NotAtOtherSteps) {
  expectEnergyKept(3, 1.0 / 100, 90, true);
  expectEnergyKept(4, 1e-3, 150, false);
}

// Balls that go farther than their size in a step meet at a time that is known beforehand, unless
// another blow takes one of them off its course: then they were thrown back where they did not
// meet.
TEST(ElasticGasLostEnergy, NotWhereABlowForestallsAnother) {
  for (std::uint64_t seed = 10; seed < 12; ++seed) {
    expectEnergyKept(seed, 1.0 / 20, 40, seed % 2 == 0, 0.8);
    expectEnergyKept(seed, 1.0 / 30, 40, seed % 2 == 0, 0.9);
  }
}

}  // namespace
}  // namespace abut
