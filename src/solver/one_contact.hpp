// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// The response of one contact to its own impulse, in its frame (normal, tangent 1, tangent 2),
/// symmetric and positive semidefinite: W = [a, b^T; b, W_TT]. S = W_TT - b b^T / a is what is left
/// of the tangential block when the normal velocity is held.
struct ContactBlock {
  double a = 0.0;                          ///< W_NN [1/kg]; 0 if nothing can give way.
  double b1 = 0.0, b2 = 0.0;               ///< W_TN.
  double t11 = 0.0, t12 = 0.0, t22 = 0.0;  ///< W_TT.
  double s11 = 0.0, s12 = 0.0, s22 = 0.0;  ///< S.
  bool tangentFree = false;                ///< S is regular: the contact can be made to stick.
};

/// Fills S from a, b and W_TT.
void finishBlock(ContactBlock& block);

/// W r.
Vec3 times(const ContactBlock& block, const Vec3& r);

/// The impulse r (normal, tangents) that solves one Coulomb contact exactly: with u = W r + q,
///   r = 0 and u_n >= 0, or u = 0 and |r_t| <= friction r_n, or u_n = 0 and r_t = -friction r_n
///   u_t/|u_t|.
/// `alpha` is the ratio |u_t| / |r_t| of the last visit, a start for the search, and is updated.
Vec3 solveOneContact(const ContactBlock& block, const Vec3& q, double friction, double& alpha);

/// One step of the decoupled model (see ContactModel) from the impulse `last`.
Vec3 relaxDecoupled(const ContactBlock& block, const Vec3& q, const Vec3& last, double friction);

/// Nearest point of the cone |r_t| <= friction r_n.
Vec3 projectOnCone(const Vec3& r, double friction);

}  // namespace abut::inline v0_1
