// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// How bodies move on that lie on each other between blows.
class BlowSupport {
public:
  /// Accelerations [m/s^2, rad/s^2] of bodies with those that they would have alone, if the
  /// contacts with the indices `touching` push where that keeps them from closing: forces under
  /// Coulomb's law, for bodies that are at rest on each other. Centripetal terms are left out.
  /// Returns the forces along normal and tangents [N], one for each of `touching`; the view ends
  /// with the next call.
  std::span<const Vec3> find(std::span<const BodyMobility> mobility,
                             std::span<const SolverContact> contacts,
                             std::span<const std::uint32_t> touching,
                             std::span<const Vec3> freeAcceleration,
                             std::vector<BodyVelocity>& acceleration);

private:
  ContactSolver solver_;
  std::vector<SolverContact> some_;
  std::vector<Vec3> forces_;
};

}  // namespace abut::inline v0_1
