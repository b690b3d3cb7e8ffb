// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "support/ragdoll.hpp"
#include "support/schemes.hpp"

namespace abut {
namespace {

class BlowsOnMechanisms : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, BlowsOnMechanisms, test::bothSchemes(), test::schemeName);

/// About the origin.
Eigen::Vector3d angularMomentum(const World& world, const std::vector<ObjectId>& ids) {
  Eigen::Vector3d sum(0, 0, 0);
  for (const ObjectId id : ids) {
    MassProperties m;
    world.getMass(id, m).orThrow();
    const BodyMotion motion = world.motion(id);
    const Eigen::Matrix3d turn = toEigen(motion.pose).linear();
    sum += motion.centerOfMass.cross(m.mass * motion.linearVelocity) +
           turn * m.inertia.cwiseProduct(turn.transpose() * motion.angularVelocity);
  }
  return sum;
}

/// Rods on hinges and ball joints, without gravity, that a ball meets off their middle: nothing
/// acts from outside, so that the angular momentum stays (1e-5 of it was lost), and with e = 0 no
/// step gains energy.
TEST_P(BlowsOnMechanisms, KeepTheirAngularMomentum) {
  for (const double rate : {60.0, 250.0, 1000.0}) {
    WorldOptions o = options();
    o.gravity = {0, 0, 0};
    World world(o);
    const MaterialId material = test::addMaterial(world, 0.4);
    ObjectId last = kNoObject;
    std::vector<ObjectId> ids;
    for (int i = 0; i < 4; ++i) {
      BodyDescription d;
      d.mass = 1.0 + i;
      d.position = {0.5 * i, 0.0, 0.0};
      const ObjectId rod = world.addBody(d, BoxShape({0.23, 0.05, 0.04}), material);
      if (last != kNoObject) {
        JointDescription j;
        j.type = i % 2 == 0 ? JointType::Ball : JointType::Hinge;
        j.body1 = last;
        j.body2 = rod;
        j.placement = JointPlacement::InWorld;
        j.frame1.translation = {0.5 * i - 0.25, 0.0, 0.0};
        world.addJoint(j);
      }
      ids.push_back(rod);
      last = rod;
    }
    BodyDescription ball;
    ball.mass = 2.0;
    ball.position = {0.1, -1.0, 0.02};
    ball.linearVelocity = {0.7, 5.0, 0.3};
    ids.push_back(world.addBody(ball, SphereShape(0.1), material));
    const Eigen::Vector3d start = angularMomentum(world, ids);
    const double energy = 0.5 * 2.0 * ball.linearVelocity.squaredNorm();
    for (int i = 0; i < static_cast<int>(rate); ++i) {
      world.step(1.0 / rate).orThrow();
      const EnergyAccount& a = world.getStepLedger();
      EXPECT_LT(a.kineticAfter - a.kineticBefore, 1e-11 * energy) << rate << " Hz, " << i;
      EXPECT_LT(std::abs(a.residual()), 1e-12 * energy) << rate << " Hz, " << i;
    }
    EXPECT_LT((angularMomentum(world, ids) - start).norm(), 1e-12 * start.norm()) << rate;
    EXPECT_GT(world.motion(last).linearVelocity.norm(), 1e-3);
  }
}

}  // namespace
}  // namespace abut
