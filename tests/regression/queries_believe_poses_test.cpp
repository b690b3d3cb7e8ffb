// SPDX-License-Identifier: MIT
// Symptom: collide(), distance(), casts and rays took poses that were NaN, scaled, mirrored or
// zero: Ok with NaN, Ok with a wrong finite number, or a crash. Cause: the queries looked at
// shapes, margins and motions, never at poses. Mechanism: every query tells a rotation at a finite
// place by two numbers.
#include <limits>

#include <gtest/gtest.h>

#include <abut/narrow_phase/cast.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::ShapePtr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct BadPose {
  Pose pose;
  StatusCode code;
};

std::vector<BadPose> badPoses() {
  const Mat3 one;
  const auto scaled = [](double s) { return Mat3{{s, 0.0, 0.0}, {0.0, s, 0.0}, {0.0, 0.0, s}}; };
  Mat3 hole = one, sheared = one;
  hole.y.z = kNan;
  sheared.y.x = 0.1;
  return {{{hole, {}}, StatusCode::NonFinite},
          {{one, {0.0, kNan, 0.0}}, StatusCode::NonFinite},
          {{one, {0.0, 0.0, std::numeric_limits<double>::infinity()}}, StatusCode::NonFinite},
          {{scaled(3.0), {}}, StatusCode::NotARotation},
          {{scaled(-1.0), {}}, StatusCode::NotARotation},
          {{scaled(0.0), {}}, StatusCode::NotARotation},
          {{sheared, {}}, StatusCode::NotARotation}};
}

std::vector<ShapePtr> shapes() {
  return {std::make_shared<const CylinderShape>(0.4, 0.8),
          std::make_shared<const ConeShape>(0.4, 0.8),
          std::make_shared<const ConvexShape>(test::boxSoup({0.5, 0.4, 0.3}, 1).vertices),
          test::boxSoup({0.5, 0.4, 0.3}, 2).shape(), test::hills(4, 0.3, 5)};
}

TEST(QueriesBelievePoses, BadPosesAreRefused) {
  const BoxShape box({0.3, 0.3, 0.3});
  for (const ShapePtr& shape : shapes()) {
    for (const BadPose& bad : badPoses()) {
      SCOPED_TRACE(static_cast<int>(shape->getType()));
      const PlacedShape a{shape.get(), bad.pose, 1}, b{&box, {}, 2};
      CollisionResult result;
      DistanceResult gap;
      gap.distance = 7.0;
      CastResult cast;
      bool found = false;
      RayHit hit;
      for (const Status& status :
           {collide(a, b, {}, result), collide(b, a, {}, result), distance(a, b, gap),
            distance(b, a, gap), shapeCast(a, {0.1, 0.0, 0.0}, b, {0.0, 0.0, 0.0}, cast),
            raycast(a, {}, found, hit)}) {
        EXPECT_EQ(status.getCode(), bad.code) << status.getMessage();
      }
      EXPECT_EQ(result.numManifolds(), 0u);
      EXPECT_EQ(gap.distance, 7.0);
    }
  }
}

TEST(QueriesBelievePoses, ClosedFormsAreRefusedToo) {
  const BoxShape box({0.3, 0.3, 0.3});
  const CapsuleShape capsule(0.1, 0.5);
  const SphereShape ball(0.1);
  const PlaneShape plane({0.0, 0.0, 1.0}, 0.0);
  for (const BadPose& bad : badPoses()) {
    for (const Shape* shape : std::vector<const Shape*>{&box, &capsule, &plane}) {
      DistanceResult gap;
      CollisionResult result;
      const PlacedShape a{shape, bad.pose, 1}, b{&capsule, {}, 2};
      for (const Status& status :
           {distance(a, b, gap), collide(a, b, {}, result), collide(b, a, {}, result)}) {
        EXPECT_EQ(status.getCode(), bad.code) << status.getMessage();
      }
      EXPECT_EQ(result.numManifolds(), 0u);
    }
    // A ball looks alike however it is turned, but queries compute in its frame.
    for (const ShapePtr& other : shapes()) {
      const PlacedShape a{&ball, bad.pose, 1}, b{other.get(), {}, 2}, c{&box, {}, 2};
      CollisionResult result;
      DistanceResult gap;
      CastResult cast;
      RayHit hit;
      bool found = false;
      for (const Status& status :
           {collide(a, b, {}, result), collide(c, a, {}, result), distance(a, b, gap),
            distance(c, a, gap), timeOfImpact(a, {{0.1, 0.0, 0.0}, {}}, b, {}, cast),
            timeOfImpact(c, {}, a, {}, cast), raycast(a, {}, found, hit)}) {
        EXPECT_EQ(status.getCode(), bad.code) << status.getMessage();
      }
      EXPECT_EQ(result.numManifolds(), 0u);
    }
  }
}

// Squares of distances from such places are infinite, and their differences are not numbers.
TEST(QueriesBelievePoses, PlacesBeyondAllUseAreRefused) {
  const BoxShape box({0.3, 0.3, 0.3});
  const SphereShape ball(0.1);
  for (const double place : {1e31, -1e200, 1e308}) {
    for (const Shape* shape : std::vector<const Shape*>{&box, &ball}) {
      const PlacedShape a{shape, {{}, {0.0, place, 0.0}}, 1}, b{&box, {}, 2};
      CollisionResult result;
      DistanceResult gap;
      CastResult cast;
      for (const Status& status :
           {collide(a, b, {}, result), distance(b, a, gap), timeOfImpact(a, {}, b, {}, cast)}) {
        EXPECT_EQ(status.getCode(), StatusCode::OutOfRange) << status.getMessage();
      }
    }
  }
}

TEST(QueriesBelievePoses, PosesThatToPoseTakesAreTaken) {
  constexpr std::uint64_t kSeed = 92;
  test::Random random(kSeed);
  const BoxShape box({0.3, 0.3, 0.3});
  for (const ShapePtr& shape : shapes()) {
    for (int i = 0; i < 100; ++i) {
      Pose pose = random.pose(0.5);
      pose.rotation.x = pose.rotation.x * (1.0 + 5e-7);
      DistanceResult gap;
      EXPECT_TRUE(distance({shape.get(), pose, 1}, {&box, {}, 2}, gap));
    }
  }
}

}  // namespace
}  // namespace abut
