// SPDX-License-Identifier: MIT
// Mechanisms that nothing damps, drives, limits or touches keep their energy in both schemes where
// their motion turns round within less than a step: rods that whip, rods on universal joints that
// pass the first axis. Steps by the mean velocity leave velocities there that joints do not allow,
// which took up to 88 % of the energy with them when they were taken away.
#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/math/convert.hpp>
#include <abut/math/placement.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

/// A tree of rods of 0.1 to 1 m on joints of one kind, from the world or without a hold.
class Tree {
public:
  World world;

  Tree(std::uint64_t seed, bool isExact, JointType type, bool isHeld)
      : world(isExact ? WorldOptions{} : WorldOptions::realTime()) {
    test::Random random(seed);
    const int count = 2 + static_cast<int>(random.between(0.0, 6.99));
    std::vector<Vec3> tips;
    for (int i = 0; i < count; ++i) {
      const Vec3 base = i == 0 ? Vec3{} : tips.back();
      const Mat3 frame = random.rotation();
      const double length = random.between(0.1, 1.0);
      BodyDescription d;
      d.position = toEigen(base + frame.z * (0.5 * length));
      d.orientation = toQuat(frame);
      d.filter.mask = 0;
      // A spin of all together, so that trees without a hold move, too.
      if (!isHeld) d.linearVelocity = Eigen::Vector3d(0.0, 0.0, 4.0).cross(d.position);
      if (!isHeld) d.angularVelocity = {i == 0 ? 12.0 : 0.0, 0.0, 4.0};
      bodies_.push_back(world.addBody(d, CapsuleShape(0.1 * length, 0.9 * length)));
      tips.push_back(base + frame.z * length);
      if (i == 0 && !isHeld) continue;
      JointDescription j;
      j.type = type;
      j.placement = JointPlacement::InWorld;
      if (i > 0) j.body1 = bodies_[bodies_.size() - 2];
      j.body2 = bodies_.back();
      j.frame1 = {random.rotation(), base};
      joints_.push_back(world.addJoint(j));
    }
  }

  [[nodiscard]] double gap() const {
    double most = 0.0;
    for (const ObjectId id : joints_) {
      const JointDescription d = world.joint(id);
      most = std::max(most, (place(d.body1, d.frame1) - place(d.body2, d.frame2)).norm());
    }
    return most;
  }
  /// About the origin.
  [[nodiscard]] Eigen::Vector3d angularMomentum() const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const ObjectId id : bodies_) {
      MassProperties mass;
      world.getMass(id, mass).orThrow();
      const BodyMotion m = world.motion(id);
      const Eigen::Matrix3d r = toEigen(m.orientation).toRotationMatrix();
      sum += mass.mass * m.position.cross(m.linearVelocity) +
             r * (mass.inertia.asDiagonal() * (r.transpose() * m.angularVelocity));
    }
    return sum;
  }

private:
  std::vector<ObjectId> bodies_, joints_;

  [[nodiscard]] Eigen::Vector3d place(ObjectId body, const Pose& frame) const {
    const Eigen::Vector3d at = toEigen(frame.translation);
    if (body == kNoObject) return at;
    const BodyMotion m = world.motion(body);
    return toEigen(m.orientation) * at + m.position;
  }
};

struct Drift {
  double energy = 0.0, gap = 0.0, most = 0.0;
};

Drift run(Tree& tree, double rate, double seconds) {
  Drift drift;
  for (int i = 0; i < static_cast<int>(seconds * rate); ++i) {
    tree.world.step(1.0 / rate).orThrow();
    const EnergyAccount& all = tree.world.getLedger();
    drift.most = std::max(drift.most, all.kineticAfter);
    const double change =
        all.kineticAfter + all.potentialAfter - all.kineticBefore - all.potentialBefore;
    drift.energy = std::max(drift.energy, std::fabs(change));
    const EnergyAccount& step = tree.world.getStepLedger();
    EXPECT_LT(std::fabs(step.residual()), 1e-12 * std::max(step.largestEntry(), drift.most));
    drift.gap = std::max(drift.gap, tree.gap());
  }
  return drift;
}

// Books are sums of some hundred steps of rounding each, 1e-16 of the energy by the stiffness of
// the Newton matrix (1e3 to 1e4): 1e-10. Before, 1e-3 to 0.9.
TEST(KeptEnergy, OfTreesOnJointsOfOneKindInBothSchemes) {
  for (const bool isExact : {false, true}) {
    for (const JointType type : {JointType::Ball, JointType::Hinge, JointType::Universal}) {
      for (const double rate : {60.0, 240.0}) {
        const std::uint64_t count = isExact ? 2 : 3;
        for (std::uint64_t seed = 1; seed <= count; ++seed) {
          Tree tree(seed, isExact, type, true);
          const Drift drift = run(tree, rate, isExact ? 1.0 : 2.0);
          SCOPED_TRACE(::testing::Message()
                       << (isExact ? "exact" : "real time") << ", type " << static_cast<int>(type)
                       << ", " << rate << " Hz, seed " << seed);
          EXPECT_LT(drift.energy, 1e-10 * drift.most);
          EXPECT_LT(drift.gap, isExact ? 1e-12 : 1e-9);
        }
      }
    }
  }
}

// What has no hold in the world keeps its angular momentum when energy is given back: to some 1e-12
// a part, where Newton's method ends by rounding.
TEST(KeptEnergy, AndMomentaOfTreesWithoutAHold) {
  for (const bool isExact : {false, true}) {
    for (const JointType type : {JointType::Ball, JointType::Hinge, JointType::Universal}) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        Tree tree(seed, isExact, type, false);
        tree.world.setGravity({0.0, 0.0, 0.0}).orThrow();
        tree.world.step(1.0 / 60.0).orThrow();  // Velocities come to what joints allow.
        const Eigen::Vector3d before = tree.angularMomentum();
        const double energy = tree.world.getStepLedger().kineticAfter;
        SCOPED_TRACE(::testing::Message() << (isExact ? "exact" : "real time") << ", type "
                                          << static_cast<int>(type) << ", seed " << seed);
        double off = 0.0;
        for (int i = 0; i < 90; ++i) {
          tree.world.step(1.0 / 60.0).orThrow();
          off = std::max(off, std::fabs(tree.world.getStepLedger().kineticAfter - energy));
        }
        EXPECT_LT(off, 1e-10 * energy);
        EXPECT_LT((tree.angularMomentum() - before).norm(), 1e-10 * before.norm());
      }
    }
  }
}

}  // namespace
}  // namespace abut
