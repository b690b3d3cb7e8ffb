// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <abut/joints/joint.hpp>

#include "math/block6.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// Most rows of a joint: what it locks and its free axes.
inline constexpr int kJointRows = 6;

/// Where a body is: its centre of mass and its turn. Between the two ends of a step the mean of
/// both, whose matrix is not a rotation.
struct Placement {
  Vec3 position;
  Mat3 rotation;
};

/// One equation of a joint, or one of its axes. d leads from the origin of frame 1 to that of
/// frame 2; a1 and b2 are axes a of frame 1 and b of frame 2.
enum class RowKind : std::uint8_t {
  None,
  Point,      ///< Component a of d, in the world, is 0.
  Along,      ///< d a1 = 0.
  Dot,        ///< a1 b2 = 0.
  Length,     ///< (|d|^2 - length^2) / 2 = 0.
  Travel,     ///< Axis: d a1.
  Stretch,    ///< Axis: |d|.
  TurnIn1,    ///< Axis: angle about a1, of b2 from b1. b2 is at right angles to a1.
  TurnIn2,    ///< Axis: angle about b2, of a1 from a2. b2 is at right angles to a1.
  Swing,      ///< Axis: angle of z2 from z1.
  Twist,      ///< Axis: turn about z that is left when z1 is swung to z2 by the shortest way.
  FirstOf3,   ///< Axis: angle about x1 of three that carry one another (JointType::Gimbal),
  SecondOf3,  ///< about what x1 and z2 leave,
  ThirdOf3,   ///< and about z2.
};

[[nodiscard]] inline bool isAxisKind(RowKind kind) {
  return kind >= RowKind::Travel;
}
[[nodiscard]] inline bool isTurnKind(RowKind kind) {
  return kind >= RowKind::TurnIn1;
}

struct JointRow {
  RowKind kind = RowKind::None;
  std::uint8_t a = 0, b = 0;  ///< Axes of frames: 0, 1, 2.
  std::uint8_t axis = 0;      ///< Of rows that are axes: place in JointDescription::axes.
};

/// A joint as equations between two bodies.
struct JointModel {
  std::array<JointRow, kJointRows> rows{};
  int numRows = 0;
  Vec3 arm1, arm2;      ///< Origins of the frames from the centres of mass, in the bodies' frames.
  Mat3 frame1, frame2;  ///< Their axes, in the bodies' frames.
  double length = 0.0;

  /// The row of an axis of the description, or -1.
  [[nodiscard]] int rowOfAxis(int axis) const;
};

/// The equations of a joint whose frames are given in the bodies' frames; centres of mass likewise.
JointModel makeJointModel(const JointDescription& description, const Vec3& center1,
                          const Vec3& center2);

/// Of the axes of a joint, by row; rows that are no axes are 0. Angles are in (-pi, pi].
using RowPositions = std::array<double, kJointRows>;
void rowPositions(const JointModel& model, const Placement& p1, const Placement& p2,
                  RowPositions& s);
/// The angle that is equal to `angle` up to whole turns and nearest to `to`.
double unwound(double angle, double to);

/// What the equations miss: 0 for rows that are axes.
void rowGaps(const JointModel& model, const Placement& p1, const Placement& p2, RowPositions& g);

/// Rates of the rows: j1 (v1, w1) + j2 (v2, w2), with velocities of the centres of mass.
///
/// Taken at the means of two placements, they give the change of every equation between the two
/// exactly, and so they do for travel and distance, if the turns are those of cayley.hpp:
/// all are quadratic in position and rotation. For angles to third order in the step.
struct JointRates {
  Mat6 j1, j2;
};
/// `stretch` is the sum of the distances at both ends, of use to RowKind::Stretch.
void rowRates(const JointModel& model, const Placement& p1, const Placement& p2, double stretch,
              JointRates& rates);

}  // namespace abut::inline v0_1
