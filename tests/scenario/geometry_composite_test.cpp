// SPDX-License-Identifier: MIT
// Composite shapes in random poses against every pair of their parts: the distance is that of the
// nearest pair, and for compounds and clouds the depth is that of the deepest.
#include <cmath>

#include <gtest/gtest.h>

#include "support/assembly.hpp"
#include "support/judge.hpp"

namespace abut::test {
namespace {

using Kind = Specimen::Kind;

Assembly randomCompound(Generator& random) {
  std::vector<Body> children;
  const int n = 1 + random.below(4);
  for (int i = 0; i < n; ++i) {
    Body child(randomSpecimen(random, static_cast<Kind>(random.below(6)), 0.1, 0.5, 12));
    child.rotation = random.rotation();
    child.position = 0.6 * random.unit() * random.direction();
    children.push_back(child);
  }
  return compoundOf(children);
}

Assembly randomCloud(Generator& random) {
  std::vector<Vector> points;
  const int n = 1 + random.below(20);
  for (int i = 0; i < n; ++i) points.emplace_back(0.7 * random.unit() * random.direction());
  return cloudOf(points, random.range(0.05, 0.2));
}

/// A closed, bumpy surface: an octahedron with every corner moved.
Assembly randomMesh(Generator& random) {
  std::vector<Vector> v;
  for (int i = 0; i < 6; ++i) {
    v.emplace_back((i % 2 == 0 ? 1.0 : -1.0) * random.range(0.3, 0.8) * Vector::Unit(i / 2) +
                   0.1 * random.direction());
  }
  return meshOf(
      v, {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
}

Assembly randomField(Generator& random) {
  std::vector<double> heights;
  for (int i = 0; i < 20; ++i) heights.push_back(random.range(-0.2, 0.2));
  return heightFieldOf(5, 4, 0.4, heights);
}

Assembly randomAssembly(Generator& random, ShapeType type) {
  switch (type) {
    case ShapeType::Mesh:
      return randomMesh(random);
    case ShapeType::HeightField:
      return randomField(random);
    case ShapeType::PointCloud:
      return randomCloud(random);
    case ShapeType::Compound:
      return randomCompound(random);
    default:
      return assemblyOf(Body(randomSpecimen(random, static_cast<Kind>(random.below(6)), 0.2, 0.6)));
  }
}

constexpr ShapeType kTypes[] = {ShapeType::Box, ShapeType::Mesh, ShapeType::HeightField,
                                ShapeType::PointCloud, ShapeType::Compound};

/// A height field is solid below: it has to look at the other object.
Matrix rotationFor(Generator& random, ShapeType type, const Vector& up) {
  const Matrix rotation = random.rotation();
  if (type != ShapeType::HeightField) return rotation;
  return Eigen::Quaterniond::FromTwoVectors(rotation.col(2), up).toRotationMatrix() * rotation;
}

void expectSound(const PlacedAssembly& a, const PlacedAssembly& b, double truth, double size) {
  const double tolerance = 2e-12 * size;
  DistanceResult result, mirrored;
  ASSERT_TRUE(distance(a.placed(1), b.placed(2), result));
  ASSERT_TRUE(distance(b.placed(2), a.placed(1), mirrored));
  EXPECT_TRUE(isMirrored(result, mirrored));
  EXPECT_NEAR(result.distance, truth, tolerance);
  EXPECT_LE((result.point1 - result.point2 - result.distance * result.normal).norm(), tolerance);
  EXPECT_LE(a.outsideBy(result.point1), tolerance);
  EXPECT_LE(b.outsideBy(result.point2), tolerance);
  CollisionOption option = CollisionOption::fullContacts();
  option.margin = std::max(0.0, truth) + 1e-3;
  CollisionResult contacts, back;
  ASSERT_TRUE(collide(a.placed(1), b.placed(2), option, contacts));
  ASSERT_TRUE(collide(b.placed(2), a.placed(1), option, back));
  EXPECT_TRUE(isMirrored(contacts, back));
  ASSERT_TRUE(contacts.isCollision());
  EXPECT_NEAR(contacts.penetrationDepth(), -truth, tolerance);
}

TEST(RandomComposites, AreAsFarApartAsTheirNearestParts) {
  constexpr std::uint64_t kSeed = 41;
  SCOPED_TRACE(kSeed);
  Generator random(kSeed);
  int tried = 0;
  for (int i = 0; i < 300; ++i) {
    const Assembly first = randomAssembly(random, kTypes[i % 5]);
    const Assembly second = randomAssembly(random, kTypes[1 + i / 5 % 4]);
    PlacedAssembly a{&first}, b{&second};
    const Vector up = random.direction();
    a.rotation = rotationFor(random, first.type(), -up);
    b.rotation = rotationFor(random, second.type(), up);
    b.position = random.direction();
    a.position = b.position + random.range(0.8, 2.0) * up;
    const double size = a.extent() + b.extent() + 2.0;
    const BruteForce truth = bruteForceDistance(a, b, 1e-13 * size);
    if (!truth.isProven || truth.distance < 1e-6) continue;
    SCOPED_TRACE(::testing::Message() << "pair " << i << ", " << toString(first.type()) << " and "
                                      << toString(second.type()));
    expectSound(a, b, truth.distance, size);
    ++tried;
  }
  EXPECT_GT(tried, 150);
}

TEST(RandomComposites, CompoundsAndCloudsAreAsDeepAsTheirDeepestParts) {
  constexpr std::uint64_t kSeed = 42;
  SCOPED_TRACE(kSeed);
  Generator random(kSeed);
  int tried = 0;
  for (int i = 0; i < 300; ++i) {
    constexpr ShapeType kSolid[] = {ShapeType::Box, ShapeType::PointCloud, ShapeType::Compound};
    const Assembly first = randomAssembly(random, kSolid[i % 3]);
    const Assembly second = randomAssembly(random, kSolid[1 + i / 3 % 2]);
    PlacedAssembly a{&first}, b{&second};
    a.rotation = random.rotation();
    b.rotation = random.rotation();
    b.position = random.range(0.0, 0.8) * random.direction();
    const double size = a.extent() + b.extent() + 1.0;
    const BruteForce truth = bruteForceDistance(a, b, 1e-13 * size);
    if (!truth.isProven || truth.distance > -1e-6) continue;
    SCOPED_TRACE(::testing::Message() << "pair " << i << ", " << toString(first.type()) << " and "
                                      << toString(second.type()));
    expectSound(a, b, truth.distance, size);
    ++tried;
  }
  EXPECT_GT(tried, 150);
}

}  // namespace
}  // namespace abut::test
