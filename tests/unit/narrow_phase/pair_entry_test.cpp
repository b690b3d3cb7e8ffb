// SPDX-License-Identifier: MIT
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "unit/narrow_phase/pair_certificate.hpp"

namespace abut {
namespace {

void expectSame(const ContactManifold& a, const ContactManifold& b) {
  ASSERT_EQ(a.getType(), b.getType());
  ASSERT_EQ(a.getStatus(), b.getStatus());
  ASSERT_EQ(a.getObject1(), b.getObject1());
  ASSERT_EQ(a.getObject2(), b.getObject2());
  ASSERT_EQ(a.getSubShape1(), b.getSubShape1());
  ASSERT_EQ(a.getSubShape2(), b.getSubShape2());
  ASSERT_EQ(a.numContacts(), b.numContacts());
  for (std::size_t i = 0; i < a.numContacts(); ++i) {
    const ContactPoint &x = a.getContact(i), &y = b.getContact(i);
    ASSERT_EQ(x.position, y.position);
    ASSERT_EQ(x.normal, y.normal);
    ASSERT_EQ(x.depth, y.depth);
    ASSERT_EQ(x.feature1, y.feature1);
    ASSERT_EQ(x.feature2, y.feature2);
  }
}

/// A result with memory for a manifold.
CollisionResult makeRoomyResult() {
  CollisionResult result;
  result.addManifold({});
  result.clear();
  return result;
}

class PairEntries : public ::testing::Test {
protected:
  SphereShape sphere{0.5};
  BoxShape box{{0.25, 0.5, 0.75}};
  CapsuleShape capsule{0.25, 1.0};
  CylinderShape cylinder{0.4, 0.9};
  ConeShape cone{0.4, 0.9};
  PlaneShape plane{{0.0, 0.0, 1.0}, 0.25}, slope{{1.0, 2.0, 2.0}, -0.25};
  CollisionResult shortResult = makeRoomyResult();

  /// Asks both ways; counts the queries that took the short one.
  int compare(const Shape& first, const Shape& second, int count) {
    const std::uint64_t seed =
        91 + static_cast<int>(first.getType()) * 16 + static_cast<int>(second.getType());
    test::Random random(seed);
    int taken = 0;
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " pose " + std::to_string(i));
      const ObjectId id = i % 2 == 0 ? 3 : 1;
      const PlacedShape a{&first, test::awkwardPose(random, 1.0), id};
      const PlacedShape b{&second, test::awkwardPose(random, 1.0), 2};
      CollisionOption option;
      option.margin = i % 3 == 0 ? 0.1 : 0.0;
      CollisionResult longResult;
      EXPECT_TRUE(detail::collideLong(a, b, option, longResult).isOk());
      shortResult.clear();
      const bool done = detail::collideShort(a, b, option, shortResult);
      taken += done ? 1 : 0;
      EXPECT_EQ(shortResult.numManifolds(), done ? longResult.numManifolds() : 0u);
      if (shortResult.numManifolds() == 1) {
        expectSame(shortResult.getManifold(0), longResult.getManifold(0));
      }
    }
    return taken;
  }
};

TEST_F(PairEntries, GiveTheBitsOfTheLongWay) {
  constexpr int kPoses = 3000;
  const Shape* shapes[] = {&sphere, &box, &capsule, &cylinder, &cone, &plane, &slope};
  for (const Shape* first : shapes) {
    for (const Shape* second : shapes) {
      if (first->getType() == ShapeType::Plane && second->getType() == ShapeType::Plane) continue;
      // All but a few: nearly parallel capsules, and capsules along a face, go the long way.
      EXPECT_GE(compare(*first, *second, kPoses), kPoses / 2);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(PairEntries, DoNothingWithoutRoomOrForOtherOptions) {
  const PlacedShape a{&sphere, {}, 1}, b{&box, {}, 2};
  CollisionResult empty;
  EXPECT_FALSE(detail::collideShort(a, b, {}, empty));
  EXPECT_FALSE(empty.isCollision());
  CollisionOption few, binary, bad;
  few.maxNumContacts = ContactManifold::kMaxContacts - 1;
  binary.enableContact = false;
  bad.margin = -1.0;
  for (const CollisionOption& option : {few, binary, bad}) {
    EXPECT_FALSE(detail::collideShort(a, b, option, shortResult));
    EXPECT_FALSE(shortResult.isCollision());
  }
  EXPECT_FALSE(detail::collideShort({}, b, {}, shortResult));
  const PlacedShape twin{&sphere, {}, 1};  // Neither type nor id orders the pair.
  EXPECT_FALSE(detail::collideShort(a, twin, {}, shortResult));
  EXPECT_FALSE(shortResult.isCollision());
}

}  // namespace
}  // namespace abut
