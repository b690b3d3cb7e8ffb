// SPDX-License-Identifier: MIT
// Contacts of cylinders and cones at rest: caps give four points, sides two, and they stay put.
#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "math/pose.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

const Mat3 kAlongY{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
/// Turns the side of a cone with radius : height = 3 : 4 down.
const Mat3 kOnItsSide{{-0.6, 0, -0.8}, {0, 1, 0}, {0.8, 0, -0.6}};

struct Rest {
  const char* name;
  const Shape& upper;
  const Shape& lower;
  Pose upperPose;
  std::size_t points;
  double spread;  ///< Least distance of two points [m].
};

class Resting : public testing::Test {
protected:
  CylinderShape cylinder_{0.5, 1.5};
  CylinderShape wide_{1.0, 1.0};
  ConeShape cone_{0.75, 1.0};
  BoxShape box_{Eigen::Vector3d(2, 2, 0.5)};
  PlaneShape plane_{Eigen::Vector3d(0, 0, 1), 0.5};

  /// Upper bodies `sunk` below touching.
  std::vector<Rest> cases(double sunk) {
    const Mat3 up{};
    return {
        {"cylinder on box", cylinder_, box_, {up, {0, 0, 1.25 - sunk}}, 4, 0.5},
        {"cylinder on plane", cylinder_, plane_, {up, {0, 0, 1.25 - sunk}}, 4, 0.5},
        {"cylinder over the box's edge", cylinder_, box_, {up, {2, 0, 1.25 - sunk}}, 3, 0.7},
        {"cylinder on cylinder", cylinder_, wide_, {up, {0.2, 0, 1.25 - sunk}}, 4, 0.5},
        {"cone on box", cone_, box_, {up, {0, 0, 1.0 - sunk}}, 4, 0.75},
        {"cone on plane", cone_, plane_, {up, {0, 0, 1.0 - sunk}}, 4, 0.75},
        {"lying on box", cylinder_, box_, {kAlongY, {0, 0, 1.0 - sunk}}, 2, 1.4},
        {"lying on plane", cylinder_, plane_, {kAlongY, {0, 0, 1.0 - sunk}}, 2, 1.4},
        {"lying on cap", cylinder_, wide_, {kAlongY, {0, 0, 1.0 - sunk}}, 2, 1.4},
        {"cone on its side on box", cone_, box_, {kOnItsSide, {0, 0, 0.8 - sunk}}, 2, 1.2},
        {"cone on its side on plane", cone_, plane_, {kOnItsSide, {0, 0, 0.8 - sunk}}, 2, 1.2},
    };
  }

  static ContactManifold contacts(const Rest& rest, const Pose& pose) {
    CollisionResult result;
    EXPECT_TRUE(collide({&rest.upper, pose, 2}, {&rest.lower, {}, 1}, {}, result).isOk());
    EXPECT_EQ(result.numManifolds(), 1u);
    return result.numManifolds() == 1 ? result.getManifold(0) : ContactManifold();
  }
};

TEST_F(Resting, FlatContactsHaveFourSpreadPointsAndLinesTwoWithTrueDepths) {
  for (double sunk : {0.0, 1e-9, 1e-3}) {
    for (const Rest& rest : cases(sunk)) {
      SCOPED_TRACE(testing::Message() << rest.name << ", sunk " << sunk);
      const ContactManifold manifold = contacts(rest, rest.upperPose);
      EXPECT_EQ(manifold.numContacts(), rest.points);
      EXPECT_NEAR(manifold.penetrationDepth(), sunk, 1e-15);
      for (const ContactPoint& point : manifold.getContacts()) {
        EXPECT_NEAR(point.depth, sunk, 1e-15);
        EXPECT_NEAR(point.normal.z(), 1.0, 1e-15);
        EXPECT_NEAR(point.position.z(), 0.5 - 0.5 * sunk, 1e-15);
        for (const ContactPoint& other : manifold.getContacts()) {
          if (&other == &point) continue;
          EXPECT_GE(norm(toVec3(point.position) - toVec3(other.position)), rest.spread);
        }
      }
    }
  }
}

TEST_F(Resting, ParallelSidesShareALineOfTwoPoints) {
  CollisionResult result;
  const PlacedShape first{&cylinder_, {}, 1};
  const PlacedShape second{&wide_, {Mat3{}, {1.499, 0.0, 0.25}}, 2};
  ASSERT_TRUE(collide(first, second, {}, result).isOk());
  ASSERT_EQ(result.numContacts(), 2u);
  // The stretch in common runs from z = -0.25 to z = 0.75.
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(result.getContact(i).depth, 1e-3, 1e-15);
    EXPECT_NEAR(std::fabs(result.getContact(i).position.z() - 0.25), 0.5, 1e-14);
  }
}

/// Of two cylinders, one turned by an angle about the normal: at a from the crossing the sides are
/// s = a sin apart, and each falls by q^2/(2 R) to fourth order at its share q of s, in the ratio
/// of the radii; together s^2/(2 (R1 + R2)), but for a part angle^2 of it. The ends lie where s is
/// at most a hundredth of R1 + R2. From a tangent of 0.1 on there is one point.
TEST_F(Resting, NearlyParallelSidesKeepALineThatShrinksWithTheAngle) {
  const double sum = 0.5 + 1.0;
  for (const double angle : {1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 3e-2, 9e-2, 0.3}) {
    SCOPED_TRACE(angle);
    // Turned about x, the normal; cylinders of heights 1.5 and 1 whose centres are level.
    const Mat3 turn = toMatrix(quatFromRotationVector({angle, 0.0, 0.0}));
    CollisionResult result;
    const PlacedShape first{&cylinder_, {}, 1};
    const PlacedShape second{&wide_, {turn, {sum - 1e-3, 0.0, 0.0}}, 2};
    ASSERT_TRUE(collide(first, second, {}, result).isOk());
    ASSERT_EQ(result.numManifolds(), 1u);
    EXPECT_NEAR(result.penetrationDepth(), 1e-3, 1e-14);
    if (angle > 0.1) {
      EXPECT_EQ(result.numContacts(), 1u);
      continue;
    }
    const double reach = std::fmin(0.5, 1e-2 * sum / std::sin(angle));
    double lowest = 0.0, highest = 0.0;
    for (const ContactPoint& p : result.getManifold(0).getContacts()) {
      lowest = std::fmin(lowest, p.position.z());
      highest = std::fmax(highest, p.position.z());
      const double apart = p.position.z() * std::tan(angle);
      EXPECT_NEAR(p.depth, 1e-3 - apart * apart / (2.0 * sum),
                  1e-8 + angle * angle * apart * apart);
      // The witness points lie on the sides, within rounding.
      EXPECT_NEAR(cylinder_.signedDistance(p.point1()), 0.0, 1e-13);
      const Vec3 local = applyInverse(second.pose, toVec3(p.point2()));
      EXPECT_NEAR(wide_.signedDistance(toEigen(local)), 0.0, 1e-13);
    }
    EXPECT_NEAR(highest, reach, 0.05 * reach);
    EXPECT_NEAR(lowest, -reach, 0.05 * reach);
  }
}

/// Twice the area of the contact points' hull seen along z [m^2]: every triangle of them counts
/// once for three points, twice for four.
double doubleArea(const ContactManifold& manifold) {
  const auto contacts = manifold.getContacts();
  double sum = 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (std::size_t j = i + 1; j < contacts.size(); ++j) {
      for (std::size_t k = j + 1; k < contacts.size(); ++k) {
        const Vec3 p = toVec3(contacts[i].position);
        const Vec3 n = cross(toVec3(contacts[j].position) - p, toVec3(contacts[k].position) - p);
        sum += std::fabs(n.z);
      }
    }
  }
  return contacts.size() == 4 ? 0.5 * sum : sum;
}

/// Tilts and shifts of 50 um. The points of a line move by no more than a few times that. On a cap
/// the deepest point goes around the rim with the tilt, the others are fixed in the body; together
/// they support as before, to within the 8 places they are chosen from: of the square's area 2 r^2
/// at least cos^2(22.5 degrees) = 85 % is left.
TEST_F(Resting, SupportIsKeptUnderSmallPerturbations) {
  test::Random random(5);
  for (const Rest& rest : cases(1e-3)) {
    SCOPED_TRACE(rest.name);
    const ContactManifold before = contacts(rest, rest.upperPose);
    for (int trial = 0; trial < 50; ++trial) {
      Pose pose = rest.upperPose;
      const Vec3 tilt = random.direction() * 50e-6;
      pose.rotation = toMatrix(quatFromRotationVector(tilt)) * pose.rotation;
      pose.translation += random.direction() * 50e-6;
      const ContactManifold after = contacts(rest, pose);
      if (rest.points != 2) {
        EXPECT_GE(after.numContacts(), 3u);
        EXPECT_GE(doubleArea(after), 0.85 * doubleArea(before));
        continue;
      }
      EXPECT_EQ(after.numContacts(), 2u);
      for (const ContactPoint& point : after.getContacts()) {
        double nearest = 1e300;
        for (const ContactPoint& old : before.getContacts()) {
          nearest = std::fmin(nearest, norm(toVec3(point.position) - toVec3(old.position)));
        }
        EXPECT_LE(nearest, 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace abut
