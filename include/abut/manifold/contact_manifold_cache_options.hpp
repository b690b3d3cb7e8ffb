// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// How contacts persist.
struct ContactManifoldCacheOptions {
  /// If false, raw contacts pass through unchanged, in the order given, and nothing is remembered.
  bool enabled = true;

  /// Points kept for each manifold key, 1 to 4.
  std::size_t maxPointsPerPair = 4;

  /// Largest number of manifolds kept; 0 is no limit. When more are in contact the shallowest are
  /// left out (ties: the larger keys), and update() reports LimitExceeded with the counts.
  std::size_t maxPairs = 0;

  /// Updates for which an unseen manifold is remembered before it is dropped.
  std::size_t maxSeparationFrames = 3;

  /// Points nearer than this in a body's frame [m] are the same point if their normals agree. Used
  /// for matching after features failed to match, and to keep points unique.
  double positionThreshold = 1e-4;

  /// Normals agree if the cosine of their angle is above this (0.985 is 10 degrees). Impulses are
  /// dropped when the normal turned farther.
  double normalThreshold = 0.985;

  /// Depths within this length [m] of the greatest count as equally deep when a point is chosen to
  /// be kept; the choice among them goes by features, so that it does not flicker.
  double depthEpsilon = 1e-9;

  /// Accept contacts with negative depth (a gap within the detector's margin).
  bool allowNegativeDepth = false;

  /// Keep earlier points of a pair that the detector saw, where they still are contacts: for
  /// detectors that find one point at a time. Abut's own finds whole manifolds.
  bool accumulate = false;

  /// Emit the points of an unseen manifold unchanged until maxSeparationFrames is over, whether or
  /// not the bodies still touch. This exerts forces at a distance; it exists for comparison.
  bool emitUnseen = false;

  /// A flat (Face) manifold may be recycled, that is re-evaluated without detection, while the
  /// relative pose has changed by at most this distance d [m] and this angle a [rad] since it was
  /// detected. Anchors and normal stay, so with the lever arm r of the farthest point the depth is
  /// wrong by at most d a + r a^2 / 2 + d^2 / (2 R), R being infinite for flat faces: 1.5e-6 m
  /// for the defaults at r = 1 m. 0 switches recycling off.
  double recycleDistance = 1e-3;
  double recycleAngle = 1e-3;

  /// OutOfRange or NonFinite with the option's name, value and permitted range.
  [[nodiscard]] Status validate() const;
};

}  // namespace abut::inline v0_1
