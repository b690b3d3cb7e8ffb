// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/convex_shape.hpp>

#include "shape_checks.hpp"
#include "shapes/hull_data.hpp"
#include "support/oracle.hpp"

namespace abut {
namespace {

using Points = std::vector<Eigen::Vector3d>;
using test::Random;

/// What every hull must have: Euler's relation, convexity, the input inside, closed faces.
void checkHull(const ConvexShape& shape, const Points& points) {
  const HullData& hull = shape.getHull();
  ASSERT_EQ(shape.numVertices() + shape.numFaces(), shape.numEdges() + 2);
  double largest = 0.0;
  for (const auto& p : points) largest = maxOf(largest, maxElement(absOf(toVec3(p))));
  const double tolerance = 256 * 0x1p-52 * largest;
  for (std::size_t i = 0; i < shape.numFaces(); ++i) {
    const HullData::Face& face = hull.faces[i];
    ASSERT_NEAR(norm(face.normal), 1.0, 1e-15);
    ASSERT_GE(face.numCorners, 3u);
    for (const auto& p : points) ASSERT_LE(dot(face.normal, toVec3(p)), face.offset + tolerance);
    for (const std::uint32_t v : shape.getFace(i)) {
      ASSERT_NEAR(dot(face.normal, hull.vertex(v)), face.offset, tolerance);
      ASSERT_LE(shape.getFace(i)[0], v);
    }
  }
  for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
    ASSERT_LT(hull.edges[e].vertex1, hull.edges[e].vertex2);
    ASSERT_NE(hull.edges[e].face1, hull.edges[e].face2);
  }
  for (std::uint32_t v = 0; v + 1 < hull.numVertices; ++v) {
    ASSERT_TRUE(lexicographicLess(hull.vertex(v), hull.vertex(v + 1)));
  }
  ASSERT_EQ(hull.x.size() % 4, 0u);
}

Points randomOnSphere(Random& random, int n, double radius) {
  Points points;
  for (int i = 0; i < n; ++i) points.push_back(toEigen(random.direction() * radius));
  return points;
}

Points cubeGrid(int n, double half, const Mat3& rotation) {
  Points points;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      for (int k = 0; k <= n; ++k) {
        const Vec3 p{(2.0 * i / n - 1.0) * half, (2.0 * j / n - 1.0) * half,
                     (2.0 * k / n - 1.0) * half};
        points.push_back(toEigen(rotation * p));
      }
    }
  }
  return points;
}

double volumeOf(const ConvexShape& shape) {
  MassProperties mass;
  EXPECT_TRUE(shape.computeMass(1.0, mass).isOk());
  return mass.mass;
}

TEST(ConvexShape, GridOnACubeHasEightVerticesSixFacesTwelveEdges) {
  for (const double half : {1e-6, 1.0, 1e5}) {
    const Points points = cubeGrid(8, half, Mat3{});
    const ConvexShape shape(points);
    checkHull(shape, points);
    EXPECT_EQ(shape.numVertices(), 8u);
    EXPECT_EQ(shape.numFaces(), 6u);
    EXPECT_EQ(shape.numEdges(), 12u);
    EXPECT_NEAR(volumeOf(shape), 8.0 * half * half * half, 1e-14 * 8.0 * half * half * half);
  }
}

TEST(ConvexShape, RotatedGridOnACubeIsACubeInSpiteOfRounding) {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const Points points = cubeGrid(2 + i % 7, 0.7, random.rotation());
    const ConvexShape shape(points);
    checkHull(shape, points);
    EXPECT_EQ(shape.numVertices(), 8u) << i;
    EXPECT_EQ(shape.numFaces(), 6u) << i;
    EXPECT_NEAR(volumeOf(shape), 2.744, 1e-13);
  }
}

TEST(ConvexShape, ResultDoesNotDependOnTheOrderOfThePoints) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    Points points =
        i % 2 == 0 ? randomOnSphere(random, 60, 1.0) : cubeGrid(3, 1.0, random.rotation());
    const ConvexShape first(points);
    for (std::size_t k = points.size() - 1; k > 0; --k) {
      std::swap(points[k], points[static_cast<std::size_t>(random.unit() * double(k + 1))]);
    }
    points.insert(points.end(), points.begin(), points.begin() + 5);
    const ConvexShape second(points);
    const HullData &a = first.getHull(), &b = second.getHull();
    ASSERT_EQ(a.x, b.x);
    ASSERT_EQ(a.y, b.y);
    ASSERT_EQ(a.z, b.z);
    ASSERT_EQ(a.corners, b.corners);
    ASSERT_EQ(a.center, b.center);
    for (std::size_t f = 0; f < a.faces.size(); ++f) {
      ASSERT_EQ(a.faces[f].normal, b.faces[f].normal);
      ASSERT_EQ(a.faces[f].offset, b.faces[f].offset);
    }
  }
}

TEST(ConvexShape, PointsOnASphereAreAllVertices) {
  Random random(7);
  for (const int n : {4, 5, 20, 100, 1000}) {
    const Points points = randomOnSphere(random, n, 2.0);
    const ConvexShape shape(points);
    checkHull(shape, points);
    EXPECT_EQ(shape.numVertices(), static_cast<std::size_t>(n));
  }
}

TEST(ConvexShape, TenThousandPoints) {
  Random random(11);
  const Points points = randomOnSphere(random, 10000, 2.0);
  const ConvexShape shape(points);
  EXPECT_EQ(shape.numVertices(), 10000u);
  EXPECT_EQ(shape.numVertices() + shape.numFaces(), shape.numEdges() + 2);
}

TEST(ConvexShape, KillersStayConvexAndClosed) {
  Random random(13);
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const double scale = i % 3 == 0 ? 1e-6 : (i % 3 == 1 ? 1.0 : 1e5);
    // Needle, pancake, slab of layers, noise below rounding, points on a lattice on a sphere.
    const Vec3 stretch = i % 5 == 0   ? Vec3{1e-4, 1e-5, 1.0}
                         : i % 5 == 1 ? Vec3{1.0, 0.7, 1e-6}
                                      : Vec3{1.0, 1.0, 1.0};
    const Mat3 rotation = i % 2 == 0 ? Mat3{} : random.rotation();
    Points points;
    const int n = 8 + i % 90;
    for (int k = 0; k < n; ++k) {
      Vec3 p = random.vector(1.0);
      if (i % 5 == 2)
        p = {std::floor(4.0 * p.x) / 4.0, std::floor(4.0 * p.y) / 4.0, k % 2 == 0 ? 0.0 : 1.0};
      if (i % 5 == 3)
        p = Vec3{k % 2 == 0 ? -1.0 : 1.0, k / 2 % 2 == 0 ? -1.0 : 1.0, p.z} + random.vector(1e-15);
      if (i % 5 == 4)
        p = normalized(
            Vec3{std::floor(3.0 * p.x), std::floor(3.0 * p.y), std::floor(3.0 * p.z) + 0.5});
      points.push_back(toEigen(rotation * (scaled(p, stretch) * scale)));
    }
    const ConvexShape shape(points);
    checkHull(shape, points);
    if (HasFatalFailure()) return;
  }
}

TEST(ConvexShape, AgreesWithQhullInVolumeAndSupport) {
  if (!test::haveQhull()) GTEST_SKIP() << "Qhull is not there";
  Random random(17);
  for (int i = 0; i < 60; ++i) {
    Points points;
    const int n = 4 + i * 3;
    for (int k = 0; k < n; ++k) points.push_back(toEigen(random.vector(1.0)));
    const ConvexShape shape(points);
    checkHull(shape, points);
    // Every facet of either supports the other.
    for (const test::HalfSpace& h : test::hullFacets(points)) {
      const Eigen::Vector3d s = shape.supportPoint(h.normal);
      ASSERT_NEAR(s.dot(h.normal), h.offset, 1e-14);
      ASSERT_NEAR(shape.signedDistance(s), 0.0, 1e-15);
    }
  }
}

TEST(ConvexShape, DegenerateInputSaysWhatIsWrong) {
  const auto messageOf = [](const Points& points) -> std::string {
    try {
      const ConvexShape shape(points);
    } catch (const Error& error) {
      EXPECT_EQ(error.getCode(), StatusCode::DegenerateGeometry);
      return error.what();
    }
    return "no error";
  };
  Random random(19);
  EXPECT_NE(messageOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("got 3"), std::string::npos);
  EXPECT_NE(messageOf(Points(6, {1, 2, 3})).find("coincide"), std::string::npos);
  for (int i = 0; i < 50; ++i) {
    const Vec3 d = random.direction(), e = random.direction(), o = random.vector(10.0);
    Points line, plane;
    for (int k = 0; k < 20; ++k) {
      const double t = random.between(-1.0, 1.0), s = random.between(-1.0, 1.0);
      line.push_back(toEigen(o + d * t));
      plane.push_back(toEigen(o + d * t + e * s));
    }
    EXPECT_NE(messageOf(line).find("collinear"), std::string::npos);
    EXPECT_NE(messageOf(plane).find("coplanar"), std::string::npos);
  }
}

TEST(ConvexShape, BadCoordinatesAreNamed) {
  for (const double bad : {1e7, -1e7, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    Points points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    points[3].y() = bad;
    try {
      const ConvexShape shape(points);
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("point 3"), std::string::npos);
      EXPECT_EQ(error.getCode(), isFinite(bad) ? StatusCode::OutOfRange : StatusCode::NonFinite);
    }
  }
}

TEST(ConvexShape, HullOfABoxIsTheBox) {
  const Eigen::Vector3d half(0.3, 0.5, 0.9);
  const BoxShape box(half);
  const Points corners = cubeGrid(1, 1.0, Mat3{});
  Points points;
  for (const auto& c : corners) points.push_back(c.cwiseProduct(half));
  const ConvexShape hull(points);
  Random random(23);
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Vector3d p = toEigen(random.vector(1.5));
    ASSERT_NEAR(hull.signedDistance(p), box.signedDistance(p), 1e-15);
    ASSERT_EQ(hull.supportPoint(p), box.supportPoint(p));
  }
  MassProperties a, b;
  ASSERT_TRUE(hull.computeMass(700.0, a).isOk());
  ASSERT_TRUE(box.computeMass(700.0, b).isOk());
  EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.inertia[k], b.inertia[k], 1e-13 * b.inertia[k]);
  EXPECT_LE(a.products.norm(), 1e-13 * b.inertia.norm());
  EXPECT_LE(a.center.norm(), 1e-15);
}

TEST(ConvexShape, TetrahedronHasTheMassOfTheFormula) {
  // Corners 0, a e_x, b e_y, c e_z: volume abc/6, centre at a quarter, integral of x^2 = a^2 V/10,
  // of xy = ab V/20; moved to the centre: x^2: 3 a^2 V/80, xy: -ab V/80. Ixy = -integral.
  const double a = 1.0, b = 2.0, c = 3.0, volume = 1.0;
  const ConvexShape shape(Points{{5, 5, 5}, {6, 5, 5}, {5, 7, 5}, {5, 5, 8}});
  MassProperties mass;
  ASSERT_TRUE(shape.computeMass(2.0, mass).isOk());
  EXPECT_NEAR(mass.mass, 2.0 * volume, 1e-15);
  EXPECT_NEAR(mass.center.x(), 5.25, 1e-14);
  EXPECT_NEAR(mass.center.z(), 5.75, 1e-14);
  EXPECT_NEAR(mass.inertia.x(), 2.0 * 3.0 * (b * b + c * c) * volume / 80.0, 1e-14);
  EXPECT_NEAR(mass.products.x(), 2.0 * a * b * volume / 80.0, 1e-14);
  EXPECT_NEAR(mass.products.z(), 2.0 * b * c * volume / 80.0, 1e-14);
}

TEST(ConvexShape, RaysAndBoxesAgreeWithTheSurface) {
  Random random(29);
  for (int i = 0; i < 3; ++i) {
    const ConvexShape shape(randomOnSphere(random, 20 + 30 * i, 1.0));
    test::checkRays(shape, 1.0, 31 + i);
    test::checkAabb(shape, 37 + i, 1e-15);
  }
}

}  // namespace
}  // namespace abut
