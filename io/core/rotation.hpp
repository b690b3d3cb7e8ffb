// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/types.hpp>

namespace abut::inline v0_1::io {

/// Unit quaternion of a rotation matrix, w >= 0 (Shepperd's choice of the largest component).
[[nodiscard]] Quat quaternionOf(const Mat3& rotation);

/// Matrix of a unit quaternion.
[[nodiscard]] Mat3 matrixOf(const Quat& q);

/// a b: first b, then a.
[[nodiscard]] Quat multiply(const Quat& a, const Quat& b);

/// Rotation * v.
[[nodiscard]] Vec3 rotate(const Mat3& rotation, const Vec3& v);

/// The placement b seen from where a is seen: a * b.
[[nodiscard]] Pose compose(const Pose& a, const Pose& b);

}  // namespace abut::inline v0_1::io
