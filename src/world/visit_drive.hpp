// SPDX-License-Identifier: MIT
#pragma once

namespace abut {

/// Of a kinematic body whose drive has limits.
template <typename A, typename Drive>
void visitDrive(A& archive, Drive& d) {
  archive(d.maxForce, d.maxTorque, d.mass, d.inertia.tensor, d.inertia.inverse);
  archive(d.target.linear, d.target.angular);
  if constexpr (A::kReads) d.isLimited = true;
}

}  // namespace abut
