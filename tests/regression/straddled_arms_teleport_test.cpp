// SPDX-License-Identifier: MIT
// Symptom: a box that rested across the arm of an L-shaped mesh was reported 0.62 m deep in a wall,
// and jumped; a cylinder beside it, apart from the mesh, 0.23 m.
// Cause: a wall pushed whatever of the body was over it and behind its plane, also what is beyond
// the far side of the arm; and the ways out of single triangles counted corners far from the body.
// Mechanism: a body that crosses no triangle and is not inside has no deep contact. A deep one is
// compared with the shortest way out of all that overlaps, and with the contacts beside it.
#include <gtest/gtest.h>

#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/world/world.hpp>

#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::ShapePtr;
using test::Vector;

constexpr double kArm = 0.5;  // Width of an arm [m]; both are twice as long.

/// An L of two arms along x and y, from (-0.4, -0.4), kArm thick.
test::Soup arms() {
  test::Soup soup;
  const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (const double z : {-0.5, 0.5}) {
    for (const auto& p : outline) {
      soup.vertices.emplace_back((p[0] - 0.8) * kArm, (p[1] - 0.8) * kArm, z * kArm);
    }
  }
  const std::uint32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  for (const auto& t : caps) {
    soup.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
    soup.triangles.push_back({t[0], t[2], t[1]});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    soup.triangles.push_back({i, j, j + 6});
    soup.triangles.push_back({i, j + 6, i + 6});
  }
  return soup;
}

std::vector<ShapePtr> bodies() {
  return {std::make_shared<const BoxShape>(Vector(0.5, 0.5, 0.5)),
          std::make_shared<const BoxShape>(Vector(0.4, 0.2, 0.1)),
          std::make_shared<const CylinderShape>(0.4, 0.8),
          std::make_shared<const CapsuleShape>(0.1, 0.8),
          std::make_shared<const ConeShape>(0.4, 0.8),
          test::boxSoup({0.5, 0.3, 0.2}, 2).shape()};
}

TEST(StraddledArms, BodiesOverlapAnLWhereTheyOverlapOneOfItsBoxes) {
  constexpr std::uint64_t kSeed = 72;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const auto mesh = arms().shape();
  const BoxShape along({kArm, 0.5 * kArm, 0.5 * kArm}), across({0.5 * kArm, kArm, 0.5 * kArm});
  const Pose place1{{}, {0.2 * kArm, -0.3 * kArm, 0.0}}, place2{{}, {-0.3 * kArm, 0.2 * kArm, 0.0}};
  for (const ShapePtr& body : bodies()) {
    for (int i = 0; i < 2000; ++i) {
      const PlacedShape placed{body.get(), random.pose(0.9), 2};
      DistanceResult gap, gap1, gap2;
      ASSERT_TRUE(distance({&along, place1, 1}, placed, gap1));
      ASSERT_TRUE(distance({&across, place2, 1}, placed, gap2));
      const double least = std::min(gap1.distance, gap2.distance);
      if (std::abs(least) < 1e-9) continue;
      ASSERT_TRUE(distance({mesh.get(), {}, 1}, placed, gap));
      CollisionResult result;
      ASSERT_TRUE(collide({mesh.get(), {}, 1}, placed, CollisionOption::fullContacts(), result));
      EXPECT_EQ(result.isCollision(), least < 0.0) << i;
      EXPECT_EQ(gap.distance < 0.0, least < 0.0) << i;
      if (least > 0.0) {
        EXPECT_NEAR(gap.distance, least, 1e-12) << i;
      } else {
        EXPECT_EQ(gap.distance, -result.penetrationDepth()) << i;
      }
    }
  }
}

/// The farthest that a dropped body's centre moves in a step beyond what its speed accounts for
/// [m].
double farthestJump(const WorldOptions& options, double dt, const ShapePtr& ground,
                    const ShapePtr& shape, std::uint64_t seed) {
  test::Random random(seed);
  World world(options);
  world.addBody({.type = BodyType::Static, .orientation = random.quaternion(), .id = 1}, ground);
  const Vector start{random.between(-0.4, 0.4), random.between(-0.4, 0.4), 1.8};
  const Vector spin = toEigen(random.vector(3.0));
  world.addBody({.position = start,
                 .orientation = random.quaternion(),
                 .angularVelocity = spin,
                 .mass = 1.0,
                 .id = 2},
                shape);
  MassProperties mass;
  EXPECT_TRUE(shape->computeMass(1.0, mass));
  const auto center = [&](const BodyMotion& m) { return apply(m.pose, toVec3(mass.center)); };
  double farthest = 0.0;
  BodyMotion before, after;
  EXPECT_TRUE(world.getMotion(2, before));
  for (int i = 0; i * dt < 1.0; ++i) {
    EXPECT_TRUE(world.step(dt));
    EXPECT_TRUE(world.getMotion(2, after));
    const double moved = norm(center(after) - center(before));
    const double speed = std::max(before.linearVelocity.norm(), after.linearVelocity.norm());
    farthest = std::max(farthest, moved - speed * dt);
    before = after;
  }
  return farthest;
}

TEST(StraddledArms, NothingTeleportsWhenDropped) {
  // Before: jumps of up to 0.4 m.
  const ShapePtr mesh = arms().shape();
  for (const ShapePtr& body : bodies()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      EXPECT_LE(farthestJump({}, 1.0 / 240, mesh, body, seed), 2e-3);
      EXPECT_LE(farthestJump(WorldOptions::realTime(), 1.0 / 60, mesh, body, seed), 2e-3);
    }
  }
}

}  // namespace
}  // namespace abut
