// SPDX-License-Identifier: MIT
//
// Symptom: a box that a fast table carries at 1 kHz with much friction took hundreds of Newton
// steps a step, and a quarter of its steps were said not to have converged, by 1.6e-13 for 1e-13.
// Cause: the law shifts the normal velocity by friction times slip, so that what rounding leaves in
// the slip counts that often; what the error leaves out as rounding was that of the velocity alone.
// Mechanism: from a friction of 1 on it is as often more.
#include <memory>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

int numUnconverged(double rate, double radius, double friction, const Eigen::Vector3d& half,
                   bool tableFirst) {
  World world;
  Material material;
  material.friction = friction;
  MaterialId id = 0;
  world.materials().add(material, id).orThrow();
  BodyDescription table;
  table.type = BodyType::Kinematic;
  table.position = {0, 0, -0.1};
  table.angularVelocity = {0, 0, rate};
  table.id = tableFirst ? 1 : 2;
  world.addBody(table, CylinderShape(3.0, 0.2), id);
  BodyDescription box;
  box.id = tableFirst ? 2 : 1;
  box.position = {radius, 0, half.z()};
  box.linearVelocity = {0, rate * radius, 0};
  box.angularVelocity = table.angularVelocity;
  world.addBody(box, BoxShape(half), id);
  int missed = 0;
  for (int i = 0; i < 400; ++i) {
    world.step(1e-3).orThrow();
    missed += world.getReport().converged ? 0 : 1;
  }
  return missed;
}

TEST(RoundingOfSlip, IsNoErrorUnderMuchFriction) {
  for (const bool first : {true, false}) {
    EXPECT_EQ(numUnconverged(1.25, 0.5, 25.0, {0.11, 0.11, 0.11}, first), 0);
    EXPECT_EQ(numUnconverged(-1.4, 1.0, 12.0, {0.15, 0.2, 0.15}, first), 0);
  }
}

}  // namespace
}  // namespace abut
