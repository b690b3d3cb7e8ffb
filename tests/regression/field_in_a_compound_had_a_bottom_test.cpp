// SPDX-License-Identifier: MIT
// Symptom: bodies below the lowest sample of a height field that is a part of a compound were not
// in it: they had no contacts and fell on.
// Cause: a compound's tree and box are those of the parts' surfaces.
// Mechanism: the fields among the parts are asked for all that is straight below them, and the
// compound's box has no end there either.
#include <gtest/gtest.h>

#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>

#include "support/schemes.hpp"
#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::ShapePtr;
using test::Vector;

/// A field as a part at a place, beside a box.
CompoundShape withBox(const ShapePtr& field, const Pose& at) {
  const auto box = std::make_shared<const BoxShape>(Vector(0.3, 0.3, 0.3));
  return CompoundShape({{box, Pose{{}, {30.0, 0.0, 0.0}}}, {field, at}});
}

TEST(FieldInACompound, IsSolidBelowAsItIsAlone) {
  constexpr std::uint64_t kSeed = 17;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const ShapePtr field = test::hills(6, 0.5, 5);
  const ShapePtr bodies[] = {std::make_shared<const SphereShape>(0.2),
                             std::make_shared<const BoxShape>(Vector(0.2, 0.1, 0.15)),
                             std::make_shared<const CylinderShape>(0.15, 0.3)};
  for (int i = 0; i < 200; ++i) {
    const Pose at{random.rotation(), random.vector(2.0)}, whole{random.rotation(), {}};
    const CompoundShape compound = withBox(field, at);
    const Pose place{whole.rotation * at.rotation, whole.rotation * at.translation};
    const Vec3 local{random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                     random.between(-40.0, -3.0)};
    const Pose pose{random.rotation(), place.rotation * local + place.translation};
    const ShapePtr& body = bodies[i % 3];
    const PlacedShape one{body.get(), pose, i % 2 == 0 ? ObjectId{1} : ObjectId{9}};
    DistanceResult alone, part;
    ASSERT_TRUE(distance(one, {field.get(), place, 5}, alone));
    ASSERT_TRUE(distance(one, {&compound, whole, 5}, part));
    ASSERT_LT(alone.distance, -1.0);
    EXPECT_NEAR(part.distance, alone.distance, 1e-9) << i;
    EXPECT_TRUE(compound.computeAabb(whole).overlaps(body->computeAabb(pose))) << i;
    const CollisionResult found = test::contacts(one, {&compound, whole, 5}, 0.0);
    ASSERT_GT(found.numManifolds(), 0u) << i;
    const Vec3 inField = transposeTimes(place.rotation, pose.translation - place.translation);
    const Vec3 inWhole = transposeTimes(whole.rotation, pose.translation);
    EXPECT_NEAR(compound.signedDistance({inWhole.x, inWhole.y, inWhole.z}),
                field->signedDistance({inField.x, inField.y, inField.z}), 1e-9);
  }
}

TEST(FieldInACompound, DoesNotReachBesideItsRim) {
  const ShapePtr field = test::hills(6, 0.5, 5);
  const CompoundShape compound = withBox(field, {});
  const SphereShape ball(0.2);
  for (const double z : {-0.5, -5.0, -50.0}) {
    const Pose beside{{}, {6.0, 0.0, z}};
    const CollisionResult found = test::contacts({&ball, beside, 1}, {&compound, {}, 2}, 0.0);
    EXPECT_EQ(found.numManifolds(), 0u) << z;
  }
}

class FieldInACompoundOfAWorld : public test::BothSchemes {};

// Where a body is put deep below it comes up to the surface, with the part as with the field alone.
TEST_P(FieldInACompoundOfAWorld, BodiesBelowComeUp) {
  const ShapePtr flat =
      std::make_shared<const HeightFieldShape>(3, 3, 2.0, 2.0, std::vector<double>(9, 0.0));
  World world(options());
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, std::make_shared<const CompoundShape>(withBox(flat, {})), 0);
  BodyDescription d;
  d.mass = 1.0;
  d.position = {0.3, -0.4, -0.9};
  const ObjectId ball = world.addBody(d, SphereShape(0.2), 0);
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  BodyMotion m;
  world.getMotion(ball, m).orThrow();
  EXPECT_NEAR(m.position.z(), 0.2, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Schemes, FieldInACompoundOfAWorld, test::bothSchemes(), test::schemeName);

}  // namespace
}  // namespace abut
