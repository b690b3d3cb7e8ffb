// SPDX-License-Identifier: MIT
// Bodies that slide over flat triangulated floors: the triangles must leave no trace.
#include <memory>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "math/pose.hpp"
#include "math/trigonometry.hpp"
#include "support/meshes.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using test::Soup;
using Vector = Eigen::Vector3d;

struct Named {
  const char* name;
  std::shared_ptr<const Shape> shape;
};

/// A disc of triangles of very different sizes in the plane z = 0: rings of points, moved about in
/// the plane, each ring joined to the next.
Soup irregularSoup(std::uint64_t seed) {
  test::Random random(seed);
  Soup soup;
  constexpr int kRings = 14, kPerRing = 23;
  soup.vertices.emplace_back(0.0, 0.0, 0.0);
  for (int r = 1; r <= kRings; ++r) {
    for (int i = 0; i < kPerRing; ++i) {
      const double radius = 0.03 * r * r + 0.01 * random.unit();
      const SinCos at = sinCos(2.0 * kPi * (i + 0.4 * random.unit()) / kPerRing);
      soup.vertices.emplace_back(radius * at.cos, radius * at.sin, 0.0);
    }
  }
  const auto vertex = [&](int r, int i) {
    return r == 0 ? 0u : static_cast<std::uint32_t>(1 + (r - 1) * kPerRing + i % kPerRing);
  };
  for (int r = 0; r < kRings; ++r) {
    for (int i = 0; i < kPerRing; ++i) {
      if (r > 0) soup.triangles.push_back({vertex(r, i), vertex(r + 1, i), vertex(r, i + 1)});
      soup.triangles.push_back({vertex(r + 1, i), vertex(r + 1, i + 1), vertex(r, i + 1)});
    }
  }
  return soup;
}

std::vector<Named> floors() {
  // Several grids side by side, not joined: their outlines are open edges inside the floor.
  std::vector<CompoundShape::Child> tiles;
  const auto tile = test::gridSoup(8, 8, 0.13).shape();
  const auto box = std::make_shared<const BoxShape>(Vector(0.52, 0.52, 0.25));
  std::vector<CompoundShape::Child> boxes;
  for (int i = -3; i <= 3; ++i) {
    for (int j = -3; j <= 3; ++j) {
      tiles.push_back({tile, {{}, {1.04 * i, 1.04 * j, 0.0}}});
      boxes.push_back({box, {{}, {1.04 * i, 1.04 * j, -0.25}}});
    }
  }
  const std::vector<double> heights(std::size_t{51} * 51, 0.0);
  return {{"grid", test::gridSoup(52, 52, 0.13).shape()},
          {"irregular", irregularSoup(4).shape()},
          {"solid", test::boxSoup({3.5, 3.5, 0.5}, 31).shape()},
          {"height field", std::make_shared<const HeightFieldShape>(51, 51, 0.14, 0.14, heights)},
          {"tiles", std::make_shared<const CompoundShape>(tiles)},
          {"boxes", std::make_shared<const CompoundShape>(boxes)}};
}

/// z of a floor's surface in its own frame.
double levelOf(const Named& floor) {
  return std::string(floor.name) == "solid" ? 0.5 : 0.0;
}

struct Slider {
  Named body;
  Mat3 rotation;
  double height;     ///< Of the origin over the floor when just touching [m].
  std::size_t most;  ///< Contacts expected.
};

Mat3 about(const Vec3& axis, double angle) {
  return toMatrix(quatFromRotationVector(axis * angle));
}

std::vector<Slider> sliders() {
  std::vector<Vector> hull;
  for (int i = 0; i < 6; ++i) {
    const SinCos at = sinCos(2.0 * kPi * i / 6.0);
    hull.emplace_back(0.3 * at.cos, 0.3 * at.sin, -0.2);
    hull.emplace_back(0.2 * at.cos, 0.2 * at.sin, 0.25);
  }
  const Mat3 turned = about({0, 0, 1}, 0.37), lying = about({1, 0, 0}, kPi / 2);
  return {{{"sphere", std::make_shared<const SphereShape>(0.3)}, turned, 0.3, 1},
          {{"box", std::make_shared<const BoxShape>(Vector(0.3, 0.2, 0.15))}, turned, 0.15, 4},
          {{"box along", std::make_shared<const BoxShape>(Vector(0.26, 0.26, 0.13))}, {}, 0.13, 4},
          {{"hull", std::make_shared<const ConvexShape>(hull)}, turned, 0.2, 4},
          {{"capsule", std::make_shared<const CapsuleShape>(0.1, 0.5)}, turned * lying, 0.1, 2},
          {{"box mesh", test::boxSoup({0.3, 0.2, 0.15}, 3).shape()}, turned, 0.15, 4},
          {{"cylinder", std::make_shared<const CylinderShape>(0.2, 0.4)}, turned, 0.2, 4},
          {{"lying cylinder", std::make_shared<const CylinderShape>(0.1, 0.4)},
           turned * lying,
           0.1,
           2}};
}

/// Contacts of a slider at (x, y), sunk into the floor by p; the floor may be placed anywhere.
void check(const Slider& slider, const Named& floor, const Pose& floorPose, double x, double y,
           double p, double margin, Vec3& velocity) {
  const Pose local{slider.rotation, {x, y, levelOf(floor) + slider.height - p}};
  const PlacedShape body{slider.body.shape.get(), compose(floorPose, local), 1};
  const PlacedShape ground{floor.shape.get(), floorPose, 2};
  CollisionOption option;
  option.margin = margin;
  CollisionResult result;
  ASSERT_TRUE(collide(body, ground, option, result));
  const Vec3 up = floorPose.rotation.z;
  ASSERT_EQ(result.numManifolds(), 1u);
  ASSERT_EQ(result.numContacts(), slider.most);
  for (std::size_t i = 0; i < result.numContacts(); ++i) {
    const ContactPoint& c = result.getContact(i);
    const Vec3 n = toVec3(c.normal);
    ASSERT_LE(norm(n - up), 1e-12);
    ASSERT_NEAR(c.depth, p, 1e-12);
    const double approach = dot(velocity, n);
    if (approach < 0.0) velocity = velocity - n * approach;
  }
}

void slide(const Slider& slider, const Named& floor, const Pose& floorPose, int headings,
           int steps) {
  SCOPED_TRACE(std::string(slider.body.name) + " on " + floor.name);
  for (int h = 0; h < headings; ++h) {
    // Headings along the grid, along its diagonals and in between.
    const double angle = h < 4 ? h * kPi / 4.0 : 0.6 * h;
    const SinCos heading = sinCos(angle);
    for (const double p : {0.0, 1e-9, 1e-4, 0.01}) {
      for (const double margin : {0.0, 0.02}) {
        Vec3 velocity = floorPose.rotation * Vec3{heading.cos, heading.sin, -1.0};
        const Vec3 along = floorPose.rotation * Vec3{heading.cos, heading.sin, 0.0};
        for (int i = 0; i < steps; ++i) {
          // Gravity presses the body down each step; contacts take that away and nothing else.
          velocity -= floorPose.rotation.z * 0.01;
          const double s = 1.9 * (2.0 * i / steps - 1.0) + 1e-3 * h;
          const double side = h % 2 == 0 ? 0.0 : 0.13;
          check(slider, floor, floorPose, s * heading.cos - side * heading.sin,
                s * heading.sin + side * heading.cos, p, margin, velocity);
          if (testing::Test::HasFatalFailure()) {
            ADD_FAILURE() << "heading " << angle << " p " << p << " margin " << margin << " s "
                          << s;
            return;
          }
          ASSERT_NEAR(dot(velocity, along), 1.0, 1e-9);
        }
      }
    }
  }
}

class InternalEdges : public testing::TestWithParam<int> {};

TEST_P(InternalEdges, SliderSeesOnlyTheFloorsNormalAndKeepsItsSpeed) {
  const Slider slider = sliders()[GetParam()];
  for (const Named& floor : floors()) {
    slide(slider, floor, {}, 6, 41);
    if (HasFailure()) return;
  }
}

TEST_P(InternalEdges, AlsoOnAFloorTurnedAndMovedAway) {
  constexpr std::uint64_t kSeed = 21;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const Pose pose = random.pose(3.0);
  const Slider slider = sliders()[GetParam()];
  for (const Named& floor : floors()) {
    slide(slider, floor, pose, 3, 23);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Sliders, InternalEdges, testing::Range(0, 8));

}  // namespace
}  // namespace abut
