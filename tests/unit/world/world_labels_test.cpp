// SPDX-License-Identifier: MIT
//
// Names and user data of bodies, and calls that give values back.
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

ObjectId addBall(World& world, const std::string& name, std::uint64_t data, ObjectId id = 0) {
  BodyDescription d;
  d.position = {3.0 * static_cast<double>(world.numBodies()), 0.0, 1.0};
  d.id = id;
  d.name = name;
  d.userData = data;
  return world.addBody(d, SphereShape(0.5));
}

TEST(WorldLabels, AreFoundByIdAndByName) {
  World world;
  const ObjectId a = addBall(world, "left", 7);
  const ObjectId b = addBall(world, "", 0);
  EXPECT_EQ(world.name(a), "left");
  EXPECT_EQ(world.userData(a), 7u);
  EXPECT_EQ(world.name(b), "");
  EXPECT_EQ(world.userData(b), 0u);
  EXPECT_EQ(world.find("left"), a);
  EXPECT_EQ(world.find("right"), kNoObject);
  EXPECT_EQ(world.find(""), kNoObject);
  world.setName(b, "left").orThrow();
  world.setUserData(b, ~std::uint64_t{0}).orThrow();
  EXPECT_EQ(world.find("left"), a);  // The smaller id.
  EXPECT_EQ(world.userData(b), ~std::uint64_t{0});
  world.setName(a, "right").orThrow();
  EXPECT_EQ(world.find("left"), b);
  EXPECT_EQ(world.userData(a), 7u);  // A new name leaves the data.
  world.setName(b, "").orThrow();
  EXPECT_EQ(world.find("left"), kNoObject);
  EXPECT_EQ(describeBody(world, a).description.name, "right");
  EXPECT_EQ(describeBody(world, a).description.userData, 7u);
}

TEST(WorldLabels, SmallestIdWinsWhateverTheOrder) {
  World world;
  addBall(world, "one", 0, 90);
  addBall(world, "one", 0, 20);
  addBall(world, "one", 0, 50);
  EXPECT_EQ(world.find("one"), 20u);
  world.removeBody(20).orThrow();
  EXPECT_EQ(world.find("one"), 50u);
}

TEST(WorldLabels, EndWithTheirBodyAndChangeNoHash) {
  World named, plain;
  const ObjectId a = addBall(named, "ball", 3);
  addBall(plain, "", 0);
  EXPECT_EQ(named.hash(), plain.hash());
  for (int i = 0; i < 10; ++i) {
    named.step(0.01).orThrow();
    plain.step(0.01).orThrow();
  }
  EXPECT_EQ(named.hash(), plain.hash());
  named.removeBody(a).orThrow();
  EXPECT_EQ(named.find("ball"), kNoObject);
  EXPECT_THROW((void)named.name(a), Error);
  EXPECT_EQ(named.setName(a, "x").getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(named.setUserData(a, 1).getCode(), StatusCode::UnknownObject);
  addBall(named, "", 0, a);  // The same id again has nothing of the old one's.
  EXPECT_EQ(named.name(a), "");
  EXPECT_EQ(named.userData(a), 0u);
}

TEST(WorldLabels, SnapshotsBringBackRemovedBodiesWithTheirNames) {
  World world;
  const std::string odd = std::string("nul \0 in it", 11) + "\xc3\xa4, and longer than a word";
  const ObjectId a = addBall(world, odd, 41);
  const ObjectId b = addBall(world, "eight by", 0);
  const ObjectId c = addBall(world, "", 5);
  world.step(0.01).orThrow();
  const auto bytes = world.snapshot();
  const std::uint64_t hash = world.hash();
  const auto shape = describeBody(world, a).shapes[0].shape;
  world.removeBody(b).orThrow();
  world.setName(a, "changed").orThrow();
  world.setName(c, "late").orThrow();
  world.restore(bytes, {{shape}}).orThrow();
  EXPECT_EQ(world.hash(), hash);
  EXPECT_EQ(world.name(a), odd);
  EXPECT_EQ(world.userData(a), 41u);
  EXPECT_EQ(world.find("eight by"), b);
  EXPECT_EQ(world.name(c), "");
  EXPECT_EQ(world.userData(c), 5u);
  EXPECT_EQ(world.find("late"), kNoObject);
  EXPECT_EQ(world.snapshot(), bytes);
}

TEST(WorldLabels, RefusedBodyLeavesNoName) {
  World world;
  BodyDescription bad;
  bad.name = "bad";
  bad.gravityScale = std::numeric_limits<double>::quiet_NaN();
  ObjectId id = 77;
  EXPECT_FALSE(world.addBody(bad, std::make_shared<SphereShape>(1.0), 0, id));
  EXPECT_EQ(id, 77u);
  EXPECT_EQ(world.find("bad"), kNoObject);
}

TEST(WorldValues, ComeBackByValueOrAsStatus) {
  World world;
  const MaterialId steel = world.materials().add({.friction = 0.3, .density = 7850.0});
  const ObjectId box = world.addBody({.position = {1, 2, 3}}, BoxShape::fromSize({1, 2, 4}), steel);
  EXPECT_EQ(world.motion(box).position, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(world.mass(box).mass, 8.0 * 7850.0);
  EXPECT_THROW((void)world.motion(99), Error);
  EXPECT_EQ(world.bodies().size(), 1u);
  const ObjectId two = world.addBody(
      {.position = {9, 0, 0}},
      std::vector<BodyShape>{{std::make_shared<SphereShape>(0.5), {}, 0},
                             {std::make_shared<SphereShape>(0.5), poseAt({1, 0, 0}), 0}});
  EXPECT_EQ(describeBody(world, two).shapes.size(), 2u);
  EXPECT_THROW((void)describeBody(world, 99), Error);
  EXPECT_THROW(world.materials().add({.friction = -1.0}), Error);
  EXPECT_THROW((void)world.jointState(1), Error);
}

TEST(WorldValues, StatusOfGivesTheErrorsOfConstructors) {
  std::shared_ptr<const Shape> shape;
  Status status = statusOf([&] { shape = std::make_shared<BoxShape>(Eigen::Vector3d(1, -1, 1)); });
  EXPECT_EQ(status.getCode(), StatusCode::OutOfRange);
  EXPECT_NE(status.getMessage().find("-1"), std::string::npos);
  EXPECT_EQ(shape, nullptr);
  status = statusOf([&] { shape = std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 1)); });
  EXPECT_TRUE(status);
  EXPECT_NE(shape, nullptr);
}

TEST(Poses, GoToEigenAndBack) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -3).normalized()));
  const Pose pose = poseAt({1, -2, 3}, toQuat(turn));
  const Eigen::Vector3d place = toEigen(pose.translation);
  const Eigen::Quaterniond same = toEigen(toQuat(turn));
  EXPECT_EQ(place, Eigen::Vector3d(1, -2, 3));
  EXPECT_EQ(same.coeffs(), turn.coeffs());
  EXPECT_LT((toEigen(pose.rotation) - turn.toRotationMatrix()).norm(), 4e-16);
  EXPECT_LT((toEigen(toQuat(pose.rotation)).coeffs() - turn.coeffs()).norm(), 4e-16);
  EXPECT_THROW((void)poseAt({0, 0, 0}, Quat{2, 0, 0, 0}), Error);
  EXPECT_THROW((void)poseAt({0, 0, std::numeric_limits<double>::infinity()}), Error);

  World world;
  const ObjectId box = world.addBody({}, BoxShape({1, 1, 1}));
  world.setPose(box, pose).orThrow();
  EXPECT_LT((toEigen(world.motion(box).pose).matrix() - toEigen(pose).matrix()).norm(), 1e-15);
  Pose mirrored = pose;
  mirrored.rotation.x = {-pose.rotation.x.x, -pose.rotation.x.y, -pose.rotation.x.z};
  const std::uint64_t hash = world.hash();
  EXPECT_EQ(world.setPose(box, mirrored).getCode(), StatusCode::NotARotation);
  EXPECT_EQ(world.setPose(99, pose).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.hash(), hash);
}

TEST(Shapes, TakeWholeSizesAndBraces) {
  EXPECT_EQ(BoxShape::fromSize({1, 2, 3}).getHalfExtents(), Eigen::Vector3d(0.5, 1, 1.5));
  EXPECT_EQ(BoxShape({1, 2, 3}).getSize(), Eigen::Vector3d(2, 4, 6));
  const ConvexShape hull{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_EQ(hull.numFaces(), 4u);
  const MeshShape mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  EXPECT_EQ(mesh.numTriangles(), 1u);
  const CollisionObject a(SphereShape(1.0), poseAt({3, 0, 0}));
  const CollisionObject b(BoxShape::fromSize({2, 2, 2}));
  EXPECT_EQ(distance(a, b).distance, 1.0);
}

}  // namespace
}  // namespace abut
