// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

// Storage types of the library. They carry no arithmetic here: everything that computes lives in
// the library's own source files, compiled under the determinism rules, so that a user's compiler
// flags cannot change a result. The interface speaks Eigen; see math/convert.hpp.

/// Three numbers; unit and frame as the owner says.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// 3x3 matrix by columns. For a rotation the columns are the rotated frame's axes.
struct Mat3 {
  Vec3 x{1.0, 0.0, 0.0};
  Vec3 y{0.0, 1.0, 0.0};
  Vec3 z{0.0, 0.0, 1.0};

  friend bool operator==(const Mat3&, const Mat3&) = default;
};

/// Quaternion w + xi + yj + zk.
struct Quat {
  double w = 1.0;
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(const Quat&, const Quat&) = default;
};

/// Rigid placement: world = rotation * local + translation. Lengths in metres.
struct Pose {
  Mat3 rotation;
  Vec3 translation;

  friend bool operator==(const Pose&, const Pose&) = default;
};

}  // namespace abut::inline v0_1
