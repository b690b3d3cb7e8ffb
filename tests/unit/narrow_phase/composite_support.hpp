// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "math/pose.hpp"
#include "support/meshes.hpp"
#include "support/random.hpp"

namespace abut::test {

using Vector = Eigen::Vector3d;
using ShapePtr = std::shared_ptr<const Shape>;

/// A ball of triangles around the origin: an octahedron whose triangles were split n times.
inline Soup ballSoup(double radius, int n) {
  Soup soup;
  soup.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  soup.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int i = 0; i < n; ++i) {
    std::vector<MeshShape::Triangle> split;
    for (const MeshShape::Triangle& t : soup.triangles) {
      std::uint32_t middle[3];
      for (int k = 0; k < 3; ++k) {
        const Vector m = soup.vertices[t[k]] + soup.vertices[t[(k + 1) % 3]];
        middle[k] = static_cast<std::uint32_t>(soup.vertices.size());
        soup.vertices.push_back(m / m.norm());
      }
      split.push_back({t[0], middle[0], middle[2]});
      split.push_back({middle[0], t[1], middle[1]});
      split.push_back({middle[2], middle[1], t[2]});
      split.push_back({middle[0], middle[1], middle[2]});
    }
    soup.triangles = split;
  }
  for (Vector& v : soup.vertices) v *= radius;
  return soup;
}

/// A rolling height field.
inline ShapePtr hills(int n, double spacing, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> heights;
  for (int i = 0; i < n * n; ++i) heights.push_back(random.between(-0.1, 0.1));
  return std::make_shared<const HeightFieldShape>(n, n, spacing, spacing, heights);
}

inline ShapePtr cloud(int n, double size, double radius, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vector> points;
  for (int i = 0; i < n; ++i) points.push_back(toEigen(random.vector(size)));
  return std::make_shared<const PointCloudShape>(points, radius);
}

/// Exact equality of every field, with 1 and 2 exchanged and the normal negated.
inline void expectMirrored(const CollisionResult& a, const CollisionResult& b) {
  ASSERT_EQ(a.numManifolds(), b.numManifolds());
  ASSERT_EQ(a.numDropped(), b.numDropped());
  for (std::size_t i = 0; i < a.numManifolds(); ++i) {
    const ContactManifold &m = a.getManifold(i), &k = b.getManifold(i);
    ASSERT_EQ(m.getSubShape1(), k.getSubShape2());
    ASSERT_EQ(m.getSubShape2(), k.getSubShape1());
    ASSERT_EQ(m.getType(), k.getType());
    ASSERT_EQ(m.getStatus(), k.getStatus());
    ASSERT_EQ(m.numContacts(), k.numContacts());
    for (std::size_t c = 0; c < m.numContacts(); ++c) {
      const ContactPoint &p = m.getContacts()[c], &q = k.getContacts()[c];
      ASSERT_EQ(p.position, q.position);
      ASSERT_EQ(p.normal, Vector(-q.normal));
      ASSERT_EQ(p.depth, q.depth);
      ASSERT_EQ(p.feature1, q.feature2);
      ASSERT_EQ(p.feature2, q.feature1);
    }
  }
}

inline CollisionResult contacts(const PlacedShape& a, const PlacedShape& b, double margin = 0.0) {
  CollisionOption option;
  option.margin = margin;
  CollisionResult result;
  EXPECT_TRUE(collide(a, b, option, result));
  return result;
}

}  // namespace abut::test
