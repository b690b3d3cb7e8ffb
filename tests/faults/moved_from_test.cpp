// SPDX-License-Identifier: MIT
// Objects that were moved from answer with an error, and take another object.
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut::test {
namespace {

template <class Call>
void expectError(Call call) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.getCode(), StatusCode::NullObject) << error.what();
  }
}

// What was moved from is what these tests use.
// NOLINTBEGIN(bugprone-use-after-move)
TEST(MovedFrom, WorldsSayThatTheyAre) {
  World world;
  world.addBody({.id = 3}, SphereShape(0.5));
  World other = std::move(world);
  expectError([&] { (void)world.step(0.01); });
  expectError([&] { (void)world.numBodies(); });
  expectError([&] { (void)world.hash(); });
  expectError([&] { (void)world.snapshot(); });
  expectError([&] { (void)world.getContacts(); });
  expectError([&] { (void)world.removeBody(3); });
  expectError([&] { (void)world.isAsleep(3); });
  expectError([&] { (void)world.materials(); });
  expectError([&] { world.setObserver(nullptr); });
  DistanceResult result;
  EXPECT_EQ(world.distance(3, 4, result).getCode(), StatusCode::NullObject);
  world = std::move(other);
  EXPECT_TRUE(world.step(0.01));
  EXPECT_EQ(world.numBodies(), 1u);
}

TEST(MovedFrom, GroupsCachesAndTrackersSayThatTheyAre) {
  CollisionGroup group;
  CollisionGroup otherGroup = std::move(group);
  expectError([&] { (void)group.size(); });
  group = std::move(otherGroup);
  EXPECT_EQ(group.size(), 0u);

  ContactManifoldCache cache;
  ContactManifoldCache otherCache = std::move(cache);
  EXPECT_TRUE(cache.getContacts().empty());
  EXPECT_TRUE(cache.getManifolds().empty());
  expectError([&] { (void)cache.update({}, {}); });
  cache = std::move(otherCache);
  EXPECT_TRUE(cache.update({}, {}).status);
}

TEST(MovedFrom, ShapesStayWhatTheyAre) {
  const std::vector<Eigen::Vector3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::array<MeshShape::Triangle, 4> triangles{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const std::vector<double> heights{0, 0, 0, 0.5, 0, 0};
  ConvexShape hull(points);
  MeshShape mesh(points, triangles);
  HeightFieldShape field(3, 2, 1.0, 2.0, heights);
  PointCloudShape cloud(points, 0.1);
  CompoundShape compound({{std::make_shared<SphereShape>(0.5), Pose{}}});
  const auto expectTwins = [](Shape& from, const Shape& to) {
    EXPECT_EQ(from.boundingRadius(), to.boundingRadius());
    EXPECT_EQ(from.computeLocalAabb().max_, to.computeLocalAabb().max_);
    EXPECT_EQ(from.signedDistance({0.1, 0.2, 3.0}), to.signedDistance({0.1, 0.2, 3.0}));
  };
  expectTwins(hull, ConvexShape(std::move(hull)));
  expectTwins(mesh, MeshShape(std::move(mesh)));
  const HeightFieldShape newField(std::move(field));
  EXPECT_EQ(field.getHeight(0, 1), newField.getHeight(0, 1));
  expectTwins(field, newField);
  expectTwins(cloud, PointCloudShape(std::move(cloud)));
  expectTwins(compound, CompoundShape(std::move(compound)));

  // One that a world shares.
  auto shared = std::make_shared<ConvexShape>(points);
  World world;
  world.addBody({}, std::shared_ptr<const Shape>(shared));
  const ConvexShape taken(std::move(*shared));
  EXPECT_TRUE(world.step(0.01));
}

TEST(MovedFrom, MaterialsOfAWorldCannotBeTaken) {
  static_assert(!std::is_assignable_v<MaterialTable&, MaterialTable>);
  static_assert(!std::is_assignable_v<MaterialTable&, const MaterialTable&>);
  static_assert(!std::is_swappable_v<MaterialTable>);
  World world;
  MaterialId id = 0;
  world.materials().add({.friction = 0.9}, id).orThrow();
  world.addBody({}, SphereShape(0.5), id);
  // NOLINTNEXTLINE(performance-move-const-arg): what a caller may try.
  const MaterialTable copy = std::move(world.materials());
  EXPECT_EQ(world.materials().size(), 2u);
  EXPECT_EQ(copy.get(id).friction, 0.9);
  EXPECT_THROW((void)copy.get(7), Error);
  EXPECT_THROW((void)copy.between(0, 7), Error);
  EXPECT_TRUE(world.step(0.01));
}

// NOLINTEND(bugprone-use-after-move)

}  // namespace
}  // namespace abut::test
