// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

// The part of a world's state that its accounts are: see visitState().

template <typename A, typename Account>
void visitAccount(A& archive, Account& a) {
  archive(a.kineticBefore, a.kineticAfter, a.potentialBefore, a.potentialAfter, a.drivers, a.forces,
          a.impact, a.friction, a.correction, a.integrator);
}

/// The accounts that only joints have.
template <typename A, typename Account>
void visitJointAccount(A& archive, Account& a) {
  archive(a.elasticBefore, a.elasticAfter, a.motors, a.dampers, a.limits, a.jointFriction,
          a.joints);
}

}  // namespace abut::inline v0_1
