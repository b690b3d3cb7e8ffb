// SPDX-License-Identifier: MIT
#include "math/pose.hpp"

#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>

#include "math/trigonometry.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

constexpr std::uint64_t kSeed = 11;
/// A rotated unit vector carries about nine roundings.
constexpr double kRounding = 4e-15;

double largestElement(const Mat3& m) {
  const Mat3 a = absOf(m);
  return maxOf(maxElement(a.x), maxOf(maxElement(a.y), maxElement(a.z)));
}

TEST(Quaternion, SurvivesTheWayThroughTheMatrix) {
  test::Random random(kSeed);
  for (int i = 0; i < 2000; ++i) {
    const Quat q = random.quaternion(), back = toQuat(toMatrix(q));
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    EXPECT_NEAR(back.w, sign * q.w, kRounding) << "seed " << kSeed;
    // Near w = 0 both signs stand for the same rotation.
    const double inner = ((back.w * q.w + back.x * q.x) + back.y * q.y) + back.z * q.z;
    EXPECT_NEAR(absOf(inner), 1.0, kRounding) << "seed " << kSeed;
    EXPECT_GE(back.w, 0.0);
  }
}

TEST(Quaternion, HalfTurnsAboutEveryAxisConvert) {
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0.0, -0.8}}) {
    const Mat3 m = toMatrix(Quat{0.0, axis.x, axis.y, axis.z});
    const Mat3 back = toMatrix(toQuat(m));
    EXPECT_LE(largestElement(back - m), kRounding);
  }
}

TEST(Quaternion, ProductIsTheProductOfTheMatrices) {
  test::Random random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Quat a = random.quaternion(), b = random.quaternion();
    EXPECT_LE(largestElement(toMatrix(a * b) - toMatrix(a) * toMatrix(b)), kRounding);
  }
}

TEST(Quaternion, RotationVectorTurnsByItsLengthAboutItsDirection) {
  // A quarter turn about z takes x to y.
  const Mat3 quarter = toMatrix(quatFromRotationVector({0.0, 0.0, 0.5 * kPi}));
  EXPECT_LE(norm(quarter * Vec3{1, 0, 0} - Vec3{0, 1, 0}), kRounding);
  test::Random random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 axis = random.direction();
    const double angle = random.between(1e-10, 3.0);
    const Mat3 m = toMatrix(quatFromRotationVector(axis * angle));
    EXPECT_LE(norm(m * axis - axis), kRounding) << "seed " << kSeed;
    const double trace = (m.x.x + m.y.y) + m.z.z;  // 1 + 2 cos(angle)
    EXPECT_NEAR(trace, 1.0 + 2.0 * sinCos(angle).cos, kRounding) << "seed " << kSeed;
  }
}

TEST(Quaternion, TinyRotationVectorsKeepTheirDirection) {
  const Quat q = quatFromRotationVector({2e-12, 0.0, -4e-12});
  EXPECT_EQ(q.w, 1.0);
  EXPECT_EQ(q.x, 1e-12);
  EXPECT_EQ(q.z, -2e-12);
  EXPECT_EQ(quatFromRotationVector({}), Quat{});
}

TEST(Pose, RelativeUndoesCompose) {
  test::Random random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Pose a = random.pose(2.0), b = random.pose(2.0);
    const Pose back = relative(a, compose(a, b));
    EXPECT_LE(largestElement(back.rotation - b.rotation), kRounding) << "seed " << kSeed;
    EXPECT_LE(norm(back.translation - b.translation), 4.0 * kRounding) << "seed " << kSeed;
    const Vec3 p = random.vector(1.0);
    EXPECT_LE(norm(applyInverse(a, apply(a, p)) - p), 4.0 * kRounding) << "seed " << kSeed;
  }
}

TEST(PolarStep, SquaresTheDeviationFromARotation) {
  test::Random random(kSeed);
  for (int i = 0; i < 200; ++i) {
    Mat3 m = random.pose(0.0).rotation;
    m.x += random.vector(1e-5);
    m.y += random.vector(1e-5);
    m.z += random.vector(1e-5);
    const double before = orthonormalityError(m);
    // The step maps each singular value 1 + e to 1 - 3/2 e^2 + ..., so R^T R - I shrinks to
    // 3/4 of its square; elements of a 3x3 matrix mix by at most 3.
    EXPECT_LE(orthonormalityError(polarStep(m)), 3.0 * before * before + kRounding);
  }
}

TEST(ToPose, KeepsARotationToTheBit) {
  test::Random random(kSeed);
  for (int i = 0; i < 100; ++i) {
    const Pose pose = random.pose(3.0);
    Pose back;
    ASSERT_TRUE(toPose(toEigen(pose), back));
    EXPECT_EQ(back, pose);
  }
}

TEST(ToPose, RepairsASlightlyWrongRotation) {
  Eigen::Isometry3d transform = toEigen(test::Random(kSeed).pose(1.0));
  transform(0, 0) += 2e-7;
  transform(2, 1) -= 2e-7;
  Pose pose;
  ASSERT_TRUE(toPose(transform, pose));
  EXPECT_LE(orthonormalityError(pose.rotation), kRounding);
}

void expectRefused(const Eigen::Isometry3d& transform, StatusCode code) {
  const Pose before{{}, {4.0, 5.0, 6.0}};
  Pose pose = before;
  const Status status = toPose(transform, pose);
  EXPECT_EQ(status.getCode(), code);
  EXPECT_FALSE(status.getMessage().empty());
  EXPECT_EQ(pose, before);
  EXPECT_THROW((void)poseFrom(transform), Error);
}

TEST(ToPose, RefusesWhatIsNoRigidMotionAndChangesNothing) {
  const Eigen::Isometry3d identity = Eigen::Isometry3d::Identity();
  for (int column = 0; column < 4; ++column) {
    Eigen::Isometry3d bad = identity;
    bad(1, column) = std::numeric_limits<double>::quiet_NaN();
    expectRefused(bad, StatusCode::NonFinite);
    bad(1, column) = -std::numeric_limits<double>::infinity();
    expectRefused(bad, StatusCode::NonFinite);
  }
  Eigen::Isometry3d mirrored = identity;
  mirrored(2, 2) = -1.0;
  expectRefused(mirrored, StatusCode::NotARotation);
  Eigen::Isometry3d scaled = identity;
  scaled(0, 0) = 1.00001;
  expectRefused(scaled, StatusCode::NotARotation);
  Eigen::Isometry3d sheared = identity;
  sheared(0, 1) = 1e-3;
  expectRefused(sheared, StatusCode::NotARotation);
  Eigen::Isometry3d collapsed = identity;
  collapsed(2, 2) = 0.0;
  expectRefused(collapsed, StatusCode::NotARotation);
}

}  // namespace
}  // namespace abut
