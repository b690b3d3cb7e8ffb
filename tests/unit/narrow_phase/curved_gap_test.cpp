// SPDX-License-Identifier: MIT
// Signed distance of cylinders and cones from every kind of core: random poses.
#include <gtest/gtest.h>

#include "unit/narrow_phase/curved_oracle.hpp"

namespace abut::curved_test {
namespace {

using Kind = ConvexCore::Kind;

/// Octahedron-like hull with 6 vertices and 8 faces, stretched by random numbers.
HullData octahedron(Random& random) {
  HullData hull;
  const double a = random.between(0.3, 0.9), b = random.between(0.3, 0.9),
               c = random.between(0.3, 0.9);
  const Vec3 vertices[6] = {{-a, 0, 0}, {0, -b, 0}, {0, 0, -c}, {0, 0, c}, {0, b, 0}, {a, 0, 0}};
  for (const Vec3& v : vertices) {
    hull.x.push_back(v.x);
    hull.y.push_back(v.y);
    hull.z.push_back(v.z);
    hull.radius = std::fmax(hull.radius, norm(v));
  }
  hull.numVertices = 6;
  for (int i = 0; i < 2; ++i) {
    hull.x.push_back(hull.x[0]);
    hull.y.push_back(hull.y[0]);
    hull.z.push_back(hull.z[0]);
  }
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    std::uint32_t t[3] = {(octant & 1) ? 5u : 0u, (octant & 2) ? 4u : 1u, (octant & 4) ? 3u : 2u};
    const auto normal = [&] {
      const Vec3 p = hull.vertex(t[0]);
      return cross(hull.vertex(t[1]) - p, hull.vertex(t[2]) - p);
    };
    if (dot(normal(), hull.vertex(t[0])) < 0.0) std::swap(t[1], t[2]);
    HullData::Face face;
    face.normal = normalized(normal());
    face.offset = dot(face.normal, hull.vertex(t[0]));
    face.firstCorner = static_cast<std::uint32_t>(hull.corners.size());
    face.numCorners = 3;
    hull.faces.push_back(face);
    for (std::uint32_t v : t) hull.corners.push_back(v);
  }
  const auto edgeFrom = [&](std::uint32_t face, int k) {
    const std::uint32_t first = hull.faces[face].firstCorner;
    const std::uint32_t next = static_cast<std::uint32_t>((k + 1) % 3);
    return std::pair(hull.corners[first + static_cast<std::uint32_t>(k)],
                     hull.corners[first + next]);
  };
  for (std::uint32_t f = 0; f < 8; ++f) {
    for (int k = 0; k < 3; ++k) {
      const auto [u, v] = edgeFrom(f, k);
      if (u > v) continue;
      for (std::uint32_t g = 0; g < 8; ++g) {
        for (int l = 0; l < 3; ++l) {
          if (edgeFrom(g, l) == std::pair(v, u)) hull.edges.push_back({u, v, f, g});
        }
      }
    }
  }
  return hull;
}

ConvexCore randomCore(Kind kind, Random& random, const HullData& hull) {
  ConvexCore core;
  core.kind = kind;
  const double u = random.between(0.2, 0.8), v = random.between(0.2, 0.8),
               w = random.between(0.2, 0.8);
  switch (kind) {
    case Kind::Point:
      core.radius = u;
      break;
    case Kind::Segment:
      core.half = {0.0, 0.0, u};
      core.radius = 0.5 * v;
      break;
    case Kind::Triangle:
      for (Vec3& corner : core.corners) corner = random.direction() * random.between(0.3, 1.0);
      break;
    case Kind::Box:
      core.half = {u, v, w};
      break;
    case Kind::Hull:
      core.hull = &hull;
      break;
    default:
      core.half = {u, 0.0, w};
      break;
  }
  return core;
}

class CurvedGap : public testing::TestWithParam<std::pair<Kind, Kind>> {};

/// One third apart, one third within 1e-4 of touching (down to 1e-15), one third overlapping.
TEST_P(CurvedGap, IsCertifiedAndNoDirectionGivesLess) {
  const auto [kind1, kind2] = GetParam();
  constexpr std::uint64_t kSeed = 20240611;
  constexpr int kPoses = 5000, kOracleEvery = 10;
  Random random(kSeed + 16 * static_cast<std::uint64_t>(kind1) + static_cast<std::uint64_t>(kind2));
  const HullData hull = octahedron(random);
  for (int i = 0; i < kPoses; ++i) {
    Pair pair;
    pair.core1 = randomCore(i % 2 == 0 ? kind1 : kind2, random, hull);
    pair.core2 = randomCore(i % 2 == 0 ? kind2 : kind1, random, hull);
    pair.pose1.rotation = random.rotation();
    pair.pose2.rotation = random.rotation();
    const double distance = i % 3 == 2 ? random.between(0.0, 0.8) : random.between(1.5, 3.0);
    pair.pose2.translation = random.direction() * distance;
    PairGap gap;
    curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, gap);
    if (i % 3 == 1) {
      constexpr double kOffsets[] = {0.0,   1e-15, 1e-12, -1e-12, 1e-9,
                                     -1e-9, 1e-6,  -1e-6, 1e-4,   -1e-4};
      pair.pose2.translation += gap.normal * (gap.gap - kOffsets[i / 3 % 10]);
      curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, gap);
      // Apart the gap is the shift; beyond touching the shift bounds the distance and the depth.
      const double offset = kOffsets[i / 3 % 10];
      ASSERT_GE(gap.gap, offset - 1e-12) << "seed " << kSeed << " pose " << i;
      ASSERT_LE(gap.gap, std::fabs(offset) + 1e-12) << "seed " << kSeed << " pose " << i;
    }
    const double size = boundingRadius(pair.core1) + boundingRadius(pair.core2);
    EXPECT_LE(certificate(pair, gap), 1e-12 * size) << "seed " << kSeed << " pose " << i;
    ASSERT_NEAR(gap.gap, -pair.overlap(gap.normal), 4e-15 * size);
    ASSERT_NE(gap.status, QueryStatus::IterationLimit) << "seed " << kSeed << " pose " << i;
    if (gap.gap < 0.0 && i % kOracleEvery == 0) {
      ASSERT_LE(-gap.gap, bruteForce(pair, 600) + 1e-12) << "seed " << kSeed << " pose " << i;
    }
  }
}

/// From the normal of poses nearby, and from any direction, a search comes to the same answer.
TEST_P(CurvedGap, IsTheSameFromAnyStart) {
  const auto [kind1, kind2] = GetParam();
  constexpr std::uint64_t kSeed = 20261116;
  constexpr int kPoses = 1200;
  Random random(kSeed + 16 * static_cast<std::uint64_t>(kind1) + static_cast<std::uint64_t>(kind2));
  const HullData hull = octahedron(random);
  for (int i = 0; i < kPoses; ++i) {
    Pair pair;
    pair.core1 = randomCore(i % 2 == 0 ? kind1 : kind2, random, hull);
    pair.core2 = randomCore(i % 2 == 0 ? kind2 : kind1, random, hull);
    pair.pose1.rotation = random.rotation();
    pair.pose2.rotation = random.rotation();
    pair.pose2.translation = random.direction() * random.between(0.0, i % 4 == 0 ? 0.8 : 2.0);
    PairGap before, cold, warm;
    curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, before);
    if (i % 3 == 1) {  // Nearly touching, as in a heap.
      pair.pose2.translation += before.normal * (before.gap + random.between(-0.01, 0.01));
      curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, before);
    }
    const double way = i % 2 == 0 ? 1e-3 : 0.05;
    pair.pose2.translation += random.direction() * random.between(0.0, way);
    pair.pose2.rotation =
        toMatrix(quatFromRotationVector(random.direction() * random.between(0.0, way))) *
        pair.pose2.rotation;
    curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, cold);
    const double size = boundingRadius(pair.core1) + boundingRadius(pair.core2);
    for (const Vec3& start : {before.normal, cold.normal, -cold.normal, random.direction()}) {
      curvedGap(pair.core1, pair.pose1, pair.core2, pair.pose2, warm,
                std::numeric_limits<double>::infinity(), &start);
      ASSERT_NEAR(warm.gap, cold.gap, 1e-13 * size) << "seed " << kSeed << " pose " << i;
      ASSERT_NEAR(warm.gap, -pair.overlap(warm.normal), 4e-15 * size);
      ASSERT_EQ(warm.status, cold.status) << "seed " << kSeed << " pose " << i;
      ASSERT_LE(certificate(pair, warm), 1e-12 * size) << "seed " << kSeed << " pose " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllPairs, CurvedGap,
    testing::Values(std::pair(Kind::Cylinder, Kind::Point),
                    std::pair(Kind::Cylinder, Kind::Segment),
                    std::pair(Kind::Cylinder, Kind::Triangle), std::pair(Kind::Cylinder, Kind::Box),
                    std::pair(Kind::Cylinder, Kind::Hull),
                    std::pair(Kind::Cylinder, Kind::Cylinder),
                    std::pair(Kind::Cylinder, Kind::Cone), std::pair(Kind::Cone, Kind::Point),
                    std::pair(Kind::Cone, Kind::Segment), std::pair(Kind::Cone, Kind::Triangle),
                    std::pair(Kind::Cone, Kind::Box), std::pair(Kind::Cone, Kind::Hull),
                    std::pair(Kind::Cone, Kind::Cone)));

}  // namespace
}  // namespace abut::curved_test
