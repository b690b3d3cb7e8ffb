// SPDX-License-Identifier: MIT
// Symptom: a box turned on another by 45 degrees had another four of its eight points for exchanged
// ids, or after a rotation by rounding.
// Cause: the choice of four compared lengths and areas exactly, and ties went to the features of
// object 1 first.
// Mechanism: lengths and areas that differ by a part in 1e8 are ties, and ties go to features
// whichever object has them. Depths decide first, to rounding: the deepest point is always kept, so
// that the depth of the contact stays exact.
#include <algorithm>

#include <gtest/gtest.h>

#include <abut/narrow_phase/cast.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>

#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::ShapePtr;
using test::Vector;

Mat3 turnBy(const Vec3& rotation) {
  Motion motion;
  motion.angular = toEigen(rotation);
  return poseAt({}, motion, 1.0).rotation;
}

std::vector<Vec3> points(const CollisionResult& result) {
  std::vector<Vec3> found;
  for (std::size_t i = 0; i < result.numManifolds(); ++i) {
    for (const ContactPoint& p : result.getManifold(i).getContacts()) {
      found.push_back(toVec3(p.position));
    }
  }
  return found;
}

/// Distance of the farthest point of one list from the other [m].
double farthest(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  double most = 0.0;
  for (const Vec3& p : from) {
    double least = 1.0;
    for (const Vec3& q : to) least = std::min(least, norm(p - q));
    most = std::max(most, least);
  }
  return most;
}

struct Resting {
  const char* name;
  ShapePtr shape;
  double height;  // Of its origin over the ground's face [m].
};

std::vector<Resting> restingShapes() {
  std::vector<Vector> prism;
  for (int i = 0; i < 10; ++i) {
    const Mat3 turn = turnBy(Vec3{0.0, 0.0, 0.6283185307179586 * i});
    for (const double z : {-0.3, 0.3}) prism.push_back(toEigen(turn * Vec3{0.4, 0.0, z}));
  }
  return {{"box", std::make_shared<BoxShape>(Vector(0.5, 0.5, 0.2)), 0.2},
          {"cylinder", std::make_shared<CylinderShape>(0.4, 0.6), 0.3},
          {"cone", std::make_shared<ConeShape>(0.4, 0.6), 0.3},
          {"prism", std::make_shared<ConvexShape>(prism), 0.3}};
}

TEST(OtherPointsForExchangedIds, BodiesThatRestKeepTheirPoints) {
  constexpr std::uint64_t kSeed = 91;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const BoxShape ground(Vector(0.5, 0.5, 0.2));
  for (const Resting& body : restingShapes()) {
    SCOPED_TRACE(body.name);
    const Mat3 yaw = turnBy(Vec3{0.0, 0.0, 0.25 * 3.14159265358979324});
    const Pose rest{yaw, {0.0, 0.0, 0.2 + body.height - 1e-3}};
    const auto found = points(test::contacts({&ground, {}, 1}, {body.shape.get(), rest, 2}));
    ASSERT_EQ(found.size(), 4u);
    for (int i = 0; i < 200; ++i) {
      const Pose turned{turnBy(random.direction() * 1e-13) * yaw, rest.translation};
      const auto now = points(test::contacts({&ground, {}, 1}, {body.shape.get(), turned, 2}));
      EXPECT_LE(farthest(now, found), 1e-6) << i;
      const auto other = points(test::contacts({&ground, {}, 2}, {body.shape.get(), turned, 1}));
      EXPECT_LE(farthest(other, found), 1e-6) << i;
    }
  }
}

}  // namespace
}  // namespace abut
