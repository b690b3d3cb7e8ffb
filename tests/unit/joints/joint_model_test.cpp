// SPDX-License-Identifier: MIT
#include "joints/joint_model.hpp"

#include <random>

#include <gtest/gtest.h>

#include "joints/cayley.hpp"
#include "math/rotation_vector.hpp"

namespace abut {
namespace {

class Numbers {
public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double next() { return 2.0 * (static_cast<double>(engine_()) / 4294967295.0) - 1.0; }
  Vec3 vector() {
    const double x = next(), y = next(), z = next();
    return {x, y, z};
  }
  Quat turn() { return quatFromRotationVector(vector() * 2.0); }

private:
  std::mt19937 engine_;
};

const JointType kTypes[] = {JointType::Fixed,  JointType::Ball,      JointType::Hinge,
                            JointType::Slider, JointType::Universal, JointType::Distance,
                            JointType::Tether, JointType::SixAxis,   JointType::Gimbal};

/// The equations are quadratic in positions and rotations, so that between any two placements they
/// change by their rates at the mean of the two, times the way and Cayley's turn; travel and
/// distance likewise. Nothing is small here, so that only rounding may be left.
TEST(JointModel, EquationsChangeByTheirRatesAtTheMean) {
  Numbers numbers(7);
  for (const JointType type : kTypes) {
    for (int locks = 0; locks < (type >= JointType::SixAxis ? 64 : 1); ++locks) {
      JointDescription d;
      d.type = type;
      d.length = 0.7;
      for (int i = 0; i < 6; ++i)
        d.axes[static_cast<std::size_t>(i)].locked = (locks >> i & 1) != 0;
      d.frame1 = {toMatrix(numbers.turn()), numbers.vector()};
      d.frame2 = {toMatrix(numbers.turn()), numbers.vector()};
      const JointModel model = makeJointModel(d, numbers.vector(), numbers.vector());
      ASSERT_LE(model.numRows, kJointRows);
      Placement start[2], end[2], middle[2];
      Vec6 way[2];
      for (int b = 0; b < 2; ++b) {
        const Quat q = numbers.turn();
        const Vec3 turn = numbers.vector(), shift = numbers.vector();
        start[b] = {numbers.vector(), toMatrix(q)};
        end[b] = {start[b].position + shift, toMatrix(normalized(cayley(turn) * q))};
        middle[b] = {(start[b].position + end[b].position) * 0.5,
                     (start[b].rotation + end[b].rotation) * 0.5};
        way[b] = toVec6(shift, turn);
      }
      RowPositions g0, g1, s0, s1;
      rowGaps(model, start[0], start[1], g0);
      rowGaps(model, end[0], end[1], g1);
      rowPositions(model, start[0], start[1], s0);
      rowPositions(model, end[0], end[1], s1);
      JointRates rates;
      double stretch = 0.0;
      for (std::size_t r = 0; r < 6; ++r) {
        if (model.rows[r].kind == RowKind::Stretch) stretch = s0[r] + s1[r];
      }
      rowRates(model, middle[0], middle[1], stretch, rates);
      for (int r = 0; r < model.numRows; ++r) {
        const auto at = static_cast<std::size_t>(r);
        if (isTurnKind(model.rows[at].kind)) continue;
        const double change = dot(rates.j1.row[r], way[0]) + dot(rates.j2.row[r], way[1]);
        EXPECT_NEAR((g1[at] - g0[at]) + (s1[at] - s0[at]), change, 2e-14)
            << "type " << static_cast<int>(type) << " locks " << locks << " row " << r;
      }
    }
  }
}

/// Angles change by their rates to third order: a tenth of the step leaves a thousandth of the
/// error. Universal and hinge angles are those of joints that are closed.
TEST(JointModel, AnglesChangeByTheirRatesToThirdOrder) {
  Numbers numbers(11);
  for (const JointType type : {JointType::Hinge, JointType::Universal, JointType::Ball}) {
    JointDescription d;
    d.type = type;
    const JointModel model = makeJointModel(d, Vec3{}, Vec3{});
    const Quat q1 = numbers.turn();
    const double angle = 0.4, other = type == JointType::Hinge ? 0.0 : 0.3;
    const Quat relative =
        quatFromRotationVector({0.0, 0.0, angle}) * quatFromRotationVector({other, 0.0, 0.0});
    const Vec3 w1 = numbers.vector();
    double error[2] = {};
    for (int k = 0; k < 2; ++k) {
      const double dt = k == 0 ? 1e-2 : 1e-3;
      // Body 2 turns with body 1, and by both axes of the joint.
      const Quat next1 = cayley(w1 * dt) * q1;
      const Quat nextRelative =
          quatFromRotationVector({0.0, 0.0, angle + 0.7 * dt}) *
          quatFromRotationVector({other > 0.0 ? other - 0.9 * dt : 0.0, 0.0, 0.0});
      const Quat q2 = q1 * relative, next2 = next1 * nextRelative;
      const auto place = [](const Quat& q) { return Placement{{}, toMatrix(normalized(q))}; };
      RowPositions s0, s1;
      rowPositions(model, place(q1), place(q2), s0);
      rowPositions(model, place(next1), place(next2), s1);
      const auto mean = [&](const Quat& a, const Quat& b) {
        return Placement{{}, (place(a).rotation + place(b).rotation) * 0.5};
      };
      JointRates rates;
      rowRates(model, mean(q1, next1), mean(q2, next2), 0.0, rates);
      const Vec6 turn1 = toVec6({}, w1 * dt), turn2 = toVec6({}, cayleyBetween(q2, next2));
      for (int r = 0; r < model.numRows; ++r) {
        const auto at = static_cast<std::size_t>(r);
        if (!isTurnKind(model.rows[at].kind)) continue;
        const double change = dot(rates.j1.row[r], turn1) + dot(rates.j2.row[r], turn2);
        error[k] = maxOf(error[k], absOf((s1[at] - s0[at]) - change));
        EXPECT_GT(absOf(s1[at] - s0[at]), 0.05 * dt);
      }
    }
    EXPECT_LT(error[0], 1e-6);
    EXPECT_LT(error[1], 2e-3 * error[0] + 1e-15) << static_cast<int>(type);
  }
}

TEST(JointModel, AnglesAreThoseOfTheRotation) {
  JointDescription d;
  d.type = JointType::Universal;
  const JointModel universal = makeJointModel(d, Vec3{}, Vec3{});
  const Quat q = quatFromRotationVector({0.0, 0.0, 0.8}) * quatFromRotationVector({-0.5, 0.0, 0.0});
  RowPositions s;
  rowPositions(universal, {}, {{}, toMatrix(q)}, s);
  EXPECT_NEAR(s[static_cast<std::size_t>(universal.rowOfAxis(0))], 0.8, 1e-15);
  EXPECT_NEAR(s[static_cast<std::size_t>(universal.rowOfAxis(1))], -0.5, 1e-15);
  d.type = JointType::Ball;
  const JointModel ball = makeJointModel(d, Vec3{}, Vec3{});
  // A swing of 0.6 about an axis at right angles to z, after a twist of 1.1.
  const Quat swung =
      quatFromRotationVector({0.36, 0.48, 0.0}) * quatFromRotationVector({0.0, 0.0, 1.1});
  rowPositions(ball, {}, {{}, toMatrix(swung)}, s);
  EXPECT_NEAR(s[static_cast<std::size_t>(ball.rowOfAxis(0))], 1.1, 1e-15);
  EXPECT_NEAR(s[static_cast<std::size_t>(ball.rowOfAxis(1))], 0.6, 1e-15);
  EXPECT_NEAR(unwound(0.1, 12.0), 0.1 + 4.0 * kPi, 1e-14);
}

/// Angles of three hinges that carry one another, and their rates: those by which the angles
/// change.
TEST(JointModel, AGimbalHasTheAnglesOfItsHinges) {
  Numbers numbers(11);
  for (int i = 0; i < 50; ++i) {
    JointDescription d;
    d.type = JointType::Gimbal;
    for (std::size_t k = 0; k < 3; ++k) d.axes[k].locked = true;
    const JointModel model = makeJointModel(d, Vec3{}, Vec3{});
    ASSERT_EQ(model.numRows, 6);
    const Vec3 angles = numbers.vector() * 1.4, rates = numbers.vector();
    const auto turned = [](const Vec3& a) {
      return quatFromRotationVector(Vec3{a.x, 0.0, 0.0}) *
             quatFromRotationVector(Vec3{0.0, a.y, 0.0}) *
             quatFromRotationVector(Vec3{0.0, 0.0, a.z});
    };
    const Quat base = numbers.turn();
    const Placement p1{{}, toMatrix(base)}, p2{{}, toMatrix(base * turned(angles))};
    RowPositions s;
    rowPositions(model, p1, p2, s);
    JointRates j;
    rowRates(model, p1, p2, 0.0, j);
    constexpr double kSmall = 1e-5;
    const Quat later = base * turned(angles + rates * kSmall);
    const Quat before = base * turned(angles - rates * kSmall);
    const Vec3 spin = cayleyBetween(before, later) / (2.0 * kSmall);
    const double angle[] = {angles.x, angles.y, angles.z}, rate[] = {rates.x, rates.y, rates.z};
    for (int k = 0; k < 3; ++k) {
      const int row = model.rowOfAxis(3 + k);
      ASSERT_GE(row, 0);
      EXPECT_NEAR(s[static_cast<std::size_t>(row)], angle[k], 1e-13);
      EXPECT_NEAR(dot(j.j2.row[row], toVec6(Vec3{}, spin)), rate[k], 1e-7);
      EXPECT_NEAR(dot(j.j1.row[row], toVec6(Vec3{}, spin)), -rate[k], 1e-7);
    }
  }
}

}  // namespace
}  // namespace abut
