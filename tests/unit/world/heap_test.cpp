// SPDX-License-Identifier: MIT
// Heaps in the exact scheme: too many bodies for a rigid answer to the last digit, solved with
// contacts that give way a little and remember the load.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/world/world.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60;

/// Boxes of 1 m in a bin, layer upon layer, turned and shifted a little, with gaps between them.
void fill(World& world, int count, double turned = 0.2, double layerHeight = 1.02) {
  const auto wall = [&world](const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = at;
    world.addBody(d, BoxShape(half));
  };
  wall({0, 0, -1}, {6, 6, 1});
  wall({-3.4, 0, 10}, {1, 6, 10});
  wall({3.4, 0, 10}, {1, 6, 10});
  wall({0, -3.4, 10}, {6, 1, 10});
  wall({0, 3.4, 10}, {6, 1, 10});
  test::Random random(3);
  for (int i = 0; i < count; ++i) {
    const int column = i % 9, layer = i / 9;
    const double angle = random.between(-turned, turned), shift = layer % 2 == 0 ? 0.15 : -0.15;
    BodyDescription d;
    d.position = {1.45 * (column % 3 - 1) + shift + random.between(-0.03, 0.03),
                  1.45 * (column / 3 - 1) + shift + random.between(-0.03, 0.03),
                  0.52 + layerHeight * layer};
    d.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    world.addBody(d, BoxShape({0.5, 0.5, 0.5}));
  }
}

TEST(Heap, EveryStepConvergesAndSaysByWhichModel) {
  World world;
  fill(world, 90);
  double largest = 0.0;
  for (int i = 0; i < 60; ++i) {
    world.step(kStep).orThrow();
    const StepReport& r = world.getReport();
    EXPECT_TRUE(r.converged) << "step " << i << ", error " << r.worstError;
    EXPECT_LE(r.worstError, r.tolerance);
    EXPECT_LE(r.tolerance, SolverOptions{}.acceptable);
    EXPECT_EQ(r.compliantIslands > 0, r.softness > 0.0);
    if (r.compliantIslands == 0) {
      EXPECT_EQ(r.rigidError, r.worstError);
    }
    largest = std::max(largest, r.approach);
    // Books close to rounding of the energies in them, and a heap gains nothing from springs.
    const EnergyAccount& a = world.getStepLedger();
    EXPECT_LE(std::fabs(a.residual()), 1e-12 * a.largestEntry());
  }
  EXPECT_LT(largest, 0.1);  // [m/s]
}

// Boxes turned any way that fall on each other: rigid contacts give no answer in time, compliant
// ones do, and the report has both errors.
TEST(Heap, CompliantContactsAnswerWhatRigidOnesDoNot) {
  World world;
  fill(world, 90, 1.5, 1.2);
  int compliant = 0;
  for (int i = 0; i < 60; ++i) {
    world.step(kStep).orThrow();
    const StepReport& r = world.getReport();
    if (r.compliantIslands == 0) {
      EXPECT_EQ(world.getStepLedger().compliance, 0.0);
      continue;
    }
    ++compliant;
    EXPECT_TRUE(r.converged);
    const EnergyAccount& a = world.getStepLedger();
    EXPECT_LE(std::fabs(a.residual()), 1e-12 * a.largestEntry());
    EXPECT_NE(a.compliance, 0.0);
    EXPECT_GE(r.softness, 1e-4);
    EXPECT_LE(r.worstError, SolverOptions{}.acceptable);  // Of the compliant problem.
    EXPECT_GT(r.rigidError, 0.0);
  }
  EXPECT_GE(compliant, 5);
  // Springs give back no more than they took: sum p_k (p_k - p_(k-1)) >= (p_n^2 - p_0^2) / 2.
  EXPECT_LT(world.getLedger().compliance, 0.0);
  EXPECT_LE(std::fabs(world.getLedger().residual()), 1e-12 * world.getLedger().largestEntry());
}

// Corrections end, so that the heap does: without that it crept by 2e-6 m/s for ever.
TEST(Heap, AHeapComesToFullRest) {
  constexpr int kCount = 60;
  World world;
  fill(world, kCount, 1.5, 1.2);
  for (int i = 0; i < 300; ++i) world.step(kStep).orThrow();
  std::vector<Eigen::Vector3d> before;
  const auto placeOf = [&world](ObjectId id) {
    BodyMotion m;
    world.getMotion(id, m).orThrow();
    return Eigen::Vector3d(m.pose.translation.x, m.pose.translation.y, m.pose.translation.z);
  };
  constexpr ObjectId kFirst = 6;  // After ground and walls.
  for (ObjectId id = kFirst; id < kFirst + kCount; ++id) before.push_back(placeOf(id));
  const EnergyAccount start = world.getStepLedger();
  const double energy = start.kineticAfter + start.potentialAfter;
  double given = 0.0, taken = 0.0, lifted = 0.0;  // By contacts that give way; by corrections.
  for (int i = 0; i < 100; ++i) {
    world.step(kStep).orThrow();
    EXPECT_TRUE(world.getReport().converged);
    EXPECT_LE(world.getReport().rigidError, 1e-6);
    const EnergyAccount& a = world.getStepLedger();
    EXPECT_LE(std::fabs(a.residual()), 1e-12 * a.largestEntry());
    (a.compliance > 0.0 ? given : taken) += a.compliance;
    lifted += a.correction;
  }
  // Each step at rest takes the answer nearer to that of rigid contacts.
  EXPECT_LE(world.getReport().rigidError, 1e-9);
  // No energy comes from springs at rest, nor from anywhere but what takes out overlap.
  EXPECT_LE(given + taken, 1e-12 * energy);
  const EnergyAccount& end = world.getStepLedger();
  EXPECT_LE(end.kineticAfter + end.potentialAfter - lifted, energy * (1.0 + 1e-12));
  for (ObjectId id = kFirst; id < kFirst + kCount; ++id) {
    EXPECT_LT((placeOf(id) - before[id - kFirst]).norm(), 1e-8) << id;
  }
}

TEST(Heap, ARestoredHeapGoesOnWithTheSameBits) {
  World world;
  fill(world, 90);
  for (int i = 0; i < 20; ++i) world.step(kStep).orThrow();
  World other;
  fill(other, 90);
  other.restore(world.snapshot()).orThrow();
  for (int i = 0; i < 5; ++i) {
    world.step(kStep).orThrow();
    other.step(kStep).orThrow();
    ASSERT_EQ(world.hash(), other.hash()) << "step " << i;
  }
}

// Impulses under which nothing moves are looked for where little does: bodies do not slide on at
// the bound of friction. When that is done is part of the state.
TEST(Heap, WhatHardlyMovesIsHeld) {
  constexpr int kCount = 55;
  constexpr ObjectId kFirst = 6;  // After ground and walls.
  World world, other;
  fill(world, kCount, 1.0, 1.3);
  fill(other, kCount, 1.0, 1.3);
  const auto fastest = [&world] {
    double speed = 0.0;
    for (ObjectId id = kFirst; id < kFirst + kCount; ++id) {
      BodyMotion m;
      world.getMotion(id, m).orThrow();
      speed = std::max(speed, m.linearVelocity.norm() + m.angularVelocity.norm());
    }
    return speed;
  };
  int still = 0, slow = 0;
  for (int i = 0; i < 400 && still < 20; ++i) {
    const double before = fastest();
    if (before < 1e-3 && ++slow % 16 == 1) other.restore(world.snapshot()).orThrow();
    world.step(kStep).orThrow();
    const double after = fastest();
    still = after < 1e-9 ? still + 1 : 0;
    const EnergyAccount& a = world.getStepLedger();
    EXPECT_LE(std::fabs(a.residual()), 1e-12 * a.largestEntry());
    EXPECT_TRUE(world.getReport().converged) << i;
    if (!(before < 1e-3)) {
      slow = 0;
      continue;
    }
    other.step(kStep).orThrow();
    ASSERT_EQ(world.hash(), other.hash()) << "step " << i;
  }
  EXPECT_EQ(still, 20);
  EXPECT_LE(world.getReport().rigidError, 1e-12);
}

// Strict options are still to be had: then nothing is accepted, and no contact gives way.
TEST(Heap, NothingIsAcceptedWhereTheOptionsForbidIt) {
  WorldOptions options;
  options.solver.acceptable = 0.0;
  World world(options);
  fill(world, 27);
  for (int i = 0; i < 10; ++i) {
    world.step(kStep).orThrow();
    const StepReport& r = world.getReport();
    EXPECT_EQ(r.compliantIslands, 0u);
    EXPECT_EQ(r.rigidError, r.worstError);
    EXPECT_TRUE(!r.converged || r.worstError <= options.solver.tolerance);
    EXPECT_EQ(r.tolerance, options.solver.tolerance);
  }
}

// A tolerance of 1e-5 is one that can be met, and counts.
TEST(Heap, ConvergedFollowsTheToleranceAskedFor) {
  WorldOptions options;
  options.solver.tolerance = 1e-5;
  options.solver.acceptable = 0.0;
  World world(options);
  fill(world, 18);
  for (int i = 0; i < 40; ++i) {
    world.step(kStep).orThrow();
    EXPECT_TRUE(world.getReport().converged) << i << ": " << world.getReport().worstError;
  }
}

}  // namespace
}  // namespace abut
