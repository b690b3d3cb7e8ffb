// SPDX-License-Identifier: MIT
#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::contacts;
using test::ShapePtr;
using test::Vector;

std::vector<ShapePtr> convexShapes() {
  std::vector<Vector> points;
  test::Random random(8);
  for (int i = 0; i < 14; ++i) points.push_back(toEigen(random.direction() * 0.3));
  return {std::make_shared<const SphereShape>(0.25),
          std::make_shared<const BoxShape>(Vector(0.3, 0.2, 0.1)),
          std::make_shared<const CapsuleShape>(0.1, 0.4),
          std::make_shared<const ConvexShape>(points)};
}

std::vector<ShapePtr> compositeShapes() {
  const ShapePtr mesh = test::boxSoup({0.5, 0.4, 0.3}, 2).shape();
  test::Random random(9);
  std::vector<CompoundShape::Child> children;
  for (const ShapePtr& shape : convexShapes()) children.push_back({shape, random.pose(0.5)});
  children.push_back({test::ballSoup(0.3, 1).shape(), random.pose(0.5)});
  children.push_back({test::cloud(20, 0.4, 0.05, 3), random.pose(0.5)});
  return {mesh,
          test::ballSoup(0.6, 2).shape(),
          test::gridSoup(6, 6, 0.2).shape(),
          test::hills(7, 0.2, 5),
          test::cloud(60, 0.6, 0.08, 6),
          std::make_shared<const CompoundShape>(children)};
}

std::vector<ShapePtr> allShapes() {
  std::vector<ShapePtr> shapes = convexShapes();
  shapes.push_back(std::make_shared<const PlaneShape>(Vector(0.1, 0.2, 1.0), 0.1));
  for (const ShapePtr& shape : compositeShapes()) shapes.push_back(shape);
  return shapes;
}

/// What every contact must be: unit normal, witnesses consistent, points sorted, shared normal.
void checkForm(const CollisionResult& result, double margin) {
  for (const ContactManifold& m : result.getManifolds()) {
    ASSERT_GE(m.numContacts(), 1u);
    double last = m.getContacts()[0].depth;
    for (const ContactPoint& c : m.getContacts()) {
      ASSERT_NEAR(c.normal.norm(), 1.0, 1e-12);
      ASSERT_EQ(c.normal, m.getSharedNormal());
      ASSERT_TRUE(c.position.allFinite());
      ASSERT_GE(c.depth, -margin - 1e-11);
      ASSERT_LE(c.depth, last);
      last = c.depth;
    }
  }
}

TEST(Composite, EveryPairMirrorsToTheBitAndAgreesWithDistance) {
  constexpr std::uint64_t kSeed = 31;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const std::vector<ShapePtr> shapes = allShapes();
  int overlaps = 0, gaps = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t k = i; k < shapes.size(); ++k) {
      if (shapes[k]->getType() < ShapeType::Mesh && shapes[i]->getType() < ShapeType::Mesh)
        continue;
      SCOPED_TRACE(std::string(toString(shapes[i]->getType())) + " " + std::to_string(i) + " - " +
                   std::string(toString(shapes[k]->getType())) + " " + std::to_string(k));
      for (int n = 0; n < 12; ++n) {
        SCOPED_TRACE(n);
        const PlacedShape a{shapes[i].get(), random.pose(0.7), 1};
        const PlacedShape b{shapes[k].get(), random.pose(0.7), 2};
        const double margin = n % 2 == 0 ? 0.0 : 0.05;
        const CollisionResult ab = contacts(a, b, margin), ba = contacts(b, a, margin);
        test::expectMirrored(ab, ba);
        checkForm(ab, margin);
        DistanceResult dab, dba;
        ASSERT_TRUE(distance(a, b, dab));
        ASSERT_TRUE(distance(b, a, dba));
        ASSERT_EQ(dab.distance, dba.distance);
        ASSERT_EQ(dab.normal, Vector(-dba.normal));
        ASSERT_EQ(dab.point1, dba.point2);
        ASSERT_NEAR(dab.normal.norm(), 1.0, 1e-12);
        ASSERT_LE((dab.point1 - dab.point2 - dab.distance * dab.normal).norm(), 1e-12);
        CollisionResult yes;
        ASSERT_TRUE(collide(a, b, CollisionOption::binaryCheck(), yes));
        if (dab.distance > 1e-9) {
          ++gaps;
          EXPECT_FALSE(yes.isCollision()) << dab.distance;
          EXPECT_EQ(ab.numManifolds() != 0, dab.distance <= margin) << dab.distance;
          if (ab.numManifolds() != 0) {
            EXPECT_NEAR(ab.penetrationDepth(), -dab.distance, 1e-12);
          }
        } else {
          ++overlaps;
          EXPECT_TRUE(yes.isCollision()) << dab.distance;
          ASSERT_TRUE(ab.isCollision()) << dab.distance;
          EXPECT_LT(dab.distance, 0.0);
          if (margin == 0.0) {
            EXPECT_EQ(ab.penetrationDepth(), -dab.distance);
          }
        }
      }
    }
  }
  EXPECT_GT(overlaps, 200);
  EXPECT_GT(gaps, 50);
}

TEST(Composite, SphereOnABoxMeshIsASphereOnABox) {
  constexpr std::uint64_t kSeed = 32;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const Vector half(0.5, 0.4, 0.3);
  const BoxShape box(half);
  const SphereShape ball(0.2);
  for (const int n : {1, 3, 8}) {
    const auto mesh = test::boxSoup(half, n).shape();
    for (int i = 0; i < 1500; ++i) {
      const Pose pose = random.pose(1.0);
      const PlacedShape b{&ball, {{}, random.vector(0.8) + pose.translation}, 1};
      const PlacedShape m{mesh.get(), pose, 2}, x{&box, pose, 2};
      const Vector center = toEigen(applyInverse(pose, b.pose.translation));
      // Inside, near the middle, two ways out are equally short.
      const Vector inside = half - center.cwiseAbs();
      Vector sorted = inside;
      std::sort(sorted.data(), sorted.data() + 3);
      if (sorted[0] > 0.0 && sorted[1] - sorted[0] < 1e-6) continue;
      DistanceResult dm, dx;
      ASSERT_TRUE(distance(b, m, dm));
      ASSERT_TRUE(distance(b, x, dx));
      EXPECT_NEAR(dm.distance, dx.distance, 2e-15) << center.transpose();
      EXPECT_LE((dm.normal - dx.normal).norm(), 1e-13) << center.transpose();
      const CollisionResult cm = contacts(b, m, 0.1), cx = contacts(b, x, 0.1);
      ASSERT_EQ(cm.numContacts(), cx.numContacts()) << center.transpose() << " n " << n;
      if (cm.numContacts() == 0) continue;
      EXPECT_NEAR(cm.getContact(0).depth, cx.getContact(0).depth, 2e-15);
      EXPECT_LE((cm.getContact(0).position - cx.getContact(0).position).norm(), 1e-14);
    }
  }
}

TEST(Composite, ConvexApartFromAMeshHasTheDistanceOfTheNearestTriangle) {
  constexpr std::uint64_t kSeed = 33;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  // With a hole, which a closed one has not: that would be its hull.
  test::Soup soup = test::ballSoup(0.6, 2);
  soup.triangles.pop_back();
  const auto mesh = soup.shape();
  std::vector<ShapePtr> single;
  for (const MeshShape::Triangle& t : soup.triangles) {
    const std::vector<Vector> corners{soup.vertices[t[0]], soup.vertices[t[1]],
                                      soup.vertices[t[2]]};
    single.push_back(
        std::make_shared<const MeshShape>(corners, std::vector<MeshShape::Triangle>{{0, 1, 2}}));
  }
  for (const ShapePtr& shape : convexShapes()) {
    for (int i = 0; i < 20; ++i) {
      const Pose pose{random.pose(1.0).rotation, random.direction() * 1.2};
      const PlacedShape body{shape.get(), pose, 1};
      DistanceResult whole, part;
      ASSERT_TRUE(distance(body, {mesh.get(), {}, 2}, whole));
      double least = 1e9;
      for (const ShapePtr& triangle : single) {
        ASSERT_TRUE(distance(body, {triangle.get(), {}, 2}, part));
        least = std::min(least, part.distance);
      }
      EXPECT_EQ(whole.distance, least);
    }
  }
}

TEST(Composite, TreeLeavesNoTrace) {
  // Triangles far from the body change the tree, and nothing else.
  constexpr std::uint64_t kSeed = 34;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  test::Soup soup = test::boxSoup({0.5, 0.4, 0.3}, 3);
  soup.vertices.emplace_back(3.0, 0.0, 0.0);  // Same radius in both.
  soup.vertices.emplace_back(2.9, 0.1, 0.0);
  soup.vertices.emplace_back(2.9, 0.0, 0.1);
  const auto last = static_cast<std::uint32_t>(soup.vertices.size());
  soup.triangles.push_back({last - 3, last - 2, last - 1});
  test::Soup more = soup;
  for (int t = 0; t < 200; ++t) {
    const auto base = static_cast<std::uint32_t>(more.vertices.size());
    for (int k = 0; k < 3; ++k) {
      more.vertices.push_back(toEigen(random.vector(0.3)) + Vector(2.0, 0, 0));
    }
    more.triangles.push_back({base, base + 1, base + 2});
  }
  const auto few = soup.shape(), many = more.shape();
  for (const ShapePtr& shape : convexShapes()) {
    for (int i = 0; i < 200; ++i) {
      const PlacedShape body{shape.get(), random.pose(0.6), 1};
      const CollisionResult a = contacts(body, {few.get(), {}, 2}, 0.05);
      const CollisionResult b = contacts({many.get(), {}, 2}, body, 0.05);
      test::expectMirrored(a, b);
    }
  }
}

TEST(Composite, RidgeStillGivesEdgeContacts) {
  // A roof of two slopes at 45 degrees, ridge along y at z = 0, finely divided.
  test::Soup roof = test::gridSoup(8, 8, 0.25);
  for (Vector& v : roof.vertices) v.z() = -std::abs(v.x());
  const auto mesh = roof.shape();
  const BoxShape box({0.3, 0.3, 0.1});
  for (const double p : {0.0, 1e-6, 1e-3, 0.02}) {
    const PlacedShape body{&box, {{}, {0.05, 0.01, 0.1 - p}}, 1};
    const CollisionResult result = contacts(body, {mesh.get(), {}, 2});
    ASSERT_EQ(result.numManifolds(), 1u) << p;
    const ContactManifold& m = result.getManifold(0);
    EXPECT_EQ(m.getType(), ContactType::Edge);
    ASSERT_EQ(m.numContacts(), 2u);
    EXPECT_EQ(m.getSharedNormal(), Vector(0, 0, 1));
    for (const ContactPoint& c : m.getContacts()) {
      EXPECT_NEAR(c.depth, p, 1e-15);
      EXPECT_NEAR(c.position.x(), 0.0, 1e-15);
      EXPECT_NEAR(std::abs(c.position.y() - 0.01), 0.3, 1e-15);
    }
  }
}

TEST(Composite, BodyInAValleyTouchesBothSides) {
  test::Soup valley = test::gridSoup(8, 8, 0.25);
  for (Vector& v : valley.vertices) v.z() = std::abs(v.x());
  const auto mesh = valley.shape();
  const SphereShape ball(0.3);
  // Touching both sides of a right-angled valley: centre at r sqrt 2.
  const double height = 0.3 * std::sqrt(2.0) - 0.01;
  const CollisionResult result = contacts({&ball, {{}, {0, 0.03, height}}, 1}, {mesh.get(), {}, 2});
  ASSERT_EQ(result.numManifolds(), 2u);
  for (const ContactManifold& m : result.getManifolds()) {
    EXPECT_NEAR(m.getContacts()[0].depth, 0.01 / std::sqrt(2.0), 1e-15);
    EXPECT_NEAR(std::abs(m.getSharedNormal().x()), std::sqrt(0.5), 1e-15);
  }
  // A corner beyond both sides, below the valley's line.
  const BoxShape box({0.2, 0.2, 0.2});
  const Mat3 turned = toMatrix(quatFromRotationVector({0.0, 3.14159265358979324 / 4, 0.0}));
  const CollisionResult wedge =
      contacts({&box, {turned, {0.0, 0.0, 0.2 * std::sqrt(2.0) - 0.01}}, 1}, {mesh.get(), {}, 2});
  ASSERT_EQ(wedge.numManifolds(), 2u);
  for (const ContactManifold& m : wedge.getManifolds()) {
    EXPECT_NEAR(m.penetrationDepth(), 0.01 / std::sqrt(2.0), 1e-14);
  }
}

TEST(Composite, BoxOnFineFloorHasFourWellSpreadPoints) {
  const auto floor = test::gridSoup(60, 60, 0.05).shape();
  const BoxShape box({0.4, 0.3, 0.2});
  const Mat3 turned = toMatrix(quatFromRotationVector({0.0, 0.0, 0.3}));
  const CollisionResult result =
      contacts({&box, {turned, {0.013, 0.017, 0.199}}, 1}, {floor.get(), {}, 2});
  ASSERT_EQ(result.numManifolds(), 1u);
  const ContactManifold& m = result.getManifold(0);
  EXPECT_EQ(m.getType(), ContactType::Face);
  ASSERT_EQ(m.numContacts(), 4u);
  double longest = 0.0;
  for (const ContactPoint& a : m.getContacts()) {
    EXPECT_NEAR(a.depth, 0.001, 1e-15);
    for (const ContactPoint& b : m.getContacts()) {
      longest = std::max(longest, (a.position - b.position).norm());
    }
  }
  EXPECT_NEAR(longest, 1.0, 1e-12);  // The diagonal of 0.8 x 0.6: all four corners.
}

TEST(Composite, BodyInsideASolidMeshIsPushedOutTheNearestWay) {
  const auto mesh = test::boxSoup({2.0, 2.0, 2.0}, 5).shape();
  const BoxShape box({0.1, 0.2, 0.3});
  DistanceResult result;
  ASSERT_TRUE(distance({&box, {{}, {0.1, 1.5, 0.2}}, 1}, {mesh.get(), {}, 2}, result));
  EXPECT_NEAR(result.distance, -(2.0 - 1.5 + 0.2), 1e-15);
  EXPECT_EQ(result.normal, Vector(0, 1, 0));
  const CollisionResult inside = contacts({&box, {{}, {0.1, 1.5, 0.2}}, 1}, {mesh.get(), {}, 2});
  ASSERT_EQ(inside.numContacts(), 4u);
  // The same through the surface, centre inside and outside: one law.
  for (double y = 1.5; y < 2.3; y += 0.01) {
    ASSERT_TRUE(distance({&box, {{}, {0.1, y, 0.2}}, 1}, {mesh.get(), {}, 2}, result));
    EXPECT_NEAR(result.distance, y - 2.2, 4e-15) << y;
    EXPECT_LE((result.normal - Vector(0, 1, 0)).norm(), 1e-15) << y;
  }
  const auto small = test::boxSoup({0.1, 0.2, 0.3}, 2).shape();
  ASSERT_TRUE(distance({small.get(), {{}, {0.1, 1.5, 0.2}}, 1}, {mesh.get(), {}, 2}, result));
  EXPECT_LT(result.distance, 0.0);
}

TEST(Composite, OverhangingBoxIsNotPushedSideways) {
  // The box covers a corner of the block and sinks in by 1 mm; the sides of the block, finely
  // divided, are crossed too, but the way out is up.
  const auto block = test::boxSoup({1.0, 1.0, 0.5}, 40).shape();
  const BoxShape box({0.4, 0.4, 0.4});
  for (const double x : {0.5, 0.8, 1.1, 1.39}) {
    const CollisionResult result =
        contacts({&box, {{}, {x, x, 0.5 + 0.4 - 1e-3}}, 1}, {block.get(), {}, 2}, 0.01);
    ASSERT_EQ(result.numManifolds(), 1u) << x;
    EXPECT_EQ(result.getManifold(0).getSharedNormal(), Vector(0, 0, 1)) << x;
    EXPECT_EQ(result.numContacts(), 4u);
    EXPECT_NEAR(result.penetrationDepth(), 1e-3, 1e-15);
  }
}

}  // namespace
}  // namespace abut
