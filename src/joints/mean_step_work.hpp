// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "joints/axis_law.hpp"
#include "joints/joint_model.hpp"
#include "joints/krylov.hpp"

namespace abut::inline v0_1 {

/// What MeanStep keeps of the parts of a mechanism.
struct MeanStepWork {
  struct Body {
    Mat3 rotation, next;  ///< At the beginning, at the end.
    Quat nextOrientation;
    Vec3 nextPosition;
    Vec3 spin;         ///< At the beginning, in the body's frame.
    Vec6 start, mean;  ///< Velocities.
    Placement middle;
    Mat3 inverseInertia;    ///< World, at the beginning.
    double gyration = 1.0;  ///< Radius [m].
    Mat3 stiffness;         ///< Of joint forces against turning [N m s].
    Mat3 block;             ///< Of the matrix that is eliminated, against turning.
    double pushed = 0.0;    ///< Greatest velocity that an impulse of a joint gives it.
    Vec6 onLocks{};         ///< What its locks keep of the momentum that is missing.
  };
  struct Row {
    double impulse = 0.0;
    double limit = 0.0;     ///< Impulse of a limit that is apart.
    double rate = 0.0;      ///< Mean.
    double response = 0.0;  ///< Of the rate to the impulse, with both bodies free.
    double gain = 0.0;      ///< 1/slope, or what a locked row is regularised by; 0: off.
    double right = 0.0;
    double next = 0.0;       ///< Position of an axis at the end.
    double arc = 1.0;        ///< Way of an axis over dt times its rate.
    double startRate = 0.0;  ///< In impacts: before it.
    double share = 1.0;      ///< Of a spring that fades (see twistShare()).
    double pull = 0.0;       ///< Impulse along a swing with which the spring of a twist fades.
    AxisPoint point;
  };
  struct Joint {
    JointRates rates;
    RowPositions gaps;
    std::array<Row, kJointRows> rows;
    std::array<AxisLaw, kJointRows> laws;  ///< Of rows that are axes.
    /// Of a sprung twist: what its spring did not give along its rate, as a moment on body 2 along
    /// the turning of the bodies against each other, and its work.
    Vec3 moment;
    double work = 0.0;
  };
  struct Coupling {
    Row row;
    std::uint32_t body[4] = {};
    std::uint32_t edge[4] = {};
    Vec6 rates[4];
    int numBodies = 0;
  };
};

/// Room for MeanStep::predictTurning(), of any mechanism: what the matrix that is eliminated leaves
/// out of the true one.
struct TurningWork {
  struct OfBody {
    Mat3 bySpin, byTurn;
  };
  struct OfJoint {
    Mat6 j1, j2;
    Mat3 middle1, middle2, end1, end2;  ///< Frames in the world.
  };
  std::vector<OfBody> bodies;
  std::vector<OfJoint> joints;
  std::vector<Vec6> weights, velocities, product;
  Krylov krylov;
};

}  // namespace abut::inline v0_1
