// SPDX-License-Identifier: MIT
// Symptom: of two overlapping meshes with curved valleys one edge was said to be a few micrometres
// inside the other where the bodies were centimetres deep (one pose of twenty; of thin shells one
// of eight), or five times as deep as the way back: a ring dropped on a saddle of
// triangles was 0.18 m deep in it. Cause: any contact that fitted the rules of corners and edges
// ended the search, whether it led out or not. Mechanism: where surfaces cross, the way along which
// what crosses is cleared soonest is found triangle by triangle; contacts deeper than that are
// none, and it is added if they are shallower.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/world/world.hpp>

#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::ShapePtr;
using test::Soup;
using test::Vector;

const double kPi = std::acos(-1.0);

ShapePtr ring() {
  constexpr std::uint32_t kAround = 20, kAcross = 8;
  Soup soup;
  for (std::uint32_t i = 0; i < kAround; ++i) {
    for (std::uint32_t k = 0; k < kAcross; ++k) {
      const double a = 2 * kPi * i / kAround, b = 2 * kPi * k / kAcross;
      const double out = 0.45 + 0.18 * std::cos(b);
      soup.vertices.emplace_back(out * std::cos(a), out * std::sin(a), 0.18 * std::sin(b));
      const std::uint32_t next = (i + 1) % kAround * kAcross, up = (k + 1) % kAcross;
      soup.triangles.push_back({i * kAcross + k, next + k, next + up});
      soup.triangles.push_back({i * kAcross + k, next + up, i * kAcross + up});
    }
  }
  return soup.shape();
}

/// A sheet 0.08 m thick over a square of 1 m, bent like a saddle.
ShapePtr saddle() {
  constexpr std::uint32_t kCells = 8, kRow = kCells + 1, kBelow = kRow * kRow;
  Soup soup;
  for (const double side : {0.04, -0.04}) {
    for (std::uint32_t k = 0; k < kRow; ++k) {
      for (std::uint32_t i = 0; i < kRow; ++i) {
        const double x = 1.0 * i / kCells - 0.5, y = 1.0 * k / kCells - 0.5;
        soup.vertices.emplace_back(x, y, x * x - y * y + side);
      }
    }
  }
  const auto wall = [&](std::uint32_t a, std::uint32_t b) {
    soup.triangles.push_back({b, a, kBelow + a});
    soup.triangles.push_back({b, kBelow + a, kBelow + b});
  };
  for (std::uint32_t k = 0; k < kCells; ++k) {
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const std::uint32_t a = k * kRow + i, b = a + 1, c = a + kRow + 1, d = a + kRow;
      soup.triangles.push_back({a, b, c});
      soup.triangles.push_back({a, c, d});
      soup.triangles.push_back({kBelow + a, kBelow + c, kBelow + b});
      soup.triangles.push_back({kBelow + a, kBelow + d, kBelow + c});
    }
    wall(k, k + 1);
    wall(kCells * kRow + k + 1, kCells * kRow + k);
    wall((k + 1) * kRow, k * kRow);
    wall(k * kRow + kCells, (k + 1) * kRow + kCells);
  }
  return soup.shape();
}

/// A half sphere of 0.6 m, 0.1 m thick.
ShapePtr bowl() {
  constexpr std::uint32_t kAround = 16, kRings = 5;
  Soup soup;
  for (std::uint32_t i = 0; i < 2 * (kRings + 1); ++i) {
    const bool outer = i <= kRings;
    const double a = 0.5 * kPi * (outer ? i : 2 * kRings + 1 - i) / kRings;
    const double r = outer ? 0.6 : 0.5;
    for (std::uint32_t k = 0; k < kAround; ++k) {
      const double b = 2 * kPi * k / kAround;
      soup.vertices.emplace_back(r * std::sin(a) * std::cos(b), r * std::sin(a) * std::sin(b),
                                 -r * std::cos(a));
    }
  }
  for (std::uint32_t i = 0; i < 2 * kRings + 1; ++i) {
    for (std::uint32_t k = 0; k < kAround; ++k) {
      const std::uint32_t a = i * kAround + k, b = i * kAround + (k + 1) % kAround;
      if (i != 0) soup.triangles.push_back({a, b, b + kAround});
      if (i != 2 * kRings) soup.triangles.push_back({a, b + kAround, a + kAround});
    }
  }
  return soup.shape();
}

double gapOf(const PlacedShape& a, const PlacedShape& b) {
  DistanceResult result;
  EXPECT_TRUE(distance(a, b, result));
  return result.distance;
}

/// Two shapes, the second pushed into the first along a line by a depth [m].
struct Pushed {
  PlacedShape first, second;
  double depth = 0.0;
  bool isSet = false;
};

Pushed push(const ShapePtr& a, const ShapePtr& b, test::Random& random) {
  Pushed pushed{{a.get(), {}, 1}, {b.get(), {random.rotation(), {}}, 2}};
  pushed.depth = std::pow(10.0, random.between(-4.0, -1.3));
  const Vec3 along = random.direction(), beside = random.vector(0.4);
  double at = 4.0;
  for (int i = 0; i < 400 && at > -4.0; ++i) {
    pushed.second.pose.translation = beside + along * at;
    const double gap = gapOf(pushed.first, pushed.second);
    if (gap < 1e-9) break;
    at -= gap;
  }
  pushed.second.pose.translation = beside + along * (at - pushed.depth);
  pushed.isSet = at > -4.0 && gapOf(pushed.first, pushed.second) < 0.0;
  return pushed;
}

/// The shortest move of object 1 that has every contact's depth along its normal (Hildreth).
Vec3 leastMove(const CollisionResult& found) {
  Vec3 move{};
  std::vector<double> pushes(found.numManifolds(), 0.0);
  for (int sweep = 0; sweep < 2000; ++sweep) {
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      const Vec3 n = toVec3(found.getManifold(i).getSharedNormal());
      const double missing = found.getManifold(i).penetrationDepth() - dot(n, move);
      const double push = std::max(0.0, pushes[i] + missing);
      move += n * (push - pushes[i]);
      pushes[i] = push;
    }
  }
  return move;
}

TEST(CrossedMeshes, ArePartedByWhatTheirContactsSay) {
  constexpr std::uint64_t kSeed = 83;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const ShapePtr shapes[] = {ring(), saddle(), bowl()};
  int poses = 0, shallow = 0;
  for (const ShapePtr& a : shapes) {
    for (const ShapePtr& b : shapes) {
      for (int i = 0; i < 25; ++i) {
        const Pushed p = push(a, b, random);
        if (!p.isSet) continue;
        ++poses;
        const CollisionResult found = test::contacts(p.first, p.second);
        test::expectMirrored(found, test::contacts(p.second, p.first));
        // Going back parts them, so the least depth is no more than that.
        EXPECT_LE(found.penetrationDepth(), p.depth * (1.0 + 5e-3) + 1e-8) << i;
        EXPECT_EQ(gapOf(p.first, p.second), -found.penetrationDepth()) << i;
        PlacedShape moved = p.first;
        moved.pose.translation += leastMove(found) * (1.0 + 1e-3);
        const double left = -gapOf(moved, p.second);
        shallow += left > 1e-3 * found.penetrationDepth() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(poses, 180);
  // What the bodies may meet on the way out is none of the contacts'.
  EXPECT_LE(shallow, poses / 100);
}

TEST(CrossedMeshes, AreAsDeepATinyMoveLater) {
  constexpr std::uint64_t kSeed = 84;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const ShapePtr shapes[] = {ring(), saddle(), bowl()};
  for (const ShapePtr& a : shapes) {
    for (const ShapePtr& b : shapes) {
      for (int i = 0; i < 10; ++i) {
        Pushed p = push(a, b, random);
        if (!p.isSet) continue;
        const double before = gapOf(p.first, p.second);
        p.second.pose.translation += random.direction() * 1e-7;
        EXPECT_NEAR(before, gapOf(p.first, p.second), 1e-5) << i;
      }
    }
  }
}

TEST(CrossedMeshes, DoNotSinkIntoEachOther) {
  const ShapePtr ground = saddle();
  for (const ShapePtr& shape : {ring(), saddle()}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      test::Random random(seed);
      World world;
      world.addBody({.type = BodyType::Static, .orientation = random.quaternion(), .id = 1},
                    ground);
      const Vector start{random.between(-0.4, 0.4), random.between(-0.4, 0.4), 1.5};
      const Vector spin = toEigen(random.vector(3.0));
      world.addBody({.position = start,
                     .orientation = random.quaternion(),
                     .angularVelocity = spin,
                     .mass = 1.0,
                     .id = 2},
                    shape);
      double deepest = 0.0;
      for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(world.step(1.0 / 240));
        deepest = std::max(deepest, world.getReport().greatestDepth);
      }
      EXPECT_LT(deepest, 4e-3) << seed;
    }
  }
}

}  // namespace
}  // namespace abut
