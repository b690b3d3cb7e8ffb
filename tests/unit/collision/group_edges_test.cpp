// SPDX-License-Identifier: MIT
// Corners of the queries' surface: groups that are emptied, objects that are missing, names.
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

TEST(GroupEdges, AnEmptiedGroupBeginsAnew) {
  CollisionGroup group;
  ObjectId first = kNoObject, again = kNoObject;
  ASSERT_TRUE(group.add(CollisionObject(SphereShape(1.0)), first));
  ASSERT_TRUE(group.add(CollisionObject(SphereShape(1.0))));
  CollisionResult result;
  ASSERT_TRUE(group.collide({}, result));
  EXPECT_EQ(result.numManifolds(), 1u);
  group.clear();
  EXPECT_EQ(group.size(), 0u);
  result = {};
  ASSERT_TRUE(group.collide({}, result));
  EXPECT_EQ(result.numManifolds(), 0u);
  ASSERT_TRUE(group.add(CollisionObject(BoxShape({1.0, 1.0, 1.0})), again));
  EXPECT_EQ(again, first);
}

TEST(GroupEdges, MissingObjectsAndShapesAreRefused) {
  const CollisionObject ball(SphereShape(1.0));
  CollisionResult result;
  EXPECT_EQ(collide(nullptr, &ball, {}, result).getCode(), StatusCode::NullObject);
  EXPECT_EQ(collide(&ball, nullptr, {}, result).getCode(), StatusCode::NullObject);
  EXPECT_TRUE(collide(&ball, &ball, {}, result));
  EXPECT_THROW(CollisionObject(std::shared_ptr<const Shape>()), Error);
  EXPECT_EQ(result.numManifolds(), 1u);
  EXPECT_THROW((void)result.getManifold(1), std::out_of_range);
  EXPECT_THROW((void)result.getContact(99), std::out_of_range);
}

TEST(GroupEdges, ConvexShapesGuardTheirIndices) {
  const ConvexShape tetrahedron(
      {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}});
  EXPECT_NEAR(tetrahedron.getFaceNormal(3).norm(), 1.0, 1e-15);
  EXPECT_THROW((void)tetrahedron.getVertex(4), Error);
  EXPECT_THROW((void)tetrahedron.getFace(4), Error);
  EXPECT_THROW((void)tetrahedron.getFaceNormal(4), Error);
}

TEST(GroupEdges, EveryNameIsOneOfAKind) {
  std::vector<std::string_view> names;
  for (const QueryStatus s : {QueryStatus::Separated, QueryStatus::Touching,
                              QueryStatus::Penetrating, QueryStatus::IterationLimit}) {
    names.push_back(toString(s));
  }
  for (const ContactType t : {ContactType::Point, ContactType::Edge, ContactType::Face,
                              ContactType::Patch, ContactType::Unknown}) {
    names.push_back(toString(t));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_FALSE(names[i].empty());
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(names[i], names[j]);
  }
}

}  // namespace
}  // namespace abut
