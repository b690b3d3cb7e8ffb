// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <abut/core/status.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "collision/course.hpp"

namespace abut::inline v0_1 {

/// Motion beyond this share of a body's least half width h is looked at. Less than h of it cannot
/// bring a centre across a face that it did not touch; half of that leaves room for the overlap
/// that a body may have already.
inline constexpr double kGuardShare = 0.5;
/// A way of all but so much is whole.
inline constexpr double kWholeWay = 1.0 - 1e-9;

/// A part of a step in which two bodies move evenly; times are fractions of the step.
struct WayPiece {
  Course course1, course2;
  double begin = 0.0, end = 1.0;
};

/// Two shapes on their way through a step, piece by piece.
struct PairWay {
  const Shape *shape1 = nullptr, *shape2 = nullptr;
  double radius1 = 0.0, radius2 = 0.0;  ///< About the centres of mass.
  double width1 = 0.0, width2 = 0.0;    ///< Least half widths, of all parts [m].
  bool stops1 = false, stops2 = false;  ///< Whether they can be stopped.
  bool mayTouch = false;  ///< The step solved a contact of the two: a touch does not end the way.
  double slack = 0.0;     ///< A share by which they may overlap more.
  std::vector<WayPiece> pieces;
};

/// Least half width of a shape [m]; of a compound that of its thinnest part, of a plane none.
double guardedWidth(const Shape& shape, double halfWidth);

/// Up to when two bodies may go on, as a fraction of the step: until they first touch, or, where
/// they touch at the beginning or may touch, until they touch again after they parted or overlap by
/// more than is allowed; above 1: the whole way is free. Fails as the kernels of the shapes do.
Status findFreeTime(const PairWay& way, CollisionResult& scratch, double& time);

}  // namespace abut::inline v0_1
