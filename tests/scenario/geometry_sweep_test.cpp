// SPDX-License-Identifier: MIT
// The signed gap swept over +-1e-16 .. 1e-3 through touching faces, edges, corners and round sides:
// monotone, and of the right sign.
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace abut::test {
namespace {

/// Gaps from -1e-3 to 1e-3, even in the logarithm on each side, ascending.
std::vector<double> gaps() {
  std::vector<double> result;
  for (int k = 0; k <= 52; ++k) result.push_back(-std::pow(10.0, -3.0 - 0.25 * k));
  result.push_back(0.0);
  for (int k = 52; k >= 0; --k) result.push_back(std::pow(10.0, -3.0 - 0.25 * k));
  return result;
}

/// Two bodies that touch when body 2 stands at `touch` along x, and which separating direction
/// holds there: at every gap the truth along it is position - touch.
struct Approach {
  const char* name;
  Body body1;
  Body body2;
  /// Depth of an overlap is the overlap along x; else only the sign and order are known.
  bool isDepthExact;
  /// Below 1e-13 the direction of the gap is lost in the rounding of coordinates, and the greatest
  /// gap along a feature's direction stands for it: up to a third of the gap less.
  bool isTinyGapCoarse = false;
};

/// Where body 2 touches along x: body 1's greatest x plus body 2's greatest -x, in long double.
long double reachAlongX(const Approach& a) {
  const auto reach = [](const Body& body, double sign) -> long double {
    const Vector local = body.rotation.transpose() * Vector(sign, 0.0, 0.0);
    const Vector p = body.specimen.support(local);
    long double x = 0.0L;
    for (int i = 0; i < 3; ++i) {
      x += static_cast<long double>(body.rotation(0, i)) * static_cast<long double>(p[i]);
    }
    return static_cast<long double>(sign) * x;
  };
  return reach(a.body1, 1.0) + reach(a.body2, -1.0);
}

void sweep(Approach approach) {
  SCOPED_TRACE(approach.name);
  const long double touch = reachAlongX(approach);
  const double size = pairSize(approach.body1, approach.body2) + static_cast<double>(touch);
  // A few roundings of the size: of the rotation, of the support points, of the difference. Beyond
  // these the sign must be right and the order kept.
  const double rounding = 4e-16 * size;
  const double exactness = approach.isTinyGapCoarse ? 1e-14 * size : rounding;
  double lastTruth = -1.0, lastDistance = -1.0;
  for (const double gap : gaps()) {
    approach.body2.position.x() = static_cast<double>(touch + static_cast<long double>(gap));
    const double truth =
        static_cast<double>(static_cast<long double>(approach.body2.position.x()) - touch);
    SCOPED_TRACE(::testing::Message() << "gap " << truth);
    DistanceResult result;
    ASSERT_TRUE(distance(approach.body1.placed(1), approach.body2.placed(2), result));
    if (truth >= 0.0 || approach.isDepthExact) {
      EXPECT_NEAR(result.distance, truth, exactness);
    } else {
      EXPECT_GE(result.distance, truth - exactness);
    }
    if (std::abs(truth) > rounding) {
      EXPECT_EQ(result.distance > 0.0, truth > 0.0) << "wrong sign";
    }
    EXPECT_GE(result.distance, lastDistance - rounding) << "not monotone";
    if (truth - lastTruth > 2.0 * rounding) {
      EXPECT_GT(result.distance, lastDistance) << "not strictly monotone";
    }
    lastTruth = truth;
    lastDistance = result.distance;
    const Verdict verdict = judge(approach.body1, approach.body2);
    EXPECT_EQ(verdict.message, "");
  }
}

Matrix turn(double angle, const Vector& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

Body box(const Matrix& rotation, const Vector& half = Vector(0.5, 0.5, 0.5)) {
  return Body(Specimen::box(half), rotation);
}

Body hull(const Matrix& rotation) {
  return Body(Specimen::hull(Specimen::box({0.5, 0.5, 0.5}).corners()), rotation);
}

/// Turns the corner (1, 1, 1) of a cube to +x.
Matrix cornerForward() {
  return Eigen::Quaterniond::FromTwoVectors(Vector(1.0, 1.0, 1.0), Vector::UnitX())
      .toRotationMatrix();
}

const Matrix kUpright = Matrix::Identity();
const Matrix kEdgeAlongZ = turn(M_PI / 4, Vector::UnitZ());
const Matrix kEdgeAlongY = turn(M_PI / 4, Vector::UnitY());

TEST(GapSweep, FaceOnFace) {
  sweep({"cubes", box(kUpright), box(kUpright), true});
  sweep({"cubes, turned", box(kUpright), box(turn(0.3, Vector::UnitX())), true});
  sweep({"hulls", hull(kUpright), hull(turn(0.3, Vector::UnitX())), true});
  sweep({"cube and hull", box(kUpright), hull(kUpright), true});
}

TEST(GapSweep, EdgeOnFace) {
  sweep({"cubes", box(kUpright), box(kEdgeAlongZ), true});
  sweep({"hulls", hull(kUpright), hull(kEdgeAlongY), true});
}

TEST(GapSweep, EdgeOnEdge) {
  sweep({"crossing cubes", box(kEdgeAlongZ), box(kEdgeAlongY), true});
  sweep({"crossing hulls", hull(kEdgeAlongZ), hull(kEdgeAlongY), true});
  // Parallel edges: an overlap leaves sideways, so its depth is less than the overlap along x.
  sweep({"parallel cubes", box(kEdgeAlongZ), box(kEdgeAlongZ), false});
  sweep({"parallel hulls", hull(kEdgeAlongZ), hull(kEdgeAlongZ), false});
}

TEST(GapSweep, CornerOnFaceEdgeAndCorner) {
  const Matrix corner = cornerForward();
  const Matrix facing = turn(M_PI, Vector::UnitZ()) * corner;
  sweep({"corner on face", box(kUpright), box(facing), true});
  sweep({"corner on face, hulls", hull(kUpright), hull(facing), true});
  sweep({"corner on edge", box(kEdgeAlongZ), box(facing), false, true});
  sweep({"corner on edge, hulls", hull(kEdgeAlongZ), hull(facing), false, true});
  sweep({"corner on corner", box(corner), box(facing), false});
  sweep({"corner on corner, hulls", hull(corner), hull(facing), false});
}

TEST(GapSweep, RoundBodies) {
  const Body ball(Specimen::sphere(0.3));
  const Body lying(Specimen::capsule(0.3, 0.8), turn(M_PI / 2, Vector::UnitX()));
  const Body standing(Specimen::capsule(0.3, 0.8));
  sweep({"spheres", ball, ball, true});
  sweep({"sphere on face", box(kUpright), ball, true});
  sweep({"sphere on edge", box(kEdgeAlongZ), ball, true});
  sweep({"sphere on corner", box(cornerForward()), ball, true});
  sweep({"sphere on hull's corner", hull(cornerForward()), ball, true});
  sweep({"crossing capsules", standing, lying, true});
  sweep({"parallel capsules", standing, standing, true});
  sweep({"capsule on face", box(kUpright), standing, true});
  sweep({"capsule on edge", box(kEdgeAlongY), standing, true});
}

TEST(GapSweep, CylindersAndCones) {
  const Body standing(Specimen::cylinder(0.5, 1.0));
  const Body lying(Specimen::cylinder(0.5, 1.0), turn(M_PI / 2, Vector::UnitX()));
  const Body capForward(Specimen::cylinder(0.5, 1.0), turn(M_PI / 2, Vector::UnitY()));
  const Body rimForward(Specimen::cylinder(0.5, 1.0), turn(M_PI / 4, Vector::UnitY()));
  sweep({"crossing sides", standing, lying, true});
  sweep({"parallel sides", standing, standing, true});
  sweep({"caps", capForward, capForward, true});
  sweep({"cap on side", capForward, standing, true});
  sweep({"rim on face", box(kUpright), rimForward, true});
  sweep({"side on face", box(kUpright), standing, true});
  sweep({"side on edge", box(kEdgeAlongY), standing, true});
  sweep({"sphere on side", standing, Body(Specimen::sphere(0.3)), true});
  const Body apexForward(Specimen::cone(0.5, 1.0), turn(-M_PI / 2, Vector::UnitY()));
  const Body baseForward(Specimen::cone(0.5, 1.0), turn(M_PI / 2, Vector::UnitY()));
  sweep({"apex on face", box(kUpright), apexForward, true});
  sweep({"base on face", box(kUpright), baseForward, true});
  sweep({"apex on cap", capForward, apexForward, true});
  sweep({"apex on base", Body(Specimen::cone(0.5, 1.0), turn(-M_PI / 2, Vector::UnitY())),
         apexForward, true});
  sweep({"apex on sphere", Body(Specimen::sphere(0.3)), apexForward, true});
}

}  // namespace
}  // namespace abut::test
