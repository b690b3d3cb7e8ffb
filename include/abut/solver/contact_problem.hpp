// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/dynamics/mobility.hpp>
#include <abut/math/types.hpp>

namespace abut::inline v0_1 {

/// One contact as the solver sees it. The relative velocity at the contact is that of body 1 less
/// that of body 2: u = v1 + w1 x arm1 - v2 - w2 x arm2 + offset, split along normal, tangent1,
/// tangent2, an orthonormal right-handed frame. Impulses act on body 1 as given, on body 2 negated.
struct SolverContact {
  std::uint32_t body1 = 0;  ///< Index into the bodies.
  std::uint32_t body2 = 0;
  std::uint32_t manifold = 0;  ///< Contacts with equal numbers are adjacent and share a normal.
  Vec3 normal, tangent1, tangent2;  ///< World frame; the normal points from 2 to 1.
  Vec3 arm1, arm2;                  ///< From the centres of mass to the contact [m].
  Vec3 offset;            ///< Added to the relative velocity: minus what is aimed at [m/s].
  double friction = 0.0;  ///< Coulomb's coefficient, >= 0.
  double rollingResistance = 0.0;   ///< Arm of the couple against rolling [m], >= 0.
  double spinningResistance = 0.0;  ///< Arm of the couple against spinning about the normal [m].
  /// Least normal velocity: the contact demands u_n >= bound, and pushes only where u_n = bound.
  double bound = 0.0;
};

/// Frictional contact among bodies: find impulses p (normal, tangent1, tangent2 for each contact)
/// with
///   v = v0 + M^-1 J^T p,
///   0 <= p_n, u_n >= bound, p_n (u_n - bound) = 0,
///   |p_t| <= friction p_n, and p_t opposes u_t with |p_t| = friction p_n wherever u_t is not zero;
/// where a contact has resistances also a couple c about its normal and its tangents, likewise:
///   |c_n| <= spinning p_n against the relative turning w_n, |c_t| <= rolling p_n against w_t.
struct ContactProblem {
  std::span<const BodyMobility> bodies;
  std::span<const SolverContact> contacts;
};

/// The same given by the contacts alone: u = W p + q at each of them, with the laws above and
/// bounds of zero. Rows of 3 x 3 blocks: those of contact i are block[rowStart[i]] up to
/// block[rowStart[i + 1]], each stored by rows (normal, tangent 1, tangent 2), in ascending
/// columns. W need not be symmetric, nor of full rank; every contact has a block of its own with a
/// positive normal entry.
struct DelassusProblem {
  std::span<const std::uint32_t> rowStart, column;
  std::span<const std::array<double, 9>> block;
  std::span<const Vec3> free;  ///< q.
  std::span<const double> friction;
};

/// The same given by masses and Jacobian rows: M v = H p + f, u = H^T v + w, with q = H^T M^-1 f +
/// w. M has one square block for each body (or group of coordinates), of bodySize[b] rows; contact
/// i moves the bodies body[first[i]] up to body[first[i + 1]], each by three rows of bodySize
/// numbers.
struct JacobianProblem {
  std::span<const std::uint32_t> bodySize;
  std::span<const double> mass;  ///< Block after block, by rows.
  std::span<const std::uint32_t> first, body;
  std::span<const double> rows;  ///< Three rows for each entry of `body`, one after the other.
  std::span<const Vec3> free;    ///< q.
  std::span<const double> friction;
};

/// Storage of a DelassusProblem.
struct DelassusMatrix {
  std::vector<std::uint32_t> rowStart, column;
  std::vector<std::array<double, 9>> block;
};

/// W = H^T M^-1 H. False if a mass block has no inverse.
bool assembleDelassus(const JacobianProblem& problem, DelassusMatrix& matrix);
/// The matrix of contacts among bodies, and their velocities without impulses, bounds taken off:
/// `free` are the bodies' velocities. Contacts where nothing gives way are left out; kept[i] is the
/// one that became number i. Resistances have no place in it.
void assembleDelassus(const ContactProblem& problem, std::span<const BodyVelocity> free,
                      DelassusMatrix& matrix, std::vector<Vec3>& atContacts,
                      std::vector<std::uint32_t>& kept);

}  // namespace abut::inline v0_1
