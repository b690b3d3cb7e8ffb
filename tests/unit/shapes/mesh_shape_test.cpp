// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>

#include "shapes/mesh_data.hpp"
#include "support/meshes.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using test::Soup;
using Vector = Eigen::Vector3d;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void expectError(const Soup& soup, StatusCode code, const std::string& part) {
  try {
    (void)soup.shape();
    FAIL() << "expected an Error with: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.getCode(), code);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(MeshShape, BadInputIsRefusedWithItsIndex) {
  const Soup good = test::boxSoup({1, 1, 1});
  Soup soup = good;
  soup.triangles[7][1] = 999;
  expectError(soup, StatusCode::OutOfRange, "triangle 7 names vertex 999, but there are 24");
  soup = good;
  soup.vertices[5].y() = kNan;
  expectError(soup, StatusCode::NonFinite, "vertex 5 is");
  soup = good;
  soup.vertices[3].x() = 2e6;
  expectError(soup, StatusCode::OutOfRange, "vertex 3 is");
  expectError({}, StatusCode::DegenerateGeometry, "no triangles");
  soup = good;
  for (Vector& v : soup.vertices) v.y() = v.z() = 0.0;
  expectError(soup, StatusCode::DegenerateGeometry, "all 12 triangles have zero area");
}

TEST(MeshShape, ReportCountsWhatWasFound) {
  Soup soup = test::boxSoup({1, 2, 3});
  soup.triangles.push_back({0, 0, 1});
  soup.triangles.push_back(soup.triangles[4]);
  const auto closed = soup.shape();
  EXPECT_TRUE(closed->isSolid());
  EXPECT_EQ(closed->numVertices(), 8u);
  EXPECT_EQ(closed->numTriangles(), 12u);
  EXPECT_EQ(closed->getReport().mergedVertices, 16u);
  EXPECT_EQ(closed->getReport().degenerateTriangles, 1u);
  EXPECT_EQ(closed->getReport().duplicateTriangles, 1u);
  soup = test::boxSoup({1, 2, 3});
  soup.triangles.pop_back();
  EXPECT_EQ(soup.shape()->getReport().openEdges, 3u);
  soup = test::boxSoup({1, 2, 3});
  std::swap(soup.triangles[0][1], soup.triangles[0][2]);
  EXPECT_EQ(soup.shape()->getReport().flippedEdges, 3u);
  EXPECT_FALSE(soup.shape()->isSolid());
}

TEST(MeshShape, PatchesAreTheFacesOfABox) {
  const auto shape = test::boxSoup({1, 2, 3}, 7).shape();
  const MeshData& mesh = shape->getMesh();
  EXPECT_EQ(mesh.patches.size(), 6u);
  std::size_t corners = 0, creases = 0;
  for (const VertexKind kind : mesh.vertexKinds) {
    corners += kind == VertexKind::Corner ? 1 : 0;
    creases += kind == VertexKind::Crease ? 1 : 0;
  }
  EXPECT_EQ(corners, 8u);
  EXPECT_EQ(creases, 12u * 6u);
}

TEST(MeshShape, MassOfABoxMeshIsThatOfTheBox) {
  const Vector half(1.0, 2.0, 3.0), offset(5.0, -3.0, 0.5);
  Soup soup = test::boxSoup(half, 3);
  for (Vector& v : soup.vertices) v += offset;
  MassProperties mesh, box;
  ASSERT_TRUE(soup.shape()->computeMass(2.0, mesh));
  ASSERT_TRUE(BoxShape(half).computeMass(2.0, box));
  EXPECT_NEAR(mesh.mass, box.mass, 1e-13 * box.mass);
  EXPECT_LE((mesh.center - offset).norm(), 1e-14 * 6.0);
  EXPECT_LE((mesh.inertia - box.inertia).norm(), 1e-13 * box.inertia.norm());
  EXPECT_LE(mesh.products.norm(), 1e-13 * box.inertia.norm());
}

TEST(MeshShape, OpenMeshHasNoMassAndSaysWhy) {
  MassProperties mass;
  Soup soup = test::boxSoup({1, 1, 1});
  soup.triangles.pop_back();
  const Status status = soup.shape()->computeMass(1.0, mass);
  EXPECT_EQ(status.getCode(), StatusCode::NotSolid);
  EXPECT_EQ(status.getMessage(),
            "mesh: 3 of 18 edges are open, so it has no volume; give mass and inertia, or use its "
            "convex hull");
  soup = test::boxSoup({1, 1, 1});
  for (MeshShape::Triangle& t : soup.triangles) std::swap(t[1], t[2]);
  EXPECT_NE(soup.shape()->computeMass(1.0, mass).getMessage().find("face inwards"),
            std::string::npos);
}

TEST(MeshShape, SignedDistanceOfABoxMeshIsThatOfTheBox) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const Vector half(0.5, 1.0, 1.5);
  const BoxShape box(half);
  for (const int n : {1, 4}) {
    const auto mesh = test::boxSoup(half, n).shape();
    for (int i = 0; i < 2000; ++i) {
      const Vector p = toEigen(random.vector(2.0));
      EXPECT_NEAR(mesh->signedDistance(p), box.signedDistance(p), 4e-15) << p.transpose();
    }
  }
}

TEST(MeshShape, RayHitsABoxMeshWhereItHitsTheBox) {
  constexpr std::uint64_t kSeed = 12;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const Vector half(0.5, 1.0, 1.5);
  const BoxShape box(half);
  const auto mesh = test::boxSoup(half, 5).shape();
  int hits = 0;
  for (int i = 0; i < 4000; ++i) {
    Ray ray;
    ray.origin = toEigen(random.direction() * 4.0);
    ray.direction = toEigen(random.vector(1.0)) - 0.2 * ray.origin;
    ray.maxFraction = 20.0;
    // Rays through the box's own edges and vertices of the grid must not slip through.
    if (i % 3 == 0) ray.direction = Vector(0.1, 0.2, 0.9) - ray.origin;
    if (i % 3 == 1) ray.direction = mesh->getVertex(i % mesh->numVertices()) * 0.999 - ray.origin;
    RayHit a, b;
    const bool hitBox = box.raycast(ray, a), hitMesh = mesh->raycast(ray, b);
    ASSERT_EQ(hitBox, hitMesh) << i;
    if (!hitBox) continue;
    ++hits;
    EXPECT_NEAR(a.fraction, b.fraction, 1e-13);
    EXPECT_LE((a.point - b.point).norm(), 1e-13);
  }
  EXPECT_GT(hits, 2500);
}

TEST(MeshShape, TreeAndBruteForceAgreeToTheBit) {
  constexpr std::uint64_t kSeed = 13;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  Soup soup;
  for (int t = 0; t < 300; ++t) {
    const Vec3 at = random.vector(2.0);
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(toEigen(at + random.vector(0.3)));
    const auto base = static_cast<std::uint32_t>(3 * t);
    soup.triangles.push_back({base, base + 1, base + 2});
  }
  const auto shape = soup.shape();
  const MeshData& mesh = shape->getMesh();
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = random.vector(2.5);
    double best = std::numeric_limits<double>::infinity();
    std::uint32_t index = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const Vec3 q =
          closestOnTriangle(p, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)).point;
      if (squaredNorm(p - q) >= best) continue;
      best = squaredNorm(p - q);
      index = t;
    }
    const MeshNearest nearest = nearestOnMesh(mesh, p);
    EXPECT_EQ(nearest.triangle, index);
    EXPECT_EQ(absOf(nearest.distance), std::sqrt(best));
  }
}

}  // namespace
}  // namespace abut
