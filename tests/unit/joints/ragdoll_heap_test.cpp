// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/core/tasks.hpp>

#include "math/pose.hpp"
#include "support/ragdoll.hpp"
#include "support/schemes.hpp"

namespace abut {
namespace {

using test::addRagdoll;
using test::greatestJointGap;

class RagdollHeap : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, RagdollHeap, test::bothSchemes(), test::schemeName);

double energyAfter(const EnergyAccount& a) {
  return (a.kineticAfter + a.potentialAfter) + a.elasticAfter;
}
double energyBefore(const EnergyAccount& a) {
  return (a.kineticBefore + a.potentialBefore) + a.elasticBefore;
}

struct Worst {
  double rise = 0.0, residual = 0.0, gap = 0.0;
  int unsolved = 0;
};

/// Ragdolls above each other, `spacing` apart, that fall on the ground.
Worst fall(const WorldOptions& options, int count, double spacing, int steps) {
  World world(options);
  const MaterialId material = test::addMaterial(world, 0.6);
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}, 0.0), material);
  for (int i = 0; i < count; ++i) {
    addRagdoll(world, material, {0.3 * (i % 2), 0.2 * (i % 3), 1.2 + spacing * i},
               {1.0 + 0.7 * i, 0.4 * i, 0.3 - 0.5 * i});
  }
  Worst worst;
  for (int i = 0; i < steps; ++i) {
    world.step(1.0 / 60.0).orThrow();
    const EnergyAccount& a = world.getStepLedger();
    worst.rise = std::max(worst.rise, energyAfter(a) - energyBefore(a));
    worst.residual = std::max(worst.residual, std::abs(a.residual()) / a.largestEntry());
    worst.gap = std::max(worst.gap, greatestJointGap(world));
    worst.unsolved += world.getReport().converged ? 0 : 1;
  }
  return worst;
}

/// Nothing drives them: no step may end with more energy than it began with, solved or not. The
/// energies are thousands of joules, so that 1e-9 J is rounding.
TEST_P(RagdollHeap, NeverGainsEnergyAndKeepsItsJoints) {
  const Worst worst = fall(options(), 2, 1.5, isExact() ? 45 : 120);
  EXPECT_LT(worst.rise, 1e-9);
  EXPECT_LT(worst.residual, 1e-12);
  EXPECT_LT(worst.gap, isExact() ? 1e-12 : 1e-9);
  EXPECT_LT(worst.unsolved, 10);
}

/// Set into each other by up to 20 cm: overlap is taken out, joints stay closed. What lifts bodies
/// out is booked as the correction's, and nothing else adds energy.
TEST_P(RagdollHeap, DeepStartKeepsJointsClosed) {
  const Worst worst = fall(options(), 2, 0.4, 40);
  EXPECT_LT(worst.residual, 1e-12);
  EXPECT_LT(worst.gap, isExact() ? 1e-12 : 1e-9);
}

/// A bob on a ball joint, 1 m below it, goes up to 2 m a step; the wall is 1 cm thick.
TEST_P(RagdollHeap, FastBobMeetsAThinWall) {
  for (const double speed : {10.0, 60.0, 120.0}) {
    World world(options());
    const MaterialId material = test::addMaterial(world, 0.5);
    BodyDescription d;
    d.mass = 1.0;
    d.position = {0.0, 0.0, -1.0};
    d.linearVelocity = {speed, 0.0, 0.0};
    d.angularVelocity = {0.0, -speed, 0.0};
    const ObjectId bob = world.addBody(d, SphereShape(0.05), material);
    JointDescription hook;
    hook.type = JointType::Ball;
    hook.body2 = bob;
    hook.placement = JointPlacement::InWorld;
    world.addJoint(hook);
    BodyDescription wall;
    wall.type = BodyType::Static;
    wall.position = {0.62, 0.0, -0.8};
    world.addBody(wall, BoxShape({0.005, 0.5, 0.5}), material);
    for (int i = 0; i < 60; ++i) {
      world.step(1.0 / 60.0).orThrow();
      BodyMotion m;
      world.getMotion(bob, m).orThrow();
      EXPECT_LT(m.pose.translation.x, 0.615 - 0.05 + 1e-3) << speed;
    }
  }
}

/// All bodies of a ragdoll stay on the side of the wall that they come from.
TEST_P(RagdollHeap, FastRagdollMeetsAThinWall) {
  WorldOptions o = options();
  o.gravity = {0.0, 0.0, 0.0};
  World world(o);
  const MaterialId material = test::addMaterial(world, 0.5);
  const ObjectId first = addRagdoll(world, material, {0, 0, 0}, {0.3, 0.2, 0.1});
  BodyDescription wall;
  wall.type = BodyType::Static;
  wall.position = {3.1, 0.0, 0.0};
  world.addBody(wall, BoxShape({0.005, 3.0, 3.0}), material);
  for (ObjectId id = first; id < first + 11; ++id) {
    ASSERT_TRUE(world.setVelocity(id, {30.0, 0.0, 0.0}, {0.0, 0.0, 0.0}));
  }
  double gap = 0.0;
  for (int i = 0; i < (isExact() ? 20 : 40); ++i) {
    world.step(1.0 / 60.0).orThrow();
    gap = std::max(gap, greatestJointGap(world));
    for (ObjectId id = first; id < first + 11; ++id) {
      BodyMotion m;
      world.getMotion(id, m).orThrow();
      EXPECT_LT(m.pose.translation.x, 3.095);
    }
  }
  EXPECT_LT(gap, isExact() ? 1e-12 : 1e-9);
}

/// Islands are shared out among threads: no bit depends on it.
TEST_P(RagdollHeap, SameBitsForAnyOrderOfTheWork) {
  ShuffledTasks tasks(7);
  std::uint64_t hashes[2] = {};
  for (const bool isShared : {false, true}) {
    WorldOptions o = options();
    if (isShared) o.tasks = &tasks;
    World world(o);
    const MaterialId material = test::addMaterial(world, 0.6);
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, PlaneShape({0, 0, 1}, 0.0), material);
    for (int i = 0; i < 20; ++i) addRagdoll(world, material, {3.0 * i, 0, 1.0}, {0.4 * i, 0.2, 0});
    for (int i = 0; i < (isExact() ? 16 : 40); ++i) world.step(1.0 / 60.0).orThrow();
    hashes[isShared ? 1 : 0] = world.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

/// Ten of them come down on the ground at 18 m/s, so that limbs turn by a radian a step. What
/// joints ask of velocities must not undo what contacts do: one of fifty contacts that overlap may
/// do so by more than 3 cm. (One of ten did when joints came to rest under impulses that contacts
/// had found before.)
TEST(LargeRagdollHeap, FastOnesOverlapLittle) {
  World world(WorldOptions::realTime());
  const MaterialId material = test::addMaterial(world, 0.6);
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}, 0.0), material);
  for (int i = 0; i < 10; ++i) {
    const ObjectId first = addRagdoll(
        world, material, {0.9 * (i % 2) + 0.1 * (i % 3), 0.9 * (i / 2 % 2), 1.2 + 1.2 * (i / 4)},
        {1.0 + 0.7 * i, 0.4 * i, 0.3 - 0.5 * i});
    for (ObjectId id = first; id < first + 11; ++id) {
      ASSERT_TRUE(world.setVelocity(id, {0.0, 0.0, -18.0}, {0.0, 0.0, 0.0}));
    }
  }
  int overlaps = 0, deep = 0;
  double gap = 0.0, rise = 0.0;
  for (int i = 0; i < 40; ++i) {
    world.step(1.0 / 60.0).orThrow();
    gap = std::max(gap, greatestJointGap(world));
    const EnergyAccount& a = world.getStepLedger();
    rise = std::max(rise, energyAfter(a) - energyBefore(a));
    for (const WorldContact& c : world.getContacts()) {
      overlaps += c.depth > 0.0 ? 1 : 0;
      deep += c.depth > 0.03 ? 1 : 0;
    }
  }
  EXPECT_GT(overlaps, 1500);
  EXPECT_LT(deep, overlaps / 50);
  EXPECT_LT(gap, 1e-9);
  EXPECT_LT(rise, 1e-8);
}

/// A heap that is one island of many contacts: its mechanisms are shared out among threads too.
TEST(LargeRagdollHeap, OneHeapHasTheSameBitsForAnyOrderOfTheWork) {
  ShuffledTasks tasks(11);
  std::uint64_t hashes[2] = {};
  for (const bool isShared : {false, true}) {
    WorldOptions o = WorldOptions::realTime();
    if (isShared) o.tasks = &tasks;
    World world(o);
    const MaterialId material = test::addMaterial(world, 0.6);
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, PlaneShape({0, 0, 1}, 0.0), material);
    for (int i = 0; i < 16; ++i) {
      addRagdoll(world, material, {0.3 * (i % 2), 0.2 * (i % 3), 0.6 + 0.5 * i},
                 {1.0 + 0.7 * i, 0.4 * i, 0.3 - 0.5 * i});
    }
    double gap = 0.0;
    for (int i = 0; i < 60; ++i) {
      world.step(1.0 / 60.0).orThrow();
      gap = std::max(gap, greatestJointGap(world));
    }
    EXPECT_GT(world.getContacts().size(), 100u);
    EXPECT_LT(gap, 1e-9);
    hashes[isShared ? 1 : 0] = world.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace abut
