// SPDX-License-Identifier: MIT
#pragma once

#include <abut/solver/contact_problem.hpp>

#include "constraints/contact_site.hpp"

namespace abut::inline v0_1 {

/// A vector by components along a contact's normal and tangents, in the world.
inline Vec3 inWorld(const SolverContact& row, const Vec3& p) {
  return (row.normal * p.x + row.tangent1 * p.y) + row.tangent2 * p.z;
}

/// A contact of two bodies as the solver takes it, with a frame that depends on the normal alone.
inline SolverContact toSolverContact(const ContactSite& site, std::uint32_t body1,
                                     std::uint32_t body2, std::uint32_t manifold,
                                     const Vec3& offset, const PairMaterial& material) {
  SolverContact c;
  c.body1 = body1;
  c.body2 = body2;
  c.manifold = manifold;
  c.normal = site.normal;
  c.tangent1 = anyPerpendicular(site.normal);
  c.tangent2 = cross(site.normal, c.tangent1);
  c.arm1 = site.arm1;
  c.arm2 = site.arm2;
  c.offset = offset;
  c.friction = material.friction;
  c.rollingResistance = material.rollingResistance;
  c.spinningResistance = material.spinningResistance;
  return c;
}

}  // namespace abut::inline v0_1
