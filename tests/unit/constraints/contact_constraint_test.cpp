// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <abut/constraints/contact_constraint.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

namespace abut {
namespace {

constexpr double kPi = 3.14159265358979323846;

const BoxShape& cube() {
  static const BoxShape shape(Eigen::Vector3d(0.5, 0.5, 0.5));
  return shape;
}
const PlaneShape& ground() {
  static const PlaneShape shape(Eigen::Vector3d(0, 0, 1));
  return shape;
}

/// Unit cube of 1 kg as object 1: inertia 1/6.
ConstraintBody cubeBody(const Eigen::Vector3d& at) {
  ConstraintBody body;
  body.id = 1;
  body.centerOfMass = toVec3(at);
  body.mobility = {{1, 1, 1}, {{6, 0, 0}, {0, 6, 0}, {0, 0, 6}}};
  return body;
}
ConstraintBody fixedBody(ObjectId id) {
  ConstraintBody body;
  body.id = id;
  body.mobility = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  return body;
}

/// Constraints of a cube at a height and tilt [rad] about x over the ground, object 2.
std::vector<ContactConstraint> cubeOnGround(double height, double tilt, CollisionResult& result,
                                            double margin = 0.0) {
  const Eigen::Vector3d at(0, 0, height);
  CollisionOption option;
  option.margin = margin;
  collide({&cube(), poseFromRollPitchYaw(at, tilt, 0, 0), 1}, {&ground(), Pose{}, 2}, option,
          result)
      .orThrow();
  std::vector<ContactConstraint> constraints;
  ContactConstraintFactory::createFromCollision(result, cubeBody(at), fixedBody(2), {}, constraints)
      .orThrow();
  return constraints;
}

TEST(ContactConstraint, SingleContactHasTheDepthOfTheCollision) {
  const SphereShape ball(0.5);
  CollisionResult result;
  collide({&ball, {Mat3{}, {0, 0, 0.49}}, 1}, {&ground(), Pose{}, 2}, {}, result).orThrow();
  std::vector<ContactConstraint> constraints;
  ASSERT_TRUE(ContactConstraintFactory::createFromCollision(result, cubeBody({0, 0, 0.49}),
                                                            fixedBody(2), {}, constraints));
  ASSERT_EQ(constraints.size(), 1u);
  EXPECT_EQ(constraints[0].depth, result.penetrationDepth());
  EXPECT_NEAR(constraints[0].depth, 0.01, 1e-15);
  EXPECT_NEAR(constraints[0].arm1.z, -0.5, 1e-15);  // The ball's own surface.
}

TEST(ContactConstraint, FlatLandingGivesFourEqualDepths) {
  CollisionResult result;
  const auto constraints = cubeOnGround(0.49, 0.0, result);
  ASSERT_EQ(constraints.size(), 4u);
  for (const ContactConstraint& c : constraints) EXPECT_NEAR(c.depth, 0.01, 1e-15);
}

TEST(ContactConstraint, TiltedCubeHasItsOwnDepthAtEachCorner) {
  // 15 degrees about x: corners at height h -+ sin/2 - cos/2 under the centre.
  const double tilt = 15 * kPi / 180;
  const double low = 0.5 * (std::cos(tilt) + std::sin(tilt));
  const double high = 0.5 * (std::cos(tilt) - std::sin(tilt));
  CollisionResult result;
  const double height = high - 0.01;
  const auto constraints = cubeOnGround(height, tilt, result);
  ASSERT_EQ(constraints.size(), 4u);
  EXPECT_NEAR(constraints[0].depth, low - height, 1e-14);
  EXPECT_NEAR(constraints[1].depth, low - height, 1e-14);
  EXPECT_NEAR(constraints[2].depth, 0.01, 1e-14);
  EXPECT_NEAR(constraints[3].depth, 0.01, 1e-14);
  // And its own share of a bias: not four times the greatest.
  EXPECT_NEAR(constraints[2].baumgarteVelocity(0.2, 0.01), 0.2, 1e-12);
  EXPECT_NEAR(constraints[0].baumgarteVelocity(0.2, 0.01), 20 * (low - height), 1e-12);
}

TEST(ContactConstraint, GrazingContactHasNearlyNoDepth) {
  CollisionResult result;
  for (const ContactConstraint& c : cubeOnGround(0.5 - 1e-12, 0.0, result)) {
    EXPECT_NEAR(c.depth, 1e-12, 1e-15);
  }
  EXPECT_FALSE(result.getManifolds().empty());
}

TEST(ContactConstraint, GreatestDepthIsThatOfTheCollision) {
  for (const double tilt : {0.0, 0.1, 0.7}) {
    CollisionResult result;
    double greatest = 0.0;
    for (const ContactConstraint& c : cubeOnGround(0.3, tilt, result)) {
      greatest = std::max(greatest, c.depth);
    }
    EXPECT_EQ(greatest, result.penetrationDepth()) << tilt;
  }
}

TEST(ContactConstraint, DepthIsNegativeOnlyForGapsWithinTheMargin) {
  CollisionResult overlapping, near;
  for (const ContactConstraint& c : cubeOnGround(0.45, 0.05, overlapping)) EXPECT_GE(c.depth, 0.0);
  const auto gaps = cubeOnGround(0.505, 0.0, near, 0.01);
  ASSERT_EQ(gaps.size(), 4u);
  for (const ContactConstraint& c : gaps) {
    EXPECT_NEAR(c.depth, -0.005, 1e-15);
    EXPECT_EQ(c.baumgarteVelocity(0.2, 0.01), 0.0);
  }
}

TEST(ContactConstraint, ResponseIsThatOfTheCornerOfACube) {
  // At a corner (r = (+-.5, +-.5, -.5)): 1/m + (r x n)^2 / I = 1 + 6 (.25 + .25) = 4 along every
  // axis; friction couples to the normal by -r_t r_n / I.
  CollisionResult result;
  for (const ContactConstraint& c : cubeOnGround(0.5, 0.0, result)) {
    EXPECT_NEAR(c.response.x.x, 4.0, 1e-12);
    EXPECT_NEAR(c.response.y.y, 4.0, 1e-12);
    EXPECT_NEAR(c.response.z.z, 4.0, 1e-12);
    EXPECT_NEAR(c.normalMass, 0.25, 1e-13);
    EXPECT_NEAR(std::fabs(c.response.x.y), 1.5, 1e-12);
    EXPECT_EQ(c.response.x.y, c.response.y.x);
    EXPECT_NEAR(c.normal.z, 1.0, 0.0);
    EXPECT_TRUE(c.canTranslate);
  }
}

TEST(ContactConstraint, ExchangedBodiesMirrorTheConstraint) {
  CollisionResult result;
  const auto constraints = cubeOnGround(0.49, 0.2, result);
  std::vector<ContactConstraint> mirrored;
  ASSERT_TRUE(ContactConstraintFactory::createFromCollision(result, fixedBody(2),
                                                            cubeBody({0, 0, 0.49}), {}, mirrored));
  ASSERT_EQ(mirrored.size(), constraints.size());
  for (std::size_t i = 0; i < mirrored.size(); ++i) {
    EXPECT_EQ(mirrored[i].normal.z, -constraints[i].normal.z);
    EXPECT_EQ(mirrored[i].depth, constraints[i].depth);
    EXPECT_NEAR(mirrored[i].arm2.z, constraints[i].arm1.z, 1e-15);
  }
}

TEST(ContactConstraint, ApproachIsThrownBackAtTheRestitution) {
  CollisionResult result;
  cubeOnGround(0.5, 0.0, result);
  ConstraintBody falling = cubeBody({0, 0, 0.5});
  falling.velocity.linear = {0, 0, -3};
  PairMaterial material;
  material.restitution = 0.5;
  std::vector<ContactConstraint> constraints;
  ASSERT_TRUE(ContactConstraintFactory::createFromCollision(result, falling, fixedBody(2), material,
                                                            constraints));
  for (const ContactConstraint& c : constraints) {
    EXPECT_NEAR(c.relativeVelocity.x, -3.0, 1e-15);
    EXPECT_NEAR(c.restitutionVelocity(), 1.5, 1e-15);
  }
}

TEST(ContactConstraint, BadBodiesAreRefusedAndNothingIsAppended) {
  CollisionResult result;
  auto constraints = cubeOnGround(0.49, 0.0, result);
  ConstraintBody broken = cubeBody({0, 0, 0.49});
  broken.velocity.angular.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      ContactConstraintFactory::createFromCollision(result, broken, fixedBody(2), {}, constraints)
          .getCode(),
      StatusCode::NonFinite);
  EXPECT_EQ(ContactConstraintFactory::createFromCollision(result, cubeBody({0, 0, 0}), fixedBody(1),
                                                          {}, constraints)
                .getCode(),
            StatusCode::SelfPair);
  EXPECT_EQ(constraints.size(), 4u);
}

TEST(ContactConstraint, NeitherBodyTranslatesSoNothingIsStabilised) {
  CollisionResult result;
  cubeOnGround(0.4, 0.0, result);
  ConstraintBody held = cubeBody({0, 0, 0.4});
  held.mobility.inverseMass = {0, 0, 0};  // Free to turn only.
  std::vector<ContactConstraint> constraints;
  ASSERT_TRUE(
      ContactConstraintFactory::createFromCollision(result, held, fixedBody(2), {}, constraints));
  for (const ContactConstraint& c : constraints) {
    EXPECT_FALSE(c.canTranslate);
    EXPECT_EQ(c.baumgarteVelocity(0.7, 1e-3), 0.0);
    EXPECT_GT(c.normalMass, 0.0);
  }
}

}  // namespace
}  // namespace abut
