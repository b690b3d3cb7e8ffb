// SPDX-License-Identifier: MIT
#include "shapes/mesh_pieces.hpp"

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>

#include "shapes/hull_mass.hpp"
#include "shapes/mesh_data.hpp"
#include "support/meshes.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using Outline = std::vector<std::array<double, 2>>;

/// A prism over an outline given with its triangles.
test::Soup prism(const Outline& outline, std::span<const MeshShape::Triangle> caps) {
  test::Soup soup;
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {0.0, 1.0}) {
    for (const auto& p : outline) soup.vertices.emplace_back(p[0], p[1], z);
  }
  for (const MeshShape::Triangle& t : caps) {
    soup.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
    soup.triangles.push_back({t[0], t[2], t[1]});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    soup.triangles.push_back({i, j, j + n});
    soup.triangles.push_back({i, j + n, i + n});
  }
  return soup;
}

test::Soup letterL() {
  const MeshShape::Triangle caps[] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  return prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, caps);
}

/// A cube with a cubic hole inside.
test::Soup hollow() {
  test::Soup soup = test::boxSoup({0.5, 0.5, 0.5}, 2), hole = test::boxSoup({0.4, 0.4, 0.4}, 1);
  const auto n = static_cast<std::uint32_t>(soup.vertices.size());
  for (const auto& v : hole.vertices) soup.vertices.push_back(v);
  for (const auto& t : hole.triangles) soup.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  return soup;
}

bool isIn(const HullData& hull, const Vec3& p, double slack) {
  for (const HullData::Face& face : hull.faces) {
    if (dot(face.normal, p) > face.offset + slack) return false;
  }
  return true;
}

/// Every point of the surface is on a piece, and no piece leaves the solid.
void expectCover(const MeshShape& shape) {
  constexpr std::uint64_t kSeed = 61;
  const MeshData& mesh = shape.getMesh();
  test::Random random(kSeed);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int i = 0; i < 50; ++i) {
      double u = random.between(0, 1), v = random.between(0, 1);
      if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
      }
      const Vec3 a = mesh.corner(t, 0);
      const Vec3 p = a + (mesh.corner(t, 1) - a) * u + (mesh.corner(t, 2) - a) * v;
      bool found = false;
      for (const MeshPiece& piece : mesh.pieces) found = found || isIn(piece.solid.hull, p, 1e-8);
      EXPECT_TRUE(found) << "triangle " << t;
    }
  }
  for (const MeshPiece& piece : mesh.pieces) {
    const HullData& hull = piece.solid.hull;
    for (int i = 0; i < 200; ++i) {
      Vec3 p{};
      double sum = 0.0;
      for (std::uint32_t k = 0; k < hull.numVertices; ++k) {
        const double weight = random.between(0, 1);
        p += hull.vertex(k) * weight;
        sum += weight;
      }
      EXPECT_LT(shape.signedDistance(toEigen(p / sum)), 1e-9);
    }
  }
}

TEST(MeshPieces, AnLIsItsTwoBars) {
  const auto shape = letterL().shape();
  const auto& pieces = static_cast<const MeshShape&>(*shape).getMesh().pieces;
  ASSERT_EQ(pieces.size(), 2u);
  for (const MeshPiece& piece : pieces) {
    EXPECT_NEAR(integrate(piece.solid.hull).volume, 2.0, 1e-12);
    EXPECT_EQ(piece.solid.hull.numVertices, 8u);
  }
  expectCover(static_cast<const MeshShape&>(*shape));
}

TEST(MeshPieces, AHollowCubeIsItsWalls) {
  const auto shape = hollow().shape();
  const auto& mesh = static_cast<const MeshShape&>(*shape).getMesh();
  EXPECT_EQ(mesh.pieces.size(), 6u);
  expectCover(static_cast<const MeshShape&>(*shape));
}

TEST(MeshPieces, ConvexAndOpenMeshesHaveNone) {
  test::Soup open = test::boxSoup({0.5, 0.5, 0.5}, 2);
  const auto closed = open.shape();
  EXPECT_TRUE(static_cast<const MeshShape&>(*closed).getMesh().pieces.empty());
  open.triangles.pop_back();
  const auto shape = open.shape();
  EXPECT_TRUE(static_cast<const MeshShape&>(*shape).getMesh().pieces.empty());
}

}  // namespace
}  // namespace abut
