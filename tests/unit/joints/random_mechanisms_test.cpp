// SPDX-License-Identifier: MIT
// Mechanisms put together at random: trees and loops of all joints, limits, springs, dampers,
// friction, armatures, drives, a body that moves as prescribed, a floor; in both schemes.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/math/convert.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60.0;

class RandomMechanism {
public:
  World world;
  double energy = 0.0;  ///< That it has to do with [J].

  RandomMechanism(std::uint64_t seed, bool isExact)
      : world(isExact ? WorldOptions{} : WorldOptions::realTime()), random_(seed) {
    Material m;
    m.friction = random_.between(0.0, 1.0);
    m.restitution = coin() ? random_.between(0.0, 0.8) : 0.0;
    world.materials().add(m, material_).orThrow();
    const bool hasFloor = coin(), isDriven = coin();
    if (hasFloor) {
      BodyDescription floor;
      floor.type = BodyType::Static;
      floor.position = {0.0, 0.0, -2.5};
      world.addBody(floor, PlaneShape({0.0, 0.0, 1.0}, 0.0), material_);
    }
    const int count = 2 + upTo(8);
    for (int k = 0; k < count; ++k) addBody(k == 0 && isDriven);
    for (int k = 1; k < count; ++k) {
      join(anyType(), bodies_[static_cast<std::size_t>(upTo(k))],
           bodies_[static_cast<std::size_t>(k)]);
    }
    if (!isDriven && coin()) join(anyType(), kNoObject, bodies_[0]);
    for (int k = upTo(3); k > 0; --k) addLoop();
  }

  void step() {
    if (driver_ != kNoObject && random_.between(0.0, 1.0) < 0.2) {
      world.setVelocity(driver_, toEigen(random_.vector(1.0)), toEigen(random_.vector(2.0)))
          .orThrow();
    }
    world.step(kStep).orThrow();
    energy = std::max(energy, world.getStepLedger().kineticAfter);
  }

  /// Greatest distance of frames that joints hold together [m].
  [[nodiscard]] double gap() const {
    double most = 0.0;
    for (const ObjectId id : world.getJointIds()) {
      const JointDescription d = world.joint(id);
      const bool isPoint = d.type == JointType::Fixed || d.type == JointType::Ball ||
                           d.type == JointType::Hinge || d.type == JointType::Universal;
      if (isPoint)
        most = std::max(most, (place(d.body1, d.frame1) - place(d.body2, d.frame2)).norm());
    }
    return most;
  }

private:
  test::Random random_;
  MaterialId material_ = 0;
  std::vector<ObjectId> bodies_;
  ObjectId driver_ = kNoObject;

  bool coin() { return random_.between(0.0, 1.0) < 0.5; }
  bool rarely() { return random_.between(0.0, 1.0) < 0.3; }
  int upTo(int count) { return static_cast<int>(random_.between(0.0, count - 1e-9)); }
  JointType anyType() { return static_cast<JointType>(upTo(9)); }

  [[nodiscard]] Eigen::Vector3d place(ObjectId body, const Pose& frame) const {
    const Eigen::Vector3d at = toEigen(frame.translation);
    if (body == kNoObject) return at;
    const BodyMotion m = world.motion(body);
    const Quat& q = m.orientation;
    return Eigen::Quaterniond(q.w, q.x, q.y, q.z) * at + toEigen(m.pose.translation);
  }

  void addBody(bool isDriver) {
    BodyDescription d;
    d.type = isDriver ? BodyType::Kinematic : BodyType::Dynamic;
    d.position = toEigen(random_.vector(1.0));
    d.orientation = random_.quaternion();
    d.linearVelocity = toEigen(random_.vector(1.0));
    d.angularVelocity = toEigen(random_.vector(2.0));
    d.filter = {2, 1, 0};  // They touch the floor only.
    const Vec3 half = random_.vector(0.07);
    const ObjectId id =
        world.addBody(d, BoxShape({0.12 + half.x, 0.12 + half.y, 0.12 + half.z}), material_);
    bodies_.push_back(id);
    if (isDriver) driver_ = id;
    MassProperties m;
    world.getMass(id, m).orThrow();
    if (!isDriver) energy += m.mass * 9.81;
  }

  void join(JointType type, ObjectId body1, ObjectId body2) {
    JointDescription d;
    d.type = type;
    d.body1 = body1;
    d.body2 = body2;
    d.placement = JointPlacement::InWorld;
    const Vec3 at = toVec3(world.motion(body2).position);
    d.frame1 = {random_.rotation(), at + random_.vector(0.3)};
    if (type == JointType::Distance || type == JointType::Tether) {
      d.placement = JointPlacement::InBodies;
      d.frame1 = {};
      d.frame1.translation = random_.vector(0.1);
    }
    int freeTurns = 0;
    for (std::size_t i = 0; i < kMaxJointAxes && type >= JointType::SixAxis; ++i) {
      d.axes[i].locked = coin();
      freeTurns += i >= 3 && !d.axes[i].locked ? 1 : 0;
    }
    for (int i = 0; i < numJointAxes(type); ++i) {
      JointAxis& axis = d.axes[static_cast<std::size_t>(i)];
      const bool isSwung = type == JointType::SixAxis && freeTurns == 3;
      if (axis.locked || (isSwung && i == 4)) continue;
      const bool isOneWay =
          (type == JointType::Ball && i == 1) || type == JointType::Tether || (isSwung && i == 3);
      setLaw(isOneWay, axis);
    }
    world.addJoint(d);
  }

  /// Of a position that is never negative, or of any.
  void setLaw(bool isOneWay, JointAxis& axis) {
    if (rarely()) {
      if (!isOneWay) axis.limits.lower = -random_.between(0.05, 1.0);
      axis.limits.upper = isOneWay ? random_.between(0.5, 3.0) : random_.between(0.05, 1.0);
      axis.limits.restitution = coin() ? random_.between(0.0, 1.0) : 0.0;
    }
    if (rarely()) {
      axis.stiffness = random_.between(0.0, 200.0);
      axis.rest = isOneWay ? 0.3 : random_.between(-0.3, 0.3);
    }
    if (rarely()) axis.damping = random_.between(0.0, 5.0);
    if (rarely()) axis.friction = random_.between(0.0, 5.0);
    if (isOneWay) return;
    if (rarely()) axis.armature = random_.between(0.0, 1.0);
    if (!rarely()) return;
    axis.drive.mode = static_cast<DriveMode>(1 + upTo(3));
    axis.drive.target = random_.between(-1.0, 1.0);
    axis.drive.stiffness = random_.between(0.0, 500.0);
    axis.drive.damping = random_.between(0.0, 20.0);
    if (coin()) axis.drive.maxForce = random_.between(1.0, 100.0);
  }

  /// A joint between two bodies that joints connect already: a ball joint or a rod anywhere, or
  /// what holds the same thing twice, as a joint that there is, with nothing along its axes.
  void addLoop() {
    const int count = static_cast<int>(bodies_.size());
    const ObjectId a = bodies_[static_cast<std::size_t>(upTo(count))];
    const ObjectId b = bodies_[static_cast<std::size_t>(upTo(count))];
    if (coin()) {
      if (a != b) join(coin() ? JointType::Ball : JointType::Distance, a, b);
      return;
    }
    const std::vector<ObjectId> known = world.getJointIds();
    JointDescription d =
        world.joint(known[static_cast<std::size_t>(upTo(static_cast<int>(known.size())))]);
    d.id = kNoObject;
    for (JointAxis& axis : d.axes) {
      const bool locked = axis.locked;
      axis = {};
      axis.locked = locked;
    }
    world.addJoint(d);
  }
};

/// Joints stay closed, books close, and nothing gains energy but by what drives it.
TEST(RandomMechanisms, StayTogetherAndGainNothing) {
  for (const bool isExact : {true, false}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      RandomMechanism m(seed, isExact);
      for (int i = 0; i < 60; ++i) {
        m.step();
        const std::string where = "seed " + std::to_string(seed) +
                                  (isExact ? " exact" : " real time") + " step " +
                                  std::to_string(i);
        const EnergyAccount& books = m.world.getStepLedger();
        ASSERT_NEAR(books.residual(), 0.0, 1e-12 * m.energy) << where;
        ASSERT_LT(m.gap(), isExact ? 1e-12 : 1e-9) << where;
        const double before = books.kineticBefore + books.potentialBefore + books.elasticBefore;
        const double after = books.kineticAfter + books.potentialAfter + books.elasticAfter;
        const double given = ((books.motors + books.drivers) + books.forces) + books.correction;
        ASSERT_LT((after - before) - given, 1e-10 * m.energy) << where;
      }
    }
  }
}

}  // namespace
}  // namespace abut
